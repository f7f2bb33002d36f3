import { AccountingIntegration, Invoice } from '../../schema/billing/invoices.ts';
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
import type { InvoiceRecordJson } from '../../upstream/contract/generated/publicapi/v1/invoices_pb.ts';
import { list } from '../kit/lists.ts';
import { mutation } from '../kit/mutation.ts';
import { read } from '../kit/reads.ts';

builder.objectFields(Customer.ref, (t) => ({
  invoices: t.field(
    list(ListInvoices, {
      description: 'The invoices of this customer.',
      order: 'Newest first.',
      on: Customer,
      node: Invoice,
    }),
  ),
  accountingIntegrations: t.field(
    list(ListAccountingConnections, {
      description: 'The accounting systems that can make invoices for this customer.',
      on: Customer,
      node: AccountingIntegration,
    }),
  ),
}));

builder.objectField(Order.ref, 'invoice', (t) =>
  t.field(
    read(GetInvoice, {
      description: 'The newest invoice of this order in an accounting system; null when there is none.',
      type: Invoice.ref,
      args: (arg) => ({
        accountingIntegrationId: arg.id({ required: true, description: 'The id of the accounting integration.' }),
      }),
      request: ({ id = '' }: { id?: string }, { accountingIntegrationId }) => ({
        orderId: id,
        integrationId: toRawId('AccountingIntegration', accountingIntegrationId, ['accountingIntegrationId']),
      }),
      answer: ({ invoice }) => invoice,
      isOptional: true,
      extensions: { isServedByKey: true },
    }),
  ),
);

const toOrder = [Order, 'The order.', ({ invoice }: { readonly invoice?: InvoiceRecordJson }) => invoice?.orderId] as const;

mutation('invoiceCreate', CreateInvoice, {
  description: 'Makes the draft of an invoice of an order in an accounting system. A version of the order has one: it is answered again.',
  on: Order,
  input: (f) => ({
    orderId: f.orderId('The order.'),
    accountingIntegrationId: f.integrationId('The accounting integration that is to make it.'),
    expectedOrderVersion: f.expectedOrderVersion(
      'The `version` of the order to make it of: another one is refused. The version of now when absent.',
    ),
  }),
  returns: { invoice: 'The draft.' },
  leadsTo: { order: toOrder },
});

mutation('invoiceSend', SendInvoice, {
  description: 'Sends an invoice to the customer. Another key sends it again.',
  on: Invoice,
  returns: { invoice: 'The invoice as it is now.' },
  leadsTo: { order: toOrder },
});
