import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { toGlobalId } from '../../../src/schema/kit/globalIds.ts';
import { ALL_SCOPES, makeKey } from '../../sandbox/makeKey.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { CUSTOMER, createQuoting } from '../../support/quoting.ts';
import { useTestGraph } from '../../support/testGraph.ts';
import { findSchemeViolations, findViolations } from './accessibility.ts';
import { PHONE_WIDTH, useBrowser } from './browser.ts';
import { signInWithKey, tabTo, usePage, waitForFocus } from './page.ts';

const testGraph = useTestGraph();
const browser = useBrowser();
const example = usePage(testGraph);
const { createQuote } = createQuoting(testGraph);

interface CustomerRow {
  readonly title: string;
  readonly customer_name: string;
  readonly email: string;
  readonly phone: string;
  readonly reference_number: string;
}

function getCustomer(id = CUSTOMER): CustomerRow {
  const row = testGraph.sandbox.world.store.get<CustomerRow>('SELECT * FROM customers WHERE id = :id', { id });
  if (!row) throw new Error(`The sandbox has no customer ${id}.`);
  return row;
}

/** Opens a view with a key. */
async function visit(address = '', key = 'demo-owner') {
  const visited = await browser.open(`${example.url}#${address}`);
  await signInWithKey(visited.page, key);
  return visited;
}

const press = (where: Page, name: string) => where.getByRole('button', { name }).click();
const waitForQuotes = (page: Page) => page.getByRole('region', { name: 'Quotes' }).getByRole('article').first().waitFor();

describe('URL', () => {
  it('leads to the customers if it names no view, day, or ID', async () => {
    const { page, problems } = await visit('customer/%E0%A4%A');
    for (const address of ['customer/%E0%A4%A', 'day/2026-13-40', 'day/tomorrow', 'nonsense', 'orders/%']) {
      await page.goto(`${example.url}#${address}`);
      await page.getByText('This page doesn’t exist.').waitFor();
      expect(await findViolations(page)).toEqual([]);
      await page.getByRole('link', { name: 'Customers', exact: true }).last().click();
      await page.getByRole('heading', { name: 'Customers' }).waitFor();
    }
    expect(problems).toEqual([]);
  });

  it('says that a record doesn’t exist', async () => {
    const { page, problems } = await visit('work/unknown');
    for (const [address, text] of [
      ['work/unknown', 'Work order not found.'],
      ['orders/unknown', 'Order not found.'],
      ['stock/unknown', 'Product not found.'],
      ['customer/unknown', 'No customer found with number unknown.'],
    ] as const) {
      await page.goto(`${example.url}#${address}`);
      await page.getByText(text).waitFor();
    }
    expect(problems).toEqual([]);
  });
});

