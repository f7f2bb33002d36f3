import { beforeAll, describe, expect, it, vi } from 'vitest';
import { KEY, MUTATION, queryRequest, READ, SMALL, useBothPaths } from '../../support/bothPaths.ts';
import { sendRaw } from '../../support/rawHttp.ts';

const both = useBothPaths();

const JSON_TYPE = 'application/json';
const GRAPHQL_RESPONSE = 'application/graphql-response+json';
const MIXED = 'multipart/mixed';
const EVENT_STREAM = 'text/event-stream';
const REJECTED = null;

/** Expected media types of single and incremental responses for each header. Null if the client accepts none of them. */
const HEADERS: readonly (readonly [accept: string, single: string | null, incremental: string | null])[] = [
  ['', JSON_TYPE, MIXED],
  ['*/*', JSON_TYPE, MIXED],
  ['*', JSON_TYPE, MIXED],
  ['application/*', JSON_TYPE, REJECTED],
  ['application/json', JSON_TYPE, REJECTED],
  ['application/json;q=0, */*', GRAPHQL_RESPONSE, MIXED],
  ['*/*, application/json;q=0', GRAPHQL_RESPONSE, MIXED],
  ['application/json;q=0.0, application/*;q=0.1', GRAPHQL_RESPONSE, REJECTED],
  ['application/graphql-response+json;q=0, */*', JSON_TYPE, MIXED],
  ['application/json;q=0, application/graphql-response+json;q=0, */*', MIXED, MIXED],
  ['application/json;q=0, application/graphql-response+json;q=0', REJECTED, REJECTED],
  ['application/*;q=0, */*', MIXED, MIXED],
  ['application/*;q=0, application/json', JSON_TYPE, REJECTED],
  ['*/*;q=0', REJECTED, REJECTED],
  ['*/*;q=0, application/json;q=0.001', JSON_TYPE, REJECTED],
  ['application/json;q=0.5, application/graphql-response+json;q=0.9', GRAPHQL_RESPONSE, REJECTED],
  ['application/json;q=0.9, application/graphql-response+json;q=0.5', JSON_TYPE, REJECTED],
  ['application/json;q=0.5, application/*', GRAPHQL_RESPONSE, REJECTED],
  ['application/graphql-response+json, application/json', GRAPHQL_RESPONSE, REJECTED],
  ['application/json, application/graphql-response+json', JSON_TYPE, REJECTED],
  ['application/graphql-response+json, */*;q=0.8', GRAPHQL_RESPONSE, MIXED],
  ['*/*, application/graphql-response+json', GRAPHQL_RESPONSE, MIXED],
  ['APPLICATION/JSON ; Q=0.2 , Application/GraphQL-Response+JSON ; q = 0.4', GRAPHQL_RESPONSE, REJECTED],
  ['application/json;charset=utf-8;q=0.1, application/graphql-response+json;charset="UTF-8";q=0.2', GRAPHQL_RESPONSE, REJECTED],
  ['application/json;charset=latin1, */*;q=0.1', JSON_TYPE, MIXED],
  ['application/json;profile="a,b;q=0";q=0.3, application/graphql-response+json;q=0.2', JSON_TYPE, REJECTED],
  ['application/json;q=0, application/json', JSON_TYPE, REJECTED],
  ['image/png, application/json;q=0.1', JSON_TYPE, REJECTED],
  ['multipart/mixed, application/json', JSON_TYPE, MIXED],
  ['multipart/mixed;deferSpec=20220824, application/graphql-response+json, application/json;q=0.9', GRAPHQL_RESPONSE, MIXED],
  ['multipart/mixed;incrementalSpec=v0.2, application/graphql-response+json, application/json;q=0.9', GRAPHQL_RESPONSE, REJECTED],
  ['multipart/mixed;incrementalSpec=v0.2', REJECTED, REJECTED],
  ['multipart/mixed;incrementalSpec=v9', REJECTED, REJECTED],
  ['multipart/mixed;incrementalSpec=v9, application/json;q=0.9', JSON_TYPE, REJECTED],
  ['multipart/mixed;incrementalSpec=v9, */*;q=0.9', JSON_TYPE, REJECTED],
  ['text/event-stream;deferSpec=20220824, multipart/mixed;q=0.9, application/json', JSON_TYPE, EVENT_STREAM],
  ['multipart/mixed;q=0.9, application/json;q=0.5', MIXED, MIXED],
  ['text/event-stream, multipart/mixed;q=0.9, application/json', JSON_TYPE, EVENT_STREAM],
  ['text/event-stream;q=0.9, multipart/mixed', MIXED, MIXED],
  ['multipart/mixed;q=0, */*', JSON_TYPE, EVENT_STREAM],
  ['text/*', EVENT_STREAM, EVENT_STREAM],
  ['text/plain', REJECTED, REJECTED],
  ['application/json;q=nonsense', REJECTED, REJECTED],
  ['application/json;q=7', JSON_TYPE, REJECTED],
  [',', REJECTED, REJECTED],
  [', application/json', JSON_TYPE, REJECTED],
  [`${'text/x-a, '.repeat(200)}application/json`, JSON_TYPE, REJECTED],
];

