import type { Locator, Page } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ALL_SCOPES, makeKey } from '../../sandbox/makeKey.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { CUSTOMER, createQuoting } from '../../support/quoting.ts';
import { useTestGraph } from '../../support/testGraph.ts';
import { findSchemeViolations } from './accessibility.ts';
import { useBrowser } from './browser.ts';
import { signInWithKey, tabTo, usePage, waitForFocus } from './page.ts';

const testGraph = useTestGraph();
const browser = useBrowser();
const { createQuote, createOrder } = createQuoting(testGraph);

const example = usePage(testGraph);
beforeAll(async () => {
  // Create more than two pages of quotes and orders.
  for (let count = 0; count < 5; count += 1) await createOrder();
});
afterEach(() => testGraph.sandbox.faults.clear());

const STOCKED = demoId('product 1');

/** The reference number of a quote or a customer by raw ID. */
const getReferenceNumber = (table: 'customers' | 'quotes', id: string): string => {
  const row = testGraph.sandbox.world.store.get<{ reference_number: string }>(`SELECT reference_number FROM ${table} WHERE id = :id`, {
    id,
  });
  if (!row) throw new Error(`The sandbox has no ${id} among its ${table}.`);
  return row.reference_number;
};

/** Creates a draft quote for two units of a product in stock: the customer's newest quote. */
async function createDraft() {
  testGraph.sandbox.now += 1;
  const { rawId } = await createQuote({ lines: [{ productId: STOCKED, quantity: 2 }] });
  return { rawId, number: getReferenceNumber('quotes', rawId) };
}

const getQuoteState = (quoteId: string) =>
  testGraph.sandbox.world.store.get<{ status: number; version: number; quantity: number; orders: number }>(
    `SELECT status, version, (SELECT sum(quantity) FROM quote_lines WHERE quote_id = quotes.id) AS quantity,
      (SELECT count(*) FROM orders WHERE quote_id = quotes.id) AS orders FROM quotes WHERE id = :quoteId`,
    { quoteId },
  );
const [CONCEPT, CONFIRMED] = [1, 2];

/** How often the page sends a request that gets no response. */
const ATTEMPTS = 5;

/** Opens a customer on the page with a key. */
async function visit(key = 'demo-owner', number = getReferenceNumber('customers', CUSTOMER)) {
  const visited = await browser.open(`${example.url}#customer/${number}`);
  const { page } = visited;
  await signInWithKey(page, key);
  return { ...visited, card: (name: string) => page.getByRole('article', { name }) };
}

const press = (where: Page | Locator, name: string) => where.getByRole('button', { name }).click();
const waitForText = (where: Page | Locator, text: string) => where.getByText(text).waitFor();

/** Enters a quantity in the only line of a quote and saves it. */
async function saveQuantity(card: Locator, quantity: number): Promise<void> {
  await press(card, 'Change quantities');
  await card.getByRole('spinbutton').fill(String(quantity));
  await press(card, 'Save quantities');
}

const updateElsewhere = (quoteId: string, quantity: number, expectedVersion = '1') =>
  testGraph.execute('mutation ($input: QuoteUpdateInput!) { quoteUpdate(input: $input) { __typename } }', {
    input: { quoteId, expectedVersion, lines: [{ productId: STOCKED, quantity }], discounts: [] },
  });

const LISTS = `query ($id: ID!) {
  customer(id: $id) {
    title
    email
    quotes(first: 100) { nodes { referenceNumber } }
    orders(first: 100) { nodes { referenceNumber } }
  }
}`;
const listReferenceNumbers = ({ nodes }: { nodes: { referenceNumber: string }[] }) => nodes.map(({ referenceNumber }) => referenceNumber);

/** The reference numbers in a list of the page, after its last page has been loaded. */
async function loadWholeList(page: Page, title: string, length: number): Promise<string[]> {
  const list = page.getByRole('region', { name: title, exact: true });
  for (let count = 3; count < length; count += 3) {
    await press(list, `Load more ${title.toLowerCase()}`);
    await list.getByRole('article').nth(count).waitFor();
  }
  await list.getByRole('button', { name: /^Load more/ }).waitFor({ state: 'detached' });
  return list.getByRole('article').getByRole('heading', { level: 4 }).allInnerTexts();
}

