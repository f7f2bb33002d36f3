import { PublicOrderStatus } from '../../src/upstream/contract/generated/publicapi/v1/orders_pb.ts';
import type { CallContext } from '../kernel/call.ts';
import { failedPrecondition } from '../kernel/errors.ts';
import { getOrder, type OrderRow, requireVersion } from '../sales/orderTables.ts';

/** Looks up an order, and checks that it has the expected version, if any. */
export function requireRevision(call: CallContext, orderId: string, expectedVersion: bigint | undefined): OrderRow {
  const order = getOrder(call, orderId);
  if (expectedVersion !== undefined) requireVersion(order, expectedVersion);
  return order;
}

/** Throws if the order is canceled, because it can't have new documents. Chosen. */
export function requireNotCancelled({ status, reference_number }: OrderRow): void {
  if (status === PublicOrderStatus.CANCELLED)
    throw failedPrecondition(`Order ${reference_number} is canceled, so no documents can be created for it.`);
}

/** Columns that a document copies from its version of the order, so that later versions don't change it. */
export const createRevisionColumns = (order: OrderRow) => ({
  workspace_id: order.workspace_id,
  order_id: order.id,
  order_version: order.version,
  customer_id: order.customer_id,
  currency: order.currency,
  total_once_minor: order.total_once_minor,
  total_monthly_minor: order.total_monthly_minor,
  total_yearly_minor: order.total_yearly_minor,
});
