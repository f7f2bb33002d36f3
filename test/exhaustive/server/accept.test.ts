import { beforeAll, describe, expect, it, vi } from 'vitest';
import { KEY, MUTATION, queryRequest, READ, SMALL, useBothPaths } from '../../support/bothPaths.ts';
import { sendRaw } from '../../support/rawHttp.ts';

const both = useBothPaths();

const PLAIN = 'application/json';
const OWN = 'application/graphql-response+json';
const MIXED = 'multipart/mixed';
const EVENTS = 'text/event-stream';
const NONE = null;

/** Expected media types of single and incremental responses for each header. Null if the request is rejected. */
const HEADERS: readonly (readonly [accept: string, whole: string | null, parts: string | null])[] = [
  ['', PLAIN, MIXED],
  ['*/*', PLAIN, MIXED],
  ['*', PLAIN, MIXED],
  ['application/*', PLAIN, NONE],
  ['application/json', PLAIN, NONE],
  ['application/json;q=0, */*', OWN, MIXED],
  ['*/*, application/json;q=0', OWN, MIXED],
  ['application/json;q=0.0, application/*;q=0.1', OWN, NONE],
  ['application/graphql-response+json;q=0, */*', PLAIN, MIXED],
  ['application/json;q=0, application/graphql-response+json;q=0, */*', MIXED, MIXED],
  ['application/json;q=0, application/graphql-response+json;q=0', NONE, NONE],
  ['application/*;q=0, */*', MIXED, MIXED],
  ['application/*;q=0, application/json', PLAIN, NONE],
  ['*/*;q=0', NONE, NONE],
  ['*/*;q=0, application/json;q=0.001', PLAIN, NONE],
  ['application/json;q=0.5, application/graphql-response+json;q=0.9', OWN, NONE],
  ['application/json;q=0.9, application/graphql-response+json;q=0.5', PLAIN, NONE],
  ['application/json;q=0.5, application/*', OWN, NONE],
  ['application/graphql-response+json, application/json', OWN, NONE],
  ['application/json, application/graphql-response+json', PLAIN, NONE],
  ['application/graphql-response+json, */*;q=0.8', OWN, MIXED],
  ['*/*, application/graphql-response+json', OWN, MIXED],
  ['APPLICATION/JSON ; Q=0.2 , Application/GraphQL-Response+JSON ; q = 0.4', OWN, NONE],
  ['application/json;charset=utf-8;q=0.1, application/graphql-response+json;charset="UTF-8";q=0.2', OWN, NONE],
  ['application/json;charset=latin1, */*;q=0.1', PLAIN, MIXED],
  ['application/json;profile="a,b;q=0";q=0.3, application/graphql-response+json;q=0.2', PLAIN, NONE],
  ['application/json;q=0, application/json', PLAIN, NONE],
  ['image/png, application/json;q=0.1', PLAIN, NONE],
  ['multipart/mixed, application/json', PLAIN, MIXED],
  ['multipart/mixed;deferSpec=20220824, application/graphql-response+json, application/json;q=0.9', OWN, MIXED],
  ['multipart/mixed;incrementalSpec=v0.2, application/graphql-response+json, application/json;q=0.9', OWN, MIXED],
  ['multipart/mixed;incrementalSpec=v0.2', MIXED, MIXED],
  ['multipart/mixed;incrementalSpec=v9', NONE, NONE],
  ['multipart/mixed;incrementalSpec=v9, application/json;q=0.9', PLAIN, NONE],
  ['multipart/mixed;incrementalSpec=v9, */*;q=0.9', PLAIN, NONE],
  ['text/event-stream;incrementalSpec=v0.2, multipart/mixed;q=0.9, application/json', PLAIN, EVENTS],
  ['multipart/mixed;q=0.9, application/json;q=0.5', MIXED, MIXED],
  ['text/event-stream, multipart/mixed;q=0.9, application/json', PLAIN, EVENTS],
  ['text/event-stream;q=0.9, multipart/mixed', MIXED, MIXED],
  ['multipart/mixed;q=0, */*', PLAIN, EVENTS],
  ['text/*', EVENTS, EVENTS],
  ['text/plain', NONE, NONE],
  ['application/json;q=nonsense', NONE, NONE],
  ['application/json;q=7', PLAIN, NONE],
];

