import type { LedgerState } from '../../ledger/entry.ts';
import type { LedgerFinding } from '../../ledger/ledger.ts';
import { builder } from './builder.ts';

/** The outcome of an idempotency key, with the mutation that it was used for. */
export interface IdempotentOperationShape extends LedgerFinding {
  readonly operation: string;
  readonly idempotencyKey: string;
}

const State = builder.enumType('IdempotentOperationState', {
  description: 'The outcome of a mutation with an idempotency key.',
  values: {
    IN_FLIGHT: { description: 'The mutation is running. Ask again soon.' },
    SUCCEEDED: { description: 'The mutation was done. The same mutation with the same key and input is answered, and does nothing.' },
    FAILED: { description: 'The mutation was refused, and nothing was done. The key may be used again.' },
    UNKNOWN: {
      description:
        'The mutation was sent, and no answer came. The same mutation with the same key and input does nothing twice, and tells what can be found out.',
    },
  } satisfies Record<LedgerState, object>,
});

export const IdempotentOperation = builder.objectRef<IdempotentOperationShape>('IdempotentOperation').implement({
  description: 'The outcome of a mutation with an idempotency key.',
  fields: (t) => ({
    operation: t.exposeString('operation', {
      nullable: false,
      description: 'The mutation that it was used for, such as `inventoryAdjust`.',
    }),
    idempotencyKey: t.exposeString('idempotencyKey', { nullable: false, description: 'The key.' }),
    state: t.field({ type: State, nullable: false, description: 'The outcome.', resolve: ({ state }) => state }),
    startedAt: t.field({
      type: 'DateTime',
      nullable: false,
      description: 'The moment at which it was first sent.',
      resolve: ({ startedAt }) => startedAt.toISOString(),
    }),
    settledAt: t.field({
      type: 'DateTime',
      description: 'The moment at which the outcome became known; null while it is not.',
      resolve: ({ settledAt }) => settledAt?.toISOString() ?? null,
    }),
    expiresAt: t.field({
      type: 'DateTime',
      nullable: false,
      description: 'The moment at which the key is forgotten: from then on a repeat is another act.',
      resolve: ({ expiresAt }) => expiresAt.toISOString(),
    }),
  }),
});
