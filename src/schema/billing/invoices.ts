import { invoiceLoader } from '../../loaders/invoices.ts';
import { GetInvoice, ListAccountingConnections } from '../../upstream/contract/generated/operations.ts';
import type { AccountingConnectionRecord, InvoiceRecord } from '../../upstream/contract/generated/records.ts';
import { followInList } from '../customers/customerLists.ts';
import { Customer } from '../customers/customers.ts';
import { defineEntity } from '../kit/entities.ts';
import { defineWireEnum } from '../kit/enums.ts';
import { splitIds } from '../kit/globalIds.ts';
import { defineRecordType } from '../kit/recordTypes.ts';
import type { Entity } from '../kit/registry.ts';
import { Order } from '../sales/orders.ts';

export const InvoiceStatus = defineWireEnum('InvoiceStatus', 'PublicInvoiceStatus', {
  description: 'The status of an invoice.',
  members: {
    DRAFT: 'Created, but not sent yet.',
    SENT: 'Sent to the customer.',
    OTHER: 'A status that isn’t in this schema yet. See `statusText`.',
  },
});

/** Whether a connection has a capability. The upstream sends the value with or without its prefix. */
const hasCapability = ({ capabilities }: AccountingConnectionRecord, capability: 'CREATE_INVOICE' | 'SEND_INVOICE'): boolean =>
  capabilities.some((value) => String(value).toUpperCase().endsWith(capability));

export const AccountingIntegration = defineRecordType<AccountingConnectionRecord>('AccountingIntegration', {
  record: 'AccountingConnectionRecord',
  description: 'A connection of the workspace to an accounting system.',
  key: 'id',
  fields: (f, t) => ({
    name: f.string('name', 'Name of the connection.'),
    provider: f.string('provider', 'Accounting system, such as `ledger_online`.'),
    canCreateInvoices: t.boolean({
      nullable: false,
      ...f.annotate('capabilities', 'Whether the integration can create invoices for the customer.'),
      resolve: (connection) => hasCapability(connection, 'CREATE_INVOICE'),
    }),
    canSendInvoices: t.boolean({
      nullable: false,
      ...f.annotate('capabilities', 'Whether the integration can send invoices to the customer.'),
      resolve: (connection) => hasCapability(connection, 'SEND_INVOICE'),
    }),
  }),
});

export const Invoice: Entity<InvoiceRecord> = defineEntity('Invoice', {
  record: 'InvoiceRecord',
  description:
    'An invoice for one version of an order, in an accounting system. Later versions of the order get their own invoices. The order, the accounting system, and the version identify an invoice, so it has no `rawId`.',
  operation: GetInvoice,
  loader: invoiceLoader(splitIds),
  key: ['orderId', 'integrationId', 'orderVersion'],
  state: { getStatus: ({ status }) => status },
  fields: (f, t) => ({
    ...f.enumWithText('status', InvoiceStatus, 'Status of the invoice: draft or sent.'),
    number: f.string('number', 'Invoice number. Null while the invoice is a draft.'),
    accountingIntegration: t.field({
      type: AccountingIntegration,
      ...f.annotate('integrationId', 'Accounting integration that the invoice was created in. Null if the customer no longer has it.'),
      extensions: { reads: ListAccountingConnections },
      resolve: async ({ integrationId, customerId }, _args, context, info) => {
        const target = { customerId, ids: [integrationId] };
        const [integration = null] = await followInList(AccountingIntegration, ListAccountingConnections, target, context, info);
        return integration;
      },
    }),
    order: f.requiredEdge('orderId', Order, 'Order in its current state, which may be newer than `orderVersion`.'),
    orderVersion: f.version('orderVersion', 'Version of the order that the invoice was created for.'),
    customer: f.requiredEdge('customerId', Customer, 'Customer that the invoice is for.'),
    currencyCode: f.scalar('currency', 'CurrencyCode', 'Currency of all amounts in the invoice.'),
    totalOnce: f.requiredMoney('totalOnceMinor', 'One-off total of the invoiced order version, excluding VAT.'),
    totalMonthly: f.requiredMoney('totalMonthlyMinor', 'Monthly total of the invoiced order version, excluding VAT.'),
    totalYearly: f.requiredMoney('totalYearlyMinor', 'Yearly total of the invoiced order version, excluding VAT.'),
    createdAt: f.requiredDateTime('createdAt', 'When the invoice was created.'),
    updatedAt: f.dateTime('updatedAt', 'When the invoice was last updated.'),
    sentAt: f.dateTime('sentAt', 'When the invoice was first sent. Null while it is a draft.'),
  }),
});
