import { describe, expect, it, vi } from 'vitest';
import { spec } from '../../support/spec.ts';
import { demoId, useSandbox } from '../sandbox.ts';

const opened = useSandbox();
const { call, callAs } = opened;

async function createProduct(fields: object = {}): Promise<string> {
  const { body } = await call('Catalog/CreateProduct', { name: 'Test lamp', priceOnceMinor: 1_000, vatRate: 0.21, ...fields });
  return body.product.id;
}

const create = (lineItems: object[], fields: object = {}) =>
  call('Quote/CreateQuote', { customerId: demoId('customer 1'), title: 'Test', lineItems, ...fields });

/** A draft quote with one line of two lamps at 10.00. */
async function createDraft() {
  const { body } = await create([{ productId: await createProduct(), quantity: 2 }]);
  return body.quote;
}

const read = async (id: string) => (await call('Quote/GetQuote', { id })).body.quote;

const listEvents = (entityId: string) =>
  opened.sandbox.world.store
    .all<{ event_type: string }>('SELECT event_type FROM timeline_events WHERE entity_id = :entityId ORDER BY rowid', { entityId })
    .map(({ event_type }) => event_type);

const listOrders = (quoteId: string) => opened.sandbox.world.store.all('SELECT id FROM orders WHERE quote_id = :quoteId', { quoteId });

const summarizeError = ({ status, body }: { status: number; body: { code?: string } }) => ({ status, code: body.code });
const INVALID = { status: 400, code: 'invalid_argument' };
const BLOCKED = { status: 409, code: 'failed_precondition' };
const STALE = { status: 409, code: 'aborted' };
const MISSING = { status: 404, code: 'not_found' };

