import { isInt64 } from '../../src/lib/int64.ts';
import { PublicProductType } from '../../src/upstream/contract/generated/publicapi/v1/catalog_pb.ts';
import {
  InventoryBalanceRecordSchema,
  InventoryLocationRecordSchema,
  InventoryMovementRecordSchema,
  PublicInventoryLocationKind,
  type PublicInventoryMovementKind,
} from '../../src/upstream/contract/generated/publicapi/v1/inventory_pb.ts';
import { PublicInventoryTransferStatus } from '../../src/upstream/contract/generated/publicapi/v1/transfers_pb.ts';
import { getProduct } from '../catalog/catalog.ts';
import { failedPrecondition } from '../kernel/errors.ts';
import { type RowOf, type Scope, table } from '../kernel/table.ts';

export const locationTable = table('inventory_locations', InventoryLocationRecordSchema, {
  also: { workspace_id: 'TEXT' },
  indexes: { inventory_locations_by_name: 'workspace_id, name, id' },
});
export const balanceTable = table('inventory_balances', InventoryBalanceRecordSchema, {
  without: ['available', 'inbound'],
  also: { workspace_id: 'TEXT' },
  wide: ['on_hand', 'reserved'],
  key: ['workspace_id', 'product_id', 'location_id'],
  constraints: ['CHECK (reserved >= 0 AND on_hand >= reserved)'],
});
export const movementTable = table('inventory_movements', InventoryMovementRecordSchema, {
  also: { workspace_id: 'TEXT', order_line_id: 'TEXT' },
  wide: ['quantity_delta'],
  indexes: {
    inventory_movements_by_time: 'workspace_id, occurred_at',
    inventory_movements_by_product: 'workspace_id, product_id, occurred_at',
    inventory_movements_by_line: 'order_line_id, kind',
  },
});

/** The workspace and time of a stock change. Implemented by calls. The demo data uses its own timestamps. */
export interface Ledger extends Scope {
  /** Unix seconds. */
  readonly now: number;
  id(): string;
}

/** The stock of a product at a location. Stock that isn't reserved is available. */
export type Balance = RowOf<typeof balanceTable>;

interface Place {
  readonly productId: string;
  readonly locationId: string;
}

/** A change of the stock on hand, with the details of its movement. */
export interface StockChange extends Place {
  /** Shared by all changes of one operation. */
  readonly operationId: string;
  readonly kind: PublicInventoryMovementKind;
  readonly delta: bigint;
  readonly reason?: string;
  readonly reference?: string;
  readonly orderId?: string;
  readonly orderLineId?: string;
}

/** The balance of a product at a location. Zeros if there has never been any stock. */
export function getBalance({ store, workspaceId }: Ledger, { productId, locationId }: Place): Balance {
  const key = { workspace_id: workspaceId, product_id: productId, location_id: locationId };
  return balanceTable.find(store, key) ?? { ...key, on_hand: 0n, reserved: 0n };
}

/** SQL for the quantity that open backorders and transfers in transit bring to a location, in a statement with both expressions in scope. It's never stored. */
export const createInboundSql = (productId: string, locationId: string) => `
  (SELECT coalesce(sum(line.quantity), 0) FROM inventory_backorders backorder
   JOIN inventory_backorder_lines line ON line.backorder_id = backorder.id
   WHERE backorder.destination_location_id = ${locationId} AND backorder.status = 'open' AND line.product_id = ${productId})
  + (SELECT coalesce(sum(line.quantity), 0) FROM inventory_transfers transfer
     JOIN inventory_transfer_lines line ON line.transfer_id = transfer.id
     WHERE transfer.destination_location_id = ${locationId} AND transfer.status = ${PublicInventoryTransferStatus.IN_TRANSIT}
       AND line.product_id = ${productId})`;

/**
 * Prepares for inbound stock, before its line is inserted: creates a zero balance if there is none, so that the list of balances contains it. Throws if the
 * quantity would exceed 64 bits, because SQLite's sums are 64-bit integers.
 */
