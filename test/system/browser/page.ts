import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Locator, Page } from 'playwright-core';
import { build, createServer, preview } from 'vite';
import { afterAll, beforeAll, vi } from 'vitest';

const ROOT = fileURLToPath(new URL('../../../examples/web', import.meta.url));

/** Signs in to a page that has no provider. */
export async function signInWithKey(page: Page, key = 'demo-owner'): Promise<void> {
  await page.getByLabel('API key').fill(key);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

const isFocused = (element: Locator): Promise<boolean> => element.evaluate((node) => node === document.activeElement);

/** Waits until an element has the focus. */
export const waitForFocus = (element: Locator): Promise<void> => element.and(element.page().locator(':focus')).waitFor();

/** Moves the focus to an element with the Tab key. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  for (let steps = 0; steps < 200 && !(await isFocused(target)); steps += 1) await page.keyboard.press('Tab');
  await waitForFocus(target);
}

const OPTIONS = { root: ROOT, configFile: join(ROOT, 'vite.config.ts'), logLevel: 'error' as const };

/** Builds the page, and serves it with Vite's preview. */
async function serveBuild() {
  const outDir = await mkdtemp(join(tmpdir(), 'workspace-graph-page-'));
  const options = { ...OPTIONS, build: { outDir, minify: false } };
  await build(options);
  const server = await preview({ ...options, preview: { port: 0 } });
  const close = async () => {
    await server.close();
    await rm(outDir, { recursive: true });
  };
  return { url: server.resolvedUrls?.local[0], close };
}

/** Serves the page as its developers run it. */
async function serveDevelopment() {
  const server = await createServer({ ...OPTIONS, mode: 'development', server: { port: 0 } });
  await server.listen();
  return { url: server.resolvedUrls?.local[0], close: () => server.close() };
}

interface PageOptions {
  /** Settings of the build. */
  readonly env?: Readonly<Record<string, string>>;
  readonly isDevelopment?: boolean;
}

/** Serves the example page on a free port in front of a graph, for the tests of one file. */
export function usePage(graph: { readonly url: string }, { env = {}, isDevelopment = false }: PageOptions = {}) {
  let served: Awaited<ReturnType<typeof serveBuild>> | undefined;
  beforeAll(async () => {
    vi.stubEnv('GRAPH_URL', `${graph.url}/graphql`);
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
    served = await (isDevelopment ? serveDevelopment() : serveBuild());
  });
  afterAll(async () => {
    await served?.close();
    vi.unstubAllEnvs();
  });
  return {
    get url() {
      const url = served?.url;
      if (!url) throw new Error('The page is served only while tests run.');
      return url;
    },
  };
}
