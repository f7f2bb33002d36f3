import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { FULL } from '../../../sandbox/demo.ts';
import { readExamples } from '../../../src/server/graphiql/graphiql.ts';
import { useTestGraph } from '../../support/testGraph.ts';
import { useBrowser } from './browser.ts';

// The data and the key of `npm start`, because the examples use its records.
const testGraph = useTestGraph({ seed: 1, sizes: FULL }, undefined, { env: { GRAPHIQL_KEY: 'demo-owner' } });
const browser = useBrowser();

/** Opens GraphiQL and waits for the schema, which is its first request. */
async function visit(viewport?: { readonly width: number; readonly height: number }) {
  const visited = await browser.open('about:blank');
  const { page } = visited;
  if (viewport) await page.setViewportSize(viewport);
  await Promise.all([page.waitForResponse((response) => response.request().method() === 'POST'), page.goto(`${testGraph.url}/graphql`)]);
  await page.getByRole('tab').first().waitFor();
  return visited;
}

const editor = (page: Page) => page.locator('.graphiql-query-editor .view-lines');
const result = (page: Page) => page.locator('.result-window .view-lines');

/** The button of an example in the panel. */
const example = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Examples' }).getByRole('button', { name: new RegExp(`^${name} `) });

const key = (page: Page) => page.getByLabel('API key');

it('opens at the graph’s URL with all examples in a panel by area, and sends no third-party requests', async () => {
  const { page, origins, problems } = await visit();
  const operations = readExamples().map(({ query }) => /^(?:query|mutation) (\w+)/m.exec(query)?.[1]);
  const panel = page.getByRole('navigation', { name: 'Examples' });
  const listed = await panel.getByRole('button').evaluateAll((buttons) => buttons.map(({ firstChild }) => firstChild?.textContent));
  expect(listed.toSorted()).toEqual(operations.toSorted());
  expect(await panel.getByRole('heading').allInnerTexts()).toEqual(
    expect.arrayContaining(['CUSTOMERS', 'SALES', 'INVENTORY', 'WORK', 'ANALYTICS']),
  );
  expect(await page.getByRole('tab').allInnerTexts()).toEqual([operations[0]]);
  expect(origins()).toEqual([testGraph.url]);
  expect(problems).toEqual([]);
});

it('fits at least 60 columns of documents and 35 of responses into a window of 1280 pixels, next to the panel', async () => {
  const { page } = await visit({ width: 1280, height: 800 });
  await editor(page).getByText('query').first().waitFor();
  expect(await key(page).isVisible()).toBe(true);
  const columns = () =>
    page.evaluate(() => {
      interface Editor {
        getModel(): { readonly uri: { readonly path: string } } | null;
        getLayoutInfo(): { readonly viewportColumn: number };
      }
      const { monaco } = globalThis as unknown as { readonly monaco: { readonly editor: { getEditors(): readonly Editor[] } } };
      const editors = monaco.editor.getEditors();
      return ['operation.graphql', 'response.json'].map(
        (name) => editors.find((each) => each.getModel()?.uri.path.endsWith(name))?.getLayoutInfo().viewportColumn ?? 0,
      );
    });
  await expect.poll(async () => (await columns()).every((count, index) => count >= (index === 0 ? 60 : 35))).toBe(true);
});

it('filters the examples by search words', async () => {
  const { page } = await visit();
  await page.getByLabel('Filter examples').fill('sales confirm');
  const seen = page.getByRole('navigation', { name: 'Examples' }).getByRole('button');
  await expect
    .poll(() => seen.evaluateAll((buttons) => buttons.map(({ firstChild }) => firstChild?.textContent)))
    .toEqual(['QuoteConfirm']);
  expect(await page.getByRole('heading', { name: 'Inventory' }).count()).toBe(0);
});

it('replaces the open example, but opens a tab next to edited text, without executing anything', async () => {
  const { page, problems } = await visit();
  const [, calls] = await testGraph.recordCalls(async () => {
    await example(page, 'Backorders').click();
    await editor(page).getByText('query Backorders').waitFor();
    await expect.poll(() => page.getByRole('tab').allInnerTexts()).toEqual(['Backorders']);
    await editor(page).click();
    await page.keyboard.press('ControlOrMeta+Home');
    await page.keyboard.type('# mine');
    await page.keyboard.press('Enter');
    await example(page, 'StockMove').click();
    await editor(page).getByText('mutation StockMove').waitFor();
    await expect.poll(() => page.getByRole('tab').allInnerTexts()).toEqual(['Backorders', 'StockMove']);
    await page.getByRole('tab', { name: 'Backorders' }).click();
    await editor(page).getByText('# mine').waitFor();
  });
  expect(calls).toEqual([]);
  expect(problems).toEqual([]);
});

it('toggles the panel with the keyboard', async () => {
  const { page } = await visit();
  await key(page).focus();
  await page.keyboard.press('Escape');
  expect(await key(page).isVisible()).toBe(false);
  // The button that opens the panel has the focus.
  await page.keyboard.press('Enter');
  expect(await key(page).isVisible()).toBe(true);
});

