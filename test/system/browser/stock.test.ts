import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { toGlobalId } from '../../../src/schema/kit/globalIds.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { useTestGraph } from '../../support/testGraph.ts';
import { findSchemeViolations } from './accessibility.ts';
import { useBrowser } from './browser.ts';
import { signInWithKey, tabTo, usePage } from './page.ts';

const testGraph = useTestGraph();
const browser = useBrowser();
const example = usePage(testGraph);

const getStore = () => testGraph.sandbox.world.store;
const PRODUCT = demoId('product 1');
const INFINITE = demoId('product 13');
const [WAREHOUSE, DEPOT, VAN] = [demoId('location 0'), demoId('location 1'), demoId('location 3')];
const EAN = 1;

/** Opens the stock desk as the owner. */
async function visit(address = 'stock') {
  const visited = await browser.open(`${example.url}#${address}`);
  const { page } = visited;
  await signInWithKey(page);
  return { ...visited, box: page.getByRole('searchbox', { name: 'Scan a barcode, or search' }) };
}

const press = (where: Page | Locator, name: string) => where.getByRole('button', { name, exact: true }).click();
const waitForText = (where: Page | Locator, text: string) => where.getByText(text).waitFor();

const getName = (id: string) => getStore().get<{ name: string }>('SELECT name FROM products WHERE id = :id', { id })?.name ?? '';
const getCode = () =>
  getStore().get<{ value: string }>('SELECT value FROM product_identifiers WHERE product_id = :id AND type = :type', {
    id: PRODUCT,
    type: EAN,
  })?.value ?? '';

/** The available units of the product at a location. */
const getAvailable = (location: string) =>
  getStore().get<{ available: number }>(
    'SELECT CAST(on_hand AS INTEGER) - CAST(reserved AS INTEGER) AS available FROM inventory_balances WHERE product_id = :product AND location_id = :location',
    { product: PRODUCT, location },
  )?.available ?? 0;

const getRow = (page: Page, name: string) => page.getByRole('row', { name });
const readAvailable = async (page: Page, name: string) => Number(await getRow(page, name).getByRole('cell').first().innerText());

const moveElsewhere = async (quantity: number) => {
  const lines = [{ productId: PRODUCT, sourceLocationId: WAREHOUSE, quantity }];
  const { data } = await testGraph.execute('mutation ($input: InventoryMoveInput!) { inventoryMove(input: $input) { __typename } }', {
    input: { destinationLocationId: DEPOT, lines, idempotencyKey: `elsewhere ${quantity}` },
  });
  expect(data.inventoryMove.__typename).toBe('InventoryMovePayload');
};

describe('stock desk', () => {
  it('finds a product by its barcode, and moves stock without a reload, with the keyboard only', async () => {
    const before = getAvailable(WAREHOUSE);
    const { page, box, problems } = await visit();
    const { keyboard } = page;
    await page.getByRole('listitem').first().waitFor();
    await tabTo(page, box);
    const [, calls] = await testGraph.recordCalls(async () => {
      await keyboard.type(getCode());
      await keyboard.press('Enter');
      await page.getByRole('article', { name: getName(PRODUCT) }).waitFor();
      await getRow(page, 'Main warehouse').waitFor();
    });
    // Without a search for the digits.
    expect(calls.sort()).toEqual([
      'Catalog/GetProduct',
      'Inventory/ListInventoryBalances',
      'Inventory/ListProductIdentifiers',
      'Inventory/LookupProductIdentifier',
      'Inventory/SearchInventoryLocations',
    ]);
    expect(await readAvailable(page, 'Main warehouse')).toBe(before);
    await tabTo(page, page.getByRole('combobox', { name: 'To', exact: true }));
    await keyboard.type('Service');
    await keyboard.press('Tab');
    await keyboard.type('7');
    const [, moved] = await testGraph.recordCalls(async () => {
      await keyboard.press('Enter');
      await waitForText(page, 'Moved 7 units from Main warehouse to Service van 1.');
    });
    // The balances come with the response, also that of a location that had none.
    expect(moved).toEqual(['Inventory/MoveInventory', 'Inventory/ListInventoryBalances', 'Inventory/SearchInventoryLocations']);
    expect(await page.locator(':focus').innerText()).toContain('Moved 7 units');
    expect([await readAvailable(page, 'Main warehouse'), await readAvailable(page, 'Service van 1')]).toEqual([before - 7, 7]);
    expect([getAvailable(WAREHOUSE), getAvailable(VAN)]).toEqual([before - 7, 7]);
    // The next scan replaces the text.
    await box.focus();
    expect(await page.evaluate(() => getSelection()?.toString())).toBe(getCode());
    expect(problems).toEqual([]);
  });

  it('says in words that stock is insufficient, and shows the current stock', async () => {
    const before = getAvailable(WAREHOUSE);
    const { page, problems } = await visit(`stock/${encodeURIComponent(toGlobalId('Product', PRODUCT))}`);
    await getRow(page, 'Main warehouse').waitFor();
    await moveElsewhere(before - 3);
    await page.getByLabel('Quantity').fill('5');
    await press(page, 'Move');
    await waitForText(page, 'Not enough stock');
    await waitForText(
      page,
      `Main warehouse has only 3 of the 5 units of ${getName(PRODUCT)} that you need. Choose fewer units, or another location.`,
    );
    await getRow(page, 'Main warehouse').getByRole('cell', { name: '3', exact: true }).first().waitFor();
    expect(getAvailable(WAREHOUSE)).toBe(3);
    expect(await findSchemeViolations(page)).toEqual([]);
    await page.getByLabel('Quantity').fill('3');
    await press(page, 'Move');
    await waitForText(page, 'Moved 3 units');
    expect([getAvailable(WAREHOUSE), problems]).toEqual([0, []]);
  });

  it('explains an unknown outcome, and moves stock once when the user tries again', async () => {
    const before = getAvailable(DEPOT);
    const { page, problems } = await visit(`stock?code=${getCode()}`);
    await getRow(page, 'North depot').waitFor();
    await page.getByLabel('From').selectOption({ label: `North depot · W-02 · ${before} available` });
    await page.route(
      (url) => url.pathname === '/graphql',
      async (route) => {
        if (route.request().postData()?.includes('MoveStock')) await route.fetch();
        return route.abort();
      },
    );
    const [, calls] = await testGraph.recordCalls(async () => {
      await press(page, 'Move');
      await waitForText(page, 'Outcome unknown');
      expect(await page.getByRole('button', { name: 'Move' }).isDisabled()).toBe(true);
      await page.unrouteAll();
      await press(page, 'Try again');
      await waitForText(page, 'Already moved by the first attempt.');
    });
    expect(calls.filter((name) => name === 'Inventory/MoveInventory')).toHaveLength(1);
    expect([getAvailable(DEPOT), await readAvailable(page, 'North depot')]).toEqual([before - 1, before - 1]);
    expect(problems.filter((problem) => !problem.includes('ERR_FAILED'))).toEqual([]);
  });

  it('says that a barcode is unknown, and finds a product by name', async () => {
    const { page, box, problems } = await visit();
    await box.fill('0000000000000');
    await box.press('Enter');
    await waitForText(page, 'No product has the barcode or number “0000000000000”.');
    await waitForText(page, 'No product matches “0000000000000”.');
    await box.fill(getName(INFINITE));
    await page.getByRole('listitem').first().waitFor();
    await box.press('ArrowDown');
    await page.keyboard.press('Enter');
    await waitForText(page, 'This product never runs out, so it has no stock to move.');
    expect([await page.getByRole('button', { name: 'Move' }).count(), problems]).toEqual([0, []]);
  });
});
