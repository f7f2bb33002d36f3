import { isInt64 } from '../../src/lib/int64.ts';
import { PublicProductType } from '../../src/upstream/contract/generated/publicapi/v1/catalog_pb.ts';
import {
  PublicInventoryLocationKind,
  type PublicInventoryMovementKind,
} from '../../src/upstream/contract/generated/publicapi/v1/inventory_pb.ts';
import { PublicInventoryTransferStatus } from '../../src/upstream/contract/generated/publicapi/v1/transfers_pb.ts';
import { blocked, notFound } from '../kernel/errors.ts';
import type { Store, Wide } from '../kernel/store.ts';

export const stockTables = `
  CREATE TABLE IF NOT EXISTS inventory_locations (
    id TEXT PRIMARY KEY, workspace_id TEXT NOT NULL, name TEXT NOT NULL, code TEXT NOT NULL, kind INTEGER NOT NULL, is_active INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS inventory_locations_by_name ON inventory_locations (workspace_id, name, id);
  CREATE TABLE IF NOT EXISTS inventory_balances (
    workspace_id TEXT NOT NULL, product_id TEXT NOT NULL, location_id TEXT NOT NULL, on_hand INTEGER NOT NULL, reserved INTEGER NOT NULL,
    PRIMARY KEY (workspace_id, product_id, location_id), CHECK (reserved >= 0 AND on_hand >= reserved)
  ) STRICT;
  CREATE TABLE IF NOT EXISTS inventory_movements (
    id TEXT PRIMARY KEY, workspace_id TEXT NOT NULL, operation_id TEXT NOT NULL, kind INTEGER NOT NULL, product_id TEXT NOT NULL,
    location_id TEXT NOT NULL, quantity_delta INTEGER NOT NULL, reason TEXT NOT NULL, reference TEXT NOT NULL, order_id TEXT NOT NULL,
    order_line_id TEXT NOT NULL, occurred_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS inventory_movements_by_time ON inventory_movements (workspace_id, occurred_at);
  CREATE INDEX IF NOT EXISTS inventory_movements_by_product ON inventory_movements (workspace_id, product_id, occurred_at);
  CREATE INDEX IF NOT EXISTS inventory_movements_by_line ON inventory_movements (order_line_id, kind);
`;

/** In whose books, and when, stock changes. A Call is one; the demo data brings its own moments. */
export interface Ledger {
  readonly store: Store;
  readonly workspaceId: string;
  /** Unix seconds. */
  readonly now: number;
  id(): string;
}

/** What lies at a location of a product. What of it is not reserved is available. */
export interface Balance {
  readonly product_id: string;
  readonly location_id: string;
  readonly on_hand: bigint;
  readonly reserved: bigint;
}

/** The columns of a balance that hold quantities. */
export const BALANCE_QUANTITIES = ['on_hand', 'reserved'] as const satisfies Wide<Balance>;

interface Place {
  readonly productId: string;
  readonly locationId: string;
}

/** A change of the stock on hand, and what its movement tells of it. */
export interface StockChange extends Place {
  /** Shared by the changes of one operation. */
  readonly operationId: string;
  readonly kind: PublicInventoryMovementKind;
  readonly delta: bigint;
  readonly reason?: string;
  readonly reference?: string;
  readonly orderId?: string;
  readonly orderLineId?: string;
}

/** The balance of a product at a location; zeros where nothing ever lay. */
export function balanceOf({ store, workspaceId }: Ledger, { productId, locationId }: Place): Balance {
  const row = store.get<Balance>(
    `SELECT product_id, location_id, on_hand, reserved FROM inventory_balances
     WHERE workspace_id = :workspaceId AND product_id = :productId AND location_id = :locationId`,
    { workspaceId, productId, locationId },
    BALANCE_QUANTITIES,
  );
  return row ?? { product_id: productId, location_id: locationId, on_hand: 0n, reserved: 0n };
}

function setBalance({ store, workspaceId }: Ledger, balance: Balance): void {
  store.run(
    `INSERT INTO inventory_balances (workspace_id, product_id, location_id, on_hand, reserved)
     VALUES (:workspaceId, :productId, :locationId, :onHand, :reserved)
     ON CONFLICT DO UPDATE SET on_hand = excluded.on_hand, reserved = excluded.reserved`,
    {
      workspaceId,
      productId: balance.product_id,
      locationId: balance.location_id,
      onHand: balance.on_hand,
      reserved: balance.reserved,
    },
  );
}

/**
 * SQL for what open backorders and transfers under way bring to a location of a product, in a statement that knows both by these names. It
 * is never stored.
 */
