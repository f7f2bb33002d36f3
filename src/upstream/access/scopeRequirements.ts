import type { AnyOperation } from '../contract/operation.ts';
import { mayHaveScope } from './grants.ts';

/** Scopes that a set of operations requires. */
export interface ScopeRequirements {
  readonly scopes: readonly string[];
  /** Also required if the field of the upstream's request is set. */
  readonly conditional: readonly { readonly scope: string; readonly field: string }[];
  /** Whether the scope of at least one of the operations isn't documented. */
  readonly isUnknown: boolean;
}

/** Whether the scopes of a key suffice. `UNKNOWN` if only the upstream can decide. */
export type ScopeDecision = 'YES' | 'NO' | 'UNKNOWN';

export interface ScopeCheck {
  readonly can: ScopeDecision;
  readonly missingScopes: readonly string[];
}

/** Merges the requirements of several parts. */
export function mergeRequirements(needs: readonly ScopeRequirements[]): ScopeRequirements {
  const conditional = new Map(needs.flatMap((each) => each.conditional).map((each) => [`${each.scope} ${each.field}`, each]));
  return {
    scopes: [...new Set(needs.flatMap(({ scopes }) => scopes))].sort(),
    conditional: [...conditional.values()],
    isUnknown: needs.some(({ isUnknown }) => isUnknown),
  };
}

export const getRequirements = (called: Iterable<AnyOperation>): ScopeRequirements =>
  mergeRequirements(
    [...new Set(called)].map(({ scopes, conditionalScopes = [], scopesUnknown = false }) => ({
      scopes,
      conditional: conditionalScopes,
      isUnknown: scopesUnknown,
    })),
  );

/**
 * Compares requirements with the scopes of a key, which are null if the upstream doesn't report them. A wildcard that may include a scope results in `UNKNOWN`.
 */
export function checkScopes({ scopes, isUnknown }: ScopeRequirements, granted: ReadonlySet<string> | null): ScopeCheck {
  const missingScopes = scopes.filter((scope) => !mayHaveScope(granted, scope));
  if (missingScopes.length > 0) return { can: 'NO', missingScopes };
  const isCertain = !isUnknown && scopes.every((scope) => granted?.has(scope));
  return { can: isCertain ? 'YES' : 'UNKNOWN', missingScopes };
}
