import { GetPayment } from '../../upstream/contract/generated/operations.ts';
import type { PaymentRecord, RefundRecord } from '../../upstream/contract/generated/records.ts';
import { Customer } from '../customers/customers.ts';
import { defineEntity } from '../kit/entities.ts';
import { defineWireEnum } from '../kit/enums.ts';
import { defineRecordType } from '../kit/recordTypes.ts';
import type { Entity } from '../kit/registry.ts';
import { Order } from '../sales/orders.ts';

export const PaymentStatus = defineWireEnum('PaymentStatus', 'PublicPaymentStatus', {
  description: 'The status of a payment. Set by the provider, except for manual payments.',
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

export const PaymentProvider = defineWireEnum('PaymentProvider', 'PublicPaymentProvider', {
  description: 'The method by which a payment is collected.',
  members: {
    MANUAL: 'Cash or a bank transfer, recorded manually.',
    ONLINE: 'An online payment provider.',
    TERMINAL: 'A payment terminal.',
    OTHER: 'A provider that isn’t in this schema yet. See `providerText`.',
  },
});

export const Payment: Entity<PaymentRecord> = defineEntity('Payment', {
  record: 'PaymentRecord',
  description: 'A payment requested for an order, with the amounts received and refunded.',
  operation: GetPayment,
  key: 'id',
  root: 'Looks up a payment by ID. Null if it doesn’t exist. To find payments, use `Customer.payments`, `Order.payments` or `paymentSearch`.',
  state: { getStatus: ({ status }) => status },
  fields: (f) => ({
    ...f.enumWithText('status', PaymentStatus, 'Status of the payment, such as open or paid.'),
    ...f.enumWithText('provider', PaymentProvider, 'How the payment is collected.'),
    description: f.string('description', 'Description shown to the customer.'),
    externalOperationId: f.string('externalOperationId', 'Idempotency key that the payment was created with. Null if there was none.'),
    order: f.requiredEdge('orderId', Order, 'Order that the payment is for.'),
    customer: f.requiredEdge('customerId', Customer, 'Customer that pays.'),
    currencyCode: f.scalar('currency', 'CurrencyCode', 'Currency of all amounts in the payment.'),
    amount: f.requiredMoney('amountMinor', 'Requested amount.'),
    received: f.requiredMoney('receivedMinor', 'Amount received so far.'),
    refunded: f.requiredMoney('refundedMinor', 'Part of the received amount that was refunded.'),
    refundable: f.requiredMoney('refundableMinor', 'Maximum amount that can still be refunded.'),
    createdAt: f.requiredDateTime('createdAt', 'When the payment was created.'),
    updatedAt: f.dateTime('updatedAt', 'When the payment was last updated.'),
    paidAt: f.dateTime('paidAt', 'When the payment was received in full. Null until then.'),
  }),
});

export const Refund = defineRecordType<RefundRecord>('Refund', {
  record: 'RefundRecord',
  description: 'A refund of a payment, or of a canceled order.',
  key: 'id',
  fields: (f) => ({
    amount: f.requiredMoney('amountMinor', 'Refunded amount.'),
    reason: f.string('reason', 'Why the amount was refunded.'),
    payment: f.edge('paymentId', Payment, 'Payment that was refunded. Null if the refund is taken from several payments.'),
    order: f.requiredEdge('orderId', Order, 'Order that the refunded payments were for.'),
    createdAt: f.dateTime('createdAt', 'When the refund was made.'),
  }),
});
