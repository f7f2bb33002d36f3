import type { ConstDirectiveNode } from 'graphql';
import { cannotStart } from '../lib/starting.ts';
import { tag } from './directives.ts';
import type { TagRule } from './options.ts';

/** Tags that the deployment configures. */
export class Tags {
  readonly #rules: readonly { readonly rule: TagRule; readonly pattern: RegExp }[];
  readonly #used = new Set<TagRule>();

  constructor(rules: readonly TagRule[]) {
    this.#rules = rules.map((rule) => ({
      rule,
      pattern: new RegExp(`^${rule.coordinate.replaceAll('.', '\\.').replaceAll('*', '[^.]*')}$`),
    }));
  }

  /** The tags of a coordinate: `Type` or `Type.member`. */
  on(coordinate: string): ConstDirectiveNode[] {
    const fitting = this.#rules.filter(({ pattern }) => pattern.test(coordinate)).map(({ rule }) => rule);
    for (const rule of fitting) this.#used.add(rule);
    return fitting.map((rule) => tag(rule.tag));
  }

  /** Throws if a rule has matched nothing. */
  checkAllUsed(): void {
    const unused = this.#rules.filter(({ rule }) => !this.#used.has(rule)).map(({ rule }) => `${rule.coordinate}=${rule.tag}`);
    if (unused.length > 0)
      throw cannotStart('graph', [`SUBGRAPH_TAGS has coordinates that the graph does not have: ${unused.join(', ')}.`]);
  }
}
