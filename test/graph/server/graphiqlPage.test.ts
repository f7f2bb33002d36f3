import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { startApp } from '../../../src/server/app.ts';
import { readConfig } from '../../../src/server/settings/config.ts';
import { createUpstream } from '../../../src/upstream/client.ts';
import { httpTransport } from '../../../src/upstream/transport/http.ts';
import { memoryLedger } from '../../support/memoryLedger.ts';
import { type RawRequest, sendRaw } from '../../support/rawHttp.ts';
import { NO_IDLE_WAIT, startTestGraph, useTestGraph } from '../../support/testGraph.ts';

const testGraph = useTestGraph();

/** As browsers ask for pages. */
const BROWSER = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

const load = (headers: Record<string, string> = {}, { method = 'GET', path = '/graphql' }: RawRequest = {}) =>
  sendRaw(testGraph.url, { method, path, headers: { ...BROWSER, ...headers } });

/** By HEAD, because the page has megabytes. */
const tagOf = async (coding: string) => (await load({ 'accept-encoding': coding }, { method: 'HEAD' })).headers.etag ?? '';

describe('the page', () => {
  it('may be kept by the browser alone, which is to ask whether it is still good', async () => {
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
  ])('for %s comes as %s, in a quarter of the bytes or little more', async (header, coding, decode) => {
    const [plain, { headers, body }] = [await load(), await load({ 'accept-encoding': header })];
    expect([headers['content-encoding'], headers['content-length']]).toEqual([coding, String(body.length)]);
    expect(body.length).toBeLessThan(plain.body.length * 0.3);
    expect(decode(body).equals(plain.body)).toBe(true);
  });

  it('may load nothing but its own scripts, call nobody but its own origin, and stand in no frame; the same whether it is sent or kept', async () => {
    const tag = await tagOf('br');
    const answers = [
      await load(),
      await load({ 'accept-encoding': 'br' }),
      await load({ 'accept-encoding': 'br' }, { method: 'HEAD' }),
      await load({ 'accept-encoding': 'br', 'if-none-match': tag }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 304]);
    const [policy] = new Set(answers.map(({ headers }) => headers['content-security-policy']));
    for (const { headers } of answers)
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
      'script-src': expect.stringMatching(/^('sha256-[\w+/]{43}=' ?){2}$/),
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

  it.each(['deflate', 'zstd', 'text/plain'])('is sent as it is to a browser that takes only %s', async (coding) => {
    const { headers, body } = await load({ 'accept-encoding': coding });
    expect(headers['content-encoding']).toBeUndefined();
    expect([headers.etag, body.length]).toEqual([await tagOf('identity'), (await load()).body.length]);
  });

  it('is nothing for who refuses pages', async () => {
    const { headers } = await load({ accept: 'text/html;q=0, application/json' });
    expect(headers['content-type']).not.toContain('text/html');
  });

  it('has a strong tag for each coding, the same at every load', async () => {
    const tags = [await tagOf('br'), await tagOf('gzip'), await tagOf('identity')];
    expect(new Set(tags).size).toBe(3);
    expect([await tagOf('br'), await tagOf('gzip'), await tagOf('identity')]).toEqual(tags);
  });

  it.each<[string, (tag: string) => string]>([
    ['the tag', (tag) => tag],
    ['the tag in its weak form', (tag) => `W/${tag}`],
    ['the tag among others', (tag) => `"other", W/"another",${tag}`],
    ['any tag', () => '*'],
  ])('is not sent again to a browser that names %s', async (_name, header) => {
    const tag = await tagOf('br');
    const answer = await load({ 'accept-encoding': 'br', 'if-none-match': header(tag) });
    expect([answer.status, answer.body.length]).toEqual([304, 0]);
    expect(answer.headers).toMatchObject({
      etag: tag,
      'cache-control': 'private, no-cache, no-transform',
      vary: 'accept, accept-encoding, origin',
    });
    expect(answer.headers['content-encoding']).toBeUndefined();
  });

  it('is sent again to a browser that has another, or one in another coding', async () => {
    const gzip = await tagOf('gzip');
    for (const tag of ['"other"', gzip, '']) expect((await load({ 'accept-encoding': 'br', 'if-none-match': tag })).status).toBe(200);
  });

  it('tells its size to HEAD', async () => {
    const { status, headers, body } = await load({ 'accept-encoding': 'br' }, { method: 'HEAD' });
    expect([status, body.length, headers['content-encoding']]).toEqual([200, 0, 'br']);
    expect(Number(headers['content-length'])).toBeGreaterThan(1_000_000);
  });

  it('is nowhere but at its path, and no answer to a POST', async () => {
    expect((await load({}, { path: '/graphql/x' })).status).toBe(404);
    expect((await load({ 'content-type': 'application/json' }, { method: 'POST' })).headers['content-type']).not.toContain('text/html');
  });

  it.each([
    ['true', true],
    ['sdl', false],
    ['false', false],
  ])('with INTROSPECTION=%s tells fields of the schema that no example has: %s', async (introspection, isTold) => {
    const closed = await startTestGraph({}, undefined, { env: { INTROSPECTION: introspection } });
    const { status, body } = await sendRaw(closed.app.url, { path: '/graphql', headers: BROWSER });
    expect([status, body.toString().includes('Mutation.memberRemove')]).toEqual([200, isTold]);
    await closed.close();
  });

  it('is not there when it is turned off', async () => {
    const transport = httpTransport({ url: testGraph.sandbox.url, connections: 1 });
    const upstream = createUpstream({ transport, timeoutMs: 20_000, callsPerRequest: 1 });
    const app = await startApp({
      config: readConfig({ PORT: '0', GRAPHIQL: 'false' }),
      upstream,
      ledger: memoryLedger(),
      logger: pino({ level: 'silent' }),
      http: NO_IDLE_WAIT,
    });
    const { status, headers } = await sendRaw(app.url, { path: '/graphql', headers: { accept: 'text/html' } });
    expect([status, headers['content-type']]).toEqual([406, 'application/json; charset=utf-8']);
    await app.close();
  });
});
