import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { FULL } from '../../../sandbox/demo.ts';
import { readExamples } from '../../../src/server/graphiql/graphiql.ts';
import { useTestGraph } from '../../support/testGraph.ts';
import { findViolations } from './accessibility.ts';
import { PHONE_WIDTH, useBrowser, type Visit } from './browser.ts';

// The data and the key of `npm start`, because the examples use its records.
const testGraph = useTestGraph({ seed: 1, sizes: FULL }, undefined, { env: { GRAPHIQL_KEY: 'demo-owner' } });
const browser = useBrowser();

/** Wide enough for the panel to stay open. */
const WIDE = { width: 1600, height: 900 };

const tabs = (page: Page) => page.locator('.graphiql-tab-button');

/** Opens GraphiQL and waits for the schema, which is its first request. */
async function load(visited: Visit) {
  const { page } = visited;
  await Promise.all([page.waitForResponse((response) => response.request().method() === 'POST'), page.goto(`${testGraph.url}/graphql`)]);
  await tabs(page).first().waitFor();
  return visited;
}

async function visit(viewport = WIDE) {
  const visited = await browser.open('about:blank');
  await visited.page.setViewportSize(viewport);
  return load(visited);
}

const editor = (page: Page) => page.locator('.graphiql-query-editor .view-lines');
/** While an operation is executed, the button stops it. */
const executeButton = (page: Page) => page.getByRole('button', { name: /^Execute query/ });
const result = (page: Page) => page.locator('.result-window .view-lines');

/** The button of an example in the panel. */
const example = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Examples' }).getByRole('button', { name: new RegExp(`^${name} `) });

/** The button that opens and closes the panel. */
const toggle = (page: Page) => page.getByRole('button', { name: 'Examples and history' });

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
  expect(await tabs(page).allInnerTexts()).toEqual([operations[0]]);
  expect(origins()).toEqual([testGraph.url]);
  expect(problems).toEqual([]);
});

it('gives the response 40 % of a window of 1280 pixels, and 30 % next to the documentation', async () => {
  const { page } = await visit({ width: 1280, height: 800 });
  await editor(page).getByText('query').first().waitFor();
  const getShare = () => page.locator('.graphiql-response').evaluate((element) => element.getBoundingClientRect().width / innerWidth);
  expect(await getShare()).toBeGreaterThanOrEqual(0.4);
  await page.getByRole('button', { name: 'Show Documentation Explorer' }).click();
  await page.locator('.graphiql-doc-explorer').waitFor();
  expect(await getShare()).toBeGreaterThanOrEqual(0.3);
});

it('filters the examples by search words', async () => {
  const { page } = await visit();
  await page.getByLabel('Filter examples').fill('sales confirm');
  const seen = page.getByRole('navigation', { name: 'Examples' }).getByRole('button');
  await expect
    .poll(() => seen.evaluateAll((buttons) => buttons.map(({ firstChild }) => firstChild?.textContent)))
    .toEqual(['QuoteConfirm']);
  expect(await page.getByRole('heading', { name: 'Inventory' }).count()).toBe(0);
  await page.getByLabel('Filter examples').fill('nothing like this');
  await page.getByRole('status').getByText('No example matches.').waitFor();
});

it('replaces the open example, but opens a tab next to edited text, without executing anything', async () => {
  const { page, problems } = await visit();
  const [, calls] = await testGraph.recordCalls(async () => {
    await example(page, 'Backorders').click();
    await editor(page).getByText('query Backorders').waitFor();
    await expect.poll(() => tabs(page).allInnerTexts()).toEqual(['Backorders']);
    await editor(page).click();
    await page.keyboard.press('ControlOrMeta+Home');
    await page.keyboard.type('# mine');
    await page.keyboard.press('Enter');
    await example(page, 'StockMove').click();
    await editor(page).getByText('mutation StockMove').waitFor();
    await expect.poll(() => tabs(page).allInnerTexts()).toEqual(['Backorders', 'StockMove']);
    await tabs(page).getByText('Backorders').click();
    await editor(page).getByText('# mine').waitFor();
  });
  expect(calls).toEqual([]);
  expect(problems).toEqual([]);
});

