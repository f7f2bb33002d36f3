import type { ScopeCheck, ScopeDecision } from '../../upstream/access/scopeRequirements.ts';
import { builder } from '../kit/builder.ts';
import { describeValues } from '../kit/enums.ts';

/** A coordinate and whether the key can use it. */
export interface CoordinateCheck extends ScopeCheck {
  readonly coordinate: string;
}

const DECISION_DESCRIPTIONS: Readonly<Record<ScopeDecision, string>> = {
  YES: 'The key has all required scopes. Its account may still lack a permission.',
  NO: 'The key lacks a required scope.',
  UNKNOWN:
    'Only the Workspace API can decide. It specifies no scope for this, doesn’t return the key’s scopes, or the key has a wildcard that may cover it.',
};

const ScopeDecisionEnum = builder.enumType('ViewerCanAnswer', {
  description: 'Whether the scopes of a key allow it to use a part of the graph.',
  values: describeValues(DECISION_DESCRIPTIONS),
});

export const ViewerCan = builder.objectRef<CoordinateCheck>('ViewerCan').implement({
  description: 'A part of the graph, and whether the caller’s key can use it.',
  fields: (t) => ({
    coordinate: t.exposeString('coordinate', { description: 'Schema coordinate from the request.', nullable: false }),
    can: t.expose('can', {
      type: ScopeDecisionEnum,
      description: 'Whether the caller’s scopes allow it to use the part.',
      nullable: false,
    }),
    missingScopes: t.exposeStringList('missingScopes', {
      description: 'Required scopes that the caller is known to lack.',
      nullable: { list: false, items: false },
    }),
  }),
});