describe('sign-in without a provider', () => {
  it('asks for an API key in an empty password field, and lists customers', async () => {
    const { page, problems } = await browser.open(example.url);
    const key = page.getByLabel('API key');
    expect([await key.getAttribute('type'), await key.inputValue()]).toEqual(['password', '']);
    await key.focus();
    await page.keyboard.type('demo-owner');
    await page.keyboard.press('Enter');
    const items = page.getByRole('listitem');
    await items.first().waitFor();
    const { data } = await testGraph.execute('{ customers(first: 20) { nodes { title referenceNumber } } }');
    const { nodes } = data.customers;
    expect(await items.locator('span').allInnerTexts()).toEqual(nodes.map(({ title }: { title: string }) => title));
    // The focus continues in the new content, after the navigation.
    await page.keyboard.press('Tab');
    await waitForFocus(page.getByRole('searchbox'));
    await items.getByRole('link').nth(1).press('Enter');
    await page.getByRole('heading', { name: nodes[1].title }).waitFor();
    expect(new URL(page.url()).hash).toBe(`#customer/${nodes[1].referenceNumber}`);
    await page.keyboard.press('Tab');
    await waitForFocus(page.getByRole('link', { name: 'All customers' }));
    expect(problems).toEqual([]);
  });

  it('returns to the form with the reason if the graph rejects the key, and then to the view', async () => {
    const { page } = await visit(`customer/${getCustomer().reference_number}`, 'nonsense');
    await page.getByText('The API key is invalid, expired, or revoked.').waitFor();
    expect(await findSchemeViolations(page)).toEqual([]);
    await signInWithKey(page);
    await waitForQuotes(page);
    await press(page, 'Sign out');
    expect(await page.locator('.notice').count()).toBe(0);
  });

  it('remains signed in with a key of the demo data when the page is reloaded, and with no other key', async () => {
    const { page, problems } = await visit('orders');
    const board = page.getByRole('heading', { name: 'Orders', level: 2 });
    await board.waitFor();
    await page.reload();
    await board.waitFor();
    await press(page, 'Sign out');
    await page.reload();
    await signInWithKey(page, makeKey(testGraph.sandbox.world));
    await board.waitFor();
    await page.reload();
    await page.getByLabel('API key').waitFor();
    expect(await page.evaluate(() => [{ ...sessionStorage }, { ...localStorage }])).toEqual([{}, {}]);
    expect(problems).toEqual([]);
  });

  it('forgets the key and its data when the user signs out', async () => {
    const { page } = await visit(`customer/${getCustomer().reference_number}`);
    await waitForQuotes(page);
    await press(page, 'Sign out');
    expect(await page.getByLabel('API key').inputValue()).toBe('');
    expect(await page.getByRole('article').count()).toBe(0);
    const key = makeKey(testGraph.sandbox.world, { scopes: ALL_SCOPES.filter((scope) => scope !== 'quote:read') });
    await signInWithKey(page, key);
    await page.getByRole('region', { name: 'Quotes' }).getByText('Couldn’t be loaded').waitFor();
  });
});

describe('customer search', () => {
  it('finds a customer by name, email, phone, and number with one call each, with the keyboard only', async () => {
    const { page, problems } = await visit();
    const row = getCustomer();
    const box = page.getByRole('searchbox', { name: 'Name, email, phone, or number' });
    const match = page.getByRole('listitem').filter({ hasText: row.reference_number }).getByRole('link');
    const items = page.getByRole('listitem');
    await items.first().waitFor();
    await tabTo(page, box);
    // People type numbers with the prefix of their country, and with spaces.
    const phone = row.phone.replace('+3120', '020 ').replace(/(\d{3})(\d{4})$/, '$1 $2');
    for (const [text, found] of [
      [row.customer_name, row.customer_name],
      [row.email, row.email],
      [phone, row.phone],
    ] as const) {
      const [, calls] = await testGraph.recordCalls(async () => {
        const response = page.waitForResponse((each) => each.request().postData()?.includes('FindCustomers') === true);
        await box.fill(text);
        await response;
        await items.filter({ hasNotText: found }).first().waitFor({ state: 'detached' });
        await match.waitFor();
      });
      expect(calls).toEqual(['Customer/SearchCustomers']);
    }
    await box.press('ArrowDown');
    await waitForFocus(match);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: row.title }).waitFor();
    await page.goBack();
    await match.waitFor();
    expect(await box.inputValue()).toBe(phone);
    // The only match opens.
    await box.fill(row.reference_number);
    await box.press('Enter');
    await waitForQuotes(page);
    await page.goBack();
    await box.fill('missing');
    await page.getByText('No customer matches “missing”.').waitFor();
    expect(problems).toEqual([]);
  });

  it('shows the number of a customer without a title', async () => {
    const id = demoId('customer 2');
    const { title, reference_number: number } = getCustomer(id);
    const setTitle = (value: string) =>
      testGraph.sandbox.world.store.run('UPDATE customers SET title = :value WHERE id = :id', { id, value });
    setTitle('');
    const { page } = await visit(`customer?q=${number}`);
    await page.locator('.results span').getByText(number, { exact: true }).waitFor();
    setTitle(title);
  });
});

const toAddress = (view: string, type: 'WorkOrder' | 'Product', name: string) =>
  `${view}/${encodeURIComponent(toGlobalId(type, demoId(name)))}`;

