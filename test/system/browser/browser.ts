import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll } from 'vitest';

/** Disables Chromium's own background requests. */
const ARGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Timeout of a step on a page, in milliseconds. */
const STEP_MS = 60_000;

/** A page with its requests and problems. */
export interface Visit {
  readonly page: Page;
  /** Origins of the page's requests, each once. Excludes opaque origins such as `data:`. */
  readonly origins: () => string[];
  /** Errors and warnings of the page's console, and uncaught exceptions. */
  readonly problems: string[];
}

function executable(): string {
  const path = process.env.CHROMIUM_PATH || '/usr/bin/chromium';
  if (existsSync(path)) return path;
  throw new Error(
    `There is no Chromium at ${path}, and these tests need one. Install it, for example by \`apt-get install chromium\`, or say in CHROMIUM_PATH where it is.`,
  );
}

const VIEWPORT = { width: 1280, height: 900 };

interface Tab {
  readonly page: Page;
  readonly origins: Set<string>;
  readonly problems: string[];
}

/** Opens a page in a context of its own, which is a fresh profile. */
async function openTab(browser: Browser): Promise<Tab> {
  const context = await browser.newContext({ viewport: VIEWPORT });
  const origins = new Set<string>();
  const problems: string[] = [];
  context.on('request', (request) => origins.add(new URL(request.url()).origin));
  context.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') problems.push(message.text());
  });
  context.on('weberror', (error) => problems.push(String(error.error())));
  const page = await context.newPage();
  page.setDefaultTimeout(STEP_MS);
  page.on('websocket', (socket) => origins.add(new URL(socket.url()).origin.replace(/^ws/, 'http')));
  return { page, origins, problems };
}

/** Without an icon of its own, Chromium would request one. */
const EMPTY_PAGE = { contentType: 'text/html', body: '<link rel="icon" href="data:,">' };

/** Removes what a test has left in its tab, except cached responses. Can't restore the clock of a page. */
async function resetTab({ page, origins, problems }: Tab): Promise<void> {
  const context = page.context();
  for (const other of context.pages()) if (other !== page) await other.close();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  // Storage is cleared in another document, because the page's own can still write to it.
  const { origin } = new URL(page.url());
  await page.route('**/*', (route) => route.fulfill(EMPTY_PAGE));
  await page.goto(`${origin}/empty`);
  await page.evaluate(() => {
    localStorage.clear();
    sessionStorage.clear();
  });
  await page.unrouteAll();
  await Promise.all([
    context.setOffline(false),
    context.clearCookies(),
    page.setViewportSize(VIEWPORT),
    page.emulateMedia({ colorScheme: null }),
  ]);
  origins.clear();
  problems.length = 0;
}

async function visit({ page, origins, problems }: Tab, url: string): Promise<Visit> {
  await page.goto(url);
  return { page, origins: () => [...origins].filter((origin) => origin !== 'null'), problems };
}

/** A headless Chromium for the tests of one file. */
export function useBrowser() {
  let browser: Browser | undefined;
  const idle: Tab[] = [];
  /** Tabs of the current test that return to the idle ones. */
  const used: Tab[] = [];
  const openNewTab = () => {
    if (!browser) throw new Error('The browser is open only while tests run.');
    return openTab(browser);
  };
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: executable(), args: ARGS });
  });
  afterEach(async ({ task }) => {
    // A test that has failed can leave anything.
    if (task.result?.state !== 'fail') {
      for (const tab of used) await resetTab(tab);
      idle.push(...used);
    }
    used.length = 0;
    const reusable = new Set(idle.map(({ page }) => page.context()));
    for (const context of browser?.contexts() ?? []) if (!reusable.has(context)) await context.close();
  });
  afterAll(() => browser?.close());
  return {
    /** Opens a URL in a tab that earlier tests have used, because starting one takes most of the time of a test. Its storage is empty. */
    open: async (url: string): Promise<Visit> => {
      const tab = idle.pop() ?? (await openNewTab());
      used.push(tab);
      return visit(tab, url);
    },
    /** Opens a URL in a fresh profile, which only this test uses. */
    openProfile: async (url: string): Promise<Visit> => visit(await openNewTab(), url),
  };
}
