import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { startApp } from '../../../src/server/app.ts';
import { readConfig } from '../../../src/server/settings/config.ts';
import { createUpstream } from '../../../src/upstream/client.ts';
import { httpTransport } from '../../../src/upstream/transport/http.ts';
import { createMemoryLedger } from '../../support/memoryLedger.ts';
import { type RawRequest, sendRaw } from '../../support/rawHttp.ts';
import { NO_IDLE_WAIT, startTestGraph, useTestGraph } from '../../support/testGraph.ts';

const testGraph = useTestGraph();

/** The `Accept` header of browsers that load pages. */
const BROWSER = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

const load = (headers: Record<string, string> = {}, { method = 'GET', path = '/graphql' }: RawRequest = {}) =>
  sendRaw(testGraph.url, { method, path, headers: { ...BROWSER, ...headers } });

/** Uses HEAD, because the page has megabytes. */
const fetchTag = async (coding: string) => (await load({ 'accept-encoding': coding }, { method: 'HEAD' })).headers.etag ?? '';

describe('GraphiQL page', () => {
  it('can be cached by the browser, but must be revalidated', async () => {
    const { status, headers } = await load();
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'private, no-cache, no-transform',
      vary: 'accept, accept-encoding, origin',
      etag: expect.stringMatching(/^"[\w-]{43}-identity"$/),
    });
  });

  it.each([
    ['br', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
    ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
    ['br;q=0, *;q=0.5', 'gzip', gunzipSync],
  ])('has for %s the encoding %s and less than a third of the size', async (header, coding, decode) => {
    const [plain, { headers, body }] = [await load(), await load({ 'accept-encoding': header })];
    expect([headers['content-encoding'], headers['content-length']]).toEqual([coding, String(body.length)]);
    expect(body.length).toBeLessThan(plain.body.length * 0.3);
    expect(decode(body).equals(plain.body)).toBe(true);
  });

  it('has security headers that restrict scripts, origins, and frames, in 200 and 304 responses', async () => {
    const tag = await fetchTag('br');
    const responses = [
      await load(),
      await load({ 'accept-encoding': 'br' }),
      await load({ 'accept-encoding': 'br' }, { method: 'HEAD' }),
      await load({ 'accept-encoding': 'br', 'if-none-match': tag }),
    ];
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 304]);
    const [policy] = new Set(responses.map(({ headers }) => headers['content-security-policy']));
    for (const { headers } of responses)
      expect(headers).toMatchObject({
        'content-security-policy': policy,
        'x-frame-options': 'DENY',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
      });
    const directives = Object.fromEntries(
      String(policy)
        .split('; ')
        .map((part) => part.split(/ (.*)/s)),
    );
    expect(directives).toEqual({
      'default-src': "'none'",
      'script-src': expect.stringMatching(/^('sha256-[\w+/]{43}=' ?){3}$/),
      'style-src': "'unsafe-inline'",
      'img-src': 'data:',
      'font-src': 'data:',
      'worker-src': 'blob:',
      'connect-src': "'self'",
      'base-uri': "'none'",
      'form-action': "'none'",
      'frame-ancestors': "'none'",
    });
  });

  it.each(['deflate', 'zstd', 'text/plain'])('has no encoding for a browser that accepts only %s', async (coding) => {
    const { headers, body } = await load({ 'accept-encoding': coding });
    expect(headers['content-encoding']).toBeUndefined();
    expect([headers.etag, body.length]).toEqual([await fetchTag('identity'), (await load()).body.length]);
  });

  it('remains unavailable to clients that reject HTML', async () => {
    const { headers } = await load({ accept: 'text/html;q=0, application/json' });
    expect(headers['content-type']).not.toContain('text/html');
  });

  it('has a strong and stable ETag per encoding', async () => {
    const tags = [await fetchTag('br'), await fetchTag('gzip'), await fetchTag('identity')];
    expect(new Set(tags).size).toBe(3);
    expect([await fetchTag('br'), await fetchTag('gzip'), await fetchTag('identity')]).toEqual(tags);
  });

  it.each<[string, (tag: string) => string]>([
    ['the ETag', (tag) => tag],
    ['the weak ETag', (tag) => `W/${tag}`],
    ['the ETag among others', (tag) => `"other", W/"another",${tag}`],
    ['a wildcard', () => '*'],
  ])('has status 304 for a browser that sends %s', async (_name, header) => {
    const tag = await fetchTag('br');
    const response = await load({ 'accept-encoding': 'br', 'if-none-match': header(tag) });
    expect([response.status, response.body.length]).toEqual([304, 0]);
    expect(response.headers).toMatchObject({
      etag: tag,
      'cache-control': 'private, no-cache, no-transform',
      vary: 'accept, accept-encoding, origin',
    });
    expect(response.headers['content-encoding']).toBeUndefined();
  });

  it('has status 200 for a browser that sends another ETag or that of another encoding', async () => {
    const gzip = await fetchTag('gzip');
    for (const tag of ['"other"', gzip, '']) expect((await load({ 'accept-encoding': 'br', 'if-none-match': tag })).status).toBe(200);
  });

  it('reports its size for HEAD', async () => {
    const { status, headers, body } = await load({ 'accept-encoding': 'br' }, { method: 'HEAD' });
    expect([status, body.length, headers['content-encoding']]).toEqual([200, 0, 'br']);
    expect(Number(headers['content-length'])).toBeGreaterThan(1_000_000);
  });

  it('exists only at its path and only for GET', async () => {
    expect((await load({}, { path: '/graphql/x' })).status).toBe(404);
    expect((await load({ 'content-type': 'application/json' }, { method: 'POST' })).headers['content-type']).not.toContain('text/html');
  });

  it('loads no external resources, and contains field names beyond the examples', async () => {
    const page = (await load()).body.toString();
    expect(page).toContain('Workspace Graph');
    const tags = page.match(/<(?:script|link|img|iframe)\b[^>]{0,500}>/gi) ?? [];
    expect(tags.filter((tag) => /\b(?:src|href)\s*=\s*["']?(?:https?:)?\/\//i.test(tag))).toEqual([]);
    expect(page).not.toMatch(/@import\s+(?:url\()?["']?https?:/);
    expect(page).not.toMatch(/<(?:script|link)[^>]+(?:unpkg|jsdelivr|esm\.sh|googleapis)/);
    expect(page).toContain('Mutation.memberRemove');
  });

  it('contains no field names beyond the examples if introspection is limited to the SDL', async () => {
    const closed = await startTestGraph({}, undefined, { env: { INTROSPECTION: 'sdl' } });
    const { status, body } = await sendRaw(closed.app.url, { path: '/graphql', headers: BROWSER });
    expect([status, body.toString().includes('Mutation.memberRemove')]).toEqual([200, false]);
    await closed.close();
  });

  it('has status 406 if GRAPHIQL is false', async () => {
    const transport = httpTransport({ url: testGraph.sandbox.url, connections: 1 });
    const upstream = createUpstream({ transport, timeoutMs: 20_000, callsPerRequest: 1 });
    const app = await startApp({
      config: readConfig({ PORT: '0', GRAPHIQL: 'false' }),
      upstream,
      ledger: createMemoryLedger(),
      logger: pino({ level: 'silent' }),
      http: NO_IDLE_WAIT,
    });
    const { status, headers } = await sendRaw(app.url, { path: '/graphql', headers: { accept: 'text/html' } });
    expect([status, headers['content-type']]).toEqual([406, 'application/json; charset=utf-8']);
    await app.close();
  });
});
