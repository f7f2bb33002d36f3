import { PublicInventoryMovementKind } from '../../src/upstream/contract/generated/publicapi/v1/inventory_pb.ts';
import { PublicReservationStatus } from '../../src/upstream/contract/generated/publicapi/v1/reservations_pb.ts';
import { demoData } from '../kernel/demoData.ts';
import type { Plan } from '../kernel/plan.ts';
import { writeTimeline } from '../kernel/timeline.ts';
import { createLedger } from './inventoryDemo.ts';
import { createStockEvent, reservationTable } from './reservations.ts';
import { changeOnHand, changeReserved, getBalance } from './stock.ts';

const { ACTIVE, RELEASED, CONSUMED } = PublicReservationStatus;

/** Number of orders with reserved stock: `order 0` to `order 9`. They come from `quote 0` to `quote 9`, which contain only stocked products. */
export const STOCKED_ORDERS = 10;

/** How the lines of `order 0`, `order 1`, … are reserved and consumed, in rotation. Every fourth order has only small reservations, and every fifth none. */
const DEMO_RESERVATIONS = [
  { status: ACTIVE, isFullQuantity: true },
  { status: CONSUMED, isFullQuantity: true },
  { status: RELEASED, isFullQuantity: true },
  { status: ACTIVE, isFullQuantity: false },
  undefined,
] as const;

interface Line {
  readonly id: string;
  readonly order_id: string;
  readonly product_id: string;
  readonly product_name: string;
  readonly quantity: bigint;
  readonly customer_id: string;
  readonly quote_id: string;
  readonly reference_number: string;
}

interface DemoReservation {
  readonly status: typeof ACTIVE | typeof RELEASED | typeof CONSUMED;
  readonly quantity: bigint;
}

function seedReservation(plan: Plan, line: Line, { status, quantity }: DemoReservation): void {
  const { world, workspaceId } = plan;
  const createdAt = plan.pickPastTimestamp(60);
  const ledger = createLedger(plan, createdAt);
  const place = { productId: line.product_id, locationId: plan.id('location 0') };
  const { on_hand, reserved } = getBalance(ledger, place);
  if (on_hand - reserved < quantity) return;
  reservationTable.insert(world.store, {
    id: plan.id(`reservation of ${line.id}`),
    workspace_id: workspaceId,
    order_id: line.order_id,
    order_line_id: line.id,
    product_id: line.product_id,
    location_id: place.locationId,
    quantity,
    status,
    created_at: createdAt,
    updated_at: createdAt,
  });
  if (status === ACTIVE) changeReserved(ledger, place, quantity);
  if (status !== CONSUMED) return;
  const kind = PublicInventoryMovementKind.CONSUMPTION;
  const operationId = plan.id(`consumption of ${line.id}`);
  changeOnHand(ledger, { ...place, operationId, kind, delta: -quantity, orderId: line.order_id, orderLineId: line.id });
  const event = createStockEvent({ ...line, id: line.order_id }, 'consumed', { quantity, product: line.product_name });
  writeTimeline(world, workspaceId, line.customer_id, { ...event, occurredAt: createdAt });
}

/** Reserves stock of the main warehouse for the first orders. Runs after the orders have been created. */
function seedReservations(plan: Plan): void {
  for (let index = 0; index < STOCKED_ORDERS; index += 1) {
    const reservation = DEMO_RESERVATIONS[index % DEMO_RESERVATIONS.length];
    if (!reservation) continue;
    const lines = plan.world.store.all<Line>(
      `SELECT line.id, order_id, product_id, product_name, quantity, customer_id, quote_id, reference_number
       FROM order_lines line JOIN orders ON orders.id = line.order_id WHERE order_id = :orderId ORDER BY position`,
      { orderId: plan.id(`order ${index}`) },
      ['quantity'],
    );
    for (const line of lines)
      seedReservation(plan, line, { status: reservation.status, quantity: reservation.isFullQuantity ? line.quantity : 1n });
  }
}

export const reservationsDemo = demoData({ seed: seedReservations });
