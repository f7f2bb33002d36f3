import {
  PaymentRecordSchema,
  PublicPaymentProvider,
  RefundRecordSchema,
} from '../../src/upstream/contract/generated/publicapi/v1/payments_pb.ts';
import { blocked, SandboxError } from '../kernel/errors.ts';
import type { Store } from '../kernel/store.ts';
import { plainTable, type RowOf, table } from '../kernel/table.ts';
import type { World } from '../kernel/world.ts';
import { type OrderRow, orderTable } from './orderTables.ts';

/** The providers that refunds can be made through: by hand, and the one that the upstream supports. */
const REFUNDING: readonly PublicPaymentProvider[] = [PublicPaymentProvider.MANUAL, PublicPaymentProvider.ONLINE];

export const paymentTable = table('payments', PaymentRecordSchema, {
  also: { workspace_id: 'TEXT' },
  without: ['refundedMinor', 'refundableMinor'],
  references: { order_id: orderTable },
  indexes: {
    payments_by_order: 'order_id, created_at',
    payments_by_customer: 'workspace_id, customer_id, created_at',
    payments_by_age: 'workspace_id, created_at',
  },
});
/** A request id is unique whichever operation made the refund: two entrances must not pay out the same request twice. */
export const refundTable = table('refunds', RefundRecordSchema, {
  also: { workspace_id: 'TEXT' },
  references: { order_id: orderTable },
  constraints: ['UNIQUE (workspace_id, request_id)'],
  indexes: { refunds_by_order: 'order_id, created_at', refunds_by_age: 'workspace_id, created_at' },
});
/** From which payments a refund was taken. */
const refundPartTable = plainTable(
  'refund_parts',
  { refund_id: 'TEXT', payment_id: 'TEXT', amount_minor: 'INTEGER' },
  {
    key: ['refund_id', 'payment_id'],
    references: { refund_id: refundTable, payment_id: paymentTable },
    indexes: { refund_parts_by_payment: 'payment_id' },
  },
);
/** Instalments to collect for an order, and when they were called off. */
const instalmentTable = plainTable(
  'plan_installments',
  { order_id: 'TEXT', position: 'INTEGER', amount_minor: 'INTEGER', cancelled_at: 'INTEGER NULL' },
  { key: ['order_id', 'position'], references: { order_id: orderTable } },
);

/** The payments with what was given back of them, and what still can be. `position` is their order of insertion. */
const bookedPayments = {
  ddl: `CREATE VIEW IF NOT EXISTS booked_payments AS
    SELECT *, CASE WHEN provider IN (${REFUNDING.join(', ')}) THEN received_minor - refunded_minor ELSE 0 END AS refundable_minor
    FROM (
      SELECT payments.*, rowid AS position,
             (SELECT COALESCE(SUM(amount_minor), 0) FROM refund_parts WHERE payment_id = payments.id) AS refunded_minor
      FROM payments
    )`,
};
/** The sums of each order. */
const orderMoney = {
  ddl: `CREATE VIEW IF NOT EXISTS order_money AS
    SELECT id AS order_id,
           (SELECT COALESCE(SUM(received_minor), 0) FROM payments WHERE order_id = orders.id) AS paid_minor,
           (SELECT COALESCE(SUM(amount_minor), 0) FROM refunds WHERE order_id = orders.id) AS refunded_minor,
           (SELECT COALESCE(SUM(refundable_minor), 0) FROM booked_payments WHERE order_id = orders.id) AS refundable_minor,
           (SELECT COALESCE(SUM(amount_minor), 0) FROM plan_installments WHERE order_id = orders.id AND cancelled_at IS NULL) AS planned_minor
    FROM orders`,
};

/** The tables and views of the money book, which stand behind those of orders. */
export const moneyTables = [paymentTable, refundTable, refundPartTable, instalmentTable, bookedPayments, orderMoney];

