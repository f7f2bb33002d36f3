import type { Page } from 'playwright-core';
import type { ConcreteRequest } from 'relay-runtime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createIntent } from '../../../client/src/index.ts';
import { useRelayArtifacts } from '../../interop/clients/relayArtifacts.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { openScene, WRITE } from '../../support/clients/adjustmentScene.ts';
import { CLIENT_NAMES, type ClientName } from '../../support/clients/adjustStock.ts';
import { testIdempotency } from '../../support/clients/idempotencyCases.ts';
import { type ClientProxy, openClientProxy } from '../../support/faults/clientProxy.ts';
import { useStockGraph } from '../../support/stockGraph.ts';
import { useBrowser } from './browser.ts';
import { buildPage } from './buildPage.ts';
// Declares the global functions of the page.
import type {} from './mutationPage.ts';

const testGraph = useStockGraph();
const loadArtifact = useRelayArtifacts();
const browser = useBrowser();

let proxy: ClientProxy;
beforeAll(async () => {
  proxy = await openClientProxy(testGraph.url, await buildPage('mutationPage.ts'));
});
afterAll(() => proxy.close());

async function startClient(page: Page, name: ClientName): Promise<void> {
  const artifact = await loadArtifact<ConcreteRequest>('adjustStockMutation');
  await page.evaluate(([client, compiled]) => mutationPage.start(client, compiled), [name, artifact] as const);
}

/** Opens the page. Its next request reuses a connection: only those are repeated by Chromium. */
async function openPage(): Promise<Page> {
  const { page } = await browser.open(proxy.url);
  await page.evaluate(async () => (await fetch('/', { cache: 'no-store' })).text());
  return page;
}

type BeforeRetry = (reason: string) => Promise<void>;

/** Pages that call this before each retry. Tests share pages, which retain exposed functions. */
const retryListeners = new WeakMap<Page, BeforeRetry>();

/** Opens the page with a client. */
async function openClient(name: ClientName, beforeRetry: BeforeRetry = async () => {}): Promise<Page> {
  const page = await openPage();
  const isExposed = retryListeners.has(page);
  retryListeners.set(page, beforeRetry);
  if (!isExposed) await page.exposeFunction('beforeRetry', (reason: string) => retryListeners.get(page)?.(reason));
  await startClient(page, name);
  return page;
}

testIdempotency({
  testGraph,
  getProxy: () => proxy,
  start: async (name, beforeRetry) => {
    const page = await openClient(name, beforeRetry);
    return (input, { key }) => page.evaluate((args) => mutationPage.adjust(...args), [input, key] as const);
  },
  repeatsRequests: true,
});

describe('Chromium', () => {
  const CREATE = `mutation ($input: CustomerCommentCreateInput!) {
    customerCommentCreate(input: $input) { __typename ... on CustomerCommentCreatePayload { effect } }
  }`;

  it.each([
    ['applies a mutation twice without a key', {}, 'DONE', 2],
    ['applies a mutation once with a key', { idempotencyKey: 'one' }, 'REPLAYED', 1],
  ])('repeats a POST request whose response was lost, which %s', async (_, key, effect, writes) => {
    const page = await openPage();
    const body = JSON.stringify({
      query: CREATE,
      variables: { input: { customerId: demoId('customer 1'), body: 'Called back.', ...key } },
    });
    const sentBefore = proxy.received.length;
    const writesBefore = testGraph.gate.sent('Customer/CreateCustomerComment');
    proxy.inject('reset after');
    const result = await page.evaluate(async (sent) => {
      const headers = { 'content-type': 'application/json', authorization: 'Bearer demo-owner' };
      const response = await fetch('/graphql', { method: 'POST', headers, body: sent });
      return response.json();
    }, body);
    expect(result.data.customerCommentCreate.effect).toBe(effect);
    expect(proxy.received.slice(sentBefore)).toEqual([body, body]);
    expect(testGraph.gate.sent('Customer/CreateCustomerComment') - writesBefore).toBe(writes);
  });
});

/** A page with a component that adjusts stock, and its elements. */
async function openComponent(name: ClientName, beforeRetry?: (reason: string) => Promise<void>) {
  const { createInput, count } = await openScene(testGraph, proxy);
  const page = await openClient(name, beforeRetry);
  const show = () => page.evaluate((input) => mutationPage.show(input), createInput());
  await show();
  return {
    page,
    show,
    count,
    adjust: page.getByRole('button', { name: 'Adjust' }),
    retry: page.getByRole('button', { name: 'Retry' }),
    waitForState: (text: string) => page.getByRole('status').getByText(text, { exact: true }).waitFor(),
    waitForLog: (text: string) => page.locator('#log').getByText(text, { exact: true }).waitFor(),
  };
}