const DEFERRED = '{ __typename ... @defer { later: __typename } }';
const mediaType = (headers: Record<string, unknown>) => String(headers['content-type']).split(';')[0];

describe('Accept header', () => {
  it.each(HEADERS)('%j selects %s for single responses and %s for incremental ones', async (accept, single, incremental) => {
    for (const request of [
      queryRequest(SMALL, {}, { accept }),
      queryRequest('{ nonsense }', {}, { accept }),
      { path: `/graphql?query=${encodeURIComponent(SMALL)}`, headers: { ...KEY, accept } },
    ]) {
      const [{ status, headers }] = await both.equal(request);
      expect([status === 406, mediaType(headers)]).toEqual([single === REJECTED, single ?? JSON_TYPE]);
    }
    const [{ status, headers }] = await both.equal(queryRequest(DEFERRED, {}, { accept }));
    const type = incremental ?? single;
    expect([status, type && mediaType(headers)]).toEqual([type ? 200 : 406, type]);
  });

  it('prevents a mutation if it has no supported media type', async () => {
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
      expect(mediaType(headers) === 'text/html').toBe(isPage);
    }
  });
});

describe('HEAD request', () => {
  // The clock is stopped, so the upstream is only checked once.
  beforeAll(async () => {
    const isChecked = async (url: string) =>
      expect((await sendRaw(url, { path: '/health/ready' })).body.toString()).toContain('"upstream":"ok"');
    for (const { url } of both.worlds) await vi.waitFor(() => isChecked(url), { timeout: 60_000 });
  });

  const queryUrl = (query: string) => `/graphql?query=${encodeURIComponent(query)}`;
  it.each<[string, string, Record<string, string>, number]>([
    ['the page', '/graphql', { accept: 'text/html' }, 200],
    ['the page, encoded', '/graphql', { accept: 'text/html', 'accept-encoding': 'br' }, 200],
    ['a query', queryUrl(READ), {}, 200],
    ['a query with another media type', queryUrl(READ), { accept: GRAPHQL_RESPONSE }, 200],
    ['a compressed response', queryUrl('{ __type(name: "Query") { fields { name } } }'), { 'accept-encoding': 'gzip' }, 200],
    ['a syntax error', queryUrl('{'), { accept: GRAPHQL_RESPONSE }, 400],
    ['a mutation', queryUrl(MUTATION), {}, 405],
    ['no query', '/graphql', { accept: GRAPHQL_RESPONSE }, 400],
    ['an unsupported media type', queryUrl(SMALL), { accept: 'text/plain' }, 406],
    ['the liveness check', '/health/live', {}, 200],
    ['the readiness check', '/health/ready', {}, 200],
    ['the landing page', '/', { accept: 'text/html' }, 200],
    ['the list of entry points', '/', {}, 200],
    ['another path', '/nope', {}, 404],
  ])('returns the headers of GET without a body: %s', async (_name, path, extraHeaders, status) => {
    const headers = { ...KEY, 'x-request-id': 'the-request', ...extraHeaders };
    for (const world of both.worlds) {
      const [getResponse, headResponse] = [
        await sendRaw(world.url, { path, headers }),
        await sendRaw(world.url, { method: 'HEAD', path, headers }),
      ];
      // A HEAD response has no transfer encoding, and time passes between the two requests.
      const { 'transfer-encoding': _coding, date: _date, ...expected } = getResponse.headers;
      const { date: _now, ...headHeaders } = headResponse.headers;
      expect([headResponse.status, headResponse.body.length, headHeaders]).toEqual([status, 0, expected]);
    }
    await both.equal({ method: 'HEAD', path, headers });
  });
});
