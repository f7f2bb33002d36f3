import { type ASTNode, type DefinitionNode, Kind, visit } from 'graphql';
import { type Directed, directive, withDirectives } from './directives.ts';
import type { TagRule } from './options.ts';

/** Puts a platform's own tags on what is printed. */
export class Tags {
  readonly #rules: readonly { readonly rule: TagRule; readonly pattern: RegExp }[];
  readonly #used = new Set<TagRule>();

  constructor(rules: readonly TagRule[]) {
    this.#rules = rules.map((rule) => ({
      rule,
      pattern: new RegExp(`^${rule.coordinate.replaceAll('.', '\\.').replaceAll('*', '[^.]*')}$`),
    }));
  }

  #of(coordinate: string) {
    const fitting = this.#rules.filter(({ pattern }) => pattern.test(coordinate)).map(({ rule }) => rule);
    for (const rule of fitting) this.#used.add(rule);
    return fitting.map(({ tag: name }) => directive('tag', { name }));
  }

  /** The definition with the tags of its type and of its members. */
  on<Definition extends DefinitionNode>(definition: Definition): Definition {
    if (!('name' in definition) || !definition.name || this.#rules.length === 0) return definition;
    const type = definition.name.value;
    const tagMember = <Member extends Directed & { readonly name: { readonly value: string } }>(member: Member): Member =>
      withDirectives(member, this.#of(`${type}.${member.name.value}`));
    const members = visit<ASTNode>(definition, {
      [Kind.FIELD_DEFINITION]: tagMember,
      [Kind.ENUM_VALUE_DEFINITION]: tagMember,
      // An argument is no member of the type, though it is written like one.
      [Kind.INPUT_VALUE_DEFINITION]: (member) => (definition.kind === Kind.INPUT_OBJECT_TYPE_DEFINITION ? tagMember(member) : undefined),
    }) as Definition;
    return withDirectives(members as Definition & Directed, this.#of(type));
  }

  /** Fails when a rule has matched nothing. */
  checkAllUsed(): void {
    const unused = this.#rules.filter(({ rule }) => !this.#used.has(rule)).map(({ rule }) => `${rule.coordinate}=${rule.tag}`);
    if (unused.length > 0) throw new Error(`Tags of coordinates that the graph does not have: ${unused.join(', ')}.`);
  }
}
