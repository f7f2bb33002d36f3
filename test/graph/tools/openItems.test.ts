import { describe, expect, it } from 'vitest';
import { toGlobalId } from '../../../src/schema/kit/globalIds.ts';
import { recordPayment } from '../../sandbox/receive.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { Records } from '../../support/contract/records.ts';
import { useTestGraph } from '../../support/testGraph.ts';
import { connectTools, type ToolResult } from '../../support/toolClient.ts';
import { READS } from '../../support/toolReads.ts';

const testGraph = useTestGraph({}, undefined, { env: { MCP: 'true', COMPILE_AFTER: '0' } });

const openRecords = () => new Records({ url: testGraph.sandbox.url, world: testGraph.sandbox.world });

/** The total of each order, in minor units. */
const TOTAL = 2_000;

/** Creates an order of the records' customer with a draft invoice. Returns the ID of the order. */
async function createInvoicedOrder(records: Records, name: string): Promise<string> {
  const customerId = await records.id('Customer');
  const lineItems = [{ productId: await records.id('Product'), quantity: 2 }];
  const { quote } = await records.call('Quote/CreateQuote', { customerId, title: name, lineItems });
  const { order } = await records.call('Quote/ConfirmQuote', { id: quote.id });
  const integrationId = await records.id('AccountingIntegration');
  await records.call('Invoice/CreateInvoice', { orderId: order.id, integrationId, idempotencyKey: `${records.mark} ${name}` });
  return order.id;
}

async function sendInvoice(records: Records, orderId: string): Promise<void> {
  const integrationId = await records.id('AccountingIntegration');
  await records.call('Invoice/SendInvoice', { orderId, integrationId, idempotencyKey: `${records.mark} ${orderId}` });
}

/** Creates invoices of each kind. Returns the IDs of the orders whose invoices are unpaid. */
async function createInvoices(records: Records): Promise<readonly string[]> {
  await records.call('Customer/PatchCustomer', { id: await records.id('Customer'), email: 'payer@example.com' });
  const unpaid: string[] = [];
  for (const kind of ['unpaid', 'draft', 'paid', 'paid in part', 'canceled', 'paid too much', 'also unpaid']) {
    const orderId = await createInvoicedOrder(records, kind);
    if (kind !== 'draft') await sendInvoice(records, orderId);
    if (kind === 'paid') recordPayment(testGraph.sandbox.world, orderId, TOTAL);
    if (kind === 'paid too much') recordPayment(testGraph.sandbox.world, orderId, TOTAL + 1);
    if (kind === 'paid in part') recordPayment(testGraph.sandbox.world, orderId, TOTAL - 1);
    if (kind === 'canceled') {
      const { order } = await records.call('Order/GetOrder', { id: orderId });
      await records.call('Order/CancelOrder', { id: orderId, expectedVersion: order.version });
    }
    if (/unpaid|in part/.test(kind)) unpaid.push(toGlobalId('Order', orderId));
  }
  return unpaid;
}

