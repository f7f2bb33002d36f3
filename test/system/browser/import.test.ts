import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { useTestGraph } from '../../support/testGraph.ts';
import { createWorkbook, number, row, text as textCell } from '../../support/workbook.ts';
import { findSchemeViolations } from './accessibility.ts';
import { PHONE_WIDTH, toNetworkUrl, useBrowser } from './browser.ts';
import { signInWithKey, usePage } from './page.ts';

const testGraph = useTestGraph();
const browser = useBrowser();
/** In development, where the page reads the schema and its modules from other folders of the checkout. */
const example = usePage(testGraph, { isDevelopment: true });

// The sandbox's clock is ahead of the graph's: a record must not seem older than its request.
beforeAll(() => {
  testGraph.sandbox.now = Math.floor(Date.now() / 1_000) + 3_600;
});

/** Signs in, and chooses a file to import. */
async function choose(page: Page, mutation: string, name: string, text: string | Buffer, key = 'demo-owner'): Promise<void> {
  const url = page.url() === 'about:blank' ? example.url : page.url();
  await page.goto(`${url.replace(/#.*/, '')}#import/${mutation}`);
  const signOut = page.getByRole('button', { name: 'Sign out' });
  await signOut.or(page.getByLabel('API key')).waitFor();
  // A key of the demo data is stored.
  if (await signOut.isVisible()) await signOut.click();
  await page.reload();
  await signInWithKey(page, key);
  await page.getByLabel('File').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });
}

const countCalls = (operation: string) => testGraph.sandbox.received.filter((call) => call.operation.endsWith(`/${operation}`)).length;

/** Number of contacts in the sandbox, by last name. */
function countContacts(names: readonly string[]): readonly number[] {
  const rows = testGraph.sandbox.world.store.all<{ readonly name: string }>('SELECT last_name AS name FROM main.contacts');
  return names.map((name) => rows.filter((row) => row.name === name).length);
}

/** Makes writes to IndexedDB fail, after they seem to have succeeded. Returns a function that ends that. */
async function failWrites(page: Page): Promise<() => Promise<void>> {
  const put = await page.evaluateHandle(() => {
    const original = IDBObjectStore.prototype.put;
    IDBObjectStore.prototype.put = function (...args) {
      const request = original.apply(this, args);
      request.addEventListener('success', () => this.transaction.abort());
      return request;
    };
    return original;
  });
  return () =>
    put.evaluate((original) => {
      IDBObjectStore.prototype.put = original;
    });
}

/** Deletes the databases of a page, which closes its connections like a phone that has the page in the background. */
async function closeDatabases(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Storage.clearDataForOrigin', { origin: new URL(page.url()).origin, storageTypes: 'indexeddb' });
  await session.detach();
}

/** The texts of the rows of a table, by cells. */
const readTable = (page: Page, name: string) =>
  page
    .getByRole('region', { name, exact: true })
    .locator('tbody tr')
    .evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => (cell as HTMLElement).innerText)));

