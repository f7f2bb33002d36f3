import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFile, readResults, runImport } from '../../graph/import/support.ts';
import { createOut, runExport } from '../../support/exports.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const testGraph = useTestGraph();

/** Responds instead of the graph. */
type Respond = (response: ServerResponse, body: unknown) => void;

/** A server that passes requests on to the graph, except those that a test responds to. */
let url: string;
let shouldIntercept: (query: string) => boolean = () => false;
let respond: Respond = () => {};
const server = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString();
  const received = await fetch(`${testGraph.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: String(request.headers.authorization) },
    body: text,
  });
  const body: unknown = await received.json();
  if (shouldIntercept(JSON.parse(text).query)) return respond(response, body);
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
});
beforeAll(async () => {
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const sendJson =
  (json: unknown): Respond =>
  (response) =>
    void response.end(JSON.stringify(json));
const sendText =
  (text: string): Respond =>
  (response) =>
    void response.end(text);

/** Sends chunks until the client closes the connection. Counts the bytes. */
let sentBytes = 0;
const sendEndlessly =
  (start: string, chunk: Buffer): Respond =>
  (response) => {
    sentBytes = 0;
    response.write(start);
    const push = () => {
      while (!response.destroyed) {
        sentBytes += chunk.length;
        if (!response.write(chunk)) return void response.once('drain', push);
      }
    };
    push();
  };

const CHUNK = 65_536;

const HOSTILE: readonly (readonly [string, Respond])[] = [
  ['data null without errors', sendJson({ data: null })],
  ['data that is a list', sendJson({ data: [] })],
  ['no members', sendJson({})],
  ['errors that aren’t a list', sendJson({ data: null, errors: 'none' })],
  ['errors of any shape', sendJson({ data: null, errors: [null, 5, 'text', { message: {} }, { path: 7, extensions: [] }] })],
  [
    'an error with a path of objects',
    sendJson({ data: null, errors: [{ message: 'x', path: [{}], extensions: { retry: 5, fields: 'x' } }] }),
  ],
  ['an empty body', sendText('')],
  ['half of a body', sendText('{"data":')],
  ['invalid UTF-8', (response) => void response.end(Buffer.from('{"data":{"a":"\xff"}}', 'latin1'))],
  ['a redirect', (response) => void response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end('{"data":{}}')],
  ['200 MB of text', sendEndlessly('{"data":"', Buffer.alloc(CHUNK, 'x'))],
  ['an endless list', sendEndlessly('{"data":[', Buffer.alloc(CHUNK, '0,'))],
  ['millions of levels', sendEndlessly('', Buffer.alloc(CHUNK, '['))],
  ['a reset connection', (response) => void response.socket?.resetAndDestroy()],
];

/** Yields copies of a value with one member removed, or replaced by one of another type. */
function* mutate(value: unknown): Generator<unknown> {
  for (const replacement of [null, 'mutated', 7, [], [null], {}]) yield replacement;
  if (Array.isArray(value)) {
    for (const changed of value.length > 0 ? mutate(value[0]) : []) yield [changed, ...value.slice(1)];
  } else if (typeof value === 'object' && value !== null)
    for (const [name, member] of Object.entries(value)) {
      yield Object.fromEntries(Object.entries(value).filter(([each]) => each !== name));
      for (const changed of mutate(member)) yield { ...value, [name]: changed };
    }
}

/** Records a response of the graph to a document that matches. */
async function record(matches: (query: string) => boolean, run: () => Promise<unknown>): Promise<{ readonly data: unknown }> {
  let recorded: unknown;
  shouldIntercept = matches;
  respond = (response, body) => {
    recorded ??= body;
    response.end(JSON.stringify(body));
  };
  await run();
  return recorded as { readonly data: unknown };
}

const setHostile = (matches: (query: string) => boolean, hostile: Respond) => {
  shouldIntercept = matches;
  respond = hostile;
};

const exportProblems = () =>
  runExport('', ['problems', '--columns', 'id,status', '--url', url, '--out', createOut()], { env: { UPSTREAM_URL: '' } });

const ROWS = 'title\nFirst\nSecond\n';

async function importCustomers() {
  const file = createFile(ROWS);
  const args = ['--mutation', 'customerCreate', '--allow-volatile', '--url', url];
  return { file, result: await runImport('', file, args, { env: { UPSTREAM_URL: '' } }) };
}

const isPage = (query: string) => query.includes('nodes {');
const isMutation = (query: string) => query.startsWith('mutation');

describe('export from a hostile graph', () => {
  it.each(HOSTILE)('fails with a message for %s, in any request', async (_title, hostile) => {
    for (const matches of [() => true, isPage]) {
      setHostile(matches, hostile);
      const { code, err } = await exportProblems();
      expect([code, err]).toEqual([1, expect.not.stringContaining('    at ')]);
      expect(err.length).toBeLessThan(1_000);
    }
  });

  it('stops reading a body without an end', async () => {
    for (const [title, hostile] of HOSTILE.filter(([name]) => /MB|endless|levels/.test(name))) {
      setHostile(isPage, hostile);
      expect([title, await exportProblems()]).toEqual([
        title,
        expect.objectContaining({ code: 1, err: expect.stringContaining('has more than 16 MB') }),
      ]);
      // What the client read, and what was on its way.
      expect(sentBytes).toBeLessThan(128 * 1024 ** 2);
    }
  });

  it.each([
    ['a page', isPage],
    ['the count', (query: string) => query.includes('totalCount')],
    ['the catalog', (query: string) => query.includes('analyticsCatalog')],
  ])('never fails without a message if %s is mutated', async (_title, matches) => {
    const { data } = await record(matches, exportProblems);
    for (const changed of mutate(data)) {
      setHostile(matches, sendJson({ data: changed }));
      const { code, err } = await exportProblems();
      expect([changed, code, err]).toEqual([changed, expect.any(Number), expect.not.stringContaining('    at ')]);
    }
  });

  it('ignores nonsense in the quota', async () => {
    const quotas = [
      'x',
      [],
      {},
      { limit: 0, remaining: 0, resetsInSeconds: 1 },
      { limit: 9, remaining: 9, resetsInSeconds: 1e12 },
      { limit: -1, remaining: 1, resetsInSeconds: 1 },
    ];
    for (const quota of quotas) {
      setHostile(
        () => true,
        (response, body) => response.end(JSON.stringify({ ...(body as object), extensions: { cost: { actualCalls: 'many', quota } } })),
      );
      const { code, waits } = await exportProblems();
      expect([quota, code, waits.every((ms) => ms <= 1_000)]).toEqual([quota, 0, true]);
    }
  });
});

describe('import to a hostile graph', () => {
  it.each(HOSTILE)('reports the outcome as unknown, or fails with a message, for %s', async (_title, hostile) => {
    setHostile(isMutation, hostile);
    const { result, file } = await importCustomers();
    expect([result.code, result.err]).toEqual([expect.any(Number), expect.not.stringContaining('    at ')]);
    expect(result.code).not.toBe(0);
    for (const { status } of readResults(file)) expect(['OUTCOME_UNKNOWN', 'NOT_SENT']).toContain(status);
  });

  it('never says that a row failed if the result of its mutation is mutated', async () => {
    const { data } = await record(isMutation, importCustomers);
    for (const changed of mutate(data)) {
      setHostile(isMutation, sendJson({ data: changed }));
      const { result, file } = await importCustomers();
      expect([changed, result.code, result.err]).toEqual([changed, expect.any(Number), expect.not.stringContaining('    at ')]);
      for (const { status } of readResults(file))
        expect([changed, status]).toEqual([changed, expect.stringMatching(/^(DONE|OUTCOME_UNKNOWN)$/)]);
    }
  });
});
