import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  type AdjustInventoryRequest,
  Inventory,
  type InventoryBalanceRecordSchema,
  type MoveInventoryRequest,
  PublicInventoryLocationKind,
  PublicInventoryMovementKind,
} from '../../src/upstream/contract/generated/publicapi/v1/inventory_pb.ts';
import { type CallContext, createContainsSql, toAsciiLowerCase } from '../kernel/call.ts';
import { invalidArgument } from '../kernel/errors.ts';
import { domain } from '../kernel/service.ts';
import type { RowOf } from '../kernel/table.ts';
import {
  type Balance,
  balanceTable,
  changeOnHand,
  createInboundSql,
  getBalance,
  locationTable,
  movementTable,
  requireMovableProduct,
  requireStockLocation,
} from './stock.ts';

const toBalance = (row: Balance, inbound: bigint): MessageInitShape<typeof InventoryBalanceRecordSchema> => ({
  ...balanceTable.read(row),
  available: row.on_hand - row.reserved,
  inbound,
});

const BALANCES = `
  SELECT balance.*, ${createInboundSql('balance.product_id', 'balance.location_id')} AS inbound
  FROM inventory_balances balance
  WHERE workspace_id = :workspaceId AND (:productId = '' OR product_id = :productId) AND (:locationId = '' OR location_id = :locationId)
  ORDER BY product_id, location_id`;

const MOVEMENTS = `
  SELECT * FROM inventory_movements
  WHERE workspace_id = :workspaceId AND (:productId = '' OR product_id = :productId) AND (:locationId = '' OR location_id = :locationId)
    AND (:operationId = '' OR operation_id = :operationId) AND (:kind = 0 OR kind = :kind)
  ORDER BY occurred_at DESC, rowid DESC`;

/** The change of the stock on hand. If a target for the available stock is requested, reserved stock remains reserved. */
function calculateAdjustment({ quantityDelta, targetAvailable }: AdjustInventoryRequest, balance: Balance): bigint {
  return quantityDelta ?? (targetAvailable ?? 0n) + balance.reserved - balance.on_hand;
}

function adjust(request: AdjustInventoryRequest, call: CallContext): Balance {
  const { productId, locationId, reason } = request;
  requireMovableProduct(call, productId);
  requireStockLocation(call, locationId);
  const balance = getBalance(call, { productId, locationId });
  const delta = calculateAdjustment(request, balance);
  // The available stock is already at the target, so nothing changes.
  if (delta === 0n) return balance;
  const kind = PublicInventoryMovementKind.ADJUSTMENT;
  return changeOnHand(call, { operationId: call.id(), kind, productId, locationId, delta, reason });
}

/** Moves the lines one after another, so that each is checked against the balance that earlier lines have left. */
function move({ destinationLocationId, lines, reference, notes }: MoveInventoryRequest, call: CallContext): string {
  const operationId = call.id();
  requireStockLocation(call, destinationLocationId);
  for (const [index, { productId, sourceLocationId, quantity }] of lines.entries()) {
    if (sourceLocationId === destinationLocationId) {
      throw invalidArgument(`lines[${index}].source_location_id must differ from the destination.`);
    }
    requireMovableProduct(call, productId);
    requireStockLocation(call, sourceLocationId);
    const change = { operationId, kind: PublicInventoryMovementKind.MOVE, productId, reason: notes, reference };
    changeOnHand(call, { ...change, locationId: sourceLocationId, delta: -quantity });
    changeOnHand(call, { ...change, locationId: destinationLocationId, delta: quantity });
  }
  return operationId;
}

export const inventory = domain(Inventory, {
  tables: [locationTable, balanceTable, movementTable],
  handlers: {
    searchInventoryLocations: {
      permission: 'inventoryAccess:READ_ONLY',
      run: (request, call) => {
        const { rows, ...page } = call.page<RowOf<typeof locationTable>>(
          request,
          `SELECT * FROM inventory_locations
           WHERE workspace_id = :workspaceId AND ${createContainsSql("name || ' ' || code")} ORDER BY name, id`,
          { workspaceId: call.workspaceId, query: toAsciiLowerCase(request.query) },
        );
        return { locations: rows.map(locationTable.read), ...page };
      },
    },

    createInventoryLocation: {
      permission: 'inventoryAccess:READ_WRITE',
      run: ({ name, code, kind }, call) => {
        if (kind === PublicInventoryLocationKind.UNSPECIFIED) throw invalidArgument('kind must be WAREHOUSE, VEHICLE or VIRTUAL.');
        const row = { id: call.id(), workspace_id: call.workspaceId, name, code, kind, is_active: 1 };
        locationTable.insert(call.store, row);
        return { location: locationTable.read(row) };
      },
    },

    listInventoryBalances: {
      permission: 'inventoryAccess:READ_ONLY',
      run: (request, call) => {
        const { workspaceId } = call;
        const { productId, locationId } = request;
        const { rows, ...page } = call.page<Balance & { readonly inbound: bigint }>(
          request,
          BALANCES,
          { workspaceId, productId, locationId },
          [...balanceTable.wide, 'inbound'],
        );
        return { balances: rows.map((row) => toBalance(row, row.inbound)), ...page };
      },
    },

    listInventoryMovements: {
      permission: 'inventoryAccess:READ_ONLY',
      run: (request, call) => {
        const { workspaceId } = call;
        const { productId, locationId, operationId, kind } = request;
        const { rows, ...page } = call.page<RowOf<typeof movementTable>>(
          request,
          MOVEMENTS,
          { workspaceId, productId, locationId, operationId, kind },
          movementTable.wide,
        );
        return { movements: rows.map(movementTable.read), ...page };
      },
    },

    adjustInventory: {
      permission: 'inventoryAccess:READ_WRITE',
      // Always returns zero inbound stock, because the upstream doesn't compute it in this response, so that clients can't rely on it.
      run: (request, call) => ({ balance: toBalance(adjust(request, call), 0n) }),
    },

    moveInventory: {
      permission: 'inventoryAccess:READ_WRITE',
      run: (request, call) => ({ operationId: move(request, call) }),
    },
  },
});
