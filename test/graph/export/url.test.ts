import { rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { InterruptedError } from '../../../cli/bulk/command.ts';
import { createTestGraph, type TestGraph } from '../../../src/testing/index.ts';
import { createOut, listFiles, readManifest, readRows, runExport } from '../../support/exports.ts';

let graph: TestGraph;
beforeAll(async () => {
  graph = await createTestGraph({ accounts: { alice: {}, bob: { scopes: ['me:read', 'order:read'] } } });
});
afterAll(() => graph.close());

const run = (args: readonly string[], settings = {}) => runExport('', args, { env: { UPSTREAM_URL: '' }, ...settings });
const PROBLEMS = ['problems', '--columns', 'id,status'];

/** Starts an HTTP server for one test. */
async function serve(respond: (count: number) => readonly [status: number, body: string | Buffer]): Promise<string> {
  let count = 0;
  const server = createServer((_request, response) => {
    count += 1;
    const [status, body] = respond(count);
    response.writeHead(status, { 'content-type': 'text/html' }).end(body);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`;
}

describe('export --url', () => {
  it('reads from a running graph, with the same calls as one of its own', async () => {
    const before = graph.calls.length;
    const out = createOut();
    expect(await run([...PROBLEMS, '--url', graph.url, '--out', out], { key: graph.keys.owner })).toMatchObject({ code: 0 });
    const calls = graph.calls.slice(before).map(({ operation }) => operation);
    expect(new Set(calls)).toEqual(new Set(['AnalyticsService/ListCatalog', 'AnalyticsService/ExecuteQuery']));
    expect(readManifest(out)).toMatchObject({ verified: true });
    expect(readRows(out).length).toBeGreaterThan(5);
  });

  it.each([
    ['http://graph.example/graphql', '--url must be an https URL, or an http URL of this machine, but is http://graph.example/graphql.'],
    ['http://127.0.0.1:1/graphql', 'No graph can be reached at http://127.0.0.1:1/graphql: ECONNREFUSED. Start one, or set --url.'],
  ])('rejects %s', async (url, message) => {
    const { code, err } = await run([...PROBLEMS, '--url', url, '--out', createOut()]);
    expect([code, err]).toEqual([1, expect.stringContaining(message)]);
  });

  it('rejects a server that isn’t a graph', async () => {
    const url = await serve(() => [404, '<h1>Not found</h1>']);
    const { code, err, waits } = await run([...PROBLEMS, '--url', url, '--out', createOut()]);
    expect([code, err, waits]).toEqual([1, `${url} responded with HTTP status 404, and not as a GraphQL endpoint. Correct --url.`, []]);
  });

  it('retries while a proxy can’t reach the graph', async () => {
    const url = await serve((count) => (count < 3 ? [502, '<h1>Bad gateway</h1>'] : [404, '']));
    const { waits } = await run([...PROBLEMS, '--url', url, '--out', createOut()]);
    expect(waits).toHaveLength(2);
  });
});

describe('export from a response that isn’t UTF-8', () => {
  it('stops without a file', async () => {
    const out = createOut();
    const url = await serve(() => [200, Buffer.from('{"data":{"__type":{"name":"Zoë"}}}', 'latin1')]);
    const { code, err } = await run([...PROBLEMS, '--url', url, '--out', out]);
    expect([code, err, listFiles(out)]).toEqual([1, expect.stringContaining('The response isn’t encoded in UTF-8'), []]);
  });
});

describe('export with an access token', () => {
  it('continues with a renewed token of the same account, and rejects that of another one', async () => {
    const out = createOut();
    const file = createOut('token');
    onTestFinished(() => rmSync(file));
    const args = [...PROBLEMS, '--url', graph.url, '--key-file', file, '--out', out];
    writeFileSync(file, await graph.signInAs('alice'));
    const interruption = new AbortController();
    interruption.abort(new InterruptedError('SIGINT'));
    expect(await run(args, { signal: interruption.signal })).toMatchObject({ code: 130 });
    expect(listFiles(out)).toEqual(['.part', '.checkpoint']);
    writeFileSync(file, await graph.signInAs('bob'));
    expect(await run(args)).toMatchObject({ code: 1, err: expect.stringContaining('analytics:read') });
    writeFileSync(file, await graph.signInAs('alice', { expiresInSeconds: 200 }));
    expect(await run(args)).toMatchObject({ code: 0, err: expect.stringContaining('Verified') });
  });

  it('reads the token again when it has expired', async () => {
    const tokens = [await graph.signInAs('alice', { expiresInSeconds: -60 }), await graph.signInAs('alice')];
    let reads = 0;
    const env = {
      UPSTREAM_URL: '',
      // Once for the account, and once for the first request.
      get WORKSPACE_API_KEY() {
        reads += 1;
        return tokens[reads <= 2 ? 0 : 1] as string;
      },
    };
    expect(await run([...PROBLEMS, '--url', graph.url, '--out', createOut()], { env })).toMatchObject({ code: 0 });
    expect(reads).toBe(3);
  });
});