describe('import page', () => {
  it('sends the valid rows of a file once it has stored them, and nothing when the file is imported again after a reload', async () => {
    const text = 'lastName,firstName,phoneCountryCode\nBrowser A,Ada,NL\n,Ben,\nBrowser C,Cem,\n';
    const { page, problems } = await browser.openProfile(example.url);
    await choose(page, 'contactCreate', 'contacts.csv', text);
    await page.getByText('3 rows, 1 invalid.').waitFor();
    expect(await readTable(page, 'Rows')).toEqual([
      ['3', 'lastName: lastName is required.', '', 'Ben', ''],
      ['2', '', 'Browser A', 'Ada', 'NL'],
      ['4', '', 'Browser C', 'Cem', ''],
    ]);
    const send = page.getByRole('button', { name: 'Import 2 rows' });
    await page.getByLabel('Import anyway').check();
    expect(await send.isDisabled()).toBe(true);
    await page.getByLabel('Skip invalid rows').check();
    expect(await findSchemeViolations(page)).toEqual([]);
    const restoreWrites = await failWrites(page);
    await send.click();
    await page.getByText('This browser can’t store what is sent').waitFor();
    expect(countCalls('CreateContact')).toBe(0);
    await restoreWrites();
    await send.click();
    await page.getByText('Finished. 2 of 3 rows are applied.').waitFor();
    expect((await readTable(page, 'Results')).map((cells) => cells.slice(0, 2))).toEqual([
      ['3', 'invalid'],
      ['2', 'done'],
      ['4', 'done'],
    ]);
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Download results' }).click()]);
    const lines = readFileSync(await download.path(), 'utf8')
      .trimEnd()
      .split('\n');
    expect([download.suggestedFilename(), lines.map((line) => JSON.parse(line))]).toEqual([
      'contacts.csv.results.jsonl',
      [
        { line: 2, status: 'DONE', ids: { contact: expect.any(String) } },
        { line: 3, status: 'INVALID', problems: [{ column: 'lastName', message: 'lastName is required.' }] },
        { line: 4, status: 'DONE', ids: { contact: expect.any(String) } },
      ],
    ]);
    const before = countCalls('CreateContact');
    await choose(page, 'contactCreate', 'contacts.csv', text);
    await page.getByText('This browser has imported a file with this name before.').waitFor();
    await page.getByText('There is nothing to send.').waitFor();
    expect(await page.getByRole('button', { name: /^(?:Import|Continue)/ }).count()).toBe(0);
    expect([countCalls('CreateContact'), countContacts(['Browser A', 'Browser C'])]).toEqual([before, [1, 1]]);
    await choose(page, 'contactCreate', 'contacts.csv', text, 'demo-sales');
    await page.getByText('This browser has imported contacts.csv with another API key.').waitFor();
    await choose(page, 'contactCreate', 'contacts.csv', text, 'demo-neighbour');
    await page.getByRole('button', { name: 'Import 2 rows' }).waitFor();
    expect(problems).toEqual([]);
  });

  it('continues in another tab, but only after its tab was closed between requests and responses', async () => {
    const names = Array.from({ length: 30 }, (_, index) => `Closed ${index}`);
    const text = `lastName\n${names.join('\n')}\n`;
    const { page } = await browser.openProfile(example.url);
    const { promise: full, resolve } = Promise.withResolvers<void>();
    let count = 0;
    await page.route('**/graphql', async (route) => {
      if (!route.request().postData()?.includes('contactCreate')) return route.continue();
      count += 1;
      if (count <= 5) return route.continue();
      // Applied, but the page never gets the response.
      await route.fetch().catch(() => undefined);
      if (count >= 20) resolve();
    });
    await choose(page, 'contactCreate', 'closed.csv', text);
    await page.getByLabel('Import anyway').check();
    await page.getByRole('button', { name: 'Import 30 rows' }).click();
    await full;
    const next = await page.context().newPage();
    await choose(next, 'contactCreate', 'closed.csv', text);
    await next.getByText('Another tab has opened closed.csv').waitFor();
    await page.close();
    await choose(next, 'contactCreate', 'closed.csv', text);
    await next.getByLabel('Import anyway').check();
    await next.getByRole('button', { name: 'Continue with 30 rows' }).click();
    await next.getByText('Finished.').waitFor();
    expect(countContacts(names)).toEqual(names.map(() => 1));
    expect(new Set((await readTable(next, 'Results')).map(([, status]) => status))).toEqual(new Set(['replayed', 'done']));
  });

  it('lets the user choose what columns are for, and remembers it for files with the same columns', async () => {
    const text = 'Family name;first name;Mobile;Remark\r\nde Vries;Ada;0612345678;x\r\nJansen;Ben;0687654321;\r\n';
    const { page, problems } = await browser.openProfile(example.url);
    await choose(page, 'contactCreate', 'people.csv', text);
    const form = page.getByRole('form', { name: 'Columns' });
    await form.getByText('de Vries · Jansen').waitFor();
    expect(await form.getByLabel('Field of first name').inputValue()).toBe('firstName');
    await form.getByLabel('Field of Family name').selectOption('Last name (required)');
    await form.getByLabel('Field of Mobile').selectOption('First name');
    await form.getByRole('button', { name: 'Use these columns' }).click();
    await form.getByText('First name is chosen more than once.').waitFor();
    await form.getByLabel('Field of Mobile').selectOption('Phone');
    await form.getByText('The same value in all rows').click();
    await form.getByLabel('Phone country code').fill('NL');
    expect(await findSchemeViolations(page)).toEqual([]);
    await form.getByRole('button', { name: 'Use these columns' }).click();
    await page.getByLabel('Import anyway').check();
    await page.getByRole('button', { name: 'Import 2 rows' }).click();
    await page.getByText('Finished.').waitFor();
    const sql =
      "SELECT first_name AS name, phone FROM main.contacts WHERE last_name IN ('de Vries', 'Jansen') AND phone LIKE '+316%' ORDER BY phone";
    await expect
      .poll(() => testGraph.sandbox.world.store.all(sql))
      .toEqual([
        { name: 'Ada', phone: '+31612345678' },
        { name: 'Ben', phone: '+31687654321' },
      ]);
    await choose(page, 'contactCreate', 'people-2.csv', text);
    await page.getByRole('button', { name: 'Change the columns' }).click();
    expect(await form.getByLabel('Field of Mobile').inputValue()).toBe('phone');
    expect(problems).toEqual([]);
  });

  it('updates records that exist, and replaces cells, on a phone', async () => {
    const { page, problems } = await browser.openPhone(example.url);
    await choose(page, 'contactCreate', 'before.csv', 'lastName,email\nBefore,matched@page.example\n');
    await page.getByLabel('Import anyway').check();
    await page.getByRole('button', { name: 'Import 1 row' }).click();
    await page.getByText('Finished.').waitFor();
    await choose(
      page,
      'contactCreate',
      'after.csv',
      'lastName,firstName,email\nAfter,?,MATCHED@page.example\nAdded,Ben,added@page.example\n',
    );
    await page.getByRole('button', { name: 'Change the columns' }).click();
    const form = page.getByRole('form', { name: 'Columns' });
    await form.getByText('Replace cells').nth(1).click();
    await form.getByLabel('Replaced cells of firstName').fill('unknown');
    await form.getByLabel('Records that exist').selectOption('Update the record with the same email');
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(PHONE_WIDTH);
    expect(await findSchemeViolations(page)).toEqual([]);
    await form.getByRole('button', { name: 'Use these columns' }).click();
    await form.getByText('Each replaced cell of firstName needs a line with =').waitFor();
    await form.getByLabel('Replaced cells of firstName').fill('? = Ada');
    await form.getByRole('button', { name: 'Use these columns' }).click();
    await page.getByText('1 row updates a record that exists.').waitFor();
    await page.getByLabel('Import anyway').check();
    await page.getByRole('button', { name: 'Import 2 rows' }).click();
    await page.getByText('Finished. 2 of 2 rows are applied.').waitFor();
    const sql = "SELECT last_name AS last, first_name AS first FROM main.contacts WHERE email LIKE '%@page.example' ORDER BY last_name";
    expect(testGraph.sandbox.world.store.all(sql)).toEqual([
      { last: 'Added', first: 'Ben' },
      { last: 'After', first: 'Ada' },
    ]);
    expect(problems).toEqual([]);
  });

  it('downloads a template with the custom fields of the workspace', async () => {
    const { page, problems } = await browser.open(`${example.url}#import/customerCreate`);
    await signInWithKey(page);
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download a template' }).click();
    const text = readFileSync(await (await downloading).path(), 'utf8');
    expect(text).toMatch(/^title,.*,customFields\.floor_area,/);
    expect(problems).toEqual([]);
  });

  it('imports an Excel workbook', async () => {
    const { page, problems } = await browser.open(example.url);
    const rows = row(1, textCell('A1', 'lastName')) + row(2, number('A2', 4_711.5));
    const workbook = createWorkbook({ Sheet1: rows, Notes: row(1, textCell('A1', 'Remark')) });
    await choose(page, 'contactCreate', 'contacts.xlsx', workbook);
    await page.getByText('has several sheets').waitFor();
    await page.getByText('Notation of the cells, and sheet').click();
    await page.getByLabel('Sheet of a workbook').fill('Sheet1');
    await page.getByRole('button', { name: 'Check the file' }).click();
    await page.getByLabel('Import anyway').check();
    await page.getByRole('button', { name: 'Import 1 row' }).click();
    await page.getByText('Finished. 1 of 1 row is applied.').waitFor();
    expect([countContacts(['4711.5']), problems]).toEqual([[1], []]);
  });

  it('sends rejected rows again', async () => {
    const { page } = await browser.openProfile(example.url);
    await choose(page, 'workOrderCreate', 'rejected.csv', 'customerId,title\n00000000-0000-4000-8000-000000000000,Late\n');
    await page.getByLabel('Import anyway').check();
    await page.getByRole('button', { name: 'Import 1 row' }).click();
    await page.getByText('Finished. 0 of 1 row is applied.').waitFor();
    await page.getByRole('button', { name: 'Continue with 1 row' }).click();
    await page.getByText('Finished. 0 of 1 row is applied.').waitFor();
    expect(countCalls('CreateWorkOrder')).toBe(2);
  });

  it('continues after the browser has closed its database, and stores all rows again', async () => {
    const { page, problems } = await browser.openProfile(example.url);
    const rows = 'lastName\nKept A\nKept B\n';
    await choose(page, 'contactCreate', 'closed-database.csv', rows);
    await page.getByLabel('Import anyway').check();
    await page.route('**/graphql', async (route) => {
      if (!route.request().postData()?.includes('Kept B')) return route.continue();
      await closeDatabases(page);
      return route.continue();
    });
    await page.getByRole('button', { name: 'Import 2 rows' }).click();
    await page.getByText('Finished. 2 of 2 rows are applied.').waitFor();
    await choose(page, 'contactCreate', 'closed-database.csv', rows);
    await page.getByText('There is nothing to send.').waitFor();
    expect([countContacts(['Kept A', 'Kept B']), problems]).toEqual([[1, 1], []]);
  });

  it('explains why it can’t work in a page without HTTPS, or without storage', async () => {
    for (const [{ page }, problem] of [
      [await browser.openProfile(toNetworkUrl(example.url)), 'An import needs HTTPS.'],
      [await browser.openWithoutStorage(example.url), 'This browser blocks storage'],
    ] as const) {
      await choose(page, 'contactCreate', 'contacts.csv', 'lastName\nUnsent\n');
      await page.getByText(problem).waitFor();
    }
  });

  it('links the records that a row with an unknown outcome may have created, and fits a phone screen', async () => {
    const { page } = await browser.openPhone(example.url);
    await choose(page, 'customerCreate', 'lost.csv', 'title,email\nLost in the browser,lost@example.com\n');
    testGraph.sandbox.faults.add({ operation: 'Customer/CreateCustomer', cut: 'after' });
    const send = page.getByRole('button', { name: 'Import 1 row' });
    expect(await send.isDisabled()).toBe(true);
    await page.getByLabel('Import anyway').check();
    await send.click();
    await page.getByText('It may have created one of these records:').waitFor();
    testGraph.sandbox.faults.clear();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(PHONE_WIDTH);
    expect(await findSchemeViolations(page)).toEqual([]);
    await page.getByRole('link', { name: /Lost in the browser/ }).click();
    await page.getByRole('heading', { name: 'Lost in the browser' }).waitFor();
    expect(countCalls('CreateCustomer')).toBe(1);
  });
});
