import { GetPayment } from '../../upstream/contract/generated/operations.ts';
import type { PublicPaymentProviderJson, PublicPaymentStatusJson } from '../../upstream/contract/generated/publicapi/v1/payments_pb.ts';
import type { PaymentRecord, RefundRecord } from '../../upstream/contract/generated/records.ts';
import { Customer } from '../customers/customers.ts';
import { entity } from '../kit/entities.ts';
import { wireEnum } from '../kit/enums.ts';
import { RecordFields } from '../kit/records.ts';
import type { Entity } from '../kit/registry.ts';
import { Order } from '../sales/orders.ts';

export const PaymentStatus = wireEnum<PublicPaymentStatusJson>()('PaymentStatus', {
  description: 'The status of a payment. Set by the provider, except for manual payments.',
  prefix: 'PUBLIC_PAYMENT_STATUS',
  members: {
    OPEN: 'Requested, but nothing received yet.',
    PARTIALLY_PAID: 'Received in part.',
    PAID: 'Received in full.',
    FAILED: 'The provider couldn’t collect the payment.',
    EXPIRED: 'Not paid in time.',
    CANCELLED: 'Canceled.',
    OTHER: 'A status that isn’t in this schema yet. See `statusText`.',
  },
});

export const PaymentProvider = wireEnum<PublicPaymentProviderJson>()('PaymentProvider', {
  description: 'The method by which a payment is collected.',
  prefix: 'PUBLIC_PAYMENT_PROVIDER',
  members: {
    MANUAL: 'Cash or a bank transfer, recorded manually.',
    ONLINE: 'An online payment provider.',
    TERMINAL: 'A payment terminal.',
    OTHER: 'A provider that isn’t in this schema yet. See `providerText`.',
  },
});

const record = new RecordFields<PaymentRecord>('PaymentRecord');

export const Payment: Entity<PaymentRecord> = entity('Payment', {
  record,
  description: 'A payment requested for an order, with the amounts received and refunded.',
  operation: GetPayment,
  key: 'id',
  root: 'Looks up a payment by ID. Null if it doesn’t exist.',
  state: { of: ({ status }) => status },
  fields: (t) => ({
    ...record.word(t, 'status', PaymentStatus, 'Status of the payment, such as open or paid.'),
    ...record.word(t, 'provider', PaymentProvider, 'How the payment is collected.'),
    description: record.text(t, 'description', 'Description shown to the customer.'),
    externalOperationId: record.text(
      t,
      'externalOperationId',
      'Idempotency key that the payment was created with. Null if there was none.',
    ),
    order: record.requiredEdge(t, 'orderId', Order, 'Order that the payment is for.'),
    customer: record.requiredEdge(t, 'customerId', Customer, 'Customer that pays.'),
    currencyCode: record.code(t, 'currency', 'CurrencyCode', 'Currency of all amounts in the payment.'),
    amount: record.requiredMoney(t, 'amountMinor', 'Requested amount.'),
    received: record.requiredMoney(t, 'receivedMinor', 'Amount received so far.'),
    refunded: record.requiredMoney(t, 'refundedMinor', 'Part of the received amount that was refunded.'),
    refundable: record.requiredMoney(t, 'refundableMinor', 'Maximum amount that can still be refunded.'),
    createdAt: record.requiredDateTime(t, 'createdAt', 'When the payment was created.'),
    updatedAt: record.dateTime(t, 'updatedAt', 'When the payment was last updated.'),
    paidAt: record.dateTime(t, 'paidAt', 'When the payment was received in full. Null until then.'),
  }),
});

const refund = new RecordFields<RefundRecord>('RefundRecord');

export const Refund = refund.type('Refund', {
  description: 'A refund of a payment, or of a canceled order.',
  key: 'id',
  fields: (t) => ({
    amount: refund.requiredMoney(t, 'amountMinor', 'Refunded amount.'),
    reason: refund.text(t, 'reason', 'Why the amount was refunded.'),
    payment: refund.edge(t, 'paymentId', Payment, 'Payment that was refunded. Null if the refund is taken from several payments.'),
    order: refund.requiredEdge(t, 'orderId', Order, 'Order that the refunded payments were for.'),
    createdAt: refund.dateTime(t, 'createdAt', 'When the refund was made.'),
  }),
});
