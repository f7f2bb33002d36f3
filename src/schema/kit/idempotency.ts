import type { LedgerState } from '../../ledger/entry.ts';
import type { LedgerFinding } from '../../ledger/ledger.ts';
import { builder } from './builder.ts';

/** The outcome of an idempotency key and the mutation that it was used for. */
export interface IdempotentOperationShape extends LedgerFinding {
  readonly operation: string;
  readonly idempotencyKey: string;
}

const State = builder.enumType('IdempotentOperationState', {
  description: 'The outcome of a mutation that was sent with an idempotency key.',
  values: {
    IN_FLIGHT: { description: 'The mutation is still running. Query again shortly.' },
    SUCCEEDED: {
      description: 'The mutation was applied. A retry with the same key and input returns its result and has no further effect.',
    },
    FAILED: { description: 'The mutation was rejected, and nothing was changed. The key can be used again.' },
    UNKNOWN: {
      description:
        'The mutation was sent, but no usable response was received. A retry with the same key and input doesn’t apply it twice, and returns what can be determined about its outcome.',
    },
  } satisfies Record<LedgerState, object>,
});

export const IdempotentOperation = builder.objectRef<IdempotentOperationShape>('IdempotentOperation').implement({
  description: 'A mutation that was sent with an idempotency key, and its outcome.',
  fields: (t) => ({
    operation: t.exposeString('operation', {
      nullable: false,
      description: 'Name of the mutation, such as `inventoryAdjust`.',
    }),
    idempotencyKey: t.exposeString('idempotencyKey', { nullable: false, description: 'Idempotency key that the mutation was sent with.' }),
    state: t.field({ type: State, nullable: false, description: 'Outcome of the mutation.', resolve: ({ state }) => state }),
    startedAt: t.field({
      type: 'DateTime',
      nullable: false,
      description: 'When the mutation was first sent.',
      resolve: ({ startedAt }) => startedAt.toISOString(),
    }),
    settledAt: t.field({
      type: 'DateTime',
      description: 'When this outcome was recorded. Null if none has been recorded yet.',
      resolve: ({ settledAt }) => settledAt?.toISOString() ?? null,
    }),
    expiresAt: t.field({
      type: 'DateTime',
      nullable: false,
      description: 'When the key expires. After that, a retry with this key is treated as a new mutation.',
      resolve: ({ expiresAt }) => expiresAt.toISOString(),
    }),
  }),
});

/** How the server stores idempotency keys. */
interface IdempotencyKeyStorageShape {
  readonly isDurable: boolean;
  readonly storageId: string;
  readonly retentionHours: number;
  readonly unknownRetentionHours: number;
}

export const IdempotencyKeyStorage = builder.objectRef<IdempotencyKeyStorageShape>('IdempotencyKeyStorage').implement({
  description: 'How a server stores idempotency keys.',
  fields: (t) => ({
    isDurable: t.exposeBoolean('isDurable', {
      nullable: false,
      description: 'Whether keys survive a restart of the server. If not, a mutation that is retried after one is applied again.',
    }),
    storageId: t.exposeString('storageId', {
      nullable: false,
      description:
        'ID of the storage. Servers that share one have the same, and a storage that was replaced has another. A key that starts with `created:<Unix milliseconds>:storage:<ID>:` is rejected by every other storage.',
    }),
    retentionHours: t.exposeInt('retentionHours', { nullable: false, description: 'Hours for which the outcome of a mutation is stored.' }),
    unknownRetentionHours: t.exposeInt('unknownRetentionHours', {
      nullable: false,
      description: 'Hours for which a mutation is stored whose outcome is unknown.',
    }),
  }),
});
