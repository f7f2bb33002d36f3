import { PublicInvoiceStatus } from '../../src/upstream/contract/generated/publicapi/v1/invoices_pb.ts';
import { PublicOrderStatus } from '../../src/upstream/contract/generated/publicapi/v1/orders_pb.ts';
import { demoData } from '../kernel/demoData.ts';
import type { Plan } from '../kernel/plan.ts';
import { type OrderRow, orderTable } from '../sales/orderTables.ts';
import { connectionTable } from './connections.ts';
import { allocateInvoiceNumber, invoiceTable } from './invoices.ts';
import { insertProForma } from './proFormas.ts';
import { createRevisionColumns } from './revisions.ts';

const HOUR_SECONDS = 3_600;

/** The first system sends invoices. The second only does the bookkeeping. */
const CONNECTIONS = [
  { name: 'Ledger Online', provider: 'ledger_online', sends: 1 },
  { name: 'Office Books', provider: 'office_books', sends: 0 },
] as const;

/** The workspace's orders, sorted by number. */
const listOrders = ({ store, workspaceId }: Plan): OrderRow[] => orderTable.list(store, { workspace_id: workspaceId }, 'rowid');

interface DemoInvoice {
  readonly name: string;
  readonly connection: number;
  /** Unix seconds. */
  readonly at: number;
  readonly isSent: boolean;
}

function seedInvoice(plan: Plan, order: OrderRow, { name, connection, at, isSent }: DemoInvoice): void {
  invoiceTable.insert(plan.store, {
    ...createRevisionColumns(order),
    id: plan.id(name),
    integration_id: plan.id(`accounting connection ${connection}`),
    status: isSent ? PublicInvoiceStatus.SENT : PublicInvoiceStatus.DRAFT,
    number: isSent ? allocateInvoiceNumber(plan.world, plan.workspaceId) : '',
    created_at: at,
    updated_at: isSent ? at + HOUR_SECONDS : at,
    sent_at: isSent ? at + HOUR_SECONDS : null,
  });
}

/**
 * Creates the connections `accounting connection 0` and `1`, then the invoices of `order 0`, `order 1`, …. Fulfilled orders have a sent invoice, such as
 * `invoice 11`, and a draft of their first version. Every fourth open order has a draft, such as `invoice 12`. `order 0` has one in both systems.
 */
function seedInvoices(plan: Plan): void {
  for (const [index, connection] of CONNECTIONS.entries()) {
    connectionTable.insert(plan.store, { id: plan.id(`accounting connection ${index}`), workspace_id: plan.workspaceId, ...connection });
  }
  for (const [index, order] of listOrders(plan).entries()) {
    const name = `invoice ${index}`;
    const { created_at: at, updated_at } = order;
    if (order.status === PublicOrderStatus.FULFILLED) {
      seedInvoice(plan, { ...order, version: 1 }, { name: `${name} outdated`, connection: 0, at, isSent: false });
      seedInvoice(plan, order, { name, connection: 0, at: updated_at, isSent: true });
    } else if (order.status === PublicOrderStatus.OPEN && index % 4 === 0) {
      seedInvoice(plan, order, { name, connection: 0, at, isSent: false });
    }
    if (index === 0) seedInvoice(plan, order, { name: `${name} elsewhere`, connection: 1, at, isSent: false });
  }
}

/** Creates a pro-forma for every third order, such as `pro-forma 12`. */
function seedProFormas(plan: Plan): void {
  for (const [index, order] of listOrders(plan).entries()) {
    if (index % 3 === 0) insertProForma(plan.world, { ...order, version: 1 }, plan.id(`pro-forma ${index}`), order.created_at);
  }
}

export const invoicesDemo = demoData({
  examples: {
    AccountingIntegration: ['accounting connection 0'],
  },
  seed: seedInvoices,
});

export const proFormasDemo = demoData({
  examples: {
    ProForma: ['pro-forma 0', 'pro-forma 3'],
  },
  seed: seedProFormas,
});