it('opens an example next to one that was executed, and marks the open tab', async () => {
  const { page } = await visit();
  await executeButton(page).click();
  await result(page).getByText('Demo Works').waitFor();
  await example(page, 'Backorders').click();
  await editor(page).getByText('query Backorders').waitFor();
  await expect.poll(() => tabs(page).allInnerTexts()).toEqual(['FirstLook', 'Backorders']);
  await expect.poll(() => page.locator('.graphiql-tab-button[aria-current]').allInnerTexts()).toEqual(['Backorders']);
});

it('adds fields and arguments with the explorer, using only the keyboard', async () => {
  const { page, problems } = await visit();
  await editor(page).getByText('query FirstLook').waitFor();
  await page.getByRole('button', { name: 'Show GraphiQL Explorer' }).focus();
  await page.keyboard.press('Enter');
  const explorer = page.locator('.graphiql-explorer-root');
  await explorer.getByLabel('referenceNumber').waitFor();
  await page.waitForFunction(() => document.activeElement?.matches('.graphiql-sidebar .active'));
  await expect.poll(() => page.locator('.doc-explorer-title').evaluate((title) => title.getBoundingClientRect().top >= 0)).toBe(true);
  await page.keyboard.press('Tab');
  const contacts = explorer.locator('.graphiql-explorer-contacts').first();
  await contacts.getByRole('button').first().focus();
  await page.keyboard.press('Enter');
  await contacts.locator('[data-arg-name="first"]').getByRole('button').focus();
  await page.keyboard.press(' ');
  await contacts.getByLabel('first').fill('7');
  // The editor only renders the lines that are visible.
  const readDocument = () =>
    page.evaluate(`monaco.editor.getModels().find(({ uri }) => uri.path.endsWith('operation.graphql')).getValue()`);
  await expect.poll(readDocument).toContain('contacts(first: 7)');
  const names = await explorer
    .locator(':scope > div > [id] > .graphiql-explorer-node')
    .evaluateAll((fields) =>
      fields
        .toSorted((one, other) => one.getBoundingClientRect().top - other.getBoundingClientRect().top)
        .map((field) => field.textContent),
    );
  expect([names[0], names.slice(-2)]).toEqual(['actionRequest', ['_entities', '_service']]);
  expect(problems).toEqual([]);
});

