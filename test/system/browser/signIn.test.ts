import type { BrowserContext, Page, Request, Response } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEMO_KEYS } from '../../../sandbox/workspace/workspaceDemo.ts';
import { ALL_SCOPES, makeKey } from '../../sandbox/makeKey.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { AUDIENCE } from '../../support/identityProvider.ts';
import { CUSTOMER, createQuoting } from '../../support/quoting.ts';
import { AssignmentFile } from '../../support/signIn.ts';
import { useTestGraph } from '../../support/testGraph.ts';
import { startOidcProvider } from '../signIn/provider.ts';
import { toNetworkUrl, useBrowser } from './browser.ts';
import { usePage } from './page.ts';

const provider = await startOidcProvider();
afterAll(() => provider.stop());
const assignments = new AssignmentFile({});
const testGraph = useTestGraph({}, undefined, {
  env: { AUTH_ISSUER: provider.issuer, AUTH_AUDIENCE: AUDIENCE, AUTH_KEYS: `file:${assignments.path}` },
});
const { createQuote } = createQuoting(testGraph);
const browser = useBrowser();
const example = usePage(testGraph, {
  env: { VITE_AUTH_ISSUER: provider.issuer, VITE_AUTH_CLIENT_ID: 'desk', VITE_AUTH_AUDIENCE: AUDIENCE },
});
/** Keys that the graph uses. */
const keys = DEMO_KEYS.map(({ key }) => key);
beforeAll(() => {
  const { world } = testGraph.sandbox;
  const [alice, bob] = [makeKey(world), makeKey(world, { scopes: ALL_SCOPES.filter((scope) => scope !== 'quote:read') })];
  assignments.write({ alice: { key: alice }, bob: { key: bob } });
  keys.push(alice, bob);
  provider.addPage(new URL(example.url).origin);
});

const describeRequest = async (request: Request) =>
  `${request.method()} ${request.url()} ${JSON.stringify(await request.allHeaders())} ${request.postData() ?? ''}`;

const describeResponse = async (response: Response) => {
  // A redirect has no body.
  const body = await response.text().catch(() => '');
  return `${response.url()} ${JSON.stringify(await response.allHeaders())} ${body}`;
};

/** Records everything that a browser sends and receives. */
function recordTraffic(context: BrowserContext) {
  const messages: Promise<string>[] = [];
  // Messages after the last read are lost when the browser closes.
  const record = (message: Promise<string>) => messages.push(message.catch(() => ''));
  context.on('request', (request) => record(describeRequest(request)));
  context.on('response', (response) => record(describeResponse(response)));
  return async () => (await Promise.all(messages)).join('\n');
}

/** The text of everything that a browser stores for a page. */
async function readStorage(page: Page): Promise<string> {
  const storage = await page.evaluate(() => ({ local: { ...localStorage }, session: { ...sessionStorage }, cookies: document.cookie }));
  return JSON.stringify([storage, await page.context().cookies()]);
}

/** Signs in on the provider's pages. */
async function signIn(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.locator('input[name=login]').fill(name);
  await page.locator('input[name=password]').fill('any');
  await page.locator('button[type=submit]').click();
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
}

/** Opens the page, and records its traffic from the first request. */
async function visit(hash = '') {
  const visited = await browser.openProfile('about:blank');
  const { page } = visited;
  // The provider's pages load a font.
  await page.context().route(
    ({ hostname }) => hostname !== '127.0.0.1',
    (route) => route.fulfill({ body: '' }),
  );
  const readTraffic = recordTraffic(page.context());
  await page.goto(`${example.url}${hash}`);
  return { ...visited, readTraffic };
}

const waitForText = (page: Page, text: string) => page.getByText(text).first().waitFor();

/** The tokens that the provider has issued, from the traffic. */
const findTokens = (traffic: string): string[] =>
  [...traffic.matchAll(/"(?:access|refresh|id)_token":"([^"]+)"/g)].map(([, token]) => token ?? '');

const countOrders = (quoteId: string) =>
  testGraph.sandbox.world.store.all('SELECT 1 FROM orders WHERE quote_id = :quoteId', { quoteId }).length;

const getRow = (table: 'customers' | 'quotes', id: string) =>
  testGraph.sandbox.world.store.get<{ reference_number: string; title: string }>(
    `SELECT reference_number, title FROM ${table} WHERE id = :id`,
    { id },
  ) ?? { reference_number: '', title: '' };