describe('customer page', () => {
  it('shows a customer with paginated quotes and orders, and sends requests only to its own server', async () => {
    const { page, origins, problems } = await visit();
    const { customer } = (await testGraph.execute(LISTS, { id: CUSTOMER })).data;
    await page.getByRole('heading', { name: customer.title }).waitFor();
    await page.getByRole('link', { name: customer.email }).waitFor();
    for (const [title, list] of [
      ['Quotes', listReferenceNumbers(customer.quotes)],
      ['Orders', listReferenceNumbers(customer.orders)],
    ] as const) {
      expect(list.length).toBeGreaterThan(4);
      expect(await loadWholeList(page, title, list.length)).toEqual(list);
    }
    expect([origins(), problems]).toEqual([[new URL(example.url).origin], []]);
  });

  it('shows no quote twice if another one is created between two pages', async () => {
    const { page, problems } = await visit();
    const cards = page.getByRole('region', { name: 'Quotes' }).getByRole('article');
    await cards.first().waitFor();
    const before = listReferenceNumbers((await testGraph.execute(LISTS, { id: CUSTOMER })).data.customer.quotes);
    await createDraft();
    await press(page, 'Load more quotes');
    await cards.nth(5).waitFor();
    expect(await cards.getByRole('heading').allInnerTexts()).toEqual(before.slice(0, 6));
    expect(problems).toEqual([]);
  });

  it('shows the stock of the product next to each line', async () => {
    const { number } = await createDraft();
    const { data } = await testGraph.execute('query ($id: ID!) { product(id: $id) { name inventoryBalances { nodes { available } } } }', {
      id: STOCKED,
    });
    const { name, inventoryBalances } = data.product;
    const available = inventoryBalances.nodes.reduce((sum: number, balance: { available: number }) => sum + balance.available, 0);
    expect(available).toBeGreaterThan(0);
    const { card } = await visit();
    await waitForText(card(number).getByRole('row', { name }), `${available} available`);
  });

  it('shows prices by period and discounts, which add up to the totals', async () => {
    const { data } = await testGraph.execute('{ discounts(first: 100) { nodes { id name } } }');
    const discounts = data.discounts.nodes.filter(({ name }: { name: string }) => ['Dutch subsidy', 'First month'].includes(name));
    const lines = [
      { productId: STOCKED, quantity: 2, priceType: 'ONCE' },
      { productId: demoId('product 2'), quantity: 3, priceType: 'MONTHLY' },
    ];
    testGraph.sandbox.now += 1;
    const { rawId } = await createQuote({ lines, discounts: discounts.map(({ id }: { id: string }) => ({ discountId: id })) });
    const { card } = await visit();
    const quote = card(getReferenceNumber('quotes', rawId));
    await quote.waitFor();
    const amounts = { once: 0, monthly: 0 };
    for (const text of await quote.locator('tbody td:last-child, tfoot td').allInnerTexts()) {
      const amount = Number(text.replace('−', '-').replace(/[^\d.-]/g, ''));
      amounts[text.includes('per month') ? 'monthly' : 'once'] += amount;
    }
    const toText = (amount: number) => `€${amount.toLocaleString('en-GB', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;
    expect(await quote.locator('tfoot tr').count()).toBeGreaterThan(0);
    expect(await quote.locator('.total').innerText()).toBe(`${toText(amounts.once)} + ${toText(amounts.monthly)} per month`);
  });

  it('remains readable if the key can’t read stock, and explains why', async () => {
    const { number } = await createDraft();
    const key = makeKey(testGraph.sandbox.world, { scopes: ALL_SCOPES.filter((scope) => scope !== 'inventory:read') });
    const { page, card, problems } = await visit(key);
    await waitForText(page, 'You don’t have access to this. Missing scopes: inventory:read.');
    await waitForText(card(number), 'no permission');
    await press(page, 'Load more quotes');
    await page.getByRole('region', { name: 'Quotes' }).getByRole('article').nth(3).waitFor();
    expect(await page.getByText('unknown').count()).toBe(0);
    await saveQuantity(card(number), 3);
    await waitForText(card(number), 'Saved.');
    expect(problems).toEqual([]);
  });

  it('remains readable if the key can’t read quotes', async () => {
    const key = makeKey(testGraph.sandbox.world, { scopes: ALL_SCOPES.filter((scope) => scope !== 'quote:read') });
    const { page, problems } = await visit(key);
    await waitForText(page.getByRole('region', { name: 'Quotes' }), 'Couldn’t be loaded');
    await page.getByRole('region', { name: 'Orders' }).getByRole('article').first().waitFor();
    expect(problems).toEqual([]);
  });

  it('shows an error for an unknown customer', async () => {
    await waitForText((await visit('demo-owner', 'C-999999')).page, 'No customer found with number C-999999.');
  });
});

describe('unreachable graph', () => {
  it('shows an error, preserves the page, and hides the error once the graph responds again', async () => {
    const { page, problems } = await visit();
    const list = page.getByRole('region', { name: 'Quotes' });
    await list.getByRole('article').first().waitFor();
    await page.route('**/graphql', (route) => route.abort());
    await press(list, 'Load more quotes');
    await waitForText(page, 'Can’t reach the graph');
    expect(await list.getByRole('article').count()).toBe(3);
    await page.unrouteAll();
    await press(list, 'Load more quotes');
    await list.getByRole('article').nth(3).waitFor();
    await page.getByText('Can’t reach the graph').waitFor({ state: 'detached' });
    expect(problems).toEqual(Array(ATTEMPTS).fill(expect.stringContaining('ERR_FAILED')));
  });
});

describe('quote confirmation', () => {
  it('creates an order with one upstream call', async () => {
    const { rawId, number } = await createDraft();
    const { page, card, problems } = await visit();
    await card(number).getByText('draft').waitFor();
    const [, calls] = await testGraph.recordCalls(async () => {
      await press(card(number), 'Confirm');
      await waitForText(card(number), 'Confirmed as order');
    });
    await card(number).getByText('confirmed', { exact: true }).waitFor();
    const [order] = listReferenceNumbers((await testGraph.execute(LISTS, { id: CUSTOMER })).data.customer.orders);
    await waitForText(card(number), `Confirmed as order ${order}.`);
    await page
      .getByRole('region', { name: 'Orders' })
      .getByRole('article', { name: order ?? '' })
      .waitFor();
    expect(calls.filter((name) => name === 'Quote/ConfirmQuote')).toHaveLength(1);
    expect(getQuoteState(rawId)).toMatchObject({ status: CONFIRMED, orders: 1 });
    expect(problems).toEqual([]);
  });

  it('shows the missing scope and sends nothing', async () => {
    const { rawId, number } = await createDraft();
    const key = makeKey(testGraph.sandbox.world, { scopes: ALL_SCOPES.filter((scope) => scope !== 'quote:confirm') });
    const { card, problems } = await visit(key);
    await card(number).waitFor();
    const [, calls] = await testGraph.recordCalls(async () => {
      await press(card(number), 'Confirm');
      await waitForText(card(number), 'quote:confirm');
    });
    expect([calls, getQuoteState(rawId)?.status, problems]).toEqual([[], CONCEPT, []]);
    // The message has the keyboard focus.
    expect(await card(number).locator(':focus').innerText()).toContain('quote:confirm');
    await press(card(number), 'Dismiss');
    expect(await card(number).getByRole('button', { name: 'Confirm' }).isEnabled()).toBe(true);
  });

  it('shows the blocker and the current quote if it has been discarded', async () => {
    const { rawId, number } = await createDraft();
    const { card } = await visit();
    await card(number).waitFor();
    await testGraph.execute('mutation ($id: ID!) { quoteDiscard(input: { quoteId: $id }) { __typename } }', { id: rawId });
    await press(card(number), 'Confirm');
    await waitForText(card(number), 'The quote doesn’t allow this right now');
    // The response contains the current quote.
    await card(number).getByText('discarded', { exact: true }).waitFor();
    await press(card(number), 'Dismiss');
    expect(await card(number).getByRole('button').count()).toBe(0);
  });

  it('retries after an unknown outcome and creates one order', async () => {
    const { rawId, number } = await createDraft();
    const { card } = await visit();
    testGraph.sandbox.faults.add({ operation: 'Quote/GetQuote', status: 403, times: 1_000 });
    testGraph.sandbox.faults.add({ operation: 'Quote/ConfirmQuote', cut: 'after', times: 1_000 });
    await press(card(number), 'Confirm');
    await waitForText(card(number), 'Outcome unknown');
    testGraph.sandbox.faults.clear();
    await press(card(number), 'Try again');
    await waitForText(card(number), 'Confirmed as order');
    expect(getQuoteState(rawId)).toMatchObject({ status: CONFIRMED, orders: 1 });
  });
});

/** Collects the inputs of the mutations that a page sends from now on. */
function collectUpdates(page: Page): { readonly idempotencyKey: string }[] {
  const inputs: { readonly idempotencyKey: string }[] = [];
  page.on('request', (request) => {
    const body = request.postData();
    if (body?.includes('UpdateQuote')) inputs.push(JSON.parse(body).variables.input);
  });
  return inputs;
}

describe('quote update', () => {
  it('saves the quantity with a new idempotency key for each update', async () => {
    const { rawId, number } = await createDraft();
    const { page, card, problems } = await visit();
    const sent = collectUpdates(page);
    for (const quantity of [4, 6]) {
      await saveQuantity(card(number), quantity);
      await waitForText(card(number), 'Saved.');
      await card(number)
        .getByRole('cell', { name: String(quantity), exact: true })
        .waitFor();
    }
    expect(new Set(sent.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(2);
    expect(getQuoteState(rawId)).toMatchObject({ version: 3, quantity: 6 });
    expect(problems).toEqual([]);
  });

  it('compares what the user typed with what is stored if the quote has changed, and saves either, with the keyboard only', async () => {
    const { rawId, number } = await createDraft();
    const { page, card, problems } = await visit();
    const { keyboard } = page;
    const pressButton = async (name: string) => {
      await tabTo(page, card(number).getByRole('button', { name }));
      await keyboard.press('Enter');
    };
    const comparison = card(number).locator('.conflict').getByRole('row').nth(1).getByRole('cell');
    await pressButton('Change quantities');
    await updateElsewhere(rawId, 7);
    await keyboard.type('5');
    await keyboard.press('Enter');
    await waitForText(card(number), 'You edited version 1, but version 2 is stored now. Nothing was saved.');
    expect(await comparison.allInnerTexts()).toEqual(['5', '7']);
    expect(await findSchemeViolations(page)).toEqual([]);
    expect(getQuoteState(rawId)).toMatchObject({ version: 2, quantity: 7 });
    await updateElsewhere(rawId, 8, '2');
    await pressButton('Continue with my quantities');
    await waitForFocus(card(number).getByRole('spinbutton'));
    expect(await card(number).getByRole('spinbutton').inputValue()).toBe('5');
    await keyboard.press('Enter');
    await waitForText(card(number), 'You edited version 2, but version 3 is stored now.');
    expect(await comparison.allInnerTexts()).toEqual(['5', '8']);
    await pressButton('Use what is stored');
    await card(number).getByRole('cell', { name: '8', exact: true }).waitFor();
    await pressButton('Change quantities');
    await keyboard.type('6');
    await keyboard.press('Enter');
    await waitForText(card(number), 'Saved.');
    expect([getQuoteState(rawId), problems]).toEqual([{ status: CONCEPT, version: 4, quantity: 6, orders: 0 }, []]);
  });

  it('retries with the same idempotency key if the response to the page is lost, and applies the update once', async () => {
    const { rawId, number } = await createDraft();
    const { page, card, problems } = await visit();
    const sent = collectUpdates(page);
    await page.route(
      (url) => url.pathname === '/graphql',
      async (route) => {
        if (!route.request().postData()?.includes('UpdateQuote')) return route.continue();
        await route.fetch();
        return route.abort();
      },
    );
    const [, calls] = await testGraph.recordCalls(async () => {
      await saveQuantity(card(number), 9);
      await waitForText(card(number), 'Outcome unknown');
      expect(sent).toHaveLength(ATTEMPTS);
      await page.unrouteAll();
      await updateElsewhere(rawId, 4, '2');
      await press(card(number), 'Try again');
      await waitForText(card(number), 'Already saved by the first attempt.');
    });
    // The page shows the quantity that the other caller has set since.
    await card(number).getByRole('cell', { name: '4', exact: true }).waitFor();
    expect(sent).toEqual(Array(ATTEMPTS + 1).fill(sent[0]));
    expect(calls.filter((name) => name === 'Quote/UpdateQuote')).toHaveLength(2);
    expect(getQuoteState(rawId)).toMatchObject({ version: 3, quantity: 4 });
    expect(problems).toEqual(Array(ATTEMPTS).fill(expect.stringContaining('ERR_FAILED')));
  });

  it('explains an unknown outcome and reloads the quote if the upstream’s response is lost', async () => {
    const { rawId, number } = await createDraft();
    const { card, problems } = await visit();
    for (const [version, quantity] of [
      [2, 8],
      [3, 9],
    ] as const) {
      testGraph.sandbox.faults.add({ operation: 'Quote/UpdateQuote', cut: 'after', times: 1_000 });
      testGraph.sandbox.faults.add({ operation: 'Quote/GetQuote', status: 403, times: 1_000 });
      await saveQuantity(card(number), quantity);
      await waitForText(card(number), 'This may have been saved.');
      expect(await card(number).getByRole('button', { name: 'Save quantities' }).isDisabled()).toBe(true);
      testGraph.sandbox.faults.clear();
      await press(card(number), 'Reload');
      await waitForText(card(number), 'Reloaded.');
      await card(number)
        .getByRole('cell', { name: String(quantity), exact: true })
        .waitFor();
      expect(getQuoteState(rawId)).toMatchObject({ version, quantity });
    }
    expect(problems).toEqual([]);
  });
});
