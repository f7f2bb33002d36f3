import { invoiceLoader } from '../../loaders/invoices.ts';
import { GetInvoice } from '../../upstream/contract/generated/operations.ts';
import type { PublicInvoiceStatusJson } from '../../upstream/contract/generated/publicapi/v1/invoices_pb.ts';
import type { AccountingConnectionRecord, InvoiceRecord } from '../../upstream/contract/generated/records.ts';
import { Customer } from '../customers/customers.ts';
import { entity } from '../kit/entities.ts';
import { wireEnum } from '../kit/enums.ts';
import { readJointId } from '../kit/globalIds.ts';
import { RecordFields } from '../kit/records.ts';
import type { Entity } from '../kit/registry.ts';
import { Order } from '../sales/orders.ts';

export const InvoiceStatus = wireEnum<PublicInvoiceStatusJson>()('InvoiceStatus', {
  description: 'The status of an invoice.',
  prefix: 'PUBLIC_INVOICE_STATUS',
  members: {
    DRAFT: 'Created, but not sent yet.',
    SENT: 'Sent to the customer.',
    OTHER: 'A status that isn’t in this schema yet. See `statusText`.',
  },
});

/** Whether a connection has a capability: the upstream writes the word with its prefix, or alone. */
const can = ({ capabilities }: AccountingConnectionRecord, capability: 'CREATE_INVOICE' | 'SEND_INVOICE'): boolean =>
  capabilities.some((word) => String(word).toUpperCase().endsWith(capability));

const connection = new RecordFields<AccountingConnectionRecord>('AccountingConnectionRecord');

export const AccountingIntegration = connection.type('AccountingIntegration', {
  description: 'A connection of the workspace to an accounting system.',
  key: 'id',
  fields: (t) => ({
    name: connection.text(t, 'name', 'Name of the connection.'),
    provider: connection.text(t, 'provider', 'Accounting system, such as `exact_online`.'),
    canCreateInvoices: t.boolean({
      nullable: false,
      ...connection.mark('capabilities', 'Whether the integration can create invoices for the customer.'),
      resolve: (shown) => can(shown, 'CREATE_INVOICE'),
    }),
    canSendInvoices: t.boolean({
      nullable: false,
      ...connection.mark('capabilities', 'Whether the integration can send invoices to the customer.'),
      resolve: (shown) => can(shown, 'SEND_INVOICE'),
    }),
  }),
});

const record = new RecordFields<InvoiceRecord>('InvoiceRecord');

export const Invoice: Entity<InvoiceRecord> = entity('Invoice', {
  record,
  description:
    'An invoice for one version of an order, in an accounting system. Later versions of the order get their own invoices. The order, the accounting system, and the version identify an invoice, so it has no `rawId`.',
  operation: GetInvoice,
  loader: invoiceLoader(readJointId),
  key: ['orderId', 'integrationId', 'orderVersion'],
  state: { of: ({ status }) => status },
  fields: (t) => ({
    ...record.word(t, 'status', InvoiceStatus, 'Status of the invoice: draft or sent.'),
    number: record.text(t, 'number', 'Invoice number. Null while the invoice is a draft.'),
    accountingIntegrationId: record.id(t, 'integrationId', '`rawId` of the accounting integration. See `Customer.accountingIntegrations`.'),
    order: record.requiredEdge(t, 'orderId', Order, 'Order in its current state, which may be newer than `orderVersion`.'),
    orderVersion: record.version(t, 'orderVersion', 'Version of the order that the invoice was created for.'),
    customer: record.requiredEdge(t, 'customerId', Customer, 'Customer that the invoice is for.'),
    currencyCode: record.code(t, 'currency', 'CurrencyCode', 'Currency of all amounts in the invoice.'),
    totalOnce: record.requiredMoney(t, 'totalOnceMinor', 'One-off total of the invoiced order version, excluding VAT.'),
    totalMonthly: record.requiredMoney(t, 'totalMonthlyMinor', 'Monthly total of the invoiced order version, excluding VAT.'),
    totalYearly: record.requiredMoney(t, 'totalYearlyMinor', 'Yearly total of the invoiced order version, excluding VAT.'),
    createdAt: record.requiredDateTime(t, 'createdAt', 'When the invoice was created.'),
    updatedAt: record.dateTime(t, 'updatedAt', 'When the invoice was last updated.'),
    sentAt: record.dateTime(t, 'sentAt', 'When the invoice was first sent. Null while it is a draft.'),
  }),
});
