import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  InventoryBackorderLineRecordSchema,
  InventoryBackorderRecordSchema,
} from '../../src/upstream/contract/generated/publicapi/v1/backorders_pb.ts';
import { Inventory } from '../../src/upstream/contract/generated/publicapi/v1/inventory_pb.ts';
import { getProduct } from '../catalog/catalog.ts';
import type { CallContext } from '../kernel/call.ts';
import { failedPrecondition, invalidArgument } from '../kernel/errors.ts';
import { domain } from '../kernel/service.ts';
import { type RowOf, table } from '../kernel/table.ts';
import { prepareInbound, requireStockLocation } from './stock.ts';

export const backorderTable = table('inventory_backorders', InventoryBackorderRecordSchema, {
  also: { workspace_id: 'TEXT', status: ['open', 'received'] },
  indexes: {
    inventory_backorders_by_time: 'workspace_id, created_at',
    inventory_backorders_by_destination: 'destination_location_id, status',
  },
});
export const backorderLineTable = table('inventory_backorder_lines', InventoryBackorderLineRecordSchema, {
  also: { backorder_id: 'TEXT', position: 'INTEGER' },
  wide: ['quantity'],
  references: { backorder_id: backorderTable },
  indexes: { inventory_backorder_lines_by_backorder: 'backorder_id, position' },
});

type BackorderRow = RowOf<typeof backorderTable>;

const toBackorder = ({ store }: CallContext, row: BackorderRow): MessageInitShape<typeof InventoryBackorderRecordSchema> => ({
  ...backorderTable.read(row),
  lines: backorderLineTable.list(store, { backorder_id: row.id }, 'position').map(backorderLineTable.read),
});

const getBackorder = (call: CallContext, id: string): BackorderRow => backorderTable.getOrThrow(call, id, 'backorder');

function requireFutureArrival(call: CallContext, expectedArrivalAt: bigint): number {
  if (expectedArrivalAt <= BigInt(call.now)) {
    throw invalidArgument(`expected_arrival_at must be in the future, but ${expectedArrivalAt} is not after ${call.now}.`);
  }
  return Number(expectedArrivalAt);
}

export const backorders = domain(Inventory, {
  tables: [backorderTable, backorderLineTable],
  handlers: {
    createInventoryBackorder: {
      permission: 'inventoryAccess:READ_WRITE',
      run: (request, call) => {
        const locationId = request.destinationLocationId;
        requireStockLocation(call, locationId);
        const id = call.id();
        backorderTable.insert(call.store, {
          id,
          workspace_id: call.workspaceId,
          status: 'open',
          destination_location_id: locationId,
          expected_arrival_at: requireFutureArrival(call, request.expectedArrivalAt),
          reference: request.reference,
          notes: request.notes,
          created_at: call.now,
        });
        for (const [position, { productId, quantity }] of request.lines.entries()) {
          getProduct(call, productId);
          prepareInbound(call, { productId, locationId }, quantity);
          const line = { id: call.id(), position, product_id: productId, quantity };
          backorderLineTable.insert(call.store, { ...line, backorder_id: id });
        }
        return { backorder: toBackorder(call, getBackorder(call, id)) };
      },
      // The expected arrival may have changed in the meantime, or the goods may have been received.
      replay: ({ backorder }, call) => ({ backorder: toBackorder(call, getBackorder(call, backorder?.id ?? '')) }),
    },

    listInventoryBackorders: {
      permission: 'inventoryAccess:READ_ONLY',
      run: (request, call) => {
        const { rows, ...page } = backorderTable.page(call, request, { status: request.status as BackorderRow['status'] });
        return { backorders: rows.map((row) => toBackorder(call, row)), ...page };
      },
    },

    updateInventoryBackorderEta: {
      permission: 'inventoryAccess:READ_WRITE',
      run: ({ backorderId, expectedArrivalAt }, call) => {
        const { id, status } = getBackorder(call, backorderId);
        if (status !== 'open')
          throw failedPrecondition(`Backorder ${id} is ${status}. The expected arrival can only be changed for open backorders.`);
        const arrival = requireFutureArrival(call, expectedArrivalAt);
        backorderTable.update(call.store, id, { expected_arrival_at: arrival });
        return { backorder: toBackorder(call, getBackorder(call, id)) };
      },
    },
  },
});