it.each(['light', 'dark'] as const)(
  'has no serious accessibility violations, also with the documentation or the explorer, %s',
  async (colorScheme) => {
    const visited = await browser.openProfile('about:blank');
    const { page } = visited;
    await page.emulateMedia({ colorScheme });
    await load(visited);
    await executeButton(page).click();
    await result(page).getByText('Demo Works').waitFor();
    expect(await findViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Show Documentation Explorer' }).click();
    await page.locator('.graphiql-doc-explorer-root-type').first().waitFor();
    expect(await findViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Show GraphiQL Explorer' }).click();
    await page.locator('.graphiql-explorer-root').getByLabel('referenceNumber').waitFor();
    expect(await findViolations(page)).toEqual([]);
  },
);

it('toggles the panel with the keyboard', async () => {
  const { page } = await visit();
  await key(page).focus();
  await page.keyboard.press('Escape');
  expect(await key(page).isVisible()).toBe(false);
  // The button that opens the panel has the focus.
  await page.keyboard.press('Enter');
  expect(await key(page).isVisible()).toBe(true);
});

it('covers the editors with the panel below 1600 pixels, and closes it once an example is chosen', async () => {
  const { page } = await visit({ width: 1599, height: 900 });
  expect(await key(page).isVisible()).toBe(false);
  await toggle(page).click();
  await example(page, 'Backorders').click();
  await editor(page).getByText('query Backorders').waitFor();
  expect(await key(page).isVisible()).toBe(false);
});

it('displays one pane at a time on a phone', async () => {
  const { page, problems } = await load(await browser.openPhone('about:blank'));
  const parts = {
    panel: key(page),
    document: editor(page),
    response: page.locator('.graphiql-response'),
    docs: page.locator('.graphiql-doc-explorer'),
  };
  const listVisible = async () => {
    const visible = await Promise.all(Object.values(parts).map((part) => part.isVisible()));
    return Object.keys(parts).filter((_name, index) => visible[index]);
  };
  await expect.poll(listVisible).toEqual(['document']);
  // Each click fails if something else covers its button.
  await executeButton(page).click();
  await result(page).getByText('Demo Works').waitFor();
  expect(await listVisible()).toEqual(['response']);
  await page.getByRole('button', { name: 'Show Documentation Explorer' }).click();
  await expect.poll(listVisible).toEqual(['docs']);
  await page.getByRole('button', { name: 'Query', exact: true }).click();
  await expect.poll(listVisible).toEqual(['document']);
  await page.getByRole('button', { name: 'Response', exact: true }).click();
  await toggle(page).click();
  await example(page, 'Backorders').click();
  await editor(page).getByText('query Backorders').waitFor();
  await expect.poll(listVisible).toEqual(['document']);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(PHONE_WIDTH);
  expect(problems).toEqual([]);
});

it('explains the empty response pane until a response arrives', async () => {
  const { page } = await visit();
  const hint = page.getByText('To set the API key, open “Examples and history”.');
  await hint.waitFor();
  await executeButton(page).click();
  await result(page).getByText('Demo Works').waitFor();
  expect(await hint.isVisible()).toBe(false);
});

it('reaches the panel after GraphiQL with Tab', async () => {
  const { page } = await visit();
  await toggle(page).focus();
  await page.keyboard.press('Shift+Tab');
  expect(await page.evaluate(() => document.activeElement?.closest('#root') !== null)).toBe(true);
});

it('sends the entered API key and stores it only for the current tab', async () => {
  const { page } = await visit();
  await key(page).fill('demo-warehouse');
  await executeButton(page).click();
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

it('lists executed documents with their variables, newest first, and reopens one without executing it', async () => {
  const { page, problems } = await visit();
  const entries = page.locator('#history li button');
  const listNames = () => entries.evaluateAll((buttons) => buttons.map(({ firstChild }) => firstChild?.textContent));
  const execute = () => executeButton(page).click();
  expect(await page.locator('#history').isVisible()).toBe(false);
  await execute();
  await expect.poll(listNames).toEqual(['FirstLook']);
  await example(page, 'OrderBilling').click();
  await expect.poll(() => page.evaluate(() => localStorage.getItem('graphiql:variables'))).toContain('orderId');
  await execute();
  await expect.poll(listNames).toEqual(['OrderBilling', 'FirstLook']);
  await tabs(page).getByText('FirstLook').click();
  await editor(page).getByText('query FirstLook').waitFor();
  await execute();
  await expect.poll(listNames).toEqual(['FirstLook', 'OrderBilling']);

  await page.reload();
  await editor(page).getByText('query FirstLook').waitFor();
  await page.getByText('History', { exact: true }).click();
  const [, calls] = await testGraph.recordCalls(async () => {
    await entries.filter({ hasText: 'OrderBilling' }).click();
    await editor(page).getByText('query OrderBilling').waitFor();
    await editor(page).getByText('# Query the billing of an order').waitFor();
    await page.locator('.graphiql-editor-tool').getByText('"orderId"').waitFor();
  });
  expect(calls).toEqual([]);
  await page.getByRole('button', { name: 'Clear history' }).click();
  expect(await page.locator('#history').isVisible()).toBe(false);
  expect(await page.evaluate(() => localStorage.getItem('workspace-graph:history'))).toBeNull();
  expect(problems).toEqual([]);
});

it('prefers a key in the header editor', async () => {
  const { page } = await visit();
  await page.getByRole('button', { name: 'Headers' }).click();
  await page.locator('.graphiql-editor-tool .view-lines').last().click();
  await page.keyboard.type('{ "X-API-Key": "demo-warehouse" }');
  await executeButton(page).click();
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

it('lists the fields of queries before those for gateways, and each scope once', async () => {
  const { page } = await visit();
  await page.getByRole('button', { name: 'Show Documentation Explorer' }).click();
  const docs = page.locator('.graphiql-doc-explorer');
  await docs.getByText('Query', { exact: true }).first().click();
  const names = await docs.locator('.graphiql-doc-explorer-field-name').allInnerTexts();
  expect(names.slice(-2).toSorted()).toEqual(['_entities', '_service']);
  const search = docs.getByText('Searches the payments of the workspace.', { exact: false }).first();
  const scopes = Array.from((await search.innerText()).matchAll(/\w+:read/g), ([scope]) => scope);
  expect(scopes.toSorted()).toEqual(['analytics:read', 'payment:read']);
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
    await executeButton(page).click();
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
    await executeButton(page).click();
    await result(page).getByText('DONE').waitFor();
  });
  expect(calls).toEqual(['Quote/UpdateQuote']);
  expect(problems).toEqual([]);
});
