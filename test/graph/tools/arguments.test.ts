import type { Tool } from '@modelcontextprotocol/client';
import { Ajv, addFormats } from '@modelcontextprotocol/server/validators/ajv';
import { describe, expect, it } from 'vitest';
import { toGlobalId } from '../../../src/schema/kit/globalIds.ts';
import { findArgumentProblems } from '../../../src/tools/argumentProblems.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { Records } from '../../support/contract/records.ts';
import { CHANGES } from '../../support/plannedChanges.ts';
import { fc } from '../../support/seeded.ts';
import { useTestGraph } from '../../support/testGraph.ts';
import { connectTools } from '../../support/toolClient.ts';
import { READS } from '../../support/toolReads.ts';

const testGraph = useTestGraph({}, undefined, { env: { MCP: 'true', MCP_WRITES: 'confirm' } });

const customerId = demoId('customer 0');
const productId = demoId('product 1');
const line = { productId, quantity: 1 };

describe('arguments that violate the input schema', () => {
  it.each([
    ['quote_prepare', { customerId, lines: 'none' }, 'lines', '`lines` must be a list, but is a string.'],
    ['quote_prepare', { customerId: ['a'], lines: [line] }, 'customerId', '`customerId` must be a string, but is a list.'],
    ['quote_prepare', { customerId, lines: [{ productId }] }, 'lines[0].quantity', 'Missing field `lines[0].quantity`.'],
    [
      'quote_prepare',
      { customerId, lines: [line, { ...line, quantity: 0 }] },
      'lines[1].quantity',
      '`lines[1].quantity` must be at least 1, but is 0.',
    ],
    [
      'quote_prepare',
      { customerId, lines: [{ ...line, quantity: 1.5 }] },
      'lines[0].quantity',
      '`lines[0].quantity` must be an integer, but is a number.',
    ],
    [
      'quote_prepare',
      { customerId, lines: [{ ...line, priceType: 'DAILY' }] },
      'lines[0].priceType',
      '`lines[0].priceType` must be one of ONCE, MONTHLY, YEARLY, but is "DAILY".',
    ],
    [
      'quote_prepare',
      { customerId, lines: [{ ...line, price: 1 }] },
      'lines[0].price',
      'Unknown field `lines[0].price`. Expected: productId, quantity, priceType.',
    ],
    ['quote_prepare', { customerId, lines: null }, 'lines', 'Missing argument `lines`.'],
    ['payment_refund', { paymentId: 'a', minorUnits: 100 }, 'minorUnits', '`minorUnits` must be a string, but is a number.'],
    ['payment_refund', { paymentId: 'a', minorUnits: '1.5' }, 'minorUnits', '`minorUnits` must match ^-?[0-9]+$, but is "1.5".'],
    ['payment_refund', { paymentId: '', minorUnits: '1' }, 'paymentId', '`paymentId` must not be empty.'],
    ['order_cancel', { orderId: 'a', confirmation: 1 }, 'confirmation', '`confirmation` must be a string, but is a number.'],
    [
      'stock_adjust',
      { productId, locationId: 'a', quantityDelta: 1, reason: 'x'.repeat(1_001) },
      'reason',
      /must have at most 1000 characters, but has 1001/,
    ],
    [
      'planner_day',
      { from: '2026-03-01', to: '2026-03-02T00:00:00Z' },
      'from',
      /`from` must be an RFC 3339 timestamp such as .*, but is "2026-03-01"/,
    ],
    ['planner_day', { from: '2026-02-30T00:00:00Z', to: '2026-03-02T00:00:00Z' }, 'from', /must be an RFC 3339 timestamp/],
    ['free_times', { agendaId: 'a', appointmentTypeId: 'b', day: '10-03-2026' }, 'day', /`day` must be a date such as 2026-03-31/],
    ['find_customer', {}, 'query', 'Missing argument `query`.'],
    ['find_customer', { query: 'a', first: 0 }, 'first', '`first` must be at least 1, but is 0.'],
    ['find_customer', { query: 'a', first: 101 }, 'first', '`first` must be at most 100, but is 101.'],
    ['find_customer', { query: 'a', limit: 3 }, 'limit', 'Unknown argument `limit`. This tool accepts: query, first, after.'],
  ])('cause an error of %s without a call: %j', async (tool, args, argument, message) => {
    const tools = await connectTools(testGraph.url, 'demo-owner');
    const [{ isError, body }, calls] = await testGraph.recordCalls(() => tools.call(`svc_${tool}`, args as Record<string, unknown>));
    expect([isError, calls, body.confirmation]).toEqual([true, [], undefined]);
    const expected = typeof message === 'string' ? message : expect.stringMatching(message);
    expect(body.errors).toEqual([{ code: 'BAD_USER_INPUT', argument, message: expected, retry: 'NEVER' }]);
    await tools.close();
  });

  it.each([
    ['open_quotes', { customerId: toGlobalId('Order', 'x') }, 'customerId', '`customerId` must be a Customer ID, but is an Order ID.'],
    ['order_status', { orderId: toGlobalId('Customer', 'x') }, 'orderId', '`orderId` must be an Order ID, but is a Customer ID.'],
    ['open_work_orders', { customerId: toGlobalId('Order', 'x') }, 'customerId', '`customerId` must be a Customer ID, but is an Order ID.'],
    ['order_cancel', { orderId: toGlobalId('Quote', 'x') }, 'orderId', '`orderId` must be an Order ID, but is a Quote ID.'],
    [
      'quote_prepare',
      { customerId, lines: [line, { ...line, productId: toGlobalId('Order', 'x') }] },
      'lines.productId',
      '`lines.productId` must be a Product ID, but is an Order ID.',
    ],
  ])('cause an error of %s if an ID has another type: %j', async (tool, args, argument, message) => {
    const tools = await connectTools(testGraph.url, 'demo-owner');
    const [{ isError, body }, calls] = await testGraph.recordCalls(() => tools.call(`svc_${tool}`, args));
    expect([isError, calls, body.errors]).toEqual([true, [], [{ code: 'BAD_USER_INPUT', argument, message, retry: 'NEVER' }]]);
    await tools.close();
  });

  it('can be the ID of the same record with another type', async () => {
    const rawId = demoId('portfolio 1');
    const tools = await connectTools(testGraph.url, 'demo-owner');
    const { isError, body } = await tools.call('svc_problem_report', { portfolioId: toGlobalId('Customer', rawId), title: 'Leak' });
    await tools.close();
    expect([isError, JSON.stringify(body).includes(toGlobalId('Portfolio', rawId))]).toEqual([false, true]);
  });

  it('appear all in the errors', async () => {
    const tools = await connectTools(testGraph.url, 'demo-owner');
    const { body } = await tools.call('svc_stock_adjust', { productId: 1, reason: [], more: true });
    expect(body.errors.map(({ argument }: { argument: string }) => argument)).toEqual([
      'locationId',
      'quantityDelta',
      'productId',
      'reason',
      'more',
    ]);
    await tools.close();
  });
});

