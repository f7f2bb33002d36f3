import type { Road } from '../../ledger/ledger.ts';
import { builder } from './builder.ts';

/** Whether a mutation did something, or it had been done. */
const MutationEffect = builder.enumType('MutationEffect', {
  description: 'The effect of one request. An enum may get further members: have a default case.',
  values: {
    DONE: { description: 'The act is done.' },
    REPLAYED: {
      description: 'An earlier request with this idempotency key did the act; this one did nothing. The records are shown as they are now.',
    },
    RECONCILED: { description: 'The answer of the Workspace API was lost; reading has shown that the act is done.' },
    UNCHANGED: { description: 'Everything was so already: nothing was changed.' },
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
