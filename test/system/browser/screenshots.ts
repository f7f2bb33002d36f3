// Updates the screenshots in the docs from a graph over a sandbox with demo data: `node test/system/browser/screenshots.ts`, after
// `node scripts/install.ts examples/web test/system`. Requires Chromium at /usr/bin/chromium or CHROMIUM_PATH.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { createServer } from 'vite';
import { readSandboxConfig } from '../../../sandbox/kernel/config.ts';
import { serveSandbox } from '../../../sandbox/serve.ts';
import { serveGraph } from '../../../src/server/serve.ts';

const FOLDER = 'docs/images';
const WIDTH = 1280;

async function takeScreenshot(browser: Browser, name: string, url: string, prepare: (page: Page) => Promise<void>): Promise<void> {
  const page = await browser.newPage({ viewport: { width: WIDTH, height: 850 } });
  await page.goto(url);
  await prepare(page);
  // Wait for the transitions of charts and panels.
  await page.waitForTimeout(1_500);
  await page.screenshot({ path: join(FOLDER, `${name}-${WIDTH}.png`) });
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

const sandbox = await serveSandbox(readSandboxConfig({ SANDBOX_PORT: '0' }));
const env = { GRAPHIQL_KEY: 'demo-owner', LOG_LEVEL: 'warn', PORT: '0', LEDGER_URL: 'file::memory:', UPSTREAM_URL: sandbox.url };
const graph = await serveGraph(env);
process.env.GRAPH_URL = `${graph.url}/graphql`;
const web = await createServer({ root: 'examples/web', configFile: 'examples/web/vite.config.ts', server: { port: 0 }, logLevel: 'error' });
await web.listen();
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM_PATH || '/usr/bin/chromium', args: ['--no-sandbox'] });
mkdirSync(FOLDER, { recursive: true });
await takeScreenshot(browser, 'graphiql', `${graph.url}/graphql`, graphiql);
await takeScreenshot(browser, 'desk', `${web.resolvedUrls?.local[0]}#numbers`, desk);
await takeScreenshot(browser, 'orders', `${web.resolvedUrls?.local[0]}#orders`, board);
await browser.close();
await web.close();
await graph.close();
await sandbox.close();
