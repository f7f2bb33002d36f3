import { Invoice, InvoiceRecordSchema, PublicInvoiceStatus } from '../../src/upstream/contract/generated/publicapi/v1/invoices_pb.ts';
import { customerOf } from '../customers/customerRecords.ts';
import type { CallContext } from '../kernel/call.ts';
import { notFound } from '../kernel/errors.ts';
import { sendMessage } from '../kernel/outbox.ts';
import { domain } from '../kernel/service.ts';
import { type RowOf, table } from '../kernel/table.ts';
import type { World } from '../kernel/world.ts';
import { orderOf } from '../sales/orderTables.ts';
import { connectionOf, connectionsFor, connectionTable, requireSending } from './connections.ts';
import { requireStanding, revisionColumns, revisionOf } from './revisions.ts';

/** Each version of an order has one invoice at most in each accounting system. */
export const invoiceTable = table('invoices', InvoiceRecordSchema, {
  also: { workspace_id: 'TEXT' },
  references: { integration_id: connectionTable },
  constraints: ['UNIQUE (order_id, integration_id, order_version)'],
  indexes: { invoices_by_customer: 'workspace_id, customer_id, created_at' },
});

type InvoiceRow = RowOf<typeof invoiceTable>;

interface Key {
  readonly orderId: string;
  readonly integrationId: string;
  /** The newest when absent. */
  readonly orderVersion?: bigint | undefined;
}

function invoiceOf(call: CallContext, { orderId, integrationId, orderVersion }: Key): InvoiceRow {
  orderOf(call, orderId);
  const connection = connectionOf(call, integrationId);
  const row = call.store.get<InvoiceRow>(
    `SELECT * FROM invoices
     WHERE order_id = :orderId AND integration_id = :integrationId AND (:version IS NULL OR order_version = :version)
     ORDER BY order_version DESC LIMIT 1`,
    { orderId, integrationId, version: orderVersion ?? null },
  );
  if (!row) throw notFound(`invoice in ${connection.name} for order`, orderId);
  return row;
}

/** The invoice as it is by now, for repeats of a key: it may have been sent since. */
function invoiceNow(call: CallContext, id: string) {
  return { invoice: invoiceTable.read(invoiceTable.one(call, id, 'invoice')) };
}

/** The next number of the invoices of a workspace, such as I-00012. */
export const nextInvoiceNumber = (world: World, workspaceId: string): string =>
  `I-${String(world.next(`invoice ${workspaceId}`)).padStart(5, '0')}`;

/** Gives a draft its number, and sends the invoice to the customer: a sent one once more. */
function send(call: CallContext, invoice: InvoiceRow): void {
  const customer = customerOf(call, invoice.customer_id);
  requireSending(connectionOf(call, invoice.integration_id), customer);
  sendMessage(call, { kind: 'invoice_mail', recipient: customer.email, subject: { type: 'invoice', id: invoice.id } });
  if (invoice.status === PublicInvoiceStatus.SENT) return;
  invoiceTable.update(call.store, invoice.id, {
    status: PublicInvoiceStatus.SENT,
    number: nextInvoiceNumber(call.world, call.workspaceId),
    sent_at: call.now,
    updated_at: call.now,
  });
}

export const invoices = domain(Invoice, {
  tables: [connectionTable, invoiceTable],
  handlers: {
    createInvoice: {
      permission: 'billingAccess:READ_WRITE',
      run: ({ orderId, integrationId, expectedOrderVersion }, call) => {
        const order = revisionOf(call, orderId, expectedOrderVersion);
        connectionOf(call, integrationId);
        const made = invoiceTable.find(call.store, { order_id: orderId, integration_id: integrationId, order_version: order.version });
        if (made) return { invoice: invoiceTable.read(made) };
        requireStanding(order);
        const id = call.id();
        invoiceTable.insert(call.store, {
          ...revisionColumns(order),
          id,
          integration_id: integrationId,
          status: PublicInvoiceStatus.DRAFT,
          number: '',
          created_at: call.now,
          updated_at: call.now,
          sent_at: null,
        });
        return invoiceNow(call, id);
      },
      replay: ({ invoice }, call) => invoiceNow(call, invoice?.id ?? ''),
    },

    getInvoice: {
      permission: 'billingAccess:READ_ONLY',
      run: (request, call) => ({ invoice: invoiceTable.read(invoiceOf(call, request)) }),
    },

    listInvoices: {
      permission: 'billingAccess:READ_ONLY',
      run: (request, call) => {
        const { customerId, orderId } = request;
        customerOf(call, customerId);
        if (orderId) orderOf(call, orderId);
        const { rows, ...page } = invoiceTable.page(call, request, { customer_id: customerId, order_id: orderId });
        return { invoices: rows.map(invoiceTable.read), ...page };
      },
    },

    listAccountingConnections: {
      permission: 'billingAccess:READ_ONLY',
      run: ({ customerId }, call) => ({ connections: connectionsFor(call, customerOf(call, customerId)) }),
    },

    sendInvoice: {
      permission: 'billingAccess:READ_WRITE',
      run: (request, call) => {
        const invoice = invoiceOf(call, request);
        send(call, invoice);
        return invoiceNow(call, invoice.id);
      },
      replay: ({ invoice }, call) => invoiceNow(call, invoice?.id ?? ''),
    },
  },
});