/** Each view, with the start of its title, and an element that it has once it's read. */
const VIEWS = [
  { view: 'customers', address: 'customer', title: 'Customers', read: 'listitem' },
  { view: 'a customer', address: () => `customer/${getCustomer().reference_number}`, title: () => getCustomer().title, read: 'article' },
  { view: 'the schedule', address: 'day/2026-03-05', title: 'Thursday', read: 'article' },
  { view: 'open work orders', address: 'work', title: 'Work orders', read: 'listitem' },
  { view: 'a work order', address: toAddress('work', 'WorkOrder', 'work order 0'), title: 'Service the heat pump', read: 'article' },
  { view: 'orders', address: 'orders', title: 'Orders', read: 'listitem' },
  { view: 'products', address: 'stock', title: 'Stock', read: 'listitem' },
  { view: 'the stock of a product', address: toAddress('stock', 'Product', 'product 1'), title: () => getProductName(), read: 'article' },
  { view: 'the dashboard', address: 'numbers', title: 'Dashboard', read: 'table' },
] as const;

const getProductName = () =>
  testGraph.sandbox.world.store.get<{ name: string }>('SELECT name FROM products WHERE id = :id', { id: demoId('product 1') })?.name ?? '';

const resolve = (text: string | (() => string)) => (typeof text === 'string' ? text : text());

const FAILURE = { message: 'The Workspace API can’t be reached.', extensions: { code: 'UPSTREAM_UNAVAILABLE', retry: 'CHECK_FIRST' } };