describe('Quote/CreateQuote', () => {
  it('creates a draft with version 1 and the product prices for the workspace’s country', spec('4.6.1'), async () => {
    const productId = await createProduct({ countryPrices: [{ countryCode: 'BE', priceOnceMinor: 1_200, vatRate: 0.06 }] });
    const { status, body } = await create([{ productId, quantity: 3 }]);
    expect(status).toBe(200);
    expect(body.quote).toMatchObject({
      customerId: demoId('customer 1'),
      status: 'PUBLIC_QUOTE_STATUS_CONCEPT',
      version: '1',
      title: 'Test',
      pricingCountry: 'NL',
      currency: 'EUR',
      totalOnceMinor: '3000',
      lineItems: [
        {
          productId,
          productName: 'Test lamp',
          quantity: 3,
          priceType: 'PUBLIC_PRICE_TYPE_ONCE',
          unitPriceMinor: '1000',
          vatRate: 0.21,
          totalMinor: '3000',
        },
      ],
    });
    expect(body.quote.orderId ?? '').toBe('');
    expect(await read(body.quote.id)).toEqual(body.quote);
    expect(listEvents(body.quote.id)).toEqual(['quote_created']);
  });

  it('uses the price and VAT rate of the pricing country, if the product has them', async () => {
    const productId = await createProduct({ countryPrices: [{ countryCode: 'BE', priceOnceMinor: 1_200, vatRate: 0.06 }] });
    const belgian = await create([{ productId, quantity: 1 }], { pricingCountry: 'BE' });
    expect(belgian.body.quote).toMatchObject({ pricingCountry: 'BE', lineItems: [{ unitPriceMinor: '1200', vatRate: 0.06 }] });
    const german = await create([{ productId, quantity: 1 }], { pricingCountry: 'DE' });
    expect(german.body.quote).toMatchObject({ pricingCountry: 'DE', lineItems: [{ unitPriceMinor: '1000', vatRate: 0.21 }] });
  });

  it('uses the currency of the country for a country’s price', async () => {
    const countryPrices = [
      { countryCode: 'GB', priceOnceMinor: 900, vatRate: 0.2 },
      { countryCode: 'BE', priceOnceMinor: 1_200, vatRate: 0.06 },
    ];
    const productId = await createProduct({ countryPrices, priceMonthlyMinor: 100 });
    const lines = [{ productId, quantity: 2 }];
    const british = await create(lines, { pricingCountry: 'GB' });
    expect(british.body.quote).toMatchObject({
      currency: 'GBP',
      lineItems: [{ unitPriceMinor: '900' }],
      totalOnceMinor: '1800',
    });
    expect((await create(lines, { pricingCountry: 'BE' })).body.quote).toMatchObject({ currency: 'EUR', totalOnceMinor: '2400' });
    const dollars = await createProduct({ countryPrices, currency: 'USD' });
    const belgian = await create([{ productId: dollars, quantity: 1 }], { pricingCountry: 'BE' });
    expect(belgian.body.quote).toMatchObject({ currency: 'EUR', totalOnceMinor: '1200' });
    const monthly = { productId, quantity: 1, priceType: 'PUBLIC_PRICE_TYPE_MONTHLY' };
    const mixed = await create([...lines, monthly], { pricingCountry: 'GB' });
    expect([mixed.status, mixed.body.message]).toEqual([400, expect.stringContaining('GBP and EUR')]);
  });

  it('adds up one-off, monthly and yearly amounts separately', async () => {
    const productId = await createProduct({ priceMonthlyMinor: 50, priceYearlyMinor: 500 });
    const { body } = await create([
      { productId, quantity: 1 },
      { productId, quantity: 2, priceType: 'PUBLIC_PRICE_TYPE_MONTHLY' },
      { productId, quantity: 3, priceType: 'PUBLIC_PRICE_TYPE_YEARLY' },
    ]);
    expect(body.quote).toMatchObject({ totalOnceMinor: '1000', totalMonthlyMinor: '100', totalYearlyMinor: '1500' });
  });

  it('accepts a portfolio', async () => {
    const productId = await createProduct();
    const { body } = await create([{ productId, quantity: 1 }], { customerId: demoId('portfolio 0') });
    expect(body.quote.customerId).toBe(demoId('portfolio 0'));
  });

  it('creates another quote when repeated', spec('4.6.2'), async () => {
    const lines = [{ productId: await createProduct(), quantity: 1 }];
    const [one, other] = [await create(lines), await create(lines)];
    expect(other.body.quote.id).not.toBe(one.body.quote.id);
    expect(other.body.quote.referenceNumber).not.toBe(one.body.quote.referenceNumber);
  });

  it('rejects unknown customers, products and discounts', async () => {
    const lines = [{ productId: await createProduct(), quantity: 1 }];
    const foreign = await callAs('demo-neighbour', 'Catalog/CreateProduct', { name: 'Foreign' });
    expect(summarizeError(await create(lines, { customerId: 'absent' }))).toEqual(MISSING);
    expect(summarizeError(await create([{ productId: foreign.body.product.id, quantity: 1 }]))).toEqual(MISSING);
    expect(summarizeError(await create(lines, { discounts: [{ discountId: 'none' }] }))).toEqual(MISSING);
  });

  it('rejects an inactive product', async () => {
    expect(summarizeError(await create([{ productId: await createProduct({ isActive: false }), quantity: 1 }]))).toEqual(BLOCKED);
  });

  it('rejects quantities outside the product’s bounds, which are inclusive', async () => {
    const productId = await createProduct({ minQuantity: 2, maxQuantity: 4 });
    const statuses = [1, 2, 4, 5].map(async (quantity) => (await create([{ productId, quantity }])).status);
    expect(await Promise.all(statuses)).toEqual([400, 200, 200, 400]);
  });

  it.each(['MONTHLY', 'YEARLY'])('rejects the price type %s for a product without such a price', async (type) => {
    const response = await create([{ productId: await createProduct(), quantity: 1, priceType: `PUBLIC_PRICE_TYPE_${type}` }]);
    expect(summarizeError(response)).toEqual(INVALID);
  });

  it('rejects lines with different currencies', async () => {
    const [euros, dollars] = [await createProduct(), await createProduct({ currency: 'USD' })];
    const lines = [euros, dollars].map((productId) => ({ productId, quantity: 1 }));
    expect(summarizeError(await create(lines))).toEqual(INVALID);
    expect((await create(lines.slice(1))).body.quote.currency).toBe('USD');
  });

  it('rejects a line whose amount is too large to add exactly', async () => {
    const productId = await createProduct({ priceOnceMinor: 2_000_000_000 });
    expect(summarizeError(await create([{ productId, quantity: 2_000_000_000 }]))).toEqual(INVALID);
  });

  it.each([
    ['no lines', []],
    ['a quantity of zero', [{ productId: 'x', quantity: 0 }]],
  ])('rejects %s', async (_what, lines) => {
    expect(summarizeError(await create(lines))).toEqual(INVALID);
  });

  it('requires write access to orders', async () => {
    const request = { customerId: demoId('customer 1'), lineItems: [{ productId: demoId('product 1'), quantity: 1 }] };
    expect(summarizeError(await callAs('demo-restricted', 'Quote/CreateQuote', request))).toEqual({
      status: 403,
      code: 'permission_denied',
    });
  });
});

