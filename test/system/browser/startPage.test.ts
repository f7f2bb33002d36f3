import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ServedDemo, serveDemoSandbox } from '../../../cli/demoSandbox.ts';
import { readSandboxConfig } from '../../../sandbox/kernel/config.ts';
import { startGraph } from '../../support/testGraph.ts';
import { findViolations } from './accessibility.ts';
import { PHONE_WIDTH, useBrowser } from './browser.ts';

const browser = useBrowser();
let served: ServedDemo;
let graph: Awaited<ReturnType<typeof startGraph>>;
beforeAll(async () => {
  served = await serveDemoSandbox(readSandboxConfig({ SANDBOX_PORT: '0' }));
  graph = await startGraph(served.sandbox.url, { env: { LIVE: 'on', GRAPHIQL_KEY: 'demo-owner' }, app: { demo: served.demo } });
});
afterAll(async () => {
  await graph.close();
  await served.sandbox.close();
});

/** Opens the page and waits for the response to its query. */
async function visit(open = browser.open, url = graph.app.url) {
  const visited = await open(url);
  await visited.page.locator('#query dd').first().waitFor();
  return visited;
}

const pane = (page: Page, demonstration: string) => page.locator(`[data-demonstration="${demonstration}"]`);

/** Runs the page's demonstrations and comparisons. */
async function runAll(page: Page): Promise<void> {
  for (const name of ['move-through-graph', 'move-without-graph', 'create-quote']) {
    await pane(page, name).getByRole('button').first().click();
    await pane(page, name).locator('dd').first().waitFor();
  }
  await page.getByRole('button', { name: 'Compare' }).click();
  await page.locator('#access pre').nth(2).waitFor();
}

it('leads a new user to an endpoint, a key, a query with arguments, its calls, and a safe retry', async () => {
  const { page } = await visit(browser.openProfile);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const readClipboard = () => page.evaluate(() => navigator.clipboard.readText());
  for (const [name, text] of [
    ['Copy the endpoint', `${graph.app.url}/graphql`],
    ['Copy the API key', 'demo-owner'],
    ['Copy the command', expect.stringContaining('curl ')],
  ] as const) {
    await page.getByRole('button', { name, exact: true }).click();
    await expect.poll(readClipboard).toEqual(text);
  }
  const { stdout } = await promisify(execFile)('sh', ['-c', await readClipboard()]);
  expect(JSON.parse(stdout).data.customers.nodes).toHaveLength(3);
  const query = page.locator('#query');
  expect(await query.locator('dt').allInnerTexts()).toContain('Upstream calls');
  for (const name of ['move-through-graph', 'move-without-graph']) await pane(page, name).getByRole('button').first().click();
  await pane(page, 'move-through-graph').getByText('Moved once, as requested.').waitFor();
  await pane(page, 'move-without-graph').getByText('Moved twice: one unit too many.').waitFor();
  await query.getByRole('button', { name: 'Open in GraphiQL' }).click();
  await page.locator('.graphiql-query-editor .view-lines').getByText('quotes(first: 100)').waitFor();
  await page.locator('.graphiql-execute-button').click();
  await page.locator('.result-window .view-lines').getByText('totalOnce').first().waitFor();
});

it('selects the text to copy where the browser has no clipboard', async () => {
  const { page } = await visit(browser.openProfile);
  await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
  await page.getByRole('button', { name: 'Copy the query for the schema' }).click();
  await page.getByText('to copy the selected text.').waitFor();
  expect(await page.evaluate(() => String(getSelection()))).toBe('{ _service { sdl } }');
});

it('displays the calls of a query, and those of a facade that needs one per record', async () => {
  const { page, problems, origins } = await visit();
  const [calls = 0, , perRecord = 0] = (await page.locator('#query dd').allInnerTexts()).map(Number);
  expect(calls).toBeLessThan(10);
  expect(perRecord).toBeGreaterThan(100);
  expect([problems, origins()]).toEqual([[], [graph.app.url]]);
});

it('displays one move through the graph, two without it, and the candidate of a lost creation', async () => {
  const { page } = await visit();
  await runAll(page);
  expect(await pane(page, 'move-through-graph').locator('dd').allInnerTexts()).toEqual(['1', '1']);
  expect(await pane(page, 'move-without-graph').locator('dd').allInnerTexts()).toEqual(['1', '2']);
  expect(await pane(page, 'create-quote').locator('dd').allInnerTexts()).toEqual(['1', 'OutcomeUnknownError']);
  await pane(page, 'create-quote').getByText('“Lost quote ').waitFor();
  await page.getByText('Missing scopes: customer:read.').waitFor();
});

it.each([
  ['', browser.open],
  [', in a browser that blocks storage', browser.openWithoutStorage],
])('opens a query in GraphiQL with its key, using only the keyboard%s', async (_where, open) => {
  const { page } = await visit(open);
  await page.getByLabel('Key to compare').selectOption('demo-warehouse');
  await page.locator('#access').getByRole('button', { name: 'Open in GraphiQL' }).focus();
  await page.keyboard.press('Enter');
  await page.locator('.graphiql-query-editor .view-lines').getByText('query Access').waitFor();
  expect(await page.getByLabel('API key').inputValue()).toBe('demo-warehouse');
  expect(page.url()).not.toContain('demo-');
  await page.locator('.graphiql-query-editor .view-lines').click();
  await page.keyboard.press('ControlOrMeta+Enter');
  await page.locator('.result-window .view-lines').getByText('MISSING_SCOPE').first().waitFor();
});

it('names the demo keys in the empty response pane of GraphiQL, without serious accessibility violations in its panel', async () => {
  const { page } = await browser.open(`${graph.app.url}/graphql`);
  await page.locator('#response-hint').getByText('demo-warehouse: inventory').waitFor();
  await page.getByRole('button', { name: 'Examples and history' }).click();
  for (const part of ['#examples', '#bar', '#response-hint']) expect(await findViolations(page, part)).toEqual([]);
});

it('refetches a customer in another pane when it has changed', async () => {
  const { page, problems } = await visit(browser.open);
  await page.getByLabel('Title of the customer').fill('Heat pump Groningen');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.locator('.watched .title').getByText('Heat pump Groningen').waitFor();
  await page.getByText('Received 1 signal and refetched the customer.').waitFor();
  expect(problems).toEqual([]);
});

it.each(['light', 'dark'] as const)(
  'has no serious accessibility violations and no horizontal scrolling on a phone, %s',
  async (colorScheme) => {
    const { page } = await visit(browser.openPhone);
    await page.emulateMedia({ colorScheme });
    await runAll(page);
    for (const details of await page.locator('details').all()) await details.evaluate((element) => element.setAttribute('open', ''));
    expect(await findViolations(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(PHONE_WIDTH);
    await page.emulateMedia({ colorScheme: null });
  },
);