describe('optional arguments that are null', () => {
  it('count as omitted', async () => {
    const tools = await connectTools(testGraph.url, 'demo-owner');
    const records = new Records({ url: testGraph.sandbox.url, world: testGraph.sandbox.world });
    const args = { customerId: await records.id('Customer'), lines: [{ ...line, priceType: null }], title: null, confirmation: null };
    const { body } = await tools.call('svc_quote_prepare', args);
    expect(body.errors).toBeUndefined();
    const { title: _title, ...others } = args;
    const done = await tools.call('svc_quote_prepare', { ...others, confirmation: body.confirmation });
    expect(done.body.data.quoteCreate.effect).toBe('DONE');
    await tools.close();
  });
});

interface Schema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
}

const anyValue = fc.oneof(
  fc.constantFrom<unknown>(
    '',
    'x',
    '1',
    '-1',
    'EUR',
    '2026-03-10',
    '2026-02-30',
    '2026-03-10T09:00:00Z',
    '2026-03-10T09:00:00+01:00',
    'x'.repeat(1_001),
  ),
  fc.integer({ min: -2, max: 200 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
  fc.array(fc.constantFrom<unknown>('x', 1, {}), { maxLength: 2 }),
  fc.constant({}),
);

/** Values of which about half match the schema. */
function createValues({ enum: values, items, properties, type }: Schema): fc.Arbitrary<unknown> {
  const validValue =
    values !== undefined
      ? fc.constantFrom<unknown>(...values)
      : items
        ? fc.array(createValues(items), { maxLength: 3 })
        : properties
          ? fc.record(Object.fromEntries(Object.entries(properties).map(([name, member]) => [name, createValues(member)])), {
              requiredKeys: [],
            })
          : type === 'integer'
            ? fc.integer({ min: -1, max: 101 })
            : fc.constantFrom('x', 'EUR', '100', '2026-03-10', '2026-03-10T09:00:00Z');
  return fc.oneof({ arbitrary: validValue, weight: 6 }, { arbitrary: anyValue, weight: 1 });
}

describe('argument validation', () => {
  it('agrees with a JSON Schema validator for every tool', async () => {
    const { client, close } = await connectTools(testGraph.url, 'demo-owner');
    const { tools } = await client.listTools();
    await close();
    const ajv = new Ajv({ strict: true });
    addFormats(ajv);
    const counts = { valid: 0, invalid: 0 };
    for (const { name, inputSchema } of tools as Tool[]) {
      const validate = ajv.compile(inputSchema);
      const { properties = {} } = inputSchema as Schema;
      const args = fc.record(Object.fromEntries(Object.entries(properties).map(([property, schema]) => [property, createValues(schema)])), {
        requiredKeys: [],
      });
      fc.assert(
        fc.property(args, (value) => {
          const isValid = validate(value);
          counts[isValid ? 'valid' : 'invalid'] += 1;
          expect([name, value, [...findArgumentProblems(value, inputSchema)].length === 0]).toEqual([name, value, isValid]);
        }),
        { numRuns: 300 },
      );
    }
    expect(Math.min(counts.valid, counts.invalid)).toBeGreaterThan(500);
  });

  it('accepts the arguments of every tool in the other tests', async () => {
    const { client, close } = await connectTools(testGraph.url, 'demo-owner');
    const { tools } = await client.listTools();
    await close();
    const records = new Records({ url: testGraph.sandbox.url, world: testGraph.sandbox.world });
    const changes = await Promise.all(CHANGES.map(async ({ tool, args }) => [tool, await args(records)] as const));
    for (const [tool, args] of [...Object.entries(READS), ...changes]) {
      const schema = tools.find(({ name }) => name === `svc_${tool}`)?.inputSchema ?? {};
      expect([tool, [...findArgumentProblems(args, schema)]]).toEqual([tool, []]);
    }
  });
});
