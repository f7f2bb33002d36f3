import {
  PaymentRecordSchema,
  PublicPaymentProvider,
  RefundRecordSchema,
} from '../../src/upstream/contract/generated/publicapi/v1/payments_pb.ts';
import { failedPrecondition, SandboxError } from '../kernel/errors.ts';
import type { Store } from '../kernel/store.ts';
import { plainTable, type RowOf, table } from '../kernel/table.ts';
import type { World } from '../kernel/world.ts';
import { type OrderRow, orderTable } from './orderTables.ts';

/** Providers that support refunds: manual payments, and the one that the upstream supports. */
const REFUNDABLE_PROVIDERS: readonly PublicPaymentProvider[] = [PublicPaymentProvider.MANUAL, PublicPaymentProvider.ONLINE];

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
/** A request ID is unique across all operations that create refunds, so that two of them can't pay out the same request. */
export const refundTable = table('refunds', RefundRecordSchema, {
  also: { workspace_id: 'TEXT' },
  references: { order_id: orderTable },
  constraints: ['UNIQUE (workspace_id, request_id)'],
  indexes: { refunds_by_order: 'order_id, created_at', refunds_by_age: 'workspace_id, created_at' },
});
/** The payments that a refund was taken from. */
const refundPartTable = plainTable(
  'refund_parts',
  { refund_id: 'TEXT', payment_id: 'TEXT', amount_minor: 'INTEGER' },
  {
    key: ['refund_id', 'payment_id'],
    references: { refund_id: refundTable, payment_id: paymentTable },
    indexes: { refund_parts_by_payment: 'payment_id' },
  },
);
/** Installments of an order that are due, and when they were canceled. */
const installmentTable = plainTable(
  'plan_installments',
  { order_id: 'TEXT', position: 'INTEGER', amount_minor: 'INTEGER', cancelled_at: 'INTEGER NULL' },
  { key: ['order_id', 'position'], references: { order_id: orderTable } },
);

/** Payments with their refunded and refundable amounts. `position` is their insertion order. */
const bookedPayments = {
  ddl: `CREATE VIEW IF NOT EXISTS booked_payments AS
    SELECT *, CASE WHEN provider IN (${REFUNDABLE_PROVIDERS.join(', ')}) THEN received_minor - refunded_minor ELSE 0 END AS refundable_minor
    FROM (
      SELECT payments.*, rowid AS position,
             (SELECT COALESCE(SUM(amount_minor), 0) FROM refund_parts WHERE payment_id = payments.id) AS refunded_minor
      FROM payments
    )`,
};
/** View with the paid, refunded, and planned sums of each order. */
const orderMoney = {
  ddl: `CREATE VIEW IF NOT EXISTS order_money AS
    SELECT id AS order_id,
           (SELECT COALESCE(SUM(received_minor), 0) FROM payments WHERE order_id = orders.id) AS paid_minor,
           (SELECT COALESCE(SUM(amount_minor), 0) FROM refunds WHERE order_id = orders.id) AS refunded_minor,
           (SELECT COALESCE(SUM(refundable_minor), 0) FROM booked_payments WHERE order_id = orders.id) AS refundable_minor,
           (SELECT COALESCE(SUM(amount_minor), 0) FROM plan_installments WHERE order_id = orders.id AND cancelled_at IS NULL) AS planned_minor
    FROM orders`,
};

/** The tables and views of payments and refunds. They must be created after those of orders. */
export const moneyTables = [paymentTable, refundTable, refundPartTable, installmentTable, bookedPayments, orderMoney];

export type PaymentRow = RowOf<typeof paymentTable>;
export type RefundRow = RowOf<typeof refundTable>;

export interface BookedPayment extends PaymentRow {
  readonly refunded_minor: number;
  readonly refundable_minor: number;
}

/** Sums of an order: paid, refunded, still refundable, and planned. */
interface OrderMoney {
  readonly paid_minor: number;
  readonly refunded_minor: number;
  readonly refundable_minor: number;
  readonly planned_minor: number;
}

/** The current sums of an order. */
export function getOrderMoney(store: Store, orderId: string): OrderMoney {
  const money = store.get<OrderMoney>('SELECT * FROM order_money WHERE order_id = :orderId', { orderId });
  if (!money) throw new Error(`The order ${orderId} must be written before its money is read.`);
  return money;
}

/** The payments of an order, oldest first. Refunds are taken in this order. */
export const listPayments = (store: Store, orderId: string): BookedPayment[] =>
  store.all('SELECT * FROM booked_payments WHERE order_id = :orderId ORDER BY created_at, position', { orderId });

/** Whether a provider supports refunds. */
export const supportsRefunds = (provider: PublicPaymentProvider): boolean => REFUNDABLE_PROVIDERS.includes(provider);

/** Plans one installment with an order's one-off total. Chosen: the upstream exposes no plans. */
export function planInstallment(store: Store, { id, total_once_minor }: OrderRow): void {
  installmentTable.insert(store, { order_id: id, position: 0, amount_minor: total_once_minor, cancelled_at: null });
}

/** Cancels the remaining installments of an order. */
export function cancelInstallments(store: Store, orderId: string, at: number): void {
  const sql = 'UPDATE plan_installments SET cancelled_at = :at WHERE order_id = :orderId AND cancelled_at IS NULL';
  store.run(sql, { orderId, at });
}

interface NewRefund {
  readonly amount: bigint;
  /** What the refund is taken from, for error messages, such as `the order O-00012`. */
  readonly from: string;
  readonly reason: string;
  readonly requestId: string;
  /** Unix seconds. */
  readonly at: number;
}

/** Distributes the amount over the payments. */
function allocateRefund(payments: readonly BookedPayment[], amount: number): { payment_id: string; amount_minor: number }[] {
  let left = amount;
  return payments.flatMap(({ id, refundable_minor }) => {
    const part = Math.min(left, refundable_minor);
    left -= part;
    return part > 0 ? [{ payment_id: id, amount_minor: part }] : [];
  });
}

/**
 * Refunds an amount from payments of one order, oldest first. Throws if it exceeds the refundable amount. All refunds are created here, in the transaction that
 * read the payments, so that the same money is never refunded twice.
 */
export function createRefund(
  world: World,
  payments: readonly BookedPayment[],
  { amount, from, reason, requestId, at }: NewRefund,
): RefundRow {
  const most = payments.reduce((sum, { refundable_minor }) => sum + refundable_minor, 0);
  const [first] = payments;
  if (!first || amount > most) throw failedPrecondition(`At most ${most} of ${from} can be refunded, but ${amount} was requested.`);
  const { workspace_id, order_id, customer_id, currency } = first;
  // Includes refunds that the caller can't see.
  if (
    world.store.get('SELECT 1 FROM main.refunds WHERE workspace_id = :workspace_id AND request_id = :requestId', {
      workspace_id,
      requestId,
    })
  ) {
    throw new SandboxError('already_exists', `The request ID ${requestId} was already used for another refund.`);
  }
  const parts = allocateRefund(payments, Number(amount));
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