describe.each(CLIENT_NAMES)('useIdempotentMutation with %s', (name) => {
  it('sends a double click once', async () => {
    const { page, adjust, count, waitForState } = await openComponent(name);
    const held = testGraph.gate.hold(WRITE);
    await adjust.dblclick();
    await page.getByText('Clicks: 2').waitFor();
    await held.arrived;
    held.release();
    await waitForState('succeeded DONE');
    expect(await count()).toEqual({ added: 1, writes: 1, sent: 1, keys: 1 });
  });

  it('continues an attempt, and retries it, after the component is unmounted', async () => {
    const { page, adjust, count, waitForLog } = await openComponent(name);
    const held = testGraph.gate.hold(WRITE);
    proxy.inject('bad gateway after');
    await adjust.click();
    await held.arrived;
    await page.evaluate(() => mutationPage.hide());
    await adjust.waitFor({ state: 'detached' });
    held.release();
    await waitForLog('unmounted REPLAYED');
    expect(await count()).toEqual({ added: 1, writes: 1, sent: 2, keys: 1 });
  });

  it('reports the state unknown after all responses were lost, and replays the mutation by `retry`', async () => {
    const { adjust, retry, count, waitForState } = await openComponent(name);
    proxy.inject(...Array(10).fill('reset after'));
    await adjust.click();
    await waitForState('unknown');
    proxy.recover();
    await retry.click();
    await waitForState('succeeded REPLAYED');
    expect(await count()).toMatchObject({ added: 1, writes: 1, keys: 1 });
  });

  it('applies an intent once whose page is reloaded, and sends another one after that', async () => {
    const { page, show, adjust, count, waitForState } = await openComponent(name);
    const held = testGraph.gate.hold(WRITE);
    await adjust.click();
    await held.arrived;
    await page.reload();
    held.release();
    await held.answered;
    expect(await count()).toEqual({ added: 1, writes: 1, sent: 1, keys: 1 });
    await startClient(page, name);
    await show();
    await adjust.click();
    await waitForState('succeeded DONE');
    expect(await count()).toEqual({ added: 2, writes: 2, sent: 2, keys: 2 });
  });

  it('sends a mutation once that’s started offline', async () => {
    const reasons: string[] = [];
    const { page, adjust, count, waitForState } = await openComponent(name, async (reason) => {
      reasons.push(reason);
      if (reasons.length === 3) await page.context().setOffline(false);
    });
    await page.context().setOffline(true);
    await adjust.click();
    await waitForState('succeeded DONE');
    expect(reasons).toEqual(['NO_RESPONSE', 'NO_RESPONSE', 'NO_RESPONSE']);
    expect(await count()).toEqual({ added: 1, writes: 1, sent: 1, keys: 1 });
  });

  it('applies a mutation once if the page goes offline during an attempt', async () => {
    const reasons: string[] = [];
    const reconnect = { current: async () => {} };
    const { page, adjust, count, waitForState } = await openComponent(name, (reason) => {
      reasons.push(reason);
      return reconnect.current();
    });
    const held = testGraph.gate.hold(WRITE);
    reconnect.current = async () => {
      if (reasons.length === 1) return;
      held.release();
      await held.answered;
      proxy.recover();
      await page.context().setOffline(false);
    };
    // `setOffline` only concerns later calls of `fetch`. It breaks no connections, and doesn’t prevent that Chromium repeats a request by itself.
    const broken = Promise.withResolvers<void>();
    proxy.inject({ resetWhen: broken.promise }, ...Array(9).fill('reset before'));
    await adjust.click();
    await held.arrived;
    await page.context().setOffline(true);
    broken.resolve();
    await waitForState('succeeded REPLAYED');
    expect(reasons).toEqual(['NO_RESPONSE', 'NO_RESPONSE']);
    expect(await count()).toMatchObject({ added: 1, writes: 1, keys: 1 });
  });
});

it.each(CLIENT_NAMES)('%s replays an intent whose key the page stored before it was reloaded', async (name) => {
  const { createInput, count } = await openScene(testGraph, proxy);
  const page = await openClient(name);
  const { key } = createIntent();
  const args = [createInput(), key] as const;
  const held = testGraph.gate.hold(WRITE);
  await page.evaluate(([input, stored]) => void mutationPage.adjust(input, stored), args);
  await held.arrived;
  await page.reload();
  held.release();
  await held.answered;
  await startClient(page, name);
  expect(await page.evaluate(([input, stored]) => mutationPage.adjust(input, stored), args)).toBe('REPLAYED');
  expect(await count()).toEqual({ added: 1, writes: 1, sent: 2, keys: 1 });
});
