import type { MayUse, ScopeCheck } from '../../upstream/access/scopeNeeds.ts';
import { builder } from '../kit/builder.ts';
import { described } from '../kit/enums.ts';

/** A coordinate, and whether the caller's key may use it. */
export interface CoordinateCheck extends ScopeCheck {
  readonly coordinate: string;
}

const ANSWERS: Readonly<Record<MayUse, string>> = {
  YES: 'The key has every scope that is needed. The account behind the key may still lack a permission.',
  NO: 'The key lacks a scope.',
  UNKNOWN: 'Only the Workspace API can tell: it names no scope for this, does not tell those of the key, or the key has a wildcard for it.',
};

const Answer = builder.enumType('ViewerCanAnswer', {
  description: 'Whether a key may use a part of the graph, by its scopes.',
  values: described(ANSWERS),
});

export const ViewerCan = builder.objectRef<CoordinateCheck>('ViewerCan').implement({
  description: 'Whether the caller’s key may use a part of the graph.',
  fields: (t) => ({
    coordinate: t.exposeString('coordinate', { description: 'The coordinate that was asked for.', nullable: false }),
    can: t.expose('can', { type: Answer, description: 'The answer, by the scopes of the key.', nullable: false }),
    missingScopes: t.exposeStringList('missingScopes', {
      description: 'The scopes that the key lacks.',
      nullable: { list: false, items: false },
    }),
  }),
});