describe('Quote/ListQuotes', () => {
  const customerId = () => demoId('customer 0');
  const listIds = (body: { quotes?: { id: string }[] }) => (body.quotes ?? []).map(({ id }) => id);

  it('lists the quotes of one customer, newest first, and paginates', spec('4.6.4'), async () => {
    opened.requiresDemoData();
    const whole = await call('Quote/ListQuotes', { customerId: customerId(), pageSize: 100 });
    const second = await call('Quote/ListQuotes', { customerId: customerId(), page: 2, pageSize: 100 });
    const times = [...whole.body.quotes, ...second.body.quotes].map(({ createdAt }: { createdAt: string }) => Number(createdAt));
    expect(times).toHaveLength(130);
    expect(times).toEqual([...times].sort((one, other) => other - one));
    expect([whole.body.hasMore, second.body.hasMore ?? false]).toEqual([true, false]);
    const usual = await call('Quote/ListQuotes', { customerId: customerId() });
    expect(listIds(usual.body)).toEqual(listIds(whole.body).slice(0, 25));
  });

  it('lists quotes of the same second, newest first', async () => {
    const [older, newer] = [await createDraft(), await createDraft()];
    const { body } = await call('Quote/ListQuotes', { customerId: demoId('customer 1'), pageSize: 2 });
    expect(listIds(body)).toEqual([newer.id, older.id]);
  });

  it.each([
    ['CONCEPT', 60],
    ['CONFIRMED', 40],
    ['DISCARDED', 30],
  ])('filters by the status %s', async (state, count) => {
    const status = `PUBLIC_QUOTE_STATUS_${state}`;
    const { body } = await call('Quote/ListQuotes', { customerId: customerId(), status, pageSize: 100 });
    expect(body.quotes.map((quote: { status: string }) => quote.status)).toEqual(Array(count).fill(status));
  });

  it('returns not found for a customer of another workspace', async () => {
    expect(summarizeError(await callAs('demo-neighbour', 'Quote/ListQuotes', { customerId: customerId() }))).toEqual(MISSING);
  });
});

describe('Quote/GetQuote', () => {
  it('returns not found for a quote of another workspace', spec('4.6.3'), async () => {
    expect(summarizeError(await callAs('demo-neighbour', 'Quote/GetQuote', { id: demoId('quote 0') }))).toEqual(MISSING);
  });

  it('requires read access to orders', async () => {
    expect((await callAs('demo-restricted', 'Quote/GetQuote', { id: demoId('quote 0') })).status).toBe(403);
  });

  it('returns demo quotes with totals of their lines minus their discounts', async () => {
    const { body } = await call('Quote/ListQuotes', { customerId: demoId('customer 0'), pageSize: 100 });
    const discounted = body.quotes.filter((quote: { discounts?: object[] }) => quote.discounts?.length);
    expect(discounted.length).toBeGreaterThan(0);
    for (const quote of body.quotes) {
      const once = quote.lineItems.filter(({ priceType }: { priceType: string }) => priceType === 'PUBLIC_PRICE_TYPE_ONCE');
      const lines = once.reduce((sum: number, line: { totalMinor: string }) => sum + Number(line.totalMinor), 0);
      const off = (quote.discounts ?? []).reduce(
        (sum: number, row: { amountOnceMinor?: string }) => sum + Number(row.amountOnceMinor ?? 0),
        0,
      );
      expect(Number(quote.totalOnceMinor ?? 0)).toBe(lines - off);
    }
  });
});

