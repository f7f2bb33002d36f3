import { existsSync } from 'node:fs';
import { type Browser, type BrowserContextOptions, chromium, devices, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll } from 'vitest';

/** An address of documentation (RFC 5737), by which the browser reaches this machine. */
const NETWORK_ADDRESS = '192.0.2.1';

/** The URL by which another device of the network opens a page of this machine. Without HTTPS, it isn't a secure context. */
export const toNetworkUrl = (url: string): string => url.replace('127.0.0.1', NETWORK_ADDRESS);

/** Disables Chromium's own background requests. */
const ARGS = [
  `--host-resolver-rules=MAP ${NETWORK_ADDRESS} 127.0.0.1`,
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

/** What Chromium emulates. A phone's viewport is 980 pixels wide for pages that don't declare theirs. */
const FORMS = {
  desktop: { viewport: { width: 1280, height: 900 } },
  phone: devices['iPhone 13'] ?? {},
} satisfies Record<string, BrowserContextOptions>;
type Form = keyof typeof FORMS;

/** Width of the emulated phone, in pixels. */
export const PHONE_WIDTH = 390;

interface Tab {
  readonly page: Page;
  readonly form: Form;
  readonly origins: Set<string>;
  readonly problems: string[];
}

/** Opens a page in a context of its own, which is a fresh profile. */
async function openTab(browser: Browser, form: Form): Promise<Tab> {
  const context = await browser.newContext(FORMS[form]);
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
  return { page, form, origins, problems };
}

/** Without an icon of its own, Chromium would request one. */
const EMPTY_PAGE = { contentType: 'text/html', body: '<link rel="icon" href="data:,">' };

/** Removes what a test has left in its tab, except cached responses. Can't restore the clock of a page. */
async function resetTab({ page, form, origins, problems }: Tab): Promise<void> {
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
    page.setViewportSize(FORMS[form].viewport),
    page.emulateMedia({ colorScheme: null }),
  ]);
  origins.clear();
  problems.length = 0;
}

async function visit({ page, origins, problems }: Tab, url: string): Promise<Visit> {
  await page.goto(url);
  return { page, origins: () => [...origins].filter((origin) => origin !== 'null'), problems };
}

/** Denies a page its storage, with the errors of a Chromium that blocks all cookies. */
function denyStorage(): void {
  const deny = () => {
    throw new DOMException('Access is denied for this document.', 'SecurityError');
  };
  for (const name of ['localStorage', 'sessionStorage']) Object.defineProperty(globalThis, name, { configurable: true, get: deny });
  LockManager.prototype.request = async () => deny();
}

/** A headless Chromium for the tests of one file. */
export function useBrowser() {
  let browser: Browser | undefined;
  const idle: Record<Form, Tab[]> = { desktop: [], phone: [] };
  /** Tabs of the current test that return to the idle ones. */
  const used: Tab[] = [];
  const openNewTab = (form: Form) => {
    if (!browser) throw new Error('The browser is open only while tests run.');
    return openTab(browser, form);
  };
  const openUsedTab = async (form: Form, url: string): Promise<Visit> => {
    const tab = idle[form].pop() ?? (await openNewTab(form));
    used.push(tab);
    return visit(tab, url);
  };
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: executable(), args: ARGS });
  });
  afterEach(async ({ task }) => {
    // A test that has failed can leave anything.
    if (task.result?.state !== 'fail') {
      for (const tab of used) {
        await resetTab(tab);
        idle[tab.form].push(tab);
      }
    }
    used.length = 0;
    const reusable = new Set([...idle.desktop, ...idle.phone].map(({ page }) => page.context()));
    for (const context of browser?.contexts() ?? []) if (!reusable.has(context)) await context.close();
  });
  afterAll(() => browser?.close());
  return {
    /** Opens a URL in a tab that earlier tests have used, because starting one takes most of the time of a test. Its storage is empty. */
    open: (url: string): Promise<Visit> => openUsedTab('desktop', url),
    /** Opens a URL in a tab of an emulated phone, like `open`. */
    openPhone: (url: string): Promise<Visit> => openUsedTab('phone', url),
    /** Opens a URL in a fresh profile, which only this test uses. */
    openProfile: async (url: string): Promise<Visit> => visit(await openNewTab('desktop'), url),
    /** Opens a URL in a browser that blocks storage. */
    openWithoutStorage: async (url: string): Promise<Visit> => {
      const tab = await openNewTab('desktop');
      await tab.page.addInitScript(denyStorage);
      return visit(tab, url);
    },
  };
}