export function prepareInbound(ledger: Ledger, place: Place, quantity: bigint): void {
  const row = ledger.store.get<{ inbound: bigint }>(`SELECT ${createInboundSql(':productId', ':locationId')} AS inbound`, { ...place }, [
    'inbound',
  ]);
  if (row && !isInt64(row.inbound + quantity)) {
    throw failedPrecondition(`The inbound quantity of product ${place.productId} at location ${place.locationId} would exceed 64 bits.`);
  }
  balanceTable.upsert(ledger.store, getBalance(ledger, place));
}

/** Throws if the total stock of a product in all locations would exceed 64 bits, because the demand of an order contains that sum. */
function checkInt64Overflow({ store, workspaceId }: Ledger, { productId, delta }: StockChange): void {
  const row = store.get<{ on_hand: bigint }>(
    'SELECT coalesce(sum(on_hand), 0) AS on_hand FROM inventory_balances WHERE workspace_id = :workspaceId AND product_id = :productId',
    { workspaceId, productId },
    ['on_hand'],
  );
  if (row && !isInt64(row.on_hand + delta)) {
    throw failedPrecondition(
      `Product ${productId} has ${row.on_hand} units on hand across all locations. Adding ${delta} would exceed 64 bits.`,
    );
  }
}

/** Changes the stock on hand and adds a movement. Throws if too little is available, or if the result would exceed 64 bits. */
export function changeOnHand(ledger: Ledger, change: StockChange): Balance {
  const balance = getBalance(ledger, change);
  const available = balance.on_hand - balance.reserved;
  if (available + change.delta < 0n) {
    throw failedPrecondition(
      `Product ${change.productId} has ${available} units available at location ${change.locationId}, but ${-change.delta} are required.`,
    );
  }
  if (change.delta > 0n) checkInt64Overflow(ledger, change);
  const after = { ...balance, on_hand: balance.on_hand + change.delta };
  balanceTable.upsert(ledger.store, after);
  movementTable.insert(ledger.store, {
    id: ledger.id(),
    workspace_id: ledger.workspaceId,
    operation_id: change.operationId,
    kind: change.kind,
    product_id: change.productId,
    location_id: change.locationId,
    quantity_delta: change.delta,
    reason: change.reason ?? '',
    reference: change.reference ?? '',
    order_id: change.orderId ?? '',
    order_line_id: change.orderLineId ?? '',
    occurred_at: ledger.now,
  });
  return after;
}

/** Reserves available stock, or releases it if the delta is negative. Doesn't add a movement, because the stock isn't moved. */
export function changeReserved(ledger: Ledger, place: Place, delta: bigint): void {
  const balance = getBalance(ledger, place);
  const available = balance.on_hand - balance.reserved;
  if (delta > available) {
    throw failedPrecondition(
      `Product ${place.productId} has ${available} units available at location ${place.locationId}, but ${delta} must be reserved.`,
    );
  }
  balanceTable.upsert(ledger.store, { ...balance, reserved: balance.reserved + delta });
}

/** Throws for locations that don't exist, are inactive, or are virtual. Virtual and inactive locations have no stock. */
export function requireStockLocation(ledger: Ledger, id: string): void {
  const location = locationTable.getOrThrow(ledger, id, 'location');
  if (location.is_active === 0) throw failedPrecondition(`Location ${id} is inactive.`);
  if (location.kind === PublicInventoryLocationKind.VIRTUAL) throw failedPrecondition(`Location ${id} is virtual and holds no stock.`);
}

/** Throws for products whose stock can't be adjusted or moved. Only active simple products with finite stock can. */
export function requireMovableProduct(ledger: Ledger, id: string): void {
  const product = getProduct(ledger, id);
  if (product.type !== PublicProductType.SIMPLE) throw failedPrecondition(`Product ${id} is not a simple product.`);
  if (product.is_active === 0) throw failedPrecondition(`Product ${id} is inactive.`);
  if (product.has_infinite_stock === 1) throw failedPrecondition(`Product ${id} has infinite stock.`);
}
