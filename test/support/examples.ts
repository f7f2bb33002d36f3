import { demos } from '../../sandbox/all.gen.ts';

/** Names of demo records, by the type that the contract has for them. */
export const EXAMPLES: Readonly<Record<string, readonly [string, ...string[]]>> = Object.fromEntries(
  demos.flatMap(({ examples = {} }) => Object.entries(examples)),
);
