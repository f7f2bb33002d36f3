import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { FULL } from '../../sandbox/demo.ts';
import { readExamples } from '../../src/server/graphiql/examples.ts';
import { useWorld } from '../support/world.ts';
import { useBrowser } from './browser.ts';

// The data and the key of `npm start`: the examples name its records.
const world = useWorld({ seed: 1, sizes: FULL }, undefined, { env: { GRAPHIQL_KEY: 'demo-owner' } });
const browser = useBrowser();

/** GraphiQL once it knows the schema: it asks for it first of all. */
async function visit() {
  const visited = await browser.open('about:blank');
  const { page } = visited;
  await Promise.all([page.waitForResponse((response) => response.request().method() === 'POST'), page.goto(`${world.url}/graphql`)]);
  await page.getByRole('tab').first().waitFor();
  return visited;
}

const editor = (page: Page) => page.locator('.graphiql-query-editor .view-lines');
const result = (page: Page) => page.locator('.result-window .view-lines');

it('opens on the graph’s own address with the examples in tabs, and asks nobody else for anything', async () => {
  const { page, origins, problems } = await visit();
  const operations = readExamples().map(({ query }) => /^(?:query|mutation) (\w+)/m.exec(query)?.[1]);
  expect(await page.getByRole('tab').allInnerTexts()).toEqual(operations);
  expect(origins()).toEqual([world.url]);
  expect(problems).toEqual([]);
});

it('shows its title on one line', async () => {
  const { page } = await visit();
  const lines = await page.getByText('Workspace Graph', { exact: true }).evaluate((element) => {
    const text = document.createRange();
    text.selectNodeContents(element);
    return [...text.getClientRects()].length;
  });
  expect(lines).toBe(1);
});

it('checks the document in its worker', async () => {
  const { page, problems } = await visit();
  await editor(page).click();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('{ viewr { __typename } }');
  await page.locator('.graphiql-query-editor .squiggly-error').first().waitFor();
  expect(page.workers().length).toBeGreaterThan(0);
  expect(problems).toEqual([]);
});

it('runs nothing that is put into it, and calls nobody else', async () => {
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
  expect(origins()).toEqual([world.url]);
});

it('completes the name of a field', async () => {
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

it('runs the example that it opens with, with the key that it was given', async () => {
  const { page, origins } = await visit();
  const [, calls] = await world.calls(async () => {
    await page.locator('.graphiql-execute-button').click();
    await result(page).getByText('Demo Works').waitFor();
  });
  expect(calls).toContain('Customer/LookupCustomersByIdentifier');
  expect(origins()).toEqual([world.url]);
});

it('runs the example of another tab, with its variables', async () => {
  const { page, problems } = await visit();
  await page.getByRole('tab', { name: 'QuoteUpdate' }).click();
  await editor(page).getByText('mutation QuoteUpdate').waitFor();
  // GraphiQL finds the operation a moment after the switch, and stores the variables later still.
  await expect.poll(() => page.evaluate(() => localStorage.getItem('graphiql:variables'))).toContain('quoteId');
  const [, calls] = await world.calls(async () => {
    await page.locator('.graphiql-execute-button').click();
    await result(page).getByText('DONE').waitFor();
  });
  expect(calls).toEqual(['Quote/UpdateQuote']);
  await page.getByRole('tab', { name: 'Backorders' }).click();
  await editor(page).getByText('query Backorders').waitFor();
  expect(problems).toEqual([]);
});
