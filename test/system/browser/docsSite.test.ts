import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findViolations } from './accessibility.ts';
import { PHONE_WIDTH, useBrowser } from './browser.ts';

const BUILT = 'build/site';
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};

const browser = useBrowser();
let server: Server;
let url: string;

function readIfExists(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}

/** Builds the site, which fails for problems such as broken links, and serves it like a static host. */
beforeAll(async () => {
  // With the values that Vitest sets for its tests, Astro would build pages for development, which have no search.
  const env = { ...process.env, NODE_ENV: 'production', DEV: '' };
  await promisify(execFile)(process.execPath, ['docs/site/build.ts'], { env });
  server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const path = pathname.endsWith('/') ? `${pathname}index.html` : pathname;
    const body = readIfExists(join(BUILT, path));
    const type = TYPES[extname(body ? path : '404.html')] ?? 'application/octet-stream';
    response.writeHead(body ? 200 : 404, { 'content-type': type }).end(body ?? readFileSync(join(BUILT, '404.html')));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

/** Pages with each kind of content, in a color scheme. */
const PAGES = [
  ['', 'light'],
  ['', 'dark'],
  ['concepts/', 'dark'],
  ['clients/package/', 'dark'],
  ['production/', 'light'],
  ['performance/', 'dark'],
  ['reference/sales/', 'light'],
  ['no-such-page/', 'dark'],
] as const;

/** The path of the first result in the search dialog. */
async function search(page: Page, query: string): Promise<string> {
  const input = page.locator('#starlight__search input');
  // Created when the page is idle, which takes long while the dialog is open.
  await input.waitFor({ state: 'attached' });
  await page.keyboard.press('ControlOrMeta+k');
  await input.fill(query);
  await page
    .locator('.pagefind-ui__message')
    .filter({ hasText: `for ${query}` })
    .waitFor();
  const link = page.locator('.pagefind-ui__result').first().locator('a').first();
  const path = await link.evaluate((element) => new URL((element as HTMLAnchorElement).href).pathname);
  await page.keyboard.press('Escape');
  return path;
}

describe('website of the documentation', () => {
  it('shows all columns of a table on a phone, with the header of each cell', async () => {
    const { page } = await browser.openPhone(`${url}/configuration/`);
    const row = page.getByRole('row').filter({ hasText: 'ADMIN_PORT' }).first();
    expect(await row.getByRole('cell').count()).toBe(4);
    const description = row.getByRole('cell').last();
    const label = await description.evaluate((cell) => getComputedStyle(cell, '::before').content);
    const { x = 0, width = 0 } = (await description.locator('div').boundingBox()) ?? {};
    expect([label, x > 0 && width > 200 && x + width <= PHONE_WIDTH]).toEqual(['"Description"', true]);
    const scrolling = await page
      .locator('.table:has(.stacked)')
      .evaluateAll((tables) => tables.filter((table) => table.scrollWidth > table.clientWidth));
    expect(scrolling).toEqual([]);
  });

  it('finds concepts and guides before decisions, and a field by its name', async () => {
    const { page, problems, origins } = await browser.open(`${url}/quick-start/`);
    const first: Record<string, string> = {};
    for (const query of ['idempotency', 'pagination', 'infinite scroll', 'ledger', 'excel', 'bulk update', 'quoteConfirm'])
      first[query] = await search(page, query);
    expect(first).toEqual({
      idempotency: '/concepts/',
      pagination: '/clients/lists/',
      'infinite scroll': '/clients/lists/',
      ledger: '/reliability/',
      excel: '/import/',
      'bulk update': '/import/',
      quoteConfirm: '/reference/sales/quotes/',
    });
    expect([problems, origins()]).toEqual([[], [url]]);
  });

  it('shows the program of one client, which the reader chooses with the mouse, the keyboard or a link', async () => {
    const { page, problems } = await browser.open(`${url}/clients/package/`);
    const readProgram = () => page.getByRole('tabpanel').locator('pre').first().innerText();
    expect(await readProgram()).toContain('idempotencyLink');
    await page.getByRole('tab', { name: 'urql' }).click();
    expect(await readProgram()).toContain('idempotencyExchange');
    await page.keyboard.press('ArrowRight');
    expect(await readProgram()).toContain('@workspace-graph/client/fetch');
    await page.reload();
    expect(await readProgram()).toContain('@workspace-graph/client/fetch');
    await page.goto(`${url}/clients/relay/`);
    await page.getByRole('link', { name: 'Set up' }).click();
    await page.waitForURL('**/clients/package/#relay');
    expect(await readProgram()).toContain('new Environment');
    expect(problems).toEqual([]);
  });

  it('links from unknown URLs to its main pages', async () => {
    const response = await fetch(`${url}/no-such-page/`);
    expect(response.status).toBe(404);
    const { page } = await browser.open(`${url}/no-such-page/`);
    const links = await page.locator('main a').evaluateAll((elements) => elements.map((element) => element.getAttribute('href')));
    expect(links).toEqual(expect.arrayContaining(['/quick-start/', '/concepts/', '/clients/', '/reference/']));
  });

  it('copies each code block, on every page', async () => {
    const pages = globSync('**/*.html', { cwd: BUILT }).map((file) => [file, readFileSync(join(BUILT, file), 'utf8')] as const);
    const count = (html: string, part: RegExp) => html.match(part)?.length ?? 0;
    const incomplete = pages.filter(([, html]) => count(html, /<pre\b/g) !== count(html, /<button\b[^>]*\bdata-code=/g));
    expect(incomplete.map(([file]) => file)).toEqual([]);
    const { page } = await browser.open(`${url}/quick-start/`);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const block = page.locator('.expressive-code').first();
    await block.hover();
    await block.getByRole('button', { name: 'Copy to clipboard' }).click();
    await block.getByText('Copied!').waitFor();
    const [, code = ''] = /```sh\n([\s\S]*?)\n```/.exec(readFileSync('docs/quick-start.md', 'utf8')) ?? [];
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(code);
  });

  it('passes the accessibility checks, and scrolls no page horizontally', async () => {
    for (const [open, width] of [
      [browser.open, 1280],
      [browser.openPhone, PHONE_WIDTH],
    ] as const) {
      const { page } = await open(`${url}/`);
      for (const [path, colorScheme] of PAGES) {
        await page.emulateMedia({ colorScheme });
        await page.goto(`${url}/${path}`);
        await page.waitForFunction(() => {
          const blocks = [...document.querySelectorAll('pre, .table')];
          return blocks.every((block) => block.scrollWidth <= block.clientWidth || block.hasAttribute('tabindex'));
        });
        expect(await findViolations(page), `${path} at ${width} px`).toEqual([]);
        expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBe(width);
      }
    }
  });
});
