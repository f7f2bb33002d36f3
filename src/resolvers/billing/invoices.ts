import { AccountingIntegration, Invoice, InvoiceStatus } from '../../schema/billing/invoices.ts';
import { Customer } from '../../schema/customers/customers.ts';
import { builder } from '../../schema/kit/builder.ts';
import { toRawId } from '../../schema/kit/globalIds.ts';
import { Order } from '../../schema/sales/orders.ts';
import {
  CreateInvoice,
  GetInvoice,
  ListAccountingConnections,
  ListInvoices,
  SendInvoice,
} from '../../upstream/contract/generated/operations.ts';
import type { InvoiceRecord } from '../../upstream/contract/generated/records.ts';
import { defineCriteria } from '../kit/listCriteria.ts';
import { list } from '../kit/lists.ts';
import { mutation } from '../kit/mutation.ts';
import { read } from '../kit/reads.ts';
import { SALES_CRITERIA } from '../kit/salesCriteria.ts';

const criteria = defineCriteria(ListInvoices, Invoice, {
  ...SALES_CRITERIA,
  status: InvoiceStatus,
  times: { ...SALES_CRITERIA.times, sentAt: 'were first sent' },
  alternative: 'Omit `filter` and `orderBy`, and paginate.',
});

builder.objectFields(Customer.ref, (t) => ({
  invoices: t.field(
    list(ListInvoices, {
      description: 'The customer’s invoices.',
      order: 'Newest first.',
      on: Customer,
      node: Invoice,
      ...criteria,
    }),
  ),
  accountingIntegrations: t.field(
    list(ListAccountingConnections, {
      description: 'Accounting integrations that can create invoices for the customer.',
      on: Customer,
      node: AccountingIntegration,
    }),
  ),
}));

builder.objectField(Order.ref, 'invoice', (t) =>
  t.field(
    read(GetInvoice, {
      description: 'Latest invoice of the order in an accounting system. Null if it hasn’t been invoiced there.',
      type: Invoice.ref,
      args: (arg) => ({
        accountingIntegrationId: arg.id({ required: true, description: 'Global or raw ID of the accounting integration.' }),
      }),
      request: ({ id }: { readonly id: string }, { accountingIntegrationId }) => ({
        orderId: id,
        integrationId: toRawId('AccountingIntegration', accountingIntegrationId, ['accountingIntegrationId']),
      }),
      names: { integrationId: ['accountingIntegrationId'] },
      resolveValue: ({ invoice }) => invoice,
      isOptional: true,
      extensions: { isServedByKey: true },
    }),
  ),
);

const affectedOrder = [
  Order,
  'The invoiced order.',
  ({ invoice }: { readonly invoice: InvoiceRecord | undefined }) => invoice?.orderId,
] as const;

mutation('invoiceCreate', CreateInvoice, {
  description:
    'Creates a draft invoice for an order in an accounting system. If the version of the order already has an invoice there, returns that one.',
  on: Order,
  input: (f) => ({
    orderId: f.orderId('Order to invoice.'),
    accountingIntegrationId: f.integrationId('Accounting integration to create the invoice in.'),
    expectedOrderVersion: f.expectedOrderVersion(
      'Expected `version` of the order. The mutation fails if the order has another version. Defaults to the current version.',
    ),
  }),
  returns: { invoice: 'The invoice: a new draft or the existing one.' },
  affects: { order: affectedOrder },
});

mutation('invoiceSend', SendInvoice, {
  description: 'Sends an invoice to the customer. Another idempotency key sends it again.',
  on: Invoice,
  returns: { invoice: 'The sent invoice.' },
  affects: { order: affectedOrder },
});