describe('Quote/UpdateQuote', () => {
  it('replaces all lines and discounts, and increments the version', spec('3.14', '3.15'), async () => {
    const { body } = await create([{ productId: await createProduct(), quantity: 2 }], {
      discounts: [{ discountId: demoId('discount 0') }],
    });
    const productId = await createProduct({ name: 'Other lamp', priceOnceMinor: 700 });
    opened.sandbox.now += 60;
    const lineItems = [{ productId, quantity: 1 }];
    const updated = await call('Quote/UpdateQuote', { id: body.quote.id, expectedVersion: '1', lineItems });
    expect(updated.body.quote).toMatchObject({ version: '2', totalOnceMinor: '700', lineItems: [{ productId, quantity: 1 }] });
    expect(updated.body.quote.status).toBe('PUBLIC_QUOTE_STATUS_CONCEPT');
    expect(updated.body.quote.discounts ?? []).toEqual([]);
    expect(Number(updated.body.quote.updatedAt) - Number(body.quote.updatedAt)).toBe(60);
    expect(await read(body.quote.id)).toEqual(updated.body.quote);
    expect(listEvents(body.quote.id)).toEqual(['quote_created', 'quote_updated']);
  });

  it('preserves the pricing country of the quote', async () => {
    const productId = await createProduct({ countryPrices: [{ countryCode: 'BE', priceOnceMinor: 1_200, vatRate: 0.06 }] });
    const { body } = await create([{ productId, quantity: 1 }], { pricingCountry: 'BE' });
    const request = { id: body.quote.id, expectedVersion: '1', lineItems: [{ productId, quantity: 2 }] };
    expect((await call('Quote/UpdateQuote', request)).body.quote.totalOnceMinor).toBe('2400');
  });

  it('rejects another version, and changes nothing', spec('3.13', '7.28'), async () => {
    const before = await createDraft();
    const lineItems = [{ productId: await createProduct(), quantity: 9 }];
    expect(summarizeError(await call('Quote/UpdateQuote', { id: before.id, expectedVersion: '2', lineItems }))).toEqual(STALE);
    expect(await read(before.id)).toEqual(before);
    expect(listEvents(before.id)).toEqual(['quote_created']);
  });

  it.each([
    ['0', 409],
    [undefined, 409],
    ['abc', 400],
    ['1.5', 400],
  ])('rejects the version %j with %i, and changes nothing', async (expectedVersion, status) => {
    const before = await createDraft();
    const lineItems = [{ productId: await createProduct(), quantity: 9 }];
    expect((await call('Quote/UpdateQuote', { id: before.id, expectedVersion, lineItems })).status).toBe(status);
    expect(await read(before.id)).toEqual(before);
  });

  it('rejects the same update when repeated, because the version has changed', spec('4.6.5'), async () => {
    const { id } = await createDraft();
    const request = { id, expectedVersion: '1', lineItems: [{ productId: await createProduct(), quantity: 9 }] };
    await call('Quote/UpdateQuote', request);
    expect(summarizeError(await call('Quote/UpdateQuote', request))).toEqual(STALE);
  });

  it('rejects lines that can’t be priced, and changes nothing', async () => {
    const before = await createDraft();
    const lineItems = [
      { productId: await createProduct(), quantity: 1 },
      { productId: await createProduct({ isActive: false }), quantity: 1 },
    ];
    expect(summarizeError(await call('Quote/UpdateQuote', { id: before.id, expectedVersion: '1', lineItems }))).toEqual(BLOCKED);
    expect(await read(before.id)).toEqual(before);
  });

  it.each(['ConfirmQuote', 'DiscardQuote'])('rejects a quote after %s', async (operation) => {
    const { id } = await createDraft();
    const { body } = await call(`Quote/${operation}`, { id });
    const request = { id, lineItems: [{ productId: await createProduct(), quantity: 1 }] };
    expect(summarizeError(await call('Quote/UpdateQuote', { ...request, expectedVersion: '1' }))).toEqual(STALE);
    expect(summarizeError(await call('Quote/UpdateQuote', { ...request, expectedVersion: '2' }))).toEqual(BLOCKED);
    expect(await read(id)).toEqual(body.quote);
  });
});

