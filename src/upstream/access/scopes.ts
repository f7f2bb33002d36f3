import type { AnyOperation } from '../contract/operation.ts';
import { type Grants, mayHold } from './grants.ts';

const isGiven = (value: unknown) => value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0);

/** The scopes that a request needs. */
export function scopesFor({ scopes, conditionalScopes }: AnyOperation, request: object): readonly string[] {
  if (!conditionalScopes) return scopes;
  const conditional = conditionalScopes.filter(({ field }) => isGiven((request as Record<string, unknown>)[field]));
  return [...scopes, ...conditional.map(({ scope }) => scope)];
}

/** Those of some scopes that the key cannot hold, by any wildcard. */
export const missingFrom = ({ scopes }: Grants, wanted: readonly string[]): readonly string[] =>
  wanted.filter((scope) => !mayHold(scopes, scope));

/** Those of some scopes that the key is not told to hold letter by letter: no wildcard stands for one. All of them where its scopes are not told. */
export const missingExactly = ({ scopes }: Grants, wanted: readonly string[]): readonly string[] =>
  wanted.filter((scope) => !scopes?.has(scope));
