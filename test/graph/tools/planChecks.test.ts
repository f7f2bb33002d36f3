import { afterEach, describe, expect, it } from 'vitest';
import { toGlobalId } from '../../../src/schema/kit/globalIds.ts';
import { operations } from '../../../src/upstream/contract/generated/operations.ts';
import { isRead } from '../../../src/upstream/contract/operation.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { Records } from '../../support/contract/records.ts';
import { CHANGES } from '../../support/plannedChanges.ts';
import { useTestGraph } from '../../support/testGraph.ts';
import { connectTools, type ToolResult } from '../../support/toolClient.ts';

type Args = Readonly<Record<string, unknown>>;

const testGraph = useTestGraph({}, undefined, { env: { MCP: 'true', MCP_WRITES: 'confirm' } });
afterEach(() => testGraph.sandbox.faults.clear());

const writes = new Set(operations.filter((operation) => !isRead(operation)).map(({ name }) => name));

/** The errors of a result. */
const listErrors = ({ body }: ToolResult): readonly { readonly code: string; readonly message: string; readonly argument?: string }[] =>
  body.errors ?? Object.values(body.data);

/** A write that can't succeed: a tool, and a function that turns valid arguments or records into invalid ones. */
interface RejectedWrite {
  readonly title: string;
  readonly tool: string;
  readonly invalidate: (args: Args, records: Records) => Promise<Args>;
  readonly code: 'TRANSITION_BLOCKED' | 'BAD_USER_INPUT' | 'NOT_FOUND';
  readonly message: RegExp;
}

/** Changes only the arguments. */
const withArguments = (more: Args) => async (args: Args) => ({ ...args, ...more });

/** Changes only the records, bypassing the graph. */
const withRecords = (change: (records: Records) => Promise<unknown>) => async (args: Args, records: Records) => {
  await change(records);
  return args;
};

const runSql = (sql: string, values: Readonly<Record<string, string>>) => testGraph.sandbox.world.store.run(sql, values);

/** A product without stock, and with a one-off price only. */
const createProduct = async (records: Records, more: object = {}): Promise<{ readonly id: string }> =>
  (await records.call('Catalog/CreateProduct', { name: records.mark, priceOnce: '1', currency: 'EUR', ...more })).product;

async function createInactiveProduct(records: Records): Promise<string> {
  const productId = await records.id('Product');
  await records.call('Catalog/UpdateProduct', { id: productId, isActive: false });
  return productId;
}

