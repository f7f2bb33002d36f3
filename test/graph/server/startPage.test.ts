import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ServedDemo, serveDemoSandbox } from '../../../cli/demoSandbox.ts';
import { readSandboxConfig } from '../../../sandbox/kernel/config.ts';
import { isLoopback } from '../../../src/lib/loopback.ts';
import { FOREIGN_HOSTS, getStatuses, INVALID_HOSTS, LOCAL_HOSTS } from '../../support/hosts.ts';
import { connectRaw, sendRaw } from '../../support/rawHttp.ts';
import { startGraph } from '../../support/testGraph.ts';

const MOVE = '/demonstrations/move-through-graph';
const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

let served: ServedDemo;
let graph: Awaited<ReturnType<typeof startGraph>>;
beforeAll(async () => {
  // Another seed than that of the documentation, because the demonstrations must find their records with any.
  served = await serveDemoSandbox(readSandboxConfig({ SANDBOX_PORT: '0', SANDBOX_SEED: '7' }));
  graph = await startGraph(served.sandbox.url, { app: { demo: served.demo } });
});
afterAll(async () => {
  await graph.close();
  await served.sandbox.close();
});

/** Sends a POST as the start page does. */
const sendPost = (path: string, headers: Record<string, string> = { origin: graph.app.url }, url = graph.app.url) =>
  fetch(url + path, { method: 'POST', headers });

const demonstrate = async (path: string) => {
  const response = await sendPost(path);
  expect(response.status).toBe(200);
  return response.json();
};

const isLost = (calls: readonly { readonly isLost: boolean }[]) => calls.map((call) => call.isLost);

