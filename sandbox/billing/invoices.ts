import { Invoice, InvoiceRecordSchema, PublicInvoiceStatus } from '../../src/upstream/contract/generated/publicapi/v1/invoices_pb.ts';
import { getCustomer } from '../customers/customerRecords.ts';
import type { CallContext } from '../kernel/call.ts';
import { notFound } from '../kernel/errors.ts';
import { sendMessage } from '../kernel/outbox.ts';
import { domain } from '../kernel/service.ts';
import { type RowOf, table } from '../kernel/table.ts';
import type { World } from '../kernel/world.ts';
import { getOrder } from '../sales/orderTables.ts';
import { connectionTable, getConnection, listConnections, requireSending } from './connections.ts';
import { createRevisionColumns, requireNotCancelled, requireRevision } from './revisions.ts';

/** A version of an order has up to one invoice per accounting system. */
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
  /** Defaults to the latest version. */
  readonly orderVersion?: bigint | undefined;
}

function getInvoice(call: CallContext, { orderId, integrationId, orderVersion }: Key): InvoiceRow {
  getOrder(call, orderId);
  const connection = getConnection(call, integrationId);
  const row = call.store.get<InvoiceRow>(
    `SELECT * FROM invoices
     WHERE order_id = :orderId AND integration_id = :integrationId AND (:version IS NULL OR order_version = :version)
     ORDER BY order_version DESC LIMIT 1`,
    { orderId, integrationId, version: orderVersion ?? null },
  );
  if (!row) throw notFound(`invoice in ${connection.name} for order`, orderId);
  return row;
}

/** The invoice's current state, for repeated keys. It may have been sent in the meantime. */
function readInvoice(call: CallContext, id: string) {
  return { invoice: invoiceTable.read(invoiceTable.getOrThrow(call, id, 'invoice')) };
}

/** The next invoice number of a workspace, such as I-00012. */
export const allocateInvoiceNumber = (world: World, workspaceId: string): string =>
  `I-${String(world.next(`invoice ${workspaceId}`)).padStart(5, '0')}`;

/** Assigns a number to a draft, and sends the invoice to the customer. A sent invoice is sent again. */
function sendInvoice(call: CallContext, invoice: InvoiceRow): void {
  const customer = getCustomer(call, invoice.customer_id);
  requireSending(getConnection(call, invoice.integration_id), customer);
  sendMessage(call, { kind: 'invoice_mail', recipient: customer.email, subject: { type: 'invoice', id: invoice.id } });
  if (invoice.status === PublicInvoiceStatus.SENT) return;
  invoiceTable.update(call.store, invoice.id, {
    status: PublicInvoiceStatus.SENT,
    number: allocateInvoiceNumber(call.world, call.workspaceId),
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
        const order = requireRevision(call, orderId, expectedOrderVersion);
        getConnection(call, integrationId);
        const made = invoiceTable.find(call.store, { order_id: orderId, integration_id: integrationId, order_version: order.version });
        if (made) return { invoice: invoiceTable.read(made) };
        requireNotCancelled(order);
        const id = call.id();
        invoiceTable.insert(call.store, {
          ...createRevisionColumns(order),
          id,
          integration_id: integrationId,
          status: PublicInvoiceStatus.DRAFT,
          number: '',
          created_at: call.now,
          updated_at: call.now,
          sent_at: null,
        });
        return readInvoice(call, id);
      },
      replay: ({ invoice }, call) => readInvoice(call, invoice?.id ?? ''),
    },

    getInvoice: {
      permission: 'billingAccess:READ_ONLY',
      run: (request, call) => ({ invoice: invoiceTable.read(getInvoice(call, request)) }),
    },

    listInvoices: {
      permission: 'billingAccess:READ_ONLY',
      run: (request, call) => {
        const { customerId, orderId } = request;
        getCustomer(call, customerId);
        if (orderId) getOrder(call, orderId);
        const { rows, ...page } = invoiceTable.page(call, request, { customer_id: customerId, order_id: orderId });
        return { invoices: rows.map(invoiceTable.read), ...page };
      },
    },

    listAccountingConnections: {
      permission: 'billingAccess:READ_ONLY',
      run: ({ customerId }, call) => ({ connections: listConnections(call, getCustomer(call, customerId)) }),
    },

    sendInvoice: {
      permission: 'billingAccess:READ_WRITE',
      run: (request, call) => {
        const invoice = getInvoice(call, request);
        sendInvoice(call, invoice);
        return readInvoice(call, invoice.id);
      },
      replay: ({ invoice }, call) => readInvoice(call, invoice?.id ?? ''),
    },
  },
});
