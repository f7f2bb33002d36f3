import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Locator, Page } from 'playwright-core';
import { build, type PreviewServer, preview } from 'vite';
import { afterAll, beforeAll, expect, vi } from 'vitest';

const ROOT = fileURLToPath(new URL('../../../examples/web', import.meta.url));

/** Signs in to a page that has no provider. */
export async function signInWithKey(page: Page, key = 'demo-owner'): Promise<void> {
  await page.getByLabel('API key').fill(key);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

export const isFocused = (element: Locator): Promise<boolean> => element.evaluate((node) => node === document.activeElement);

/** Moves the focus to an element with the Tab key. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  for (let steps = 0; steps < 200 && !(await isFocused(target)); steps += 1) await page.keyboard.press('Tab');
  expect(await isFocused(target)).toBe(true);
}

/** Builds the example page and serves it on a free port in front of a graph, for the tests of one file. `env` has the settings of its build. */
export function usePage(graph: { readonly url: string }, env: Readonly<Record<string, string>> = {}) {
  let server: PreviewServer | undefined;
  let outDir: string | undefined;
  beforeAll(async () => {
    outDir = await mkdtemp(join(tmpdir(), 'workspace-graph-page-'));
    vi.stubEnv('GRAPH_URL', `${graph.url}/graphql`);
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
    const options = { root: ROOT, configFile: join(ROOT, 'vite.config.ts'), logLevel: 'error' as const, build: { outDir, minify: false } };
    await build(options);
    server = await preview({ ...options, preview: { port: 0 } });
  });
  afterAll(async () => {
    await server?.close();
    if (outDir) await rm(outDir, { recursive: true });
    vi.unstubAllEnvs();
  });
  return {
    get url() {
      const url = server?.resolvedUrls?.local[0];
      if (!url) throw new Error('The page is served only while tests run.');
      return url;
    },
  };
}
