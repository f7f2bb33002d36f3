import { PublicPaymentProvider, PublicPaymentStatus } from '../../src/upstream/contract/generated/publicapi/v1/payments_pb.ts';
import type { Plan } from '../kernel/plan.ts';
import { paymentTable } from './moneyBook.ts';
import type { OrderRow } from './orderTables.ts';

const HOUR_SECONDS = 3_600;

const { MANUAL, ONLINE, TERMINAL } = PublicPaymentProvider;
const { OPEN, PARTIALLY_PAID, PAID, EXPIRED } = PublicPaymentStatus;

interface PaymentPlan {
  /** Number of the order, which its first payment shares. */
  readonly index: number;
  readonly paid: number;
  /** Whether the payments must be refundable, which terminal payments aren't. */
  readonly isRefundable: boolean;
}

interface DemoPayment {
  readonly name: string;
  readonly provider: PublicPaymentProvider;
  readonly status: PublicPaymentStatus;
  readonly amount: number;
  readonly received: number;
}

/** The payments of an order, which add up to its paid amount. None without a one-off total. */
function createDemoPayments(total: number, { index, paid, isRefundable }: PaymentPlan): DemoPayment[] {
  const name = `payment ${index}`;
  if (total === 0) return [];
  if (paid === 0) return [{ name, provider: ONLINE, status: index % 2 === 0 ? OPEN : EXPIRED, amount: total, received: 0 }];
  if (paid === total) {
    const provider = index % 2 === 0 ? ONLINE : isRefundable ? MANUAL : TERMINAL;
    return [{ name, provider, status: PAID, amount: total, received: total }];
  }
  if (index % 2 === 0) return [{ name, provider: MANUAL, status: PARTIALLY_PAID, amount: total, received: paid }];
  return [
    { name, provider: ONLINE, status: PAID, amount: paid, received: paid },
    { name: `${name} rest`, provider: MANUAL, status: OPEN, amount: total - paid, received: 0 },
  ];
}

/** Creates the payments of an order. The first one of `order 12` is `payment 12`, and the second one `payment 12 rest`. */
export function seedPayments(plan: Plan, order: OrderRow, made: PaymentPlan): void {
  const at = order.created_at + HOUR_SECONDS;
  for (const { name, provider, status, amount, received } of createDemoPayments(order.total_once_minor, made)) {
    paymentTable.insert(plan.store, {
      id: plan.id(name),
      workspace_id: plan.workspaceId,
      order_id: order.id,
      customer_id: order.customer_id,
      external_operation_id: '',
      provider,
      status,
      currency: order.currency,
      amount_minor: amount,
      received_minor: received,
      description: `Order ${order.reference_number}`,
      created_at: order.created_at,
      updated_at: at,
      paid_at: status === PAID ? at : null,
    });
  }
}
