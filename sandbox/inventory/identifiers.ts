import {
  ProductIdentifierRecordSchema,
  PublicProductIdentifierType,
} from '../../src/upstream/contract/generated/publicapi/v1/identifiers_pb.ts';
import { Inventory } from '../../src/upstream/contract/generated/publicapi/v1/inventory_pb.ts';
import { getProduct } from '../catalog/catalog.ts';
import type { CallContext } from '../kernel/call.ts';
import { invalidArgument, notFound, SandboxError } from '../kernel/errors.ts';
import { domain } from '../kernel/service.ts';
import { type RowOf, table } from '../kernel/table.ts';

export const identifierTable = table('product_identifiers', ProductIdentifierRecordSchema, {
  also: { workspace_id: 'TEXT' },
  constraints: ['UNIQUE (workspace_id, value)'],
  indexes: { product_identifiers_by_product: 'workspace_id, product_id, created_at' },
});

const toIdentifier = identifierTable.read;

const findIdentifier = ({ store, workspaceId }: CallContext, value: string): RowOf<typeof identifierTable> | undefined =>
  identifierTable.find(store, { workspace_id: workspaceId, value });

export const identifiers = domain(Inventory, {
  tables: [identifierTable],
  handlers: {
    lookupProductIdentifier: {
      permission: 'inventoryAccess:READ_ONLY',
      run: ({ value }, call) => {
        const row = findIdentifier(call, value);
        return row ? { identifier: toIdentifier(row) } : {};
      },
    },

    listProductIdentifiers: {
      permission: 'inventoryAccess:READ_ONLY',
      run: ({ productId }, call) => {
        getProduct(call, productId);
        const rows = identifierTable.list(call.store, { workspace_id: call.workspaceId, product_id: productId }, 'created_at, rowid');
        return { identifiers: rows.map(toIdentifier) };
      },
    },

    addProductIdentifier: {
      permission: 'inventoryAccess:READ_WRITE',
      run: ({ productId, type, value }, call) => {
        if (type === PublicProductIdentifierType.UNSPECIFIED) throw invalidArgument('type must be EAN, MANUFACTURER or SUPPLIER.');
        getProduct(call, productId);
        const taken = findIdentifier(call, value);
        if (taken) throw new SandboxError('already_exists', `The identifier ${value} already belongs to product ${taken.product_id}.`);
        const row = { id: call.id(), product_id: productId, type, value, created_at: call.now };
        identifierTable.insert(call.store, { ...row, workspace_id: call.workspaceId });
        return { identifier: toIdentifier(row) };
      },
    },

    deleteProductIdentifier: {
      permission: 'inventoryAccess:READ_WRITE',
      run: ({ identifierId }, call) => {
        const deleted = call.store.run('DELETE FROM product_identifiers WHERE workspace_id = :workspaceId AND id = :identifierId', {
          workspaceId: call.workspaceId,
          identifierId,
        });
        if (deleted === 0) throw notFound('identifier', identifierId);
        return {};
      },
    },
  },
});