const REJECTED: readonly RejectedWrite[] = [
  {
    title: 'the order is canceled',
    tool: 'order_cancel',
    invalidate: withRecords(async (records) => {
      const id = await records.id('Order');
      const { order } = await records.call('Order/GetOrder', { id });
      await records.call('Order/CancelOrder', { id, expectedVersion: order.version });
    }),
    code: 'TRANSITION_BLOCKED',
    message: /Order O-\d+ is already canceled/,
  },
  {
    title: 'the order is fulfilled',
    tool: 'order_cancel',
    invalidate: withRecords(async (records) => runSql('UPDATE orders SET status = 2 WHERE id = :id', { id: await records.id('Order') })),
    code: 'TRANSITION_BLOCKED',
    message: /The order can’t be canceled: /,
  },
  {
    title: 'the quote is confirmed',
    tool: 'quote_confirm',
    invalidate: withRecords(async (records) => records.call('Quote/ConfirmQuote', { id: await records.id('Quote') })),
    code: 'TRANSITION_BLOCKED',
    message: /Quote Q-\d+ can’t be confirmed, because its status is CONFIRMED/,
  },
  {
    title: 'the quote is discarded',
    tool: 'quote_confirm',
    invalidate: withRecords(async (records) => records.call('Quote/DiscardQuote', { id: await records.id('Quote') })),
    code: 'TRANSITION_BLOCKED',
    message: /its status is DISCARDED/,
  },
  {
    title: 'a product is inactive',
    tool: 'quote_prepare',
    invalidate: async (args, records) => ({ ...args, lines: [{ productId: await createInactiveProduct(records), quantity: 1 }] }),
    code: 'TRANSITION_BLOCKED',
    message: /"Act \d+" is inactive and can’t be sold\. Choose another product from `svc_find_product`/,
  },
  {
    title: 'a product doesn’t exist',
    tool: 'quote_prepare',
    invalidate: withArguments({ lines: [{ productId: demoId('product none'), quantity: 1 }] }),
    code: 'NOT_FOUND',
    message: /Not found: products\. `lines\.productId` must be the ID/,
  },
  {
    title: 'the amount is larger than what can be refunded',
    tool: 'payment_refund',
    invalidate: withArguments({ minorUnits: '901' }),
    code: 'BAD_USER_INPUT',
    message: /`minorUnits` must be at most 900, because 9\.00 EUR can still be refunded, but is 901/,
  },
  {
    title: 'the amount is larger than what can be refunded, without a currency',
    tool: 'payment_refund',
    invalidate: withArguments({ minorUnits: '9007199254740993', currencyCode: null }),
    code: 'BAD_USER_INPUT',
    message: /`minorUnits` must be at most 900/,
  },
  {
    title: 'the currency is another one',
    tool: 'payment_refund',
    invalidate: withArguments({ currencyCode: 'USD' }),
    code: 'BAD_USER_INPUT',
    message: /`currencyCode` must be EUR, the currency of the payment, but is USD/,
  },
  {
    title: 'more units are moved than are available',
    tool: 'inventory_move',
    invalidate: withArguments({ quantity: 1_000_000 }),
    code: 'BAD_USER_INPUT',
    message: /`quantity` must be at most \d+, the units available there, but is 1000000/,
  },
  {
    title: 'the locations are the same',
    tool: 'inventory_move',
    invalidate: async (args) => ({ ...args, destinationLocationId: args.sourceLocationId }),
    code: 'BAD_USER_INPUT',
    message: /must be different locations/,
  },
  {
    title: 'the locations are the same, one as a raw ID',
    tool: 'inventory_move',
    invalidate: async (args) => ({ ...args, destinationLocationId: demoId('location 0') }),
    code: 'BAD_USER_INPUT',
    message: /must be different locations/,
  },
  {
    title: 'the product has no stock at the source',
    tool: 'inventory_move',
    invalidate: async (args, records) => ({ ...args, productId: (await createProduct(records)).id }),
    code: 'TRANSITION_BLOCKED',
    message: /This location has no stock of the product/,
  },
  {
    title: 'more units are removed than are available',
    tool: 'stock_adjust',
    invalidate: withArguments({ quantityDelta: -1_000_000 }),
    code: 'BAD_USER_INPUT',
    message: /`quantityDelta` must not remove more than the \d+ available units, but is -1000000/,
  },
  {
    title: 'units are removed where there are none',
    tool: 'stock_adjust',
    invalidate: async (args, records) => ({ ...args, productId: (await createProduct(records)).id, quantityDelta: -1 }),
    code: 'BAD_USER_INPUT',
    message: /`quantityDelta` must not be negative, because the location has no stock of the product, but is -1/,
  },
  {
    title: 'a quantity is below the minimum',
    tool: 'quote_prepare',
    invalidate: async (args, records) => {
      const { id } = await createProduct(records, { minQuantity: 5 });
      return {
        ...args,
        lines: [
          { productId: id, quantity: 5 },
          { productId: toGlobalId('Product', id), quantity: 4 },
        ],
      };
    },
    code: 'BAD_USER_INPUT',
    message: /`quantity` of "Act \d+" must be at least 5, but is 4/,
  },
  {
    title: 'a quantity is above the maximum',
    tool: 'quote_prepare',
    invalidate: async (args, records) => {
      const { id } = await createProduct(records, { maxQuantity: 5 });
      return {
        ...args,
        lines: [
          { productId: demoId('product 1'), quantity: 6 },
          { productId: id, quantity: 6 },
        ],
      };
    },
    code: 'BAD_USER_INPUT',
    message: /`quantity` of "Act \d+" must be at most 5, but is 6/,
  },
  ...['MONTHLY', 'YEARLY'].map((priceType) => ({
    title: `a product has no price of the type ${priceType}`,
    tool: 'quote_prepare',
    invalidate: async (args: Args, records: Records) => {
      const { id } = await createProduct(records);
      return {
        ...args,
        lines: [
          { productId: id, quantity: 1 },
          { productId: id, quantity: 1, priceType },
        ],
      };
    },
    code: 'BAD_USER_INPUT' as const,
    message: new RegExp(`"Act \\d+" has no ${priceType.toLowerCase()} price\\. Choose another \`priceType\``),
  })),
  {
    title: 'the product is inactive',
    tool: 'stock_adjust',
    invalidate: async (args, records) => ({ ...args, productId: await createInactiveProduct(records) }),
    code: 'TRANSITION_BLOCKED',
    message: /is inactive, so its stock can’t be changed/,
  },
  {
    title: 'the location is inactive',
    tool: 'stock_adjust',
    invalidate: async (args) => {
      runSql('UPDATE inventory_locations SET is_active = 0 WHERE id = :id', { id: demoId('location 2') });
      return { ...args, locationId: demoId('location 2') };
    },
    code: 'TRANSITION_BLOCKED',
    message: / is inactive\. Choose another location/,
  },
  {
    title: 'the work order is canceled',
    tool: 'work_order_complete',
    invalidate: withRecords(async (records) => records.call('WorkOrder/CancelWorkOrder', { id: await records.id('WorkOrder') })),
    code: 'TRANSITION_BLOCKED',
    message: /can’t be completed, because its status is CANCELLED/,
  },
  {
    title: 'a task isn’t completed',
    tool: 'work_order_complete',
    invalidate: withRecords(async (records) => {
      const tasks = [{ taskId: await records.id('WorkOrderTask'), isCompleted: false }];
      await records.call('WorkOrder/UpdateWorkOrder', { id: await records.id('WorkOrder'), tasks });
    }),
    code: 'TRANSITION_BLOCKED',
    message: /^The task ("[^"]+"|\w+) isn’t completed\. Complete it first\.$/,
  },
  {
    title: 'the appointment is canceled',
    tool: 'appointment_cancel',
    invalidate: withRecords(async (records) => records.call('Appointment/CancelAppointment', { id: await records.id('Appointment') })),
    code: 'TRANSITION_BLOCKED',
    message: /can’t be canceled, because its status is CANCELLED/,
  },
  {
    title: 'the appointment is in another calendar',
    tool: 'appointment_cancel',
    invalidate: withRecords(async (records) =>
      runSql('UPDATE appointments SET source = 2 WHERE id = :id', { id: await records.id('Appointment') }),
    ),
    code: 'TRANSITION_BLOCKED',
    message: /created in another calendar/,
  },
  {
    title: 'the time isn’t available',
    tool: 'appointment_book',
    invalidate: withArguments({ startsAt: '2026-03-10T02:00:00Z' }),
    code: 'TRANSITION_BLOCKED',
    message: /The time isn’t available or can’t be booked/,
  },
  {
    title: 'the agenda is inactive',
    tool: 'appointment_book',
    invalidate: withArguments({ agendaId: demoId('agenda showroom') }),
    code: 'TRANSITION_BLOCKED',
    message: /The agenda Showroom is inactive/,
  },
  {
    title: 'the agenda is planned manually',
    tool: 'appointment_book',
    invalidate: withArguments({ agendaId: demoId('agenda emergencies') }),
    code: 'TRANSITION_BLOCKED',
    message: /Planners assign the appointments of the agenda Emergencies manually/,
  },
  {
    title: 'the agenda doesn’t accept the type',
    tool: 'appointment_book',
    invalidate: withArguments({ appointmentTypeId: demoId('appointment type call') }),
    code: 'BAD_USER_INPUT',
    message: /The agenda Visits doesn’t accept this appointment type/,
  },
  {
    title: 'the type doesn’t allow the duration',
    tool: 'appointment_book',
    invalidate: withArguments({ durationMinutes: 17 }),
    code: 'BAD_USER_INPUT',
    message: /`durationMinutes` must be one of 30, 60, 90, but is 17/,
  },
  {
    title: 'the agenda assigns members itself',
    tool: 'appointment_book',
    invalidate: withArguments({ memberId: demoId('member planner') }),
    code: 'BAD_USER_INPUT',
    message: /`memberId` must be omitted/,
  },
  {
    title: 'the agenda needs a member',
    tool: 'appointment_book',
    invalidate: withArguments({ agendaId: demoId('agenda support'), appointmentTypeId: demoId('appointment type call') }),
    code: 'BAD_USER_INPUT',
    message: /`memberId` is required/,
  },
  {
    title: 'the work order belongs to another customer',
    tool: 'appointment_book',
    invalidate: async (args) => {
      const others = new Records({ url: testGraph.sandbox.url, world: testGraph.sandbox.world });
      return { ...args, workOrderId: await others.id('WorkOrder') };
    },
    code: 'BAD_USER_INPUT',
    message: /`workOrderId` must be a work order of the customer in `customerId`, but belongs to "Act \d+"/,
  },
  {
    title: 'nothing has a title',
    tool: 'problem_report',
    invalidate: withArguments({ title: null }),
    code: 'BAD_USER_INPUT',
    message: /`title` is required without `templateId`/,
  },
  {
    title: 'the ID is that of an order',
    tool: 'invoice_send',
    invalidate: async (_args, records) => ({ invoiceId: toGlobalId('Order', await records.id('Order')) }),
    code: 'BAD_USER_INPUT',
    message: /invoiceId must be an Invoice ID, but is an Order ID/,
  },
  {
    title: 'the customer has no email address',
    tool: 'invoice_send',
    invalidate: withRecords(async (records) =>
      runSql("UPDATE customers SET email = '' WHERE id = :id", { id: await records.id('Customer') }),
    ),
    code: 'TRANSITION_BLOCKED',
    message: /No accounting integration can send invoices to this customer/,
  },
];

