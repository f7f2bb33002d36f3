import { invalidInput } from '../../failures.ts';
import { builder } from '../../schema/kit/builder.ts';
import { IdempotentOperation, type IdempotentOperationShape } from '../../schema/kit/idempotency.ts';
import { ownNameOf } from '../../schema/kit/typeNames.ts';
import { keptUnder } from '../kit/mutation.ts';

builder.queryField('idempotentOperation', (t) =>
  t.field({
    type: IdempotentOperation,
    description:
      'The outcome of a mutation by its idempotency key: of this workspace, or of this API key where its workspace is not told; null when the key is not known. Takes the scopes of the mutation. The Workspace API is only asked what the key may do.',
    args: {
      operation: t.arg.string({
        required: true,
        description: 'The mutation that it was used for, such as `inventoryAdjust`.',
      }),
      idempotencyKey: t.arg.string({ required: true, description: 'The key.' }),
    },
    resolve: async (_root, { operation: name, idempotencyKey }, { upstream, ledger }, info): Promise<IdempotentOperationShape | null> => {
      const mutationField = info.schema.getMutationType()?.getFields()[name];
      const operation = keptUnder.get(mutationField ? ownNameOf(mutationField) : name);
      if (!operation) throw invalidInput(['operation'], 'UNKNOWN_NAME', 'must be the name of a mutation, such as `inventoryAdjust`.');
      await upstream.requireScopesAnew(operation);
      const workspaceId = await upstream.workspaceId();
      const finding = await ledger.find({ apiKey: upstream.apiKey ?? '', workspaceId, operation, idempotencyKey });
      return finding ? { ...finding, operation: name, idempotencyKey } : null;
    },
  }),
);