describe('sign-in', () => {
  it('explains why it can’t work in a page without HTTPS, or without storage', async () => {
    for (const [visited, problem] of [
      [await browser.openProfile(toNetworkUrl(example.url)), 'Sign-in needs HTTPS.'],
      [await browser.openWithoutStorage(example.url), 'This browser blocks storage'],
    ] as const) {
      await visited.page.getByRole('button', { name: 'Sign in' }).click();
      await waitForText(visited.page, problem);
      expect(visited.problems).toEqual([]);
    }
  });

  it('confirms a quote once although its response is lost, without an API key or a stored token in the browser', async () => {
    testGraph.sandbox.now += 1;
    const { rawId } = await createQuote({ lines: [{ productId: demoId('product 1'), quantity: 2 }] });
    const { page, readTraffic } = await visit();
    await signIn(page, 'alice');
    const customer = getRow('customers', CUSTOMER);
    const list = page.getByRole('listitem').getByRole('link');
    await list.first().waitFor();
    expect(await list.count()).toBe(20);
    await page.evaluate((number) => {
      location.hash = `#customer/${number}`;
    }, customer.reference_number);
    const card = page.getByRole('article', { name: getRow('quotes', rawId).reference_number });
    const sent: string[] = [];
    await page.route('**/graphql', async (route) => {
      const body = route.request().postData() ?? '';
      if (!body.includes('ConfirmQuote')) return route.continue();
      sent.push(JSON.parse(body).variables.input.idempotencyKey);
      if (sent.length > 1) return route.continue();
      await route.fetch();
      return route.abort();
    });
    const [, calls] = await testGraph.recordCalls(async () => {
      await card.getByRole('button', { name: 'Confirm' }).click();
      await card.getByText('Confirmed as order').waitFor();
    });
    expect(sent).toEqual([expect.any(String), sent[0]]);
    expect([calls.filter((name) => name === 'Quote/ConfirmQuote').length, countOrders(rawId)]).toEqual([1, 1]);

    const traffic = await readTraffic();
    const storage = await readStorage(page);
    const tokens = findTokens(traffic);
    // The traffic includes bodies and headers.
    expect(traffic).toContain(customer.title);
    expect(traffic).toContain(`"authorization":"Bearer ${tokens.find((token) => traffic.includes(`"access_token":"${token}"`))}"`);
    expect(new Set(tokens).size).toBe(3);
    expect(keys.filter((key) => traffic.includes(key) || storage.includes(key))).toEqual([]);
    expect(tokens.filter((token) => storage.includes(token))).toEqual([]);
    // Only a mark for reloads.
    expect(storage).toContain('"local":{},"session":{"signed-in":"yes"},');
    expect(page.url()).toBe(`${example.url}#customer/${customer.reference_number}`);
  });

  it('returns to the view, and sends requests only to its server and the provider', async () => {
    const { page, problems } = await visit('#orders');
    const pageOrigin = new URL(example.url).origin;
    const origins = new Set<string>();
    // Not those of the provider's pages.
    page.on('request', (request) => {
      if (request.headers().referer?.startsWith(pageOrigin)) origins.add(new URL(request.url()).origin);
    });
    await signIn(page, 'alice');
    await page.getByRole('heading', { name: 'Orders', level: 2 }).waitFor();
    expect(page.url()).toBe(`${example.url}#orders`);
    await page.locator('.order-card').first().waitFor();
    expect([...origins].sort()).toEqual([pageOrigin, provider.issuer].sort());
    const blocked = await page.evaluate(() => fetch('http://127.0.0.1:9/').then(String, String));
    expect(blocked).toContain('TypeError');
    expect(problems.filter((problem) => !problem.includes('http://127.0.0.1:9/'))).toEqual([]);
    expect(problems.join()).toContain('Content Security Policy');
  });

  it('signs in again after a reload without asking, while the provider’s session lasts', async () => {
    const { page, problems } = await visit('#orders');
    await signIn(page, 'alice');
    const board = page.getByRole('heading', { name: 'Orders', level: 2 });
    await board.waitFor();
    await page.reload();
    await board.waitFor();
    expect(page.url()).toBe(`${example.url}#orders`);
    // The provider has forgotten the user.
    await page.context().clearCookies();
    await page.reload();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(await page.locator('.notice').count()).toBe(0);
    expect(page.url()).toBe(`${example.url}#orders`);
    expect(await page.evaluate(() => ({ ...sessionStorage }))).toEqual({});
    expect(problems).toEqual([]);
  });

  it('explains a rejected sign-in', async () => {
    const { page } = await visit();
    await page.goto(`${example.url}?error=access_denied&state=unknown`);
    await waitForText(page, 'Sign-in failed. Try again.');
    expect(page.url()).toBe(example.url);
  });
});

