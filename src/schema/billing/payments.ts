import { GetPayment } from '../../upstream/contract/generated/operations.ts';
import type {
  PaymentRecordJson,
  PublicPaymentProviderJson,
  PublicPaymentStatusJson,
  RefundRecordJson,
} from '../../upstream/contract/generated/publicapi/v1/payments_pb.ts';
import { Customer } from '../customers/customers.ts';
import { entity } from '../kit/entities.ts';
import { wireEnum } from '../kit/enums.ts';
import { RecordFields } from '../kit/records.ts';
import type { Entity } from '../kit/registry.ts';
import { Order } from '../sales/orders.ts';

export const PaymentStatus = wireEnum<PublicPaymentStatusJson>()('PaymentStatus', {
  description: 'The stage of a payment. All but those of manual payments are set by the provider.',
  prefix: 'PUBLIC_PAYMENT_STATUS',
  members: {
    OPEN: 'Asked for, and nothing received yet.',
    PARTIALLY_PAID: 'A part was received.',
    PAID: 'Received in full.',
    FAILED: 'The provider could not collect it.',
    EXPIRED: 'Not paid in time.',
    CANCELLED: 'Called off.',
    OTHER: 'A state that this graph does not know: see `statusText`.',
  },
});

export const PaymentProvider = wireEnum<PublicPaymentProviderJson>()('PaymentProvider', {
  description: 'The way in which a payment is collected.',
  prefix: 'PUBLIC_PAYMENT_PROVIDER',
  members: {
    MANUAL: 'Cash or a bank transfer, which a person records.',
    ONLINE: 'An online payment provider.',
    TERMINAL: 'A payment terminal.',
    OTHER: 'A provider that this graph does not know: see `providerText`.',
  },
});

const record = new RecordFields<PaymentRecordJson>('PaymentRecord');

export const Payment: Entity<PaymentRecordJson> = entity('Payment', {
  record,
  description: 'A payment that is asked for on an order, with the sums that were received and given back.',
  operation: GetPayment,
  key: 'id',
  root: 'The payment of this id; null when there is none.',
  state: { of: ({ status }) => status },
  fields: (t) => ({
    ...record.word(t, 'status', PaymentStatus, 'The stage of the payment.'),
    ...record.word(t, 'provider', PaymentProvider, 'The way in which it is collected.'),
    description: record.text(t, 'description', 'The description that the customer sees.'),
    externalOperationId: record.text(t, 'externalOperationId', 'The idempotency key that it was created with.'),
    order: record.requiredEdge(t, 'orderId', Order, 'The order that it is for.'),
    customer: record.requiredEdge(t, 'customerId', Customer, 'The customer who pays.'),
    currencyCode: record.code(t, 'currency', 'CurrencyCode', 'The currency of its amounts.'),
    amount: record.requiredMoney(t, 'amountMinor', 'The sum that is asked for.'),
    received: record.requiredMoney(t, 'receivedMinor', 'The sum that was received.'),
    refunded: record.requiredMoney(t, 'refundedMinor', 'The sum of it that was given back.'),
    refundable: record.requiredMoney(t, 'refundableMinor', 'The most that a refund can still give back.'),
    createdAt: record.requiredDateTime(t, 'createdAt', 'The moment of creation.'),
    updatedAt: record.dateTime(t, 'updatedAt', 'The moment of the last change.'),
    paidAt: record.dateTime(t, 'paidAt', 'The moment at which it was received in full; null until then.'),
  }),
});

const refund = new RecordFields<RefundRecordJson>('RefundRecord');

export const Refund = refund.type('Refund', {
  description: 'Money that was given back: of a payment, or when an order was cancelled.',
  key: 'id',
  fields: (t) => ({
    amount: refund.requiredMoney(t, 'amountMinor', 'The amount that was given back.'),
    reason: refund.text(t, 'reason', 'The reason.'),
    payment: refund.edge(t, 'paymentId', Payment, 'The payment that it is taken from; null when several are.'),
    order: refund.requiredEdge(t, 'orderId', Order, 'The order that was paid.'),
    createdAt: refund.dateTime(t, 'createdAt', 'The moment of the refund.'),
  }),
});