describe('Quote/DiscardQuote', () => {
  it('discards a draft once', spec('3.11'), async () => {
    const { id } = await createDraft();
    const first = await call('Quote/DiscardQuote', { id });
    const second = await call('Quote/DiscardQuote', { id });
    expect(first.body.quote).toMatchObject({ status: 'PUBLIC_QUOTE_STATUS_DISCARDED', version: '2' });
    expect(second.body).toEqual(first.body);
    expect(listEvents(id)).toEqual(['quote_created', 'quote_discarded']);
  });

  it('rejects a confirmed quote', spec('3.12', '7.27'), async () => {
    const { id } = await createDraft();
    const { body } = await call('Quote/ConfirmQuote', { id });
    expect(summarizeError(await call('Quote/DiscardQuote', { id }))).toEqual(BLOCKED);
    expect(await read(id)).toEqual(body.quote);
  });
});

describe('Quote/ConfirmQuote', () => {
  it('confirms a draft, and creates an order with the same lines and totals', spec('3.8'), async () => {
    const before = await createDraft();
    const { status, body } = await call('Quote/ConfirmQuote', { id: before.id });
    expect(status).toBe(200);
    expect(body.quote).toMatchObject({ status: 'PUBLIC_QUOTE_STATUS_CONFIRMED', version: '2', orderId: body.order.id });
    expect(body.order).toMatchObject({
      customerId: before.customerId,
      quoteId: before.id,
      status: 'PUBLIC_ORDER_STATUS_OPEN',
      version: '1',
      currency: 'EUR',
      totalOnceMinor: '2000',
    });
    const unnamed = ({ id: _id, ...line }: { id: string }) => line;
    expect(body.order.lineItems.map(unnamed)).toEqual(before.lineItems.map(unnamed));
    expect((await call('Order/GetOrder', { id: body.order.id })).body.order).toEqual(body.order);
    expect(listEvents(before.id)).toEqual(['quote_created', 'quote_confirmed']);
    expect(listEvents(body.order.id)).toEqual(['order_created']);
  });

  it('returns the same order when repeated', spec('3.10'), async () => {
    const { id } = await createDraft();
    const first = await call('Quote/ConfirmQuote', { id });
    const second = await call('Quote/ConfirmQuote', { id });
    expect(second.body).toEqual(first.body);
    expect(listOrders(id)).toEqual([{ id: first.body.order.id }]);
    expect(listEvents(id)).toEqual(['quote_created', 'quote_confirmed']);
  });

  it('rejects a discarded quote, and creates no order', async () => {
    const { id } = await createDraft();
    const { body } = await call('Quote/DiscardQuote', { id });
    expect(summarizeError(await call('Quote/ConfirmQuote', { id }))).toEqual(BLOCKED);
    expect(await read(id)).toEqual(body.quote);
    expect(listOrders(id)).toEqual([]);
  });

  it('rolls back the order and the confirmation if a part of it fails', spec('3.9'), async () => {
    const before = await createDraft();
    const { store } = opened.sandbox.world;
    const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    store.exec(`CREATE TRIGGER main.broken BEFORE INSERT ON timeline_events WHEN new.event_type = 'order_created'
                BEGIN SELECT raise(ABORT, 'broken on purpose'); END`);
    const { status } = await call('Quote/ConfirmQuote', { id: before.id });
    store.exec('DROP TRIGGER broken');
    log.mockRestore();
    expect(status).toBe(500);
    expect(await read(before.id)).toEqual(before);
    expect(listOrders(before.id)).toEqual([]);
  });

  it('uses the quoted prices instead of the current ones', async () => {
    const productId = await createProduct();
    const { body } = await create([{ productId, quantity: 1 }]);
    await call('Catalog/UpdateProduct', { id: productId, priceOnceMinor: 9_999 });
    expect((await call('Quote/ConfirmQuote', { id: body.quote.id })).body.order.totalOnceMinor).toBe('1000');
  });

  it('returns not found for a quote of another workspace', async () => {
    const { id } = await createDraft();
    expect(summarizeError(await callAs('demo-neighbour', 'Quote/ConfirmQuote', { id }))).toEqual(MISSING);
    expect(listOrders(id)).toEqual([]);
  });

  it('requires its own scope, and write access to orders', async () => {
    const { id } = await createDraft();
    expect((await callAs('demo-reader', 'Quote/ConfirmQuote', { id })).status).toBe(403);
    expect((await callAs('demo-restricted', 'Quote/ConfirmQuote', { id })).status).toBe(403);
    expect((await callAs('demo-sales', 'Quote/ConfirmQuote', { id })).status).toBe(200);
  });
});
