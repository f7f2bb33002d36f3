import type { ConstDirectiveNode } from 'graphql';
import { createStartError } from '../lib/startup.ts';
import { createTag } from './directives.ts';
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
  getTags(coordinate: string): ConstDirectiveNode[] {
    const matching = this.#rules.filter(({ pattern }) => pattern.test(coordinate)).map(({ rule }) => rule);
    for (const rule of matching) this.#used.add(rule);
    return matching.map((rule) => createTag(rule.tag));
  }

  /** Throws if a rule has matched nothing. */
  checkAllUsed(): void {
    const unused = this.#rules.filter(({ rule }) => !this.#used.has(rule)).map(({ rule }) => `${rule.coordinate}=${rule.tag}`);
    if (unused.length > 0)
      throw createStartError('graph', [`SUBGRAPH_TAGS has coordinates that the graph does not have: ${unused.join(', ')}.`]);
  }
}
