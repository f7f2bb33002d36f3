import type { Locator, Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { orderTable } from '../../../sandbox/sales/orderTables.ts';
import { PublicOrderStatus } from '../../../src/upstream/contract/generated/publicapi/v1/orders_pb.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { useTestGraph } from '../../support/testGraph.ts';
import { PHONE_WIDTH, useBrowser } from './browser.ts';
import { signInWithKey, tabTo, usePage, waitForFocus } from './page.ts';

const testGraph = useTestGraph();
const browser = useBrowser();
const example = usePage(testGraph);
beforeEach(() => {
  // Each cancellation has a timestamp of its own.
  testGraph.sandbox.now += 60;
  // The amounts of all orders are settled, so that the index has them.
  testGraph.sandbox.world.store.exec('DELETE FROM unresolved_snapshots');
});
afterEach(() => testGraph.sandbox.faults.clear());

const { OPEN, FULFILLED, CANCELLED: CANCELED } = PublicOrderStatus;
const PAGE_SIZE = 25;

interface OrderRow {
  readonly id: string;
  readonly number: string;
  readonly status: number;
  readonly version: number;
  readonly currency: string;
  readonly updated: number;
  readonly customer: string;
}

/** The orders of the workspace, latest change first. */
const listOrders = (): OrderRow[] =>
  testGraph.sandbox.world.store.all<OrderRow>(
    `SELECT o.id, o.reference_number AS number, o.status, o.version, o.currency, o.updated_at AS updated, c.title AS customer
     FROM orders o JOIN customers c ON c.id = o.customer_id WHERE o.workspace_id = :workspace
     ORDER BY o.updated_at DESC, o.created_at DESC, o.id DESC`,
    { workspace: demoId('workspace') },
  );
const byStatus = (status: number, orders = listOrders()) => orders.filter((order) => order.status === status);
const getNumbers = (orders: readonly OrderRow[]) => orders.map(({ number }) => number);
const getRow = (number: string) => listOrders().find((order) => order.number === number);

/** The line above the board. */
function formatCounts(orders = listOrders()): string {
  const count = (status: number) => byStatus(status, orders).length;
  return `${count(OPEN)} open, ${count(FULFILLED)} fulfilled, ${count(CANCELED)} canceled`;
}

/** Changes an order as another client would. */
const updateRow = (id: string, changes: Parameters<typeof orderTable.update>[2]) =>
  orderTable.update(testGraph.sandbox.world.store, id, changes);

const press = (where: Page | Locator, name: string) => where.getByRole('button', { name, exact: true }).click();
const waitForText = (where: Page | Locator, text: string) => where.getByText(text, { exact: true }).waitFor();

const getCards = (column: Locator) => column.getByRole('button', { name: /^O-/ });
const readNumbers = (column: Locator) => getCards(column).locator('strong').allInnerTexts();

/** Opens the board with a key. */
async function visit({ key = 'demo-owner', openUrl = browser.open } = {}) {
  const visited = await openUrl(`${example.url}#orders`);
  const { page } = visited;
  await signInWithKey(page, key);
  const getColumn = (name: string) => page.getByRole('region', { name, exact: true });
  return {
    ...visited,
    open: getColumn('Open'),
    fulfilled: getColumn('Fulfilled'),
    canceled: getColumn('Canceled'),
    dialog: page.getByRole('dialog'),
    getCard: (number: string) => page.getByRole('button', { name: number }),
    /** Waits until the board shows the orders of the sandbox, with the titles of their customers. */
    waitForBoard: async (orders = listOrders()) => {
      await waitForText(page.getByRole('status'), formatCounts(orders));
      await page.locator('.board[aria-busy=false]').waitFor();
      const [first] = orders;
      if (first)
        await page
          .getByRole('button', { name: `${first.number} ` })
          .filter({ hasText: first.customer })
          .waitFor();
    },
  };
}

/** The texts that a board searches from now on. */
function recordSearches(page: Page): string[] {
  const texts: string[] = [];
  page.on('request', (request) => {
    const { operationName, variables } = JSON.parse(request.postData() ?? '{}');
    if (operationName === 'OrderBoard') texts.push(variables.query);
  });
  return texts;
}

describe('order board', () => {
  it('shows columns with counts and customers in six calls', async () => {
    // The first page of an index is compared with a record.
    await testGraph.execute('{ orderSearch { nodes { status } } customerSearch { nodes { title } } }');
    const [{ page, open, fulfilled, canceled, origins, problems }, calls] = await testGraph.recordCalls(async () => {
      const visited = await visit();
      await visited.waitForBoard();
      return visited;
    });
    // Three pages, the counts, the currencies, and the titles of all customers.
    expect(calls.filter((name) => name !== 'AnalyticsService/ListCatalog')).toEqual(Array(6).fill('AnalyticsService/ExecuteQuery'));
    for (const [column, status] of [
      [open, OPEN],
      [fulfilled, FULFILLED],
      [canceled, CANCELED],
    ] as const) {
      const orders = byStatus(status);
      expect(await readNumbers(column)).toEqual(getNumbers(orders).slice(0, PAGE_SIZE));
      const customers = await getCards(column).locator('.title').allInnerTexts();
      expect(customers).toEqual(orders.slice(0, PAGE_SIZE).map(({ customer }) => customer));
      const [changed] = await getCards(column)
        .locator('time')
        .evaluateAll((times) => times.map((time) => Date.parse(time.getAttribute('datetime') ?? '') / 1000));
      expect(changed).toBe(orders[0]?.updated);
    }
    await waitForText(open, `${byStatus(OPEN).length - PAGE_SIZE} remaining`);
    expect(await page.getByRole('button', { name: /^Load more/ }).count()).toBe(1);
    // All orders have the same currency.
    expect(await page.getByLabel('Currency').count()).toBe(0);
    expect([origins(), problems]).toEqual([[new URL(example.url).origin], []]);
  });

  it('loads the next page of one column, and focuses its first card', async () => {
    const { open, waitForBoard, problems } = await visit();
    await waitForBoard();
    const [, calls] = await testGraph.recordCalls(async () => {
      await press(open, 'Load more open orders');
      await open.getByRole('button', { name: 'Load more open orders' }).waitFor({ state: 'detached' });
      await getCards(open).filter({ hasText: '—' }).first().waitFor({ state: 'detached' });
    });
    const numbers = getNumbers(byStatus(OPEN));
    expect(await readNumbers(open)).toEqual(numbers);
    await waitForFocus(getCards(open).nth(PAGE_SIZE));
    // The page, and the titles of its customers.
    expect(calls).toEqual(['AnalyticsService/ExecuteQuery', 'AnalyticsService/ExecuteQuery']);
    expect(problems).toEqual([]);
  });

  it('searches once when the user pauses, and immediately with Enter', async () => {
    // The clock of a page can't be restored.
    const { page, open, waitForBoard, problems } = await visit({ openUrl: browser.openProfile });
    await waitForBoard();
    await page.clock.install();
    await page.clock.pauseAt(new Date(Date.now() + 3_600_000));
    const searches = recordSearches(page);
    const box = page.getByRole('searchbox', { name: 'Number or customer' });
    const found = listOrders().filter(({ customer }) => customer.includes('Solar'));
    for (const text of ['So', 'la', 'r']) {
      await page.clock.runFor(299);
      await box.pressSequentially(text);
    }
    await page.clock.runFor(300);
    await waitForBoard(found);
    expect(await readNumbers(open)).toEqual(getNumbers(byStatus(OPEN, found)).slice(0, PAGE_SIZE));
    const [{ number } = { number: '' }] = byStatus(OPEN);
    await box.fill(number);
    await box.press('Enter');
    await waitForText(page, '1 open, 0 fulfilled, 0 canceled');
    expect(await readNumbers(open)).toEqual([number]);
    await box.fill('none of them');
    await box.press('Enter');
    await waitForText(page, '0 open, 0 fulfilled, 0 canceled');
    expect(await page.locator('.board').getByText('None', { exact: true }).count()).toBe(3);
    expect(searches).toEqual(['Solar', number, 'none of them']);
    expect(problems).toEqual([]);
  });

  it('filters by currency if there are several', async () => {
    const [{ id, number } = { id: '', number: '' }] = byStatus(OPEN);
    updateRow(id, { currency: 'USD' });
    const { page, open, waitForBoard } = await visit();
    await waitForBoard();
    await page.getByLabel('Currency').selectOption('USD');
    await waitForText(page, '1 open, 0 fulfilled, 0 canceled');
    expect(await readNumbers(open)).toEqual([number]);
    expect(await page.getByLabel('Currency').locator('option').allInnerTexts()).toEqual(['All', 'EUR', 'USD']);
    await page.getByLabel('Currency').selectOption('All');
    await waitForBoard();
    updateRow(id, { currency: 'EUR' });
  });

  it('opens an order, cancels it, and moves its card without a reload', async () => {
    const { page, open, canceled, dialog, getCard, waitForBoard, problems } = await visit();
    await waitForBoard();
    const [, { number, version, customer } = { number: '', version: 0, customer: '' }] = byStatus(OPEN);
    const [, calls] = await testGraph.recordCalls(async () => {
      await getCard(number).click();
      await waitForText(page.getByRole('dialog', { name: `Order ${number}` }), 'Paid');
      await dialog.getByRole('link', { name: customer }).waitFor();
      expect(await dialog.getByRole('row').count()).toBeGreaterThan(1);
      await press(dialog, 'Cancel order…');
      await press(dialog, 'Keep order');
      await press(dialog, 'Cancel order…');
      expect(getRow(number)).toMatchObject({ status: OPEN, version });
      await press(dialog, 'Cancel order');
      await waitForText(dialog, 'Canceled.');
    });
    expect(calls).toEqual(['Order/GetOrder', 'Customer/GetCustomer', 'Order/CancelOrder']);
    expect(getRow(number)).toMatchObject({ status: CANCELED, version: version + 1 });
    await waitForText(page, formatCounts());
    expect((await readNumbers(canceled))[0]).toBe(number);
    expect(await readNumbers(open)).not.toContain(number);
    expect(await canceled.locator('.badge').innerText()).toBe(String(byStatus(CANCELED).length));
    expect(await dialog.getByRole('button', { name: 'Cancel order…' }).count()).toBe(0);
    await press(dialog, 'Close');
    await dialog.waitFor({ state: 'detached' });
    await waitForFocus(canceled.getByRole('button', { name: number }));
    // A reload confirms what the page has computed.
    await press(page, 'Reload');
    await waitForBoard();
    expect((await readNumbers(canceled))[0]).toBe(number);
    expect(problems).toEqual([]);
  });

  it('shows the current version after a conflict, and cancels it then', async () => {
    const { dialog, getCard, waitForBoard, problems } = await visit();
    await waitForBoard();
    const [{ id, number, version } = { id: '', number: '', version: 0 }] = byStatus(OPEN);
    await getCard(number).click();
    await waitForText(dialog, 'Paid');
    updateRow(id, { version: version + 1, total_monthly_minor: 4200 });
    await press(dialog, 'Cancel order…');
    await press(dialog, 'Cancel order');
    await waitForText(dialog, 'This order has changed');
    await waitForText(dialog, `You saw version ${version}. The current version is ${version + 1}, as displayed now.`);
    await waitForText(dialog, '€42.00');
    expect(getRow(number)?.status).toBe(OPEN);
    await press(dialog, 'Use latest version');
    await press(dialog, 'Cancel order…');
    await press(dialog, 'Cancel order');
    await waitForText(dialog, 'Canceled.');
    expect([getRow(number)?.status, problems]).toEqual([CANCELED, []]);
  });

  it('explains what blocks a cancellation, and moves the card to its current column', async () => {
    const { page, fulfilled, dialog, getCard, waitForBoard, problems } = await visit();
    await waitForBoard();
    const [{ id, number } = { id: '', number: '' }] = byStatus(OPEN);
    await getCard(number).click();
    await waitForText(dialog, 'Paid');
    updateRow(id, { status: FULFILLED });
    await press(dialog, 'Cancel order…');
    await press(dialog, 'Cancel order');
    await waitForText(dialog, 'The order doesn’t allow this right now');
    await waitForText(dialog, `Order ${number} is fulfilled and can’t be canceled.`);
    await waitForText(page, formatCounts());
    expect(await readNumbers(fulfilled)).toContain(number);
    await press(dialog, 'Dismiss');
    expect([getRow(number)?.status, problems]).toEqual([FULFILLED, []]);
  });

  it('cancels an order with the keyboard only', async () => {
    const { page, open, canceled, dialog, waitForBoard, problems } = await visit();
    const { keyboard } = page;
    await waitForBoard();
    const focused = page.locator(':focus');
    await tabTo(page, getCards(open).first());
    expect(await focused.evaluate((element) => getComputedStyle(element).outlineStyle)).toBe('solid');
    await keyboard.press('ArrowRight');
    await keyboard.press('ArrowRight');
    await waitForFocus(getCards(canceled).first());
    for (const key of ['ArrowLeft', 'ArrowLeft', 'ArrowDown', 'ArrowDown', 'ArrowUp']) await keyboard.press(key);
    const [, { number } = { number: '' }] = byStatus(OPEN);
    expect(await focused.locator('strong').innerText()).toBe(number);
    await keyboard.press('Enter');
    await waitForText(dialog, 'Paid');
    await keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await waitForFocus(getCards(open).nth(1));
    await keyboard.press('Enter');
    const cancel = dialog.getByRole('button', { name: 'Cancel order…' });
    await cancel.waitFor();
    await tabTo(page, cancel);
    await keyboard.press('Enter');
    expect(await focused.innerText()).toBe('Keep order');
    await keyboard.press('Shift+Tab');
    await keyboard.press('Enter');
    await waitForText(dialog, 'Canceled.');
    expect(await focused.innerText()).toBe('Canceled.');
    await keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await waitForFocus(canceled.getByRole('button', { name: number }));
    expect([getRow(number)?.status, problems]).toEqual([CANCELED, []]);
  });

  it('opens an order again right after it was closed', async () => {
    const { page, open, dialog, waitForBoard, problems } = await visit();
    await waitForBoard();
    const card = getCards(open).first();
    await card.click();
    await waitForText(dialog, 'Paid');
    // Both keys wait until the page is idle, and arrive before anything that the first of them schedules.
    await page.evaluate(() => {
      setTimeout(() => {
        for (const end = performance.now() + 1000; performance.now() < end; );
      });
    });
    await Promise.all([page.keyboard.press('Escape'), page.keyboard.press('Enter')]);
    await dialog.getByRole('button', { name: 'Cancel order…' }).waitFor();
    expect(problems).toEqual([]);
  });

  it('repeats a cancellation with the same idempotency key after a lost response', async () => {
    const { page, dialog, getCard, waitForBoard } = await visit();
    await waitForBoard();
    const [{ number, version } = { number: '', version: 0 }] = byStatus(OPEN);
    const keys: string[] = [];
    await page.route(
      (url) => url.pathname === '/graphql',
      async (route) => {
        const body = route.request().postData() ?? '';
        if (!body.includes('CancelOrder')) return route.continue();
        keys.push(JSON.parse(body).variables.input.idempotencyKey);
        if (keys.length > 1) return route.continue();
        await route.fetch();
        return route.abort();
      },
    );
    await getCard(number).click();
    await press(dialog, 'Cancel order…');
    await press(dialog, 'Cancel order');
    await waitForText(dialog, 'Already canceled by the first attempt.');
    await waitForText(page, formatCounts());
    expect(keys).toEqual([expect.any(String), keys[0]]);
    expect(getRow(number)).toMatchObject({ status: CANCELED, version: version + 1 });
  });

  it('says that search needs full access, and which scope is missing', async () => {
    const restricted = await visit({ key: 'demo-regional' });
    await restricted.page.getByText(/^Search needs full access/).waitFor();
    const scopeless = await visit({ key: 'demo-sales' });
    await waitForText(scopeless.page, 'You don’t have access to this. Missing scopes: analytics:read.');
    for (const { page, problems } of [restricted, scopeless]) expect([await page.getByRole('region').count(), problems]).toEqual([0, []]);
  });

  it('says that it is loading, and that the titles of customers failed, until they are loaded again', async () => {
    const queries = testGraph.gate.hold('AnalyticsService/ExecuteQuery');
    const { page, open, waitForBoard } = await visit();
    await queries.arrived;
    await waitForText(page, 'Loading…');
    await page.route(
      (url) => url.pathname === '/graphql',
      (route) => (route.request().postData()?.includes('CustomerTitles') ? route.abort() : route.continue()),
    );
    queries.release();
    await waitForText(page, 'Can’t reach the graph. Check that it’s running.');
    await waitForText(page, formatCounts());
    expect(await getCards(open).first().innerText()).toContain('—');
    await page.unrouteAll();
    await press(page, 'Reload');
    await waitForBoard();
    expect(await page.locator('.notice.failed').count()).toBe(0);
  });

  it('reports a failure, and loads the board again on request', async () => {
    testGraph.sandbox.faults.add({ operation: 'AnalyticsService/ExecuteQuery', status: 503, times: 1_000 });
    const { page, waitForBoard } = await visit();
    await page.locator('.notice.failed').waitFor();
    expect(await page.getByRole('region').count()).toBe(0);
    testGraph.sandbox.faults.clear();
    await press(page, 'Try again');
    await waitForBoard();
    expect(await page.locator('.notice.failed').count()).toBe(0);
  });

  it('fits a phone screen, where columns scroll into view', async () => {
    const { page, canceled, open, dialog, waitForBoard } = await visit({ openUrl: browser.openPhone });
    await waitForBoard();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(PHONE_WIDTH);
    const card = getCards(canceled).first();
    const isInView = (element: Locator) =>
      element.evaluate((node) => {
        const { left, right } = node.getBoundingClientRect();
        return left >= 0 && right <= innerWidth;
      });
    expect([await isInView(getCards(open).first()), await isInView(card)]).toEqual([true, false]);
    await card.focus();
    expect(await isInView(card)).toBe(true);
    await card.press('Enter');
    await waitForText(dialog, 'Paid');
    expect(await isInView(dialog)).toBe(true);
  });
});