export type PaymentRow = RowOf<typeof paymentTable>;
export type RefundRow = RowOf<typeof refundTable>;

export interface BookedPayment extends PaymentRow {
  readonly refunded_minor: number;
  readonly refundable_minor: number;
}

/** Sums of an order: paid, given back, still refundable, and planned in all. */
interface OrderMoney {
  readonly paid_minor: number;
  readonly refunded_minor: number;
  readonly refundable_minor: number;
  readonly planned_minor: number;
}

/** The sums of an order, as the book has them now. */
export function moneyOf(store: Store, orderId: string): OrderMoney {
  const money = store.get<OrderMoney>('SELECT * FROM order_money WHERE order_id = :orderId', { orderId });
  if (!money) throw new Error(`The order ${orderId} must be written before its money is read.`);
  return money;
}

/** Oldest first: refunds are taken in this order. */
export const paymentsOf = (store: Store, orderId: string): BookedPayment[] =>
  store.all('SELECT * FROM booked_payments WHERE order_id = :orderId ORDER BY created_at, position', { orderId });

/** Whether refunds can be made through a provider at all. */
export const isRefunding = (provider: PublicPaymentProvider): boolean => REFUNDING.includes(provider);

/** Plans to collect the one-off total of an order at once. Ours: the upstream shows no plans. */
export function planOrder(store: Store, { id, total_once_minor }: OrderRow): void {
  instalmentTable.insert(store, { order_id: id, position: 0, amount_minor: total_once_minor, cancelled_at: null });
}

/** Collects no more for an order. */
export function cancelPlan(store: Store, orderId: string, at: number): void {
  const sql = 'UPDATE plan_installments SET cancelled_at = :at WHERE order_id = :orderId AND cancelled_at IS NULL';
  store.run(sql, { orderId, at });
}

interface NewRefund {
  readonly amount: bigint;
  /** Name of the payments in a refusal, such as `the order O-00012`. */
  readonly from: string;
  readonly reason: string;
  readonly requestId: string;
  /** Unix seconds. */
  readonly at: number;
}

/** How much of the amount is taken from which payment. */
function partsOf(payments: readonly BookedPayment[], amount: number): { payment_id: string; amount_minor: number }[] {
  let left = amount;
  return payments.flatMap(({ id, refundable_minor }) => {
    const part = Math.min(left, refundable_minor);
    left -= part;
    return part > 0 ? [{ payment_id: id, amount_minor: part }] : [];
  });
}

/**
 * Gives money back out of payments of one order, the first first; refuses more than is refundable of them. Every refund is made here, in the
 * transaction that read the payments: so none can be made of the same money twice.
 */
export function writeRefund(
  world: World,
  payments: readonly BookedPayment[],
  { amount, from, reason, requestId, at }: NewRefund,
): RefundRow {
  const most = payments.reduce((sum, { refundable_minor }) => sum + refundable_minor, 0);
  const [first] = payments;
  if (!first || amount > most) throw blocked(`At most ${most} of ${from} can be refunded, but ${amount} was requested.`);
  const { workspace_id, order_id, customer_id, currency } = first;
  // Also of a refund that the caller may not see.
  if (
    world.store.get('SELECT 1 FROM main.refunds WHERE workspace_id = :workspace_id AND request_id = :requestId', {
      workspace_id,
      requestId,
    })
  ) {
    throw new SandboxError('already_exists', `The request ID ${requestId} was already used for another refund.`);
  }
  const parts = partsOf(payments, Number(amount));
  const row: RefundRow = {
    id: world.id(),
    workspace_id,
    payment_id: parts.length === 1 ? (parts[0]?.payment_id ?? '') : '',
    order_id,
    customer_id,
    amount_minor: Number(amount),
    currency,
    reason,
    request_id: requestId,
    created_at: at,
  };
  refundTable.insert(world.store, row);
  for (const part of parts) refundPartTable.insert(world.store, { refund_id: row.id, ...part });
  return row;
}