describe('renewal', () => {
  it('gets another access token before it expires', async () => {
    const { page, readTraffic } = await visit();
    await page.clock.install();
    await signIn(page, 'alice');
    await page.getByRole('listitem').first().waitFor();
    const renewed = page.waitForResponse(`${provider.issuer}/token`);
    // A minute before the end of the token's lifetime of an hour.
    await page.clock.fastForward(3_545_000);
    expect((await renewed).status()).toBe(200);
    await page.getByRole('link', { name: 'Work orders' }).click();
    await page.getByRole('heading', { name: 'Open work orders' }).waitFor();
    await page.locator('.open li').first().waitFor();
    const traffic = await readTraffic();
    const [first, second] = [...traffic.matchAll(/"access_token":"([^"]+)"/g)].map(([, token]) => token);
    expect(first).not.toBe(second);
    expect(traffic).toContain(`Bearer ${second}`);
  });

  it('gets another access token once for all requests that the graph has rejected, and repeats them', async () => {
    const { page } = await visit();
    await signIn(page, 'alice');
    await page.getByRole('listitem').first().waitFor();
    await rejectTokens(page, 2);
    const before = countTokenRequests();
    await page.getByRole('link', { name: 'Orders', exact: true }).click();
    await page.locator('.order-card').first().waitFor();
    expect(countTokenRequests() - before).toBe(1);
  });

  it('discards the session if the provider rejects the refresh token', async () => {
    const { page } = await visit();
    await signIn(page, 'alice');
    await page.getByRole('listitem').first().waitFor();
    await rejectTokens(page, 1);
    await page.route(`${provider.issuer}/token`, (route) => {
      const headers = { 'access-control-allow-origin': '*' };
      return route.fulfill({ status: 400, headers, json: { error: 'invalid_grant' } });
    });
    await page.getByRole('link', { name: 'Work orders' }).click();
    await waitForText(page, 'Your session has expired. Sign in again.');
    expect(await page.getByRole('link').count()).toBe(0);
  });
});

describe('rejection', () => {
  it('ends the session if the graph rejects a token that can’t be renewed', async () => {
    const { page } = await visit('#work');
    await signIn(page, 'alice');
    await page.getByRole('listitem').first().waitFor();
    await rejectTokens(page, 1, 'TOKEN_REVOKED');
    await page.getByRole('link', { name: 'Schedule' }).click();
    await waitForText(page, 'The access token is rejected: TOKEN_REVOKED.');
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(await page.getByRole('link').count()).toBe(0);
  });
});

const countTokenRequests = () => provider.requests.filter((path) => path === '/token').length;

/** Rejects a number of requests, by default like a graph whose clock is ahead. */
async function rejectTokens(page: Page, times: number, reason = 'TOKEN_EXPIRED'): Promise<void> {
  const error = { message: `The access token is rejected: ${reason}.`, extensions: { code: 'UNAUTHENTICATED', reason, retry: 'NEVER' } };
  const contentType = 'application/graphql-response+json';
  await page.route('**/graphql', (route) => route.fulfill({ status: 401, contentType, body: JSON.stringify({ errors: [error] }) }), {
    times,
  });
}

describe('sign-out', () => {
  it('ends the session at the provider, and shows another account nothing of the first one', async () => {
    const { page } = await visit(`#customer/${getRow('customers', CUSTOMER).reference_number}`);
    await signIn(page, 'alice');
    await page.getByRole('region', { name: 'Quotes' }).getByRole('article').first().waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Yes, sign me out' }).click();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    await signIn(page, 'bob');
    await page.evaluate((number) => {
      location.hash = `#customer/${number}`;
    }, getRow('customers', CUSTOMER).reference_number);
    await page.getByRole('region', { name: 'Quotes' }).getByText('Couldn’t be loaded').waitFor();
    await page.getByRole('region', { name: 'Orders' }).getByRole('article').first().waitFor();
    expect(await page.getByRole('region', { name: 'Quotes' }).getByRole('article').count()).toBe(0);
  });
});