describe('view', () => {
  it('offers to reload the page if a part of it is missing, while other views work', async () => {
    const { page } = await visit();
    await page.route('**/ImportView*', (route) => route.abort());
    await page.getByRole('link', { name: 'Import' }).click();
    await page.getByText('This view can’t be displayed.').waitFor();
    expect(await findViolations(page)).toEqual([]);
    await page.getByRole('link', { name: 'Orders', exact: true }).click();
    await page.getByRole('heading', { name: 'Orders', level: 2 }).waitFor();
    await page.getByRole('link', { name: 'Import' }).click();
    await page.unrouteAll();
    await press(page, 'Reload the page');
    await page.getByRole('heading', { name: 'Import' }).waitFor();
  });

  it('shows no results of an earlier search after a failure', async () => {
    for (const address of ['customer', 'stock', 'orders']) {
      const { page } = await visit(address);
      const results = page.locator('.results li, .order-card');
      await results.first().waitFor();
      await page.route('**/graphql', (route) => route.abort());
      await page.getByRole('searchbox').fill('solar');
      await page.getByText('Can’t reach the graph').first().waitFor();
      expect(await results.count()).toBe(0);
      await page.unrouteAll();
    }
  });

  it.each(VIEWS)('reads $view again after a failure, in both color schemes and on a phone', async ({ address, title, read }) => {
    const { page, problems } = await browser.openPhone(`${example.url}#${resolve(address)}`);
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.route('**/graphql', (route) => route.fulfill({ json: { errors: [FAILURE] } }));
    await signInWithKey(page);
    const retry = page.getByRole('button', { name: 'Try again' });
    await page.getByText('The workspace isn’t responding.').filter({ visible: true }).first().waitFor();
    expect(await findViolations(page)).toEqual([]);
    await page.unrouteAll();
    // The dashboard has a button for each panel.
    for (let clicks = 0; clicks < 10 && (await retry.count()) > 0; clicks += 1) {
      await retry.first().click();
      await page.getByText('Trying again…').waitFor({ state: 'detached' });
    }
    await page.getByRole(read).first().waitFor();
    await page.locator('.skeleton').waitFor({ state: 'detached' });
    // On a phone, the list next to a selected work order is hidden.
    expect(await page.locator('.notice.failed').filter({ visible: true }).count()).toBe(0);
    // The button that was clicked passed the focus on.
    await page.locator('body :focus').waitFor({ state: 'attached' });
    expect(await page.title()).toMatch(new RegExp(`^${resolve(title)}.* · Desk$`));
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(PHONE_WIDTH);
    const navigation = page.getByRole('navigation', { name: 'Views' });
    const [bar, link] = [await navigation.boundingBox(), await navigation.locator('[aria-current]').boundingBox()];
    // One line, in which the current view is visible.
    expect(bar?.height).toBe(link?.height);
    expect((link?.x ?? 0) + (link?.width ?? 0)).toBeLessThanOrEqual(PHONE_WIDTH);
    expect(await findViolations(page)).toEqual([]);
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.emulateMedia({ colorScheme: 'light' });
    expect(await findViolations(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  it('stores an open order and the filter in the URL', async () => {
    const { data } = await testGraph.execute('{ orderSearch(filter: { statuses: [OPEN] }, first: 1) { nodes { id referenceNumber } } }');
    const [{ id, referenceNumber: number }] = data.orderSearch.nodes;
    const { page, problems } = await visit('orders');
    const search = page.getByRole('searchbox');
    await search.fill(number);
    const card = page.getByRole('button', { name: number });
    await page.getByText('1 open, 0 fulfilled, 0 canceled').waitFor();
    await card.click();
    const getDialog = (where: Page) => where.getByRole('dialog', { name: `Order ${number}` });
    await getDialog(page).getByText('Paid').waitFor();
    expect([new URL(page.url()).hash, await page.title()]).toEqual([
      `#orders/${encodeURIComponent(id)}?q=${number}`,
      `Order ${number} · Desk`,
    ]);
    expect(await findSchemeViolations(page)).toEqual([]);
    // In a new tab, where no card has been read yet.
    const other = await browser.open(page.url());
    await signInWithKey(other.page);
    await getDialog(other.page).getByText('Paid').waitFor();
    expect(await other.page.title()).toBe(`Order ${number} · Desk`);
    await page.goBack();
    await getDialog(page).waitFor({ state: 'detached' });
    await waitForFocus(card);
    expect([await search.inputValue(), await page.title(), problems]).toEqual([number, 'Orders · Desk', []]);
  });
});

const UPDATE = 'mutation ($input: QuoteUpdateInput!) { quoteUpdate(input: $input) { __typename } }';

describe('keyboard', () => {
  it('searches a customer, resolves a conflict, confirms the quote, and moves stock without a mouse', async () => {
    const lines = [{ productId: demoId('product 1'), quantity: 2 }];
    testGraph.sandbox.now += 1;
    const { id } = await createQuote({ lines });
    const { page, problems } = await browser.open(example.url);
    const { keyboard } = page;
    // The newest quote is the first one.
    const activate = async (role: 'button' | 'link', name: string) => {
      await tabTo(page, page.getByRole(role, { name }).first());
      await keyboard.press('Enter');
    };
    await tabTo(page, page.getByLabel('API key'));
    await keyboard.type('demo-owner');
    await keyboard.press('Enter');

    await tabTo(page, page.getByRole('searchbox'));
    const { email } = getCustomer();
    await keyboard.type(email);
    await page.getByRole('listitem').filter({ hasNotText: email }).first().waitFor({ state: 'detached' });
    await keyboard.press('ArrowDown');
    await keyboard.press('Enter');

    await activate('button', 'Change quantities');
    await testGraph.execute(UPDATE, { input: { quoteId: id, expectedVersion: '1', lines: [{ ...lines[0], quantity: 7 }], discounts: [] } });
    await keyboard.type('5');
    await keyboard.press('Enter');
    await activate('button', 'Continue with my quantities');
    await keyboard.press('Enter');
    await page.getByText('Saved.').waitFor();
    await activate('button', 'Confirm');
    await page.getByText('Confirmed as order').waitFor();
    const { data } = await testGraph.execute('query ($id: ID!) { quote(id: $id) { status version lines { quantity } } }', { id });
    expect(data.quote).toMatchObject({ status: 'CONFIRMED', lines: [{ quantity: 5 }] });

    await activate('link', 'Stock');
    await tabTo(page, page.getByRole('searchbox'));
    await keyboard.type('8799000000012');
    await keyboard.press('Enter');
    await tabTo(page, page.getByLabel('Quantity'));
    await keyboard.type('3');
    await keyboard.press('Enter');
    await page.getByText('Moved 3 units from Main warehouse to').waitFor();
    expect(problems).toEqual([]);
  });
});
