import type { MessageInitShape } from '@bufbuild/protobuf';
import { PublicOrderStatus } from '../../src/upstream/contract/generated/publicapi/v1/orders_pb.ts';
import {
  Payment,
  type PaymentRecordSchema,
  PublicPaymentProvider,
  PublicPaymentStatus,
} from '../../src/upstream/contract/generated/publicapi/v1/payments_pb.ts';
import { getCustomer } from '../customers/customerRecords.ts';
import type { CallContext } from '../kernel/call.ts';
import { failedPrecondition, invalidArgument } from '../kernel/errors.ts';
import { domain } from '../kernel/service.ts';
import { missingOrDeniedError } from '../kernel/table.ts';
import { type BookedPayment, createRefund, paymentTable, type RefundRow, refundTable, supportsRefunds } from '../sales/moneyBook.ts';
import { getOrder } from '../sales/orderTables.ts';

/** Maximum amount of one payment, in minor units. Chosen: sums of thousands of payments are still exact. */
const MAX_AMOUNT = 1_000_000_000_000n;

function requireAmount(field: string, amount: bigint): number {
  if (amount > MAX_AMOUNT) throw invalidArgument(`${field} must be at most ${MAX_AMOUNT}, but is ${amount}.`);
  return Number(amount);
}

const toPayment = (row: BookedPayment): MessageInitShape<typeof PaymentRecordSchema> => ({
  ...paymentTable.read(row),
  refundedMinor: BigInt(row.refunded_minor),
  refundableMinor: BigInt(row.refundable_minor),
});

/** Looks up a payment with its sums by ID. Throws if the workspace doesn't contain it. */
function getPayment(call: CallContext, id: string): BookedPayment {
  const sql = 'SELECT * FROM booked_payments WHERE workspace_id = :workspaceId AND id = :id';
  const row = call.store.get<BookedPayment>(sql, { workspaceId: call.workspaceId, id });
  if (!row) throw missingOrDeniedError(call, { name: 'payments', noun: 'payment', id });
  return row;
}

const readPayment = (call: CallContext, id: string | undefined) => ({ payment: toPayment(getPayment(call, id ?? '')) });

/** Throws if a filter refers to a record that the caller can't see. */
function checkFilters(
  call: CallContext,
  filters: { readonly customerId?: string; readonly orderId?: string; readonly paymentId?: string },
): void {
  if (filters.customerId) getCustomer(call, filters.customerId);
  if (filters.orderId) getOrder(call, filters.orderId);
  if (filters.paymentId) getPayment(call, filters.paymentId);
}

/** Sets the manually received total. Setting the same total again changes nothing. */
function setReceivedTotal(call: CallContext, payment: BookedPayment, total: number): void {
  if (payment.provider !== PublicPaymentProvider.MANUAL) {
    throw failedPrecondition(`Payment ${payment.id} isn’t manual. The received amount of other payments is set by their provider.`);
  }
  if (total < payment.refunded_minor) {
    throw failedPrecondition(`The received total must be at least ${payment.refunded_minor}, which was already refunded, but is ${total}.`);
  }
  if (total === payment.received_minor) return;
  const isPaid = total >= payment.amount_minor;
  paymentTable.update(call.store, payment.id, {
    received_minor: total,
    status: isPaid ? PublicPaymentStatus.PAID : PublicPaymentStatus.PARTIALLY_PAID,
    paid_at: isPaid ? (payment.paid_at ?? call.now) : null,
    updated_at: call.now,
  });
}

export const payments = domain(Payment, {
  handlers: {
    createPayment: {
      permission: 'billingAccess:READ_WRITE',
      run: (request, call) => {
        const order = getOrder(call, request.orderId);
        const amount = requireAmount('amount_minor', request.amountMinor);
        if (order.status === PublicOrderStatus.CANCELLED) {
          throw failedPrecondition(`Order ${order.reference_number} is canceled, so no more payments can be requested for it.`);
        }
        const id = call.id();
        paymentTable.insert(call.store, {
          id,
          workspace_id: call.workspaceId,
          order_id: order.id,
          customer_id: order.customer_id,
          external_operation_id: request.externalOperationId,
          provider: request.provider || PublicPaymentProvider.MANUAL,
          status: PublicPaymentStatus.OPEN,
          currency: order.currency,
          amount_minor: amount,
          received_minor: 0,
          description: request.description,
          created_at: call.now,
          updated_at: call.now,
          paid_at: null,
        });
        return readPayment(call, id);
      },
      replay: ({ payment }, call) => readPayment(call, payment?.id),
    },

    getPayment: {
      permission: 'billingAccess:READ_ONLY',
      run: ({ id }, call) => readPayment(call, id),
    },

    listPayments: {
      permission: 'billingAccess:READ_ONLY',
      run: (request, call) => {
        checkFilters(call, request);
        const { customerId, orderId, status } = request;
        const { rows, ...page } = call.page<BookedPayment>(
          request,
          `SELECT * FROM booked_payments
           WHERE workspace_id = :workspaceId AND (:customerId = '' OR customer_id = :customerId)
             AND (:orderId = '' OR order_id = :orderId) AND (:status = 0 OR status = :status)
           ORDER BY created_at DESC, position DESC`,
          { workspaceId: call.workspaceId, customerId, orderId, status },
        );
        return { payments: rows.map(toPayment), ...page };
      },
    },

    recordManualPayment: {
      permission: 'billingAccess:READ_WRITE',
      run: ({ id, totalReceivedMinor }, call) => {
        setReceivedTotal(call, getPayment(call, id), requireAmount('total_received_minor', totalReceivedMinor));
        return readPayment(call, id);
      },
    },

    createRefund: {
      permission: 'billingAccess:READ_WRITE',
      run: ({ paymentId, amountMinor, reason, requestId }, call) => {
        const payment = getPayment(call, paymentId);
        if (!supportsRefunds(payment.provider)) throw failedPrecondition(`The provider of payment ${paymentId} doesn’t support refunds.`);
        const from = `payment ${paymentId}`;
        const refund = createRefund(call.world, [payment], { amount: amountMinor, from, reason, requestId, at: call.now });
        return { refund: refundTable.read(refund), ...readPayment(call, paymentId) };
      },
      // The payment may have changed in the meantime. The refund hasn't.
      replay: ({ refund }, call) => ({ ...(refund && { refund }), ...readPayment(call, refund?.paymentId) }),
    },

    listRefunds: {
      permission: 'billingAccess:READ_ONLY',
      run: (request, call) => {
        checkFilters(call, request);
        const { paymentId, orderId } = request;
        const { rows, ...page } = call.page<RefundRow>(
          request,
          `SELECT * FROM refunds
           WHERE workspace_id = :workspaceId AND (:orderId = '' OR order_id = :orderId)
             AND (:paymentId = '' OR id IN (SELECT refund_id FROM refund_parts WHERE payment_id = :paymentId))
           ORDER BY created_at DESC, rowid DESC`,
          { workspaceId: call.workspaceId, paymentId, orderId },
        );
        return { refunds: rows.map(refundTable.read), ...page };
      },
    },
  },
});
