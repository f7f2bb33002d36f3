// Takes the pictures of the docs anew, of a graph over its sandbox with demo data: `npm run screenshots`. Needs Chromium, at /usr/bin/chromium or at CHROMIUM_PATH.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { createServer } from 'vite';
import { readSandboxConfig } from '../../../sandbox/kernel/config.ts';
import { serveSandbox } from '../../../sandbox/serve.ts';
import { serveGraph } from '../../../src/server/serve.ts';

const FOLDER = 'docs/images';

async function take(browser: Browser, name: string, width: number, url: string, prepare: (page: Page) => Promise<void>): Promise<void> {
  const page = await browser.newPage({ viewport: { width, height: 850 } });
  await page.goto(url);
  await prepare(page);
  // Charts and panels are drawn with transitions.
  await page.waitForTimeout(1_500);
  await page.screenshot({ path: join(FOLDER, `${name}-${width}.png`) });
  await page.close();
}

const graphiql = async (page: Page): Promise<void> => {
  await page.waitForResponse((response) => response.request().method() === 'POST');
  await page.locator('.graphiql-execute-button').click();
  await page.locator('.result-window .view-lines').getByText('Demo Works').waitFor();
};

const desk = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Show' }).first().click();
};

const sandbox = await serveSandbox(readSandboxConfig({ SANDBOX_PORT: '0' }));
const env = { GRAPHIQL_KEY: 'demo-owner', LOG_LEVEL: 'warn', PORT: '0', LEDGER_URL: 'file::memory:', UPSTREAM_URL: sandbox.url };
const graph = await serveGraph(env);
process.env.GRAPH_URL = `${graph.url}/graphql`;
const web = await createServer({ root: 'examples/web', configFile: 'examples/web/vite.config.ts', server: { port: 0 }, logLevel: 'error' });
await web.listen();
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM_PATH || '/usr/bin/chromium', args: ['--no-sandbox'] });
mkdirSync(FOLDER, { recursive: true });
for (const width of [1280, 390]) {
  await take(browser, 'graphiql', width, `${graph.url}/graphql`, graphiql);
  await take(browser, 'desk', width, `${web.resolvedUrls?.local[0]}#numbers`, desk);
}
await browser.close();
await web.close();
await graph.close();
await sandbox.close();
