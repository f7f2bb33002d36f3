import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { toGlobalId } from '../../../src/schema/kit/globalIds.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { parseSeries, scrape } from '../../support/telemetry/scrape.ts';
import { postQuery, startTestGraph, type TestGraph } from '../../support/testGraph.ts';
import { useBrowser } from './browser.ts';
import { buildPage } from './buildPage.ts';
// Declares the global functions of the page.
import type {} from './livePage.ts';

const OWNER = 'demo-owner';
const toId = (index: number) => toGlobalId('Customer', demoId(`customer ${index}`));
const browser = useBrowser();
let server: Server;
let origin = '';
let testGraph: TestGraph;

beforeAll(async () => {
  const html = await buildPage('livePage.ts');
  server = createServer((_request, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(html));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  testGraph = await startTestGraph({}, undefined, { env: { LIVE: 'on', CORS_ORIGINS: origin, ADMIN_PORT: '0' } });
});
afterAll(async () => {
  server.close();
  server.closeAllConnections();
  await testGraph.close();
});

const change = (index: number) =>
  postQuery(testGraph.app.url, OWNER, `mutation { customerUpdate(input: { customerId: "${toId(index)}", title: "New" }) { __typename } }`);
const countOpen = async () => parseSeries(await scrape(testGraph.app.adminUrl)).get('live_subscriptions');

it('calls onChange in a page of another origin, watches other records after a change of its arguments, and stops with its component', async () => {
  const { page, problems } = await browser.open(origin);
  const readLog = async () => (await page.locator('pre').textContent())?.trim().split('\n');
  const show = (ids: readonly string[], key = OWNER) =>
    page.evaluate(([url, watched, apiKey]) => livePage.show({ url, types: ['CUSTOMER'], ids: watched }, apiKey), [
      `${testGraph.app.url}/graphql`,
      ids,
      key,
    ] as const);
  await show([toId(0)]);
  await expect.poll(readLog).toEqual(['everything']);
  // An equal list doesn't connect again.
  await show([toId(0)]);
  await change(1);
  await change(0);
  await expect.poll(readLog).toEqual(['everything', toId(0)]);
  await show([toId(1)]);
  await expect.poll(readLog).toEqual(['everything', toId(0), 'everything']);
  await expect.poll(countOpen).toBe(1);
  await change(0);
  await change(1);
  await expect.poll(readLog).toEqual(['everything', toId(0), 'everything', toId(1)]);
  await page.evaluate(() => livePage.hide());
  await expect.poll(countOpen).toBe(0);
  await show([toId(0)], 'demo-revoked');
  await expect.poll(() => page.locator('output').textContent()).toMatch(/API key/);
  expect(problems).toEqual([]);
});
