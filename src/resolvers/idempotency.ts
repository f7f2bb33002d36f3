import { builder } from '../schema/builder.ts';
import { IdempotentOperation, type IdempotentOperationShape } from '../schema/idempotency.ts';
import { invalidInput } from '../upstream/errors.ts';
import { keptUnder } from './mutation.ts';

builder.queryField('idempotentOperation', (t) =>
  t.field({
    type: IdempotentOperation,
    description:
      'What became of an idempotency key of this workspace, or of this API key where the upstream does not tell its workspace; null when it is not known. Takes the scopes of the operation. The upstream is only asked what the key may do.',
    args: {
      operation: t.arg.string({
        required: true,
        description: 'What it was used for: a mutation, such as `inventoryAdjust`, or an operation as errors name it.',
      }),
      idempotencyKey: t.arg.string({ required: true, description: 'The key.' }),
    },
    resolve: async (_root, { operation: name, idempotencyKey }, { upstream, ledger }): Promise<IdempotentOperationShape | null> => {
      const operation = keptUnder(name);
      if (!operation)
        throw invalidInput(['operation'], 'UNKNOWN_NAME', 'must be the name of a mutation, or the `operation` of an OutcomeUnknownError.');
      await upstream.requireScopesAnew(operation);
      const workspaceId = await upstream.workspaceId();
      const finding = await ledger.find({ apiKey: upstream.apiKey ?? '', workspaceId, operation, idempotencyKey });
      return finding ? { ...finding, operation: operation.name, idempotencyKey } : null;
    },
  }),
);
