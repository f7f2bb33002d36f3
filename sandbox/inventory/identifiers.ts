import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  type ProductIdentifierRecordSchema,
  PublicProductIdentifierType,
} from '../../src/upstream/contract/generated/publicapi/v1/identifiers_pb.ts';
import type { Call } from '../kernel/call.ts';
import { invalid, notFound, SandboxError } from '../kernel/errors.ts';
import type { InventoryHandlers } from './inventory.ts';
import { requireProduct } from './stock.ts';

export const identifierTables = `
  CREATE TABLE IF NOT EXISTS product_identifiers (
    id TEXT PRIMARY KEY, workspace_id TEXT NOT NULL, product_id TEXT NOT NULL, type INTEGER NOT NULL, value TEXT NOT NULL,
    created_at INTEGER NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX IF NOT EXISTS product_identifiers_by_value ON product_identifiers (workspace_id, value);
  CREATE INDEX IF NOT EXISTS product_identifiers_by_product ON product_identifiers (workspace_id, product_id, created_at);
`;

interface IdentifierRow {
  readonly id: string;
  readonly product_id: string;
  readonly type: PublicProductIdentifierType;
  readonly value: string;
  readonly created_at: number;
}

const toIdentifier = (row: IdentifierRow): MessageInitShape<typeof ProductIdentifierRecordSchema> => ({
  id: row.id,
  productId: row.product_id,
  type: row.type,
  value: row.value,
  createdAt: BigInt(row.created_at),
});

const identifierWith = ({ store, workspaceId }: Call, value: string) =>
  store.get<IdentifierRow>('SELECT * FROM product_identifiers WHERE workspace_id = :workspaceId AND value = :value', {
    workspaceId,
    value,
  });

export const identifiers = {
  lookupProductIdentifier: {
    permission: 'inventory:read',
    run: ({ value }, call) => {
      const row = identifierWith(call, value);
      return row ? { identifier: toIdentifier(row) } : {};
    },
  },

  listProductIdentifiers: {
    permission: 'inventory:read',
    run: ({ productId }, call) => {
      requireProduct(call, productId);
      const rows = call.store.all<IdentifierRow>(
        'SELECT * FROM product_identifiers WHERE workspace_id = :workspaceId AND product_id = :productId ORDER BY created_at, rowid',
        { workspaceId: call.workspaceId, productId },
      );
      return { identifiers: rows.map(toIdentifier) };
    },
  },

  addProductIdentifier: {
    permission: 'inventory:write',
    run: ({ productId, type, value }, call) => {
      if (type === PublicProductIdentifierType.UNSPECIFIED) throw invalid('type must be EAN, MANUFACTURER or SUPPLIER.');
      requireProduct(call, productId);
      const taken = identifierWith(call, value);
      if (taken) throw new SandboxError('already_exists', `The identifier ${value} already belongs to product ${taken.product_id}.`);
      const row = { id: call.id(), product_id: productId, type, value, created_at: call.now };
      call.store.insert('product_identifiers', { ...row, workspace_id: call.workspaceId });
      return { identifier: toIdentifier(row) };
    },
  },

  deleteProductIdentifier: {
    permission: 'inventory:write',
    run: ({ identifierId }, call) => {
      const deleted = call.store.run('DELETE FROM product_identifiers WHERE workspace_id = :workspaceId AND id = :identifierId', {
        workspaceId: call.workspaceId,
        identifierId,
      });
      if (deleted === 0) throw notFound('identifier', identifierId);
      return {};
    },
  },
} satisfies Partial<InventoryHandlers>;