describe('start page', () => {
  it('serves browsers its own script and style, forbids all others, and names existing guides', async () => {
    const response = await fetch(graph.app.url, { headers: BROWSER });
    expect([response.status, response.headers.get('vary')]).toEqual([200, 'Accept']);
    expect(response.headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    const page = await response.text();
    expect(page).not.toMatch(/\{\{|<style|<script(?! type="module" src="\/)/);
    for (const { key } of served.demo.keys) expect(page).toContain(`<code>${key}</code>`);
    const guides = [...page.matchAll(/docs\/[\w-]+\.md/g)].map(([file]) => file);
    expect([guides.length, guides.filter((file) => !existsSync(file))]).toEqual([4, []]);
    const assets = [...page.matchAll(/(?:src|href)="(\/start\/[^"]+)"/g)].map(([, path]) => path ?? '');
    const types = await Promise.all(assets.map(async (path) => (await fetch(graph.app.url + path)).headers.get('content-type')));
    expect(types.toSorted()).toEqual(['text/css; charset=utf-8', 'text/javascript; charset=utf-8']);
  });

  it('leaves the list of entry points to API clients', async () => {
    expect(await (await fetch(graph.app.url)).json()).toMatchObject({ name: 'Workspace Graph', graphql: '/graphql' });
  });
});

describe('demonstration', () => {
  it('moves stock once through the graph, which repeats the call whose response is lost', async () => {
    const { calls, stock, requests } = await demonstrate(MOVE);
    expect(isLost(calls)).toEqual([true, false]);
    expect(new Set(calls.map(({ idempotencyKey }: { idempotencyKey: string }) => idempotencyKey)).size).toBe(1);
    expect([stock.after - stock.before, requests[0].response.inventoryMove.effect]).toEqual([1, 'DONE']);
  });

  it('moves stock twice if a client repeats the call with another key', async () => {
    const { calls, stock } = await demonstrate('/demonstrations/move-without-graph');
    expect(isLost(calls)).toEqual([true, false]);
    expect(stock.after - stock.before).toBe(2);
  });

  it('creates a quote once, and returns it as the candidate of an unknown outcome', async () => {
    const { calls, requests } = await demonstrate('/demonstrations/create-quote');
    const creations = calls.filter(({ operation }: { operation: string }) => operation === 'Quote/CreateQuote');
    expect(isLost(creations)).toEqual([true]);
    const outcome = { __typename: 'OutcomeUnknownError', candidates: [{ title: expect.stringMatching(/^Lost quote /) }] };
    expect(requests).toMatchObject([{ response: { quoteCreate: outcome } }, { response: { quoteCreate: outcome } }]);
  });

  it('loses and records responses of its own request only, and none afterwards', async () => {
    const { demo, sandbox } = served;
    const me = (requestId: string) => demo.call('Workspace/Me', 'demo-owner', requestId, {}).then(Boolean, () => false);
    const act = async () => [await me('other'), await me('own'), await me('own')];
    expect(await demo.loseResponse({ operation: 'Workspace/Me', requestId: 'own' }, act)).toEqual([
      [true, false, true],
      [true, false].map((lost) => ({ operation: 'Workspace/Me', idempotencyKey: null, isLost: lost })),
    ]);
    await demo.loseResponse({ operation: 'Workspace/Me', requestId: 'own' }, async () => {});
    expect(sandbox.faults.list()).toEqual([]);
  });

  it('returns the same results while others run at the same time', async () => {
    const names = ['move-through-graph', 'move-through-graph', 'move-without-graph', 'create-quote', 'create-quote'];
    const results = await Promise.all(names.map((name) => demonstrate(`/demonstrations/${name}`)));
    const moved = results.flatMap(({ stock }) => (stock ? [stock.after - stock.before] : []));
    expect(moved).toEqual([1, 1, 2]);
    for (const { calls } of results) expect(isLost(calls).filter(Boolean)).toHaveLength(1);
    for (const { requests } of results.slice(3)) expect(requests[1].response.quoteCreate.candidates).toHaveLength(1);
  });

  it.each([
    ['no origin', {}],
    ['the origin of another site', { origin: 'http://elsewhere.example' }],
    ['the origin of another port', { origin: 'http://127.0.0.1:1' }],
    ['a request from another site', { 'sec-fetch-site': 'cross-site' }],
  ])('returns 403 for %s', async (_name, headers) => {
    const origin = 'sec-fetch-site' in headers ? { origin: graph.app.url } : {};
    expect((await sendPost(MOVE, { ...origin, ...headers })).status).toBe(403);
  });

  it('returns 403 for a host name that was rebound to this machine', async () => {
    const host = 'rebound.example';
    // `fetch` doesn’t set the Host header.
    const { status } = await sendRaw(graph.app.url, { method: 'POST', path: MOVE, headers: { host, origin: `http://${host}` } });
    expect(status).toBe(403);
  });

  it.each(['GET', 'PUT'])('doesn’t exist for %s', async (method) => {
    expect((await fetch(graph.app.url + MOVE, { method, headers: { origin: graph.app.url } })).status).toBe(404);
  });
});

describe('demonstrations that don’t end', () => {
  it('rejects more than ten at the same time', async () => {
    const slow = await serveDemoSandbox(readSandboxConfig({ SANDBOX_PORT: '0' }));
    slow.sandbox.faults.add({ operation: '*', latencyMs: 600_000 });
    const { app, close } = await startGraph(slow.sandbox.url, { app: { demo: slow.demo } });
    const requests = Array.from({ length: 11 }, () => sendPost('/demonstrations/create-quote', { origin: app.url }, app.url));
    const first = await Promise.race(requests);
    expect([first.status, await first.json()]).toMatchObject([
      409,
      { errors: [{ message: expect.stringContaining('10 demonstrations are running') }] },
    ]);
    await slow.sandbox.close();
    await Promise.all(requests);
    await close();
  });
});

describe('graph without demonstrations', () => {
  it.each([
    ['an upstream outside of its process', {}, false],
    // Any address other than those that can only be this machine's. This one also is, so that the test opens no port to others.
    ['a HOST that other machines might reach', { HOST: '127.0.0.2' }, true],
  ])('serves only the landing page with %s', async (_name, env, hasDemo) => {
    const other = await startGraph(served.sandbox.url, { env, app: { demo: hasDemo ? served.demo : undefined } });
    const { url } = other.app;
    const page = await (await fetch(url, { headers: BROWSER })).text();
    const statuses = [(await sendPost(MOVE, { origin: url }, url)).status, (await fetch(`${url}/start/start.js`)).status];
    await other.close();
    expect(statuses).toEqual([404, 404]);
    expect(page).not.toContain('<script');
    expect(served.sandbox.faults.list()).toEqual([]);
  });

  it('rejects requests for other hosts on all paths, because pages of other sites could read the demo data', async () => {
    for (const path of ['/', '/graphql?query={__typename}', '/graphql', '/health/ready'])
      expect([path, await getStatuses(graph.app.url, path, FOREIGN_HOSTS)]).toEqual([path, FOREIGN_HOSTS.map(() => 403)]);
    expect(await getStatuses(graph.app.url, '/', LOCAL_HOSTS)).toEqual(LOCAL_HOSTS.map(() => 200));
    const { body } = await sendRaw(graph.app.url, { path: '/', headers: { host: 'rebound.example.com' } });
    expect(JSON.parse(String(body)).errors[0]).toEqual({
      message: expect.stringContaining('Use localhost or 127.0.0.1'),
      extensions: { code: 'BAD_REQUEST' },
    });
  });

  it('returns 400 for an invalid Host header, as graphs without demo keys do', async () => {
    for (const path of ['/', '/graphql', '/health/ready'])
      expect([path, await getStatuses(graph.app.url, path, INVALID_HOSTS)]).toEqual([path, INVALID_HOSTS.map(() => 400)]);
  });

  it('gives rejected requests for other hosts the headers of all responses', async () => {
    const { headers } = await sendRaw(graph.app.url, { path: '/', headers: { host: 'rebound.example.com' } });
    expect(headers).toMatchObject({ 'x-request-id': expect.any(String), 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' });
  });

  it('checks the host of a URL that is the request target, instead of the Host header', async () => {
    const get = (host: string, url: string) => {
      const { socket, ended } = connectRaw(graph.app.url);
      socket.write(`GET ${url} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
      return ended;
    };
    expect(await get('rebound.example.com', 'http://localhost/health/live')).toMatch(/^HTTP\/1\.1 200 /);
    expect(await get('localhost', 'http://rebound.example.com/health/live')).toMatch(/^HTTP\/1\.1 403 /);
  });

  it('accepts any host in a graph without demo keys, which proxies reach under any name', async () => {
    const real = await startGraph(served.sandbox.url);
    expect(await getStatuses(real.app.url, '/', FOREIGN_HOSTS)).toEqual(FOREIGN_HOSTS.map(() => 200));
    await real.close();
  });

  it.each([
    ['127.0.0.1', true],
    ['localhost', true],
    ['::1', true],
    ['0.0.0.0', false],
    ['::', false],
    ['192.168.1.5', false],
    ['localhost.example', false],
  ])('treats HOST %s as a loopback address: %s', (host, expected) => {
    expect(isLoopback(host)).toBe(expected);
  });
});
