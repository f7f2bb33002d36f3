import { invoiceLoader } from '../../loaders/invoices.ts';
import { GetInvoice } from '../../upstream/contract/generated/operations.ts';
import type {
  AccountingConnectionRecordJson,
  InvoiceRecordJson,
  PublicInvoiceStatusJson,
} from '../../upstream/contract/generated/publicapi/v1/invoices_pb.ts';
import { Customer } from '../customers/customers.ts';
import { entity } from '../kit/entities.ts';
import { wireEnum } from '../kit/enums.ts';
import { readJointId } from '../kit/globalIds.ts';
import { RecordFields } from '../kit/records.ts';
import type { Entity } from '../kit/registry.ts';
import { Order } from '../sales/orders.ts';

export const InvoiceStatus = wireEnum<PublicInvoiceStatusJson>()('InvoiceStatus', {
  description: 'The stage of an invoice.',
  prefix: 'PUBLIC_INVOICE_STATUS',
  members: {
    DRAFT: 'Made, and not sent yet.',
    SENT: 'Sent to the customer.',
    OTHER: 'A state that this graph does not know: see `statusText`.',
  },
});

/** Whether a connection has a capability: the upstream writes the word with its prefix, or alone. */
const can = ({ capabilities = [] }: AccountingConnectionRecordJson, capability: 'CREATE_INVOICE' | 'SEND_INVOICE'): boolean =>
  capabilities.some((word) => String(word).toUpperCase().endsWith(capability));

const connection = new RecordFields<AccountingConnectionRecordJson>('AccountingConnectionRecord');

export const AccountingIntegration = connection.type('AccountingIntegration', {
  description: 'An accounting system that the workspace is connected to.',
  key: 'id',
  fields: (t) => ({
    name: connection.text(t, 'name', 'The name of the connection.'),
    provider: connection.text(t, 'provider', 'The accounting system, such as `exact_online`.'),
    canCreateInvoices: t.boolean({
      nullable: false,
      ...connection.mark('capabilities', 'Whether it can make invoices for this customer.'),
      resolve: (shown) => can(shown, 'CREATE_INVOICE'),
    }),
    canSendInvoices: t.boolean({
      nullable: false,
      ...connection.mark('capabilities', 'Whether it can send invoices to this customer.'),
      resolve: (shown) => can(shown, 'SEND_INVOICE'),
    }),
  }),
});

const record = new RecordFields<InvoiceRecordJson>('InvoiceRecord');

export const Invoice: Entity<InvoiceRecordJson> = entity('Invoice', {
  record,
  description:
    'An invoice of one version of an order, in an accounting system. Order, accounting system and version identify it: it has no `rawId`. A later version of the order gets an invoice of its own.',
  operation: GetInvoice,
  loader: invoiceLoader(readJointId),
  key: ['orderId', 'integrationId', 'orderVersion'],
  state: { of: ({ status }) => status },
  fields: (t) => ({
    ...record.word(t, 'status', InvoiceStatus, 'The stage of the invoice.'),
    number: record.text(t, 'number', 'The number of the invoice; null while it is a draft.'),
    accountingIntegrationId: record.id(
      t,
      'integrationId',
      'The `rawId` of its accounting integration: see `Customer.accountingIntegrations`.',
    ),
    order: record.requiredEdge(t, 'orderId', Order, 'The order, as it is now.'),
    orderVersion: record.version(t, 'orderVersion', 'The version of the order that the invoice was made of.'),
    customer: record.requiredEdge(t, 'customerId', Customer, 'The customer.'),
    currencyCode: record.code(t, 'currency', 'CurrencyCode', 'The currency of its amounts.'),
    totalOnce: record.requiredMoney(t, 'totalOnceMinor', 'The one-off total of that version, without VAT.'),
    totalMonthly: record.requiredMoney(t, 'totalMonthlyMinor', 'The monthly total of that version, without VAT.'),
    totalYearly: record.requiredMoney(t, 'totalYearlyMinor', 'The yearly total of that version, without VAT.'),
    createdAt: record.requiredDateTime(t, 'createdAt', 'The moment of creation.'),
    updatedAt: record.dateTime(t, 'updatedAt', 'The moment of the last change.'),
    sentAt: record.dateTime(t, 'sentAt', 'The moment at which it was first sent; null while it is a draft.'),
  }),
});
