import { createUuid } from '../../sandbox/kernel/random.ts';
import type { World } from '../../sandbox/kernel/world.ts';
import { paymentTable } from '../../sandbox/sales/moneyBook.ts';
import { orderTable } from '../../sandbox/sales/orderTables.ts';
import { PublicPaymentProvider, PublicPaymentStatus } from '../../src/upstream/contract/generated/publicapi/v1/payments_pb.ts';

let made = 0;

/** Records a received amount for an order as a new payment from any provider, which no operation can do. Returns the payment's ID. */
export function recordPayment(
  world: World,
  orderId: string,
  amountMinor: number,
  provider: PublicPaymentProvider = PublicPaymentProvider.MANUAL,
): string {
  made += 1;
  const order = orderTable.find(world.store, { id: orderId });
  if (!order) throw new Error(`There must be an order ${orderId}, to receive money for it.`);
  const id = createUuid(world.seed, `received ${made}`);
  const at = world.now();
  paymentTable.insert(world.store, {
    id,
    workspace_id: order.workspace_id,
    order_id: order.id,
    customer_id: order.customer_id,
    external_operation_id: '',
    provider,
    status: PublicPaymentStatus.PAID,
    currency: order.currency,
    amount_minor: amountMinor,
    received_minor: amountMinor,
    description: '',
    created_at: at,
    updated_at: at,
    paid_at: at,
  });
  return id;
}