it('covers the editor on a small screen only while the panel is open', async () => {
  const { page, problems } = await visit({ width: 390, height: 844 });
  expect(await key(page).isVisible()).toBe(false);
  await page.getByRole('button', { name: 'Examples', exact: true }).click();
  await example(page, 'Backorders').click();
  await editor(page).getByText('query Backorders').waitFor();
  expect(await key(page).isVisible()).toBe(false);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  expect(problems).toEqual([]);
});

it('sends the entered API key and stores it only for the current tab', async () => {
  const { page } = await visit();
  await key(page).fill('demo-warehouse');
  await page.locator('.graphiql-execute-button').click();
  await result(page).getByText('MISSING_SCOPE').first().waitFor();
  await page.reload();
  await expect.poll(() => key(page).inputValue()).toBe('demo-warehouse');
  expect(await page.evaluate(() => JSON.stringify(Object.entries(localStorage)))).not.toContain('demo-');
  expect(page.url()).not.toContain('demo-');
  const [other] = await Promise.all([
    page.context().waitForEvent('page'),
    page.evaluate(() => void window.open('/graphql', '_blank', 'noopener')),
  ]);
  await expect.poll(() => other.getByLabel('API key').inputValue()).toBe('demo-owner');
});

it('prefers a key in the header editor', async () => {
  const { page } = await visit();
  await page.getByRole('button', { name: 'Headers' }).click();
  await page.locator('.graphiql-editor-tool .view-lines').last().click();
  await page.keyboard.type('{ "X-API-Key": "demo-warehouse" }');
  await page.locator('.graphiql-execute-button').click();
  await result(page).getByText('MISSING_SCOPE').first().waitFor();
});

it('documents the scopes, cost, and provenance of a field, and starts with the description of the graph', async () => {
  const { page } = await visit();
  await page.getByRole('button', { name: 'Show Documentation Explorer' }).click();
  const docs = page.locator('.graphiql-doc-explorer');
  await docs.getByText(/^Customers, portfolios, catalog/).waitFor();
  await docs.getByText('Mutation', { exact: true }).first().click();
  const facts = await docs.getByText(/^Requires .* Costs \d+ upstream calls?\./).allInnerTexts();
  expect(facts.length).toBeGreaterThan(70);
  expect(facts).toContain('Requires inventory:move. Costs 1 upstream call.');
  expect(facts.filter((fact) => fact.endsWith('Its shape isn’t documented upstream.')).length).toBeGreaterThan(10);
});

it('renders its title on one line', async () => {
  const { page } = await visit();
  const lines = await page.getByText('Workspace Graph', { exact: true }).evaluate((element) => {
    const text = document.createRange();
    text.selectNodeContents(element);
    return [...text.getClientRects()].length;
  });
  expect(lines).toBe(1);
});

it('validates the document in its worker', async () => {
  const { page, problems } = await visit();
  await editor(page).click();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('{ viewr { __typename } }');
  await page.locator('.graphiql-query-editor .squiggly-error').first().waitFor();
  expect(page.workers().length).toBeGreaterThan(0);
  expect(problems).toEqual([]);
});

it('executes no injected script and sends no third-party requests', async () => {
  const { page, problems, origins } = await visit();
  const ran = await page.evaluate(async () => {
    const script = document.createElement('script');
    script.textContent = 'window.ran = true';
    document.body.append(script);
    const called = await fetch('http://127.0.0.1:9/').then(
      () => 'called',
      () => 'refused',
    );
    return [(window as { ran?: boolean }).ran, called];
  });
  expect(ran).toEqual([undefined, 'refused']);
  expect(problems.filter((text) => text.includes('Content Security Policy')).length).toBeGreaterThanOrEqual(2);
  expect(origins()).toEqual([testGraph.url]);
});

it('completes a field name', async () => {
  const { page, problems } = await visit();
  await editor(page).click();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('{ view');
  await page
    .locator('.suggest-widget')
    .getByRole('option', { name: /^viewer\b/ })
    .waitFor();
  await page.keyboard.press('Enter');
  await editor(page).getByText('viewer').waitFor();
  expect(await editor(page).innerText()).toMatch(/^\{\s*viewer\s*\}$/);
  expect(problems).toEqual([]);
});

it('executes the initial example with the configured key', async () => {
  const { page, origins } = await visit();
  const [, calls] = await testGraph.recordCalls(async () => {
    await page.locator('.graphiql-execute-button').click();
    await result(page).getByText('Demo Works').waitFor();
  });
  expect(calls).toContain('Customer/LookupCustomersByIdentifier');
  expect(origins()).toEqual([testGraph.url]);
});

it('executes another example with its variables', async () => {
  const { page, problems } = await visit();
  await example(page, 'QuoteUpdate').click();
  await editor(page).getByText('mutation QuoteUpdate').waitFor();
  // GraphiQL detects the operation shortly after the switch and stores the variables even later.
  await expect.poll(() => page.evaluate(() => localStorage.getItem('graphiql:variables'))).toContain('quoteId');
  const [, calls] = await testGraph.recordCalls(async () => {
    await page.locator('.graphiql-execute-button').click();
    await result(page).getByText('DONE').waitFor();
  });
  expect(calls).toEqual(['Quote/UpdateQuote']);
  expect(problems).toEqual([]);
});
