import { invalidInput } from '../../failures/failures.ts';
import { TTL_MS } from '../../ledger/entry.ts';
import { UNKNOWN_TTL_MS } from '../../ledger/ledger.ts';
import { builder } from '../../schema/kit/builder.ts';
import { IdempotencyKeyStorage, IdempotentOperation, type IdempotentOperationShape } from '../../schema/kit/idempotency.ts';
import { getOperation } from '../../schema/kit/operations.ts';

builder.queryField('idempotentOperation', (t) =>
  t.field({
    type: IdempotentOperation,
    description:
      'Looks up a mutation by its idempotency key, in the workspace, or for the API key if its workspace is unknown. Null if nothing is found. Requires the scopes of the mutation. Calls the Workspace API only to check these.',
    args: {
      operation: t.arg.string({
        required: true,
        description: 'Name of the mutation, such as `inventoryAdjust`.',
      }),
      idempotencyKey: t.arg.string({ required: true, description: 'Idempotency key that the mutation was sent with.' }),
    },
    resolve: async (_root, { operation: name, idempotencyKey }, { upstream, ledger }, info): Promise<IdempotentOperationShape | null> => {
      const mutationField = info.schema.getMutationType()?.getFields()[name];
      const operation = mutationField && getOperation(mutationField);
      if (!operation) throw invalidInput(['operation'], 'UNKNOWN_NAME', 'must be the name of a mutation, such as `inventoryAdjust`.');
      await upstream.access.requireCurrent(operation);
      const workspaceId = await upstream.access.getWorkspaceId();
      const { keyHash = '', callerId = '' } = upstream.credential ?? {};
      const finding = await ledger.find({ keyHash, callerId, workspaceId, operation, idempotencyKey });
      return finding ? { ...finding, operation: name, idempotencyKey } : null;
    },
  }),
);

const HOUR_MS = 60 * 60 * 1000;

builder.queryField('idempotencyKeyStorage', (t) =>
  t.field({
    type: IdempotencyKeyStorage,
    nullable: false,
    description: 'How this server stores idempotency keys, for programs that send many mutations and must not repeat one.',
    resolve: async (_root, _args, { ledger }) => ({
      isDurable: ledger.isDurable,
      storageId: await ledger.getStorageId(),
      retentionHours: TTL_MS / HOUR_MS,
      unknownRetentionHours: UNKNOWN_TTL_MS / HOUR_MS,
    }),
  }),
);
