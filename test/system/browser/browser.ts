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

async function open(browser: Browser, url: string): Promise<Visit> {
  // A separate context is a fresh profile.
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const requested = new Set<string>();
  const problems: string[] = [];
  context.on('request', (request) => requested.add(new URL(request.url()).origin));
  context.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') problems.push(message.text());
  });
  context.on('weberror', (error) => problems.push(String(error.error())));
  const page = await context.newPage();
  page.setDefaultTimeout(STEP_MS);
  page.on('websocket', (socket) => requested.add(new URL(socket.url()).origin.replace(/^ws/, 'http')));
  await page.goto(url);
  return { page, origins: () => [...requested].filter((origin) => origin !== 'null'), problems };
}

/** A headless Chromium for the tests of one file. Closes the pages of each test. */
export function useBrowser() {
  let browser: Browser | undefined;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: executable(), args: ARGS });
  });
  afterEach(async () => {
    for (const context of browser?.contexts() ?? []) await context.close();
  });
  afterAll(() => browser?.close());
  return {
    /** Opens a URL in a fresh profile. */
    open: (url: string): Promise<Visit> => {
      if (!browser) throw new Error('The browser is open only while tests run.');
      return open(browser, url);
    },
  };
}
