import type { LedgerState } from '../ledger/entry.ts';
import type { LedgerFinding } from '../ledger/ledger.ts';
import { builder } from './builder.ts';

/** What became of an idempotency key, with what it was used for. */
export interface IdempotentOperationShape extends LedgerFinding {
  readonly operation: string;
  readonly idempotencyKey: string;
}

const State = builder.enumType('IdempotentOperationState', {
  description: 'What became of the use of an idempotency key.',
  values: {
    IN_FLIGHT: { description: 'It is running. Ask again soon.' },
    SUCCEEDED: { description: 'It was done. The same mutation with the same key and input answers what came of it.' },
    FAILED: { description: 'It was refused, and nothing was done. The key may be used again.' },
    UNKNOWN: {
      description:
        'It was sent, and no answer came. The same mutation with the same key and input does nothing twice, and answers what can be found out.',
    },
  } satisfies Record<LedgerState, object>,
});

export const IdempotentOperation = builder.objectRef<IdempotentOperationShape>('IdempotentOperation').implement({
  description: 'What became of the use of an idempotency key.',
  fields: (t) => ({
    operation: t.exposeString('operation', {
      nullable: false,
      description: 'The mutation that it was used for, such as `inventoryAdjust`.',
    }),
    idempotencyKey: t.exposeString('idempotencyKey', { nullable: false, description: 'The key.' }),
    state: t.field({ type: State, nullable: false, description: 'What became of it.', resolve: ({ state }) => state }),
    startedAt: t.field({
      type: 'DateTime',
      nullable: false,
      description: 'When it was sent first.',
      resolve: ({ startedAt }) => startedAt.toISOString(),
    }),
    settledAt: t.field({
      type: 'DateTime',
      description: 'When the graph last heard of it; null when it has not yet.',
      resolve: ({ settledAt }) => settledAt?.toISOString() ?? null,
    }),
    expiresAt: t.field({
      type: 'DateTime',
      nullable: false,
      description: 'When the key is forgotten: from then on a repeat is another act.',
      resolve: ({ expiresAt }) => expiresAt.toISOString(),
    }),
  }),
});
