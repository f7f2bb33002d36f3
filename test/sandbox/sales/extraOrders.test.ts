import { describe, expect, it } from 'vitest';
import { openWorld, SMALL } from '../../../sandbox/demo.ts';
import { createDemoWorld, SEED, START, useSandbox } from '../sandbox.ts';

const SIZES = { ...SMALL, extraOrders: 500 };
/** SQL condition for added records: their reference numbers have a second hyphen. */
const IS_ADDED = "reference_number LIKE '%-%-%'";

const opened = useSandbox({ sizes: SIZES });
const { call } = opened;

interface Line {
  readonly priceType: string;
  readonly unitPriceMinor: string;
  readonly quantity: string;
  readonly totalMinor: string;
}

/** IDs of the added records in a table. */
const listAdded = (table: string): string[] =>
  opened.sandbox.world.store
    .all<{ id: string }>(`SELECT id FROM main.${table} WHERE ${IS_ADDED} ORDER BY created_at, id`)
    .map(({ id }) => id);

const read = async (operation: string, request: object) => {
  const { status, body } = await call(operation, request);
  expect(status, `${operation}: ${body.message}`).toBe(200);
  return body;
};

const sumLines = (lines: readonly Line[], priceType: string) =>
  lines.filter((line) => line.priceType === priceType).reduce((sum, { totalMinor }) => sum + Number(totalMinor), 0);

describe('extra orders', () => {
  it('exist in addition to the demo orders, with one customer per five', () => {
    expect([listAdded('orders').length, listAdded('quotes').length, listAdded('customers').length]).toEqual([500, 500, 100]);
    const { store } = createDemoWorld(() => START * 1000);
    const { count } = store.get<{ count: number }>('SELECT count(*) AS count FROM orders') ?? { count: 0 };
    expect(opened.sandbox.world.store.get('SELECT count(*) AS count FROM orders')).toEqual({ count: count + 500 });
  });

  it('match their lines, quotes, and customers', async () => {
    for (const id of listAdded('orders').filter((_, index) => index % 10 === 0)) {
      const { order } = await read('Order/GetOrder', { id });
      const { quote } = await read('Quote/GetQuote', { id: order.quoteId });
      const { customer } = await read('Customer/GetCustomer', { id: order.customerId });
      const { orders } = await read('Order/ListOrders', { customerId: customer.id });
      expect(orders).toContainEqual(order);
      expect(orders).toHaveLength(5);
      expect(quote).toMatchObject({ status: 'PUBLIC_QUOTE_STATUS_CONFIRMED', orderId: id, customerId: customer.id });
      for (const { lineItems, totalOnceMinor, totalMonthlyMinor } of [order, quote]) {
        expect(lineItems).toHaveLength(1);
        expect(sumLines(lineItems, 'PUBLIC_PRICE_TYPE_ONCE')).toBe(Number(totalOnceMinor));
        expect(sumLines(lineItems, 'PUBLIC_PRICE_TYPE_MONTHLY')).toBe(Number(totalMonthlyMinor));
      }
      expect(Number(customer.createdAt)).toBeLessThan(Number(quote.createdAt));
      expect(Number(quote.createdAt)).toBeLessThanOrEqual(Number(order.createdAt));
      expect(Number(order.updatedAt)).toBeLessThanOrEqual(START);
    }
  });

  it('appear in searches, analytics, and lookups', async () => {
    const [id = ''] = listAdded('customers');
    const { customer } = await read('Customer/GetCustomer', { id });
    expect((await read('Customer/LookupCustomersByIdentifier', { referenceNumber: customer.referenceNumber })).customers).toEqual([
      customer,
    ]);
    expect((await read('Customer/SearchCustomers', { query: customer.email })).customers).toContainEqual(customer);
    const query = {
      version: 1,
      semantics: 'ANALYTICS_QUERY_SEMANTICS_CURRENT_STATE',
      entity: 'orders',
      filter: { compare: { field: 'customer_id', operator: 'ANALYTICS_OPERATOR_EQ', values: [{ text: id }] } },
      records: { fields: ['id'] },
    };
    expect((await read('AnalyticsService/ExecuteQuery', { query })).result.rows).toHaveLength(5);
  });

  it('can be canceled', async () => {
    const open = opened.sandbox.world.store.get<{ id: string }>(`SELECT id FROM orders WHERE status = 1 AND ${IS_ADDED}`);
    const { order } = await read('Order/CancelOrder', { id: open?.id, expectedVersion: '1', reason: 'Changed their mind.' });
    expect(order.status).toBe('PUBLIC_ORDER_STATUS_CANCELLED');
  });

  it('depend on the seed, and share timestamps', () => {
    const [one, same, other] = [SEED, SEED, SEED + 1].map((seed) => {
      const world = openWorld({ data: ':memory:', seed, clock: () => START * 1000 }, SIZES);
      const rows = world.store.all<{ id: string; created_at: number }>(`SELECT * FROM orders WHERE ${IS_ADDED} ORDER BY id`);
      world.close();
      return rows;
    });
    expect(same).toEqual(one);
    expect(other).not.toEqual(one);
    expect(new Set(one?.map(({ created_at }) => created_at)).size).toBe(125);
  });
});