interface Page {
  readonly nodes: readonly { readonly id: string; readonly order?: { readonly id: string } }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

/** All pages of a tool. */
async function readPages(tool: string, args: object, getPage: (result: ToolResult) => Page, cursor = 'after'): Promise<Page[]> {
  const tools = await connectTools(testGraph.url, 'demo-owner');
  const pages: Page[] = [];
  let after: string | null | undefined;
  do {
    const result = await tools.call(`svc_${tool}`, { ...args, ...(after && { [cursor]: after }) });
    expect([tool, result.isError, result.body.errors]).toEqual([tool, false, undefined]);
    const page = getPage(result);
    pages.push(page);
    after = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : undefined;
  } while (after);
  await tools.close();
  return pages;
}

describe('unpaid_invoices', () => {
  it('returns only sent, not fully paid invoices of orders that aren’t canceled', async () => {
    const records = openRecords();
    const expected = await createInvoices(records);
    const [page] = await readPages(
      'unpaid_invoices',
      { customerId: await records.id('Customer') },
      ({ body }) => body.data.customer.invoices,
    );
    expect(page?.nodes.map(({ order }) => order?.id).toSorted()).toEqual(expected.toSorted());
    expect(page?.pageInfo.hasNextPage).toBe(false);
  });

  it('returns each unpaid invoice once across pages, including empty pages', async () => {
    const records = openRecords();
    const expected = await createInvoices(records);
    const args = { customerId: await records.id('Customer'), first: 1 };
    const pages = await readPages('unpaid_invoices', args, ({ body }) => body.data.customer.invoices);
    expect(pages).toHaveLength(7);
    expect(pages.filter(({ nodes }) => nodes.length === 0)).toHaveLength(4);
    const found = pages.flatMap(({ nodes }) => nodes.map(({ order }) => order?.id));
    expect(found.toSorted()).toEqual(expected.toSorted());
  });
});

describe('customer_overview', () => {
  it('returns the open items and whether there are more', async () => {
    const records = openRecords();
    const unpaid = await createInvoices(records);
    const customerId = await records.id('Customer');
    const workOrderId = await records.id('WorkOrder');
    const lineItems = [{ productId: await records.id('Product'), quantity: 1 }];
    const quote = (title: string) => records.call('Quote/CreateQuote', { customerId, title, lineItems });
    for (const title of ['one', 'two', 'three']) await quote(title);
    await records.call('Appointment/CancelAppointment', { id: await records.id('Appointment') });
    const tools = await connectTools(testGraph.url, 'demo-owner');
    const { body } = await tools.call('svc_customer_overview', { customerId, first: 2 });
    const { customer } = body.data;
    const summarize = (list: Page) => [list.nodes.length, list.pageInfo.hasNextPage];
    expect(summarize(customer.draftQuotes)).toEqual([2, true]);
    expect(summarize(customer.openOrders)).toEqual([2, true]);
    expect(summarize(customer.openWorkOrders)).toEqual([1, false]);
    expect(summarize(customer.scheduledAppointments)).toEqual([0, false]);
    await records.call('WorkOrder/CancelWorkOrder', { id: workOrderId });
    const all = await tools.call('svc_customer_overview', { customerId, first: 100 });
    expect(summarize(all.body.data.customer.openWorkOrders)).toEqual([0, false]);
    const { openOrders, unpaidInvoices, draftQuotes } = all.body.data.customer;
    expect(openOrders.nodes.every(({ status }: { status: string }) => status === 'OPEN')).toBe(true);
    expect(openOrders.nodes).toHaveLength(6);
    expect(draftQuotes.nodes).toHaveLength(3);
    expect(unpaidInvoices.nodes.map(({ order }: { order: { id: string } }) => order.id).toSorted()).toEqual(unpaid.toSorted());
    // The cursor of a list continues in the tool for that list.
    const rest = await tools.call('svc_open_quotes', { customerId, after: customer.draftQuotes.pageInfo.endCursor });
    expect(rest.body.data.customer.quotes.nodes).toHaveLength(1);
    await tools.close();
  });
});

/** The connection of each tool that paginates records, with the argument for its cursor. */
const LISTS: readonly (readonly [tool: string, cursor: string, getPage: (result: ToolResult) => Page])[] = [
  ['appointment_search', 'after', ({ body }) => body.data.appointmentSearch],
  ['customer_search', 'after', ({ body }) => body.data.customerSearch],
  ['find_customer', 'after', ({ body }) => body.data.customers],
  ['find_product', 'after', ({ body }) => body.data.products],
  ['member_list', 'after', ({ body }) => body.data.members],
  ['open_quotes', 'after', ({ body }) => body.data.customer.quotes],
  ['open_work_orders', 'after', ({ body }) => body.data.workOrders],
  ['order_search', 'after', ({ body }) => body.data.orderSearch],
  ['payment_search', 'after', ({ body }) => body.data.paymentSearch],
  ['payments_of_order', 'after', ({ body }) => body.data.order.payments],
  ['payments_of_order', 'refundsAfter', ({ body }) => body.data.order.refunds],
  ['planner_day', 'after', ({ body }) => body.data.appointments],
  ['problem_list', 'after', ({ body }) => body.data.customer.problems],
  ['problem_search', 'after', ({ body }) => body.data.problemSearch],
  ['quote_search', 'after', ({ body }) => body.data.quoteSearch],
  ['stock_of_product', 'after', ({ body }) => body.data.product.inventoryBalances],
  ['unpaid_invoices', 'after', ({ body }) => body.data.customer.invoices],
  ['work_order_search', 'after', ({ body }) => body.data.workOrderSearch],
];

/** Tools that return complete lists, because the graph doesn't paginate these. */
const COMPLETE = ['agenda_list', 'analytics_catalog', 'analytics_query', 'free_times', 'order_status'];

describe('every tool that lists records', () => {
  it('paginates or returns the complete list', () => {
    const listed = [...LISTS.map(([tool]) => tool), ...COMPLETE, 'customer_overview'];
    expect([...new Set(listed)].toSorted()).toEqual(Object.keys(READS).toSorted());
  });

  it.each(LISTS)('returns the same records in small pages as at once: %s with %s', async (tool, cursor, getPage) => {
    const args = { ...READS[tool], ...(tool === 'open_quotes' && { customerId: demoId('customer 1') }) };
    const [whole] = await readPages(tool, { ...args, first: 100 }, getPage, cursor);
    const pages = await readPages(tool, { ...args, first: 3 }, getPage, cursor);
    const text = (nodes: readonly object[]) => nodes.map((node) => JSON.stringify(node));
    expect(text(pages.flatMap(({ nodes }) => nodes)).slice(0, 100)).toEqual(text(whole?.nodes ?? []));
    expect(pages.at(-1)?.pageInfo.hasNextPage).toBe(false);
  });
});
