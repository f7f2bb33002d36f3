import type { AnyOperation } from '../contract/operation.ts';
import { mayHold } from './grants.ts';

/** Scopes that operations need together. */
export interface ScopeNeeds {
  readonly scopes: readonly string[];
  /** Needed as well when the field of the upstream's request is given. */
  readonly conditional: readonly { readonly scope: string; readonly field: string }[];
  /** Whether an operation is among them of which nobody has documented the scope. */
  readonly isUnknown: boolean;
}

/** Whether a key may do something, by its scopes: `UNKNOWN` where only the upstream can tell. */
export type MayUse = 'YES' | 'NO' | 'UNKNOWN';

export interface ScopeCheck {
  readonly can: MayUse;
  readonly missingScopes: readonly string[];
}

/** The needs of several parts together. */
export function joinNeeds(needs: readonly ScopeNeeds[]): ScopeNeeds {
  const conditional = new Map(needs.flatMap((each) => each.conditional).map((each) => [`${each.scope} ${each.field}`, each]));
  return {
    scopes: [...new Set(needs.flatMap(({ scopes }) => scopes))].sort(),
    conditional: [...conditional.values()],
    isUnknown: needs.some(({ isUnknown }) => isUnknown),
  };
}

export const needsOf = (called: Iterable<AnyOperation>): ScopeNeeds =>
  joinNeeds(
    [...new Set(called)].map(({ scopes, conditionalScopes = [], scopesUnknown = false }) => ({
      scopes,
      conditional: conditionalScopes,
      isUnknown: scopesUnknown,
    })),
  );

/** Compares needs with the scopes of a key; null for those that the upstream does not tell. A wildcard that could stand for a scope is not known to. */
export function checkScopes({ scopes, isUnknown }: ScopeNeeds, granted: ReadonlySet<string> | null): ScopeCheck {
  const missingScopes = scopes.filter((scope) => !mayHold(granted, scope));
  if (missingScopes.length > 0) return { can: 'NO', missingScopes };
  const isCertain = !isUnknown && scopes.every((scope) => granted?.has(scope));
  return { can: isCertain ? 'YES' : 'UNKNOWN', missingScopes };
}
