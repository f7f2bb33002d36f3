import type { Road } from '../../ledger/ledger.ts';
import { builder } from './builder.ts';

/** Whether a mutation did something, or it had been done. */
const MutationEffect = builder.enumType('MutationEffect', {
  description: 'What a mutation request did. Values may be added, so handle unknown ones.',
  values: {
    DONE: { description: 'The mutation was applied.' },
    REPLAYED: {
      description:
        'An earlier request with this idempotency key applied the mutation, and this one had no effect. Records are returned in their current state, if they can be read again.',
    },
    RECONCILED: {
      description: 'The response of the Workspace API was lost, but reading the records confirmed that the mutation was applied.',
    },
    UNCHANGED: { description: 'The record already had the requested state, so nothing was changed.' },
  } satisfies Record<Road | 'UNCHANGED', object>,
});

/** The members of every payload. */
export interface PayloadShape {
  readonly road: Road;
  /** Whether the record was found to be already as it was asked for. */
  readonly isUnchanged?: boolean;
}

export const MutationPayload = builder.interfaceRef<PayloadShape>('MutationPayload').implement({
  description: 'Fields that every mutation payload has.',
  fields: (t) => ({
    effect: t.field({
      type: MutationEffect,
      nullable: false,
      description: 'What this request did.',
      resolve: ({ road, isUnchanged }) => (isUnchanged && road !== 'REPLAYED' ? 'UNCHANGED' : road),
    }),
  }),
});