describe('plan of a write that can’t succeed', () => {
  it.each(REJECTED)('returns an error without a confirmation for $tool if $title', async ({ tool, invalidate, code, message }) => {
    const tools = await connectTools(testGraph.url, 'demo-owner');
    const records = new Records({ url: testGraph.sandbox.url, world: testGraph.sandbox.world });
    const args = (await CHANGES.find((change) => change.tool === tool)?.args(records)) ?? {};
    const invalidArgs = await invalidate(args, records);
    const [rejected, calls] = await testGraph.recordCalls(() => tools.call(`svc_${tool}`, { ...invalidArgs }));
    expect([rejected.isError, rejected.body.confirmation, calls.filter((name) => writes.has(name))]).toEqual([true, undefined, []]);
    const [error] = listErrors(rejected);
    expect(error?.message).toMatch(message);
    expect(error?.code).toBe(code);
    await tools.close();
  });

  it('reports all reasons and the current records', async () => {
    const tools = await connectTools(testGraph.url, 'demo-owner');
    const location = (index: number) => toGlobalId('InventoryLocation', demoId(`location ${index}`));
    const records = new Records({ url: testGraph.sandbox.url, world: testGraph.sandbox.world });
    const productId = await createInactiveProduct(records);
    const args = { productId, sourceLocationId: location(0), destinationLocationId: location(0), quantity: 1_000 };
    const { body } = await tools.call('svc_inventory_move', args);
    expect(body.errors.map(({ code, path }: { code: string; path: string }) => [code, path])).toEqual([
      ['TRANSITION_BLOCKED', 'product.isActive'],
      ['BAD_USER_INPUT', 'sourceLocation.id'],
      ['BAD_USER_INPUT', 'sourceLocation.stock.nodes.available'],
    ]);
    expect(body.plan.join('\n')).toContain('Product: "Act');
    expect(body.records.product.isActive).toBe(false);
    await tools.close();
  });
});

describe('plan of a write that can succeed', () => {
  it.each([
    ['payment_refund', { minorUnits: '900', currencyCode: null }],
    ['appointment_book', { durationMinutes: 90 }],
    ['stock_adjust', { quantityDelta: -1 }],
  ])('succeeds for %s at the limit: %j', async (tool, more) => {
    const tools = await connectTools(testGraph.url, 'demo-owner');
    const records = new Records({ url: testGraph.sandbox.url, world: testGraph.sandbox.world });
    const args = { ...(await CHANGES.find((change) => change.tool === tool)?.args(records)), ...more };
    const plan = await tools.call(`svc_${tool}`, args);
    expect(plan.body.errors).toBeUndefined();
    const done = await tools.call(`svc_${tool}`, { ...args, confirmation: plan.body.confirmation });
    expect(done.isError).toBe(false);
    await tools.close();
  });
});
