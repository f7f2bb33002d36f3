import type { AnyOperation } from '../contract/operation.ts';
import { type Grants, mayHaveScope } from './grants.ts';

const isSet = (value: unknown) => value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0);

/** Returns the scopes that a request requires. */
export function getRequiredScopes({ scopes, conditionalScopes }: AnyOperation, request: object): readonly string[] {
  if (!conditionalScopes) return scopes;
  const conditional = conditionalScopes.filter(({ field }) => isSet((request as Record<string, unknown>)[field]));
  return [...scopes, ...conditional.map(({ scope }) => scope)];
}

/** Returns the scopes that the key can't have, not even through a wildcard. */
export const findMissing = ({ scopes }: Grants, wanted: readonly string[]): readonly string[] =>
  wanted.filter((scope) => !mayHaveScope(scopes, scope));

/** Returns the scopes that the key doesn't have by name, regardless of its wildcards. Null if its scopes are unknown and any are required. */
export const findMissingByName = ({ scopes }: Grants, wanted: readonly string[]): readonly string[] | null =>
  scopes || wanted.length === 0 ? wanted.filter((scope) => !scopes?.has(scope)) : null;