const DEFERRED = '{ __typename ... @defer { later: __typename } }';
const typeOf = (headers: Record<string, unknown>) => String(headers['content-type']).split(';')[0];

describe('Accept header', () => {
  it.each(HEADERS)('%j selects %s for single responses and %s for incremental ones', async (accept, whole, parts) => {
    for (const request of [
      queryRequest(SMALL, {}, { accept }),
      queryRequest('{ nonsense }', {}, { accept }),
      { path: `/graphql?query=${encodeURIComponent(SMALL)}`, headers: { ...KEY, accept } },
    ]) {
      const [{ status, headers }] = await both.equal(request);
      expect([status === 406, typeOf(headers)]).toEqual([whole === NONE, whole ?? PLAIN]);
    }
    const [{ status, headers }] = await both.equal(queryRequest(DEFERRED, {}, { accept }));
    expect([status, parts ? typeOf(headers) : status]).toEqual(parts ? [200, parts] : [406, 406]);
  });

  it('without a supported media type prevents a mutation', async () => {
    for (const accept of ['*/*;q=0', 'text/html', 'application/*;q=0, image/*']) {
      const [{ status, calls }] = await both.equal(queryRequest(MUTATION, {}, { accept }));
      expect([status, calls]).toEqual([406, []]);
    }
  });

  it.each([
    ['text/html', true],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8', true],
    ['text/html, application/json', true],
    ['text/html;q=0.5, application/json;q=0.4', true],
    ['TEXT/HTML', true],
    ['application/json, text/html;q=0.1', false],
    ['application/json, text/html', false],
    ['text/html;q=0, */*', false],
    ['*/*', false],
    ['text/*, application/json;q=0.5', false],
    ['', false],
  ])('%j returns the GraphiQL page: %s', async (accept, isPage) => {
    for (const { url } of both.worlds) {
      const { headers } = await sendRaw(url, { headers: { accept } });
      expect(typeOf(headers) === 'text/html').toBe(isPage);
    }
  });
});

describe('HEAD returns the headers of GET without a body, for', () => {
  // The clock is stopped, so the upstream is only checked once.
  beforeAll(async () => {
    const isChecked = async (url: string) =>
      expect((await sendRaw(url, { path: '/health/ready' })).body.toString()).toContain('"upstream":"ok"');
    for (const { url } of both.worlds) await vi.waitFor(() => isChecked(url), { timeout: 60_000 });
  });

  const ask = (query: string) => `/graphql?query=${encodeURIComponent(query)}`;
  it.each<[string, string, Record<string, string>, number]>([
    ['the page', '/graphql', { accept: 'text/html' }, 200],
    ['the page, encoded', '/graphql', { accept: 'text/html', 'accept-encoding': 'br' }, 200],
    ['a query', ask(READ), {}, 200],
    ['a query in another type', ask(READ), { accept: OWN }, 200],
    ['a compressed answer', ask('{ contacts(first: 100) { nodes { id rawId lastName } } }'), { 'accept-encoding': 'gzip' }, 200],
    ['a query that does not parse', ask('{'), { accept: OWN }, 400],
    ['a mutation', ask(MUTATION), {}, 405],
    ['no query', '/graphql', { accept: OWN }, 400],
    ['a type that is not made', ask(SMALL), { accept: 'text/plain' }, 406],
    ['the health of the process', '/health/live', {}, 200],
    ['the health of the graph', '/health/ready', {}, 200],
    ['the landing page', '/', { accept: 'text/html' }, 200],
    ['the list of entry points', '/', {}, 200],
    ['another path', '/nope', {}, 404],
  ])('%s', async (_name, path, more, status) => {
    const headers = { ...KEY, 'x-request-id': 'the-request', ...more };
    for (const world of both.worlds) {
      const [got, head] = [await sendRaw(world.url, { path, headers }), await sendRaw(world.url, { method: 'HEAD', path, headers })];
      // A HEAD response has no transfer encoding, and time passes between the two requests.
      const { 'transfer-encoding': _coding, date: _date, ...expected } = got.headers;
      const { date: _now, ...given } = head.headers;
      expect([head.status, head.body.length, given]).toEqual([status, 0, expected]);
    }
    await both.equal({ method: 'HEAD', path, headers });
  });
});
