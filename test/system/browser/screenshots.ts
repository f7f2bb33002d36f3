// Updates the screenshots in the docs from a graph over a sandbox with demo data: `node test/system/browser/screenshots.ts`, after
// `node scripts/install.ts examples/web test/system`. Requires Chromium at /usr/bin/chromium or CHROMIUM_PATH.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { createServer } from 'vite';
import { serveDemoSandbox } from '../../../cli/demoSandbox.ts';
import { readSandboxConfig } from '../../../sandbox/kernel/config.ts';
import { serveGraph } from '../../../src/server/serve.ts';

const FOLDER = 'docs/images';
const WIDTH = 1280;

async function takeScreenshot(
  browser: Browser,
  name: string,
  url: string,
  prepare: (page: Page) => Promise<void>,
  options: BrowserContextOptions = { viewport: { width: WIDTH, height: 850 } },
): Promise<void> {
  const page = await browser.newPage(options);
  await page.goto(url);
  await prepare(page);
  // Wait for the transitions of charts and panels.
  await page.waitForTimeout(1_500);
  await page.screenshot({ path: join(FOLDER, `${name}.png`) });
  await page.close();
}

const graphiql = async (page: Page): Promise<void> => {
  await page.waitForResponse((response) => response.request().method() === 'POST');
  await page.locator('.graphiql-execute-button').click();
  await page.locator('.result-window .view-lines').getByText('Demo Works').waitFor();
};

const desk = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Sign in' }).click();
};

const board = async (page: Page): Promise<void> => {
  await desk(page);
  await page.locator('.order-card .title', { hasText: /\w/ }).first().waitFor();
};

/** The first example of the start page, with its second result: the first request also starts the graph up. */
const startPage = async (page: Page): Promise<void> => {
  await page.locator('#query dd').first().waitFor();
  await page.locator('#query .run').click();
  // Without the lines between the sections.
  await page.locator('#query').evaluate((section) => window.scrollBy(0, section.getBoundingClientRect().top + 8));
};

const { sandbox, demo } = await serveDemoSandbox(readSandboxConfig({ SANDBOX_PORT: '0' }));
const env = { GRAPHIQL_KEY: 'demo-owner', LOG_LEVEL: 'warn', PORT: '0', LEDGER_URL: 'file::memory:', UPSTREAM_URL: sandbox.url };
const graph = await serveGraph(env, demo);
process.env.GRAPH_URL = `${graph.url}/graphql`;
const web = await createServer({ root: 'examples/web', configFile: 'examples/web/vite.config.ts', server: { port: 0 }, logLevel: 'error' });
await web.listen();
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM_PATH || '/usr/bin/chromium', args: ['--no-sandbox'] });
mkdirSync(FOLDER, { recursive: true });
await takeScreenshot(browser, 'graphiql-1280', `${graph.url}/graphql`, graphiql);
await takeScreenshot(browser, 'desk-1280', `${web.resolvedUrls?.local[0]}#numbers`, desk);
await takeScreenshot(browser, 'orders-1280', `${web.resolvedUrls?.local[0]}#orders`, board);
for (const colorScheme of ['light', 'dark'] as const) {
  const options = { viewport: { width: 840, height: 544 }, deviceScaleFactor: 2, colorScheme };
  await takeScreenshot(browser, `start-${colorScheme}`, graph.url, startPage, options);
}
await browser.close();
await web.close();
await graph.close();
await sandbox.close();
