import { demos } from '../../sandbox/all.gen.ts';

/** Names of demo records, by their type in the contract. */
export const EXAMPLES: Readonly<Record<string, readonly [string, ...string[]]>> = Object.fromEntries(
  demos.flatMap(({ examples = {} }) => Object.entries(examples)),
);