export const inboundOf = (productId: string, locationId: string) => `
  (SELECT coalesce(sum(line.quantity), 0) FROM inventory_backorders backorder
   JOIN inventory_backorder_lines line ON line.backorder_id = backorder.id
   WHERE backorder.destination_location_id = ${locationId} AND backorder.status = 'open' AND line.product_id = ${productId})
  + (SELECT coalesce(sum(line.quantity), 0) FROM inventory_transfers transfer
     JOIN inventory_transfer_lines line ON line.transfer_id = transfer.id
     WHERE transfer.destination_location_id = ${locationId} AND transfer.status = ${PublicInventoryTransferStatus.IN_TRANSIT}
       AND line.product_id = ${productId})`;

/**
 * Makes room for stock that is on its way to a location, before the line that says so is written: opens a balance at zero where there is none,
 * so that the list of balances shows it. Refuses more than 64 bits tell: SQLite cannot add up past them.
 */
export function expectStock(ledger: Ledger, place: Place, quantity: bigint): void {
  const row = ledger.store.get<{ inbound: bigint }>(`SELECT ${inboundOf(':productId', ':locationId')} AS inbound`, { ...place }, [
    'inbound',
  ]);
  if (row && !isInt64(row.inbound + quantity)) {
    throw blocked(`Of product ${place.productId} more would be on its way to location ${place.locationId} than 64 bits tell.`);
  }
  setBalance(ledger, balanceOf(ledger, place));
}

/** Refuses stock of a product that all locations together could not tell in 64 bits: the demand of an order tells that sum. */
function requireRoom({ store, workspaceId }: Ledger, { productId, delta }: StockChange): void {
  const row = store.get<{ on_hand: bigint }>(
    'SELECT coalesce(sum(on_hand), 0) AS on_hand FROM inventory_balances WHERE workspace_id = :workspaceId AND product_id = :productId',
    { workspaceId, productId },
    ['on_hand'],
  );
  if (row && !isInt64(row.on_hand + delta)) {
    throw blocked(`Product ${productId} has ${row.on_hand} on hand over all locations: ${delta} more are more than 64 bits tell.`);
  }
}

/** Changes the stock on hand and writes the movement. Refuses to take more than is available, and to hold more than 64 bits tell. */
export function changeOnHand(ledger: Ledger, change: StockChange): Balance {
  const balance = balanceOf(ledger, change);
  const available = balance.on_hand - balance.reserved;
  if (available + change.delta < 0n) {
    throw blocked(
      `Product ${change.productId} has ${available} available at location ${change.locationId}, but ${-change.delta} is taken.`,
    );
  }
  if (change.delta > 0n) requireRoom(ledger, change);
  const after = { ...balance, on_hand: balance.on_hand + change.delta };
  setBalance(ledger, after);
  ledger.store.insert('inventory_movements', {
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

/** Sets available stock aside, or frees it when the delta is negative. The stock stays where it is, so there is no movement. */
export function changeReserved(ledger: Ledger, place: Place, delta: bigint): void {
  const balance = balanceOf(ledger, place);
  const available = balance.on_hand - balance.reserved;
  if (delta > available) {
    throw blocked(`Product ${place.productId} has ${available} available at location ${place.locationId}, but ${delta} is to be reserved.`);
  }
  setBalance(ledger, { ...balance, reserved: balance.reserved + delta });
}

/** Refuses a location that does not exist, is out of use, or is virtual: the latter two hold no stock. */
export function requireStockLocation({ store, workspaceId }: Ledger, id: string): void {
  const location = store.get<{ kind: number; is_active: number }>(
    'SELECT kind, is_active FROM inventory_locations WHERE workspace_id = :workspaceId AND id = :id',
    { workspaceId, id },
  );
  if (!location) throw notFound('location', id);
  if (location.is_active === 0) throw blocked(`Location ${id} is not active.`);
  if (location.kind === PublicInventoryLocationKind.VIRTUAL) throw blocked(`Location ${id} is virtual: it holds no stock.`);
}

interface StockedProduct {
  readonly type: number;
  readonly is_active: number;
  readonly has_infinite_stock: number;
}

/** Refuses a product that the workspace does not have. */
export function requireProduct({ store, workspaceId }: Ledger, id: string): StockedProduct {
  const product = store.get<StockedProduct>(
    'SELECT type, is_active, has_infinite_stock FROM products WHERE workspace_id = :workspaceId AND id = :id',
    { workspaceId, id },
  );
  if (!product) throw notFound('product', id);
  return product;
}

/** Refuses a product whose stock is not corrected or moved: only simple, active ones that can run out are. */
export function requireMovableProduct(ledger: Ledger, id: string): void {
  const product = requireProduct(ledger, id);
  if (product.type !== PublicProductType.SIMPLE) throw blocked(`Product ${id} is not a simple product.`);
  if (product.is_active === 0) throw blocked(`Product ${id} is not active.`);
  if (product.has_infinite_stock === 1) throw blocked(`Product ${id} has infinite stock.`);
}
