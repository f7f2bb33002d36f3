import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from '../../../cli/verify/command.ts';
import { readOverlay } from '../../../src/upstream/contract/overlay.ts';
import { httpTransport } from '../../../src/upstream/transport/http.ts';
import { openSandbox, type TestSandbox } from '../../sandbox/sandbox.ts';
import { changeMembers, changeRequests, changeResponses, type Deviation } from './deviations.ts';

const folder = mkdtempSync(join(tmpdir(), 'verify-'));
const writeFile = (name: string, text: string) => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

let sandbox: TestSandbox;
/** Strings in responses of the sandbox, which reports must not contain. */
const values = new Set<string>();
beforeAll(async () => {
  sandbox = await openSandbox({
    sendsDefaults: true,
    onResponse: (_operation, body) => {
      JSON.parse(body, (_name, value: unknown) => {
        if (typeof value === 'string' && value.length > 5) values.add(value);
        return value;
      });
    },
  });
});
afterAll(() => sandbox.close());

async function run(args: readonly string[], key: string | null = 'demo-owner') {
  const out: string[] = [];
  const err: string[] = [];
  const output = { out: (text: string) => void out.push(text), err: (text: string) => void err.push(text) };
  const code = await runCommand(args, { ...(key !== null && { WORKSPACE_API_KEY: key }) }, output);
  return { code, out: out.join(''), err: err.join('') };
}

/** Serves the sandbox with a deviation over HTTP. */
async function serveDeviation<Result>(deviation: Deviation, act: (url: string) => Promise<Result>): Promise<Result> {
  const transport = httpTransport({ url: sandbox.url, connections: 1 });
  const server: Server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const apiKey = String(request.headers.authorization).replace('Bearer ', '');
    const call = { path: request.url ?? '', apiKey, body: Buffer.concat(chunks).toString(), requestId: 'proxied', timeoutMs: 20_000 };
    const { status, body } = await deviation(call, (changed) => transport.send(changed));
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  });
  await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening));
  try {
    return await act(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
    await transport.close();
  }
}

const renamed = changeMembers('Quote', (name, value) => [[name === 'title' ? 'subject' : name, value]]);

describe('verify command', () => {
  it('exits with 0 without drift, and prints text and JSON reports without the key or any value', async () => {
    const printed: string[] = [];
    for (const format of [[], ['--json']]) {
      const { code, out, err } = await run(['verify', '--url', sandbox.url, '--max-calls', '600', ...format]);
      expect([code, err]).toEqual([0, '']);
      printed.push(out);
    }
    const [text = '', json = ''] = printed;
    expect(text).toMatch(/^0 drifts, 0 unknown fields, \d+ confirmed fields\. Sent \d+ calls\.\n/);
    expect(text).toMatch(/\nAssumptions checked: \d{3,} correct, 0 wrong\n/);
    expect(JSON.parse(json).settled).toContainEqual({ kind: 'service names in paths', of: 'Quote', isRight: true });
    expect(JSON.parse(json).findings).toContainEqual({ coordinate: 'QuoteRecord.title', verdict: 'CONFIRMED', count: expect.any(Number) });
    expect(values.size).toBeGreaterThan(200);
    // Reports can contain enum values, scopes, and names of columns, but no other values.
    const exposed = [...values].filter(
      (value) => !/^([A-Z_]+|[a-z_]+)$/.test(value) && !/^[a-z_]+:[a-z_]+$/.test(value) && printed.join('\n').includes(value),
    );
    expect(exposed).toEqual([]);
    expect(printed.join('\n')).not.toContain('demo-owner');
  });

  it('exits with 1 for drift, and proposes an overlay that fixes it', async () => {
    const overlayFile = join(folder, 'overlay.yaml');
    await serveDeviation(renamed, async (url) => {
      const { code, out } = await run(['verify', '--url', url, '--max-calls', '600', '--propose', overlayFile]);
      expect(code).toBe(1);
      expect(out).toContain('QuoteRecord.title  RENAMED  named subject');
      expect(readOverlay(readFileSync(overlayFile, 'utf8'))).toMatchObject({ overlay: { fields: { QuoteRecord: { title: 'subject' } } } });
      expect((await run(['verify', '--url', url, '--overlay', overlayFile, '--max-calls', '600'])).code).toBe(0);
    });
  });

  it('reports drift that affects many operations once, with advice on the overlay', async () => {
    const small: Deviation = changeRequests('', ({ pageSize, ...rest }) => ({
      ...rest,
      ...(Number(pageSize) > 0 && { pageSize: Math.min(Number(pageSize), 20) }),
    }));
    await serveDeviation(small, async (url) => {
      const { out } = await run(['verify', '--url', url]);
      expect(out).toMatch(
        /\nDRIFT\n {2}\d\d coordinates {2}PAGE_CAP {2}a page contains at most 20 rows, expected 100\n {4}WorkOrder\/GetWorkOrder \(1\)\n/,
      );
      expect(out).toContain('Then run verify again with --overlay FILE --propose FILE, because correct names can reveal more drift.');
    });
  });

  it('needs no more than the default number of calls for the whole contract', async () => {
    const { cutBy, keptBack: withheld, calls } = JSON.parse((await run(['verify', '--url', sandbox.url, '--json'])).out);
    expect({ cutBy, keptBack: withheld }).toEqual({ cutBy: null, keptBack: 0 });
    expect(calls).toBeGreaterThan(250);
  });

  it('sends each read once before pages and filters, and unknown IDs last', async () => {
    const before = sandbox.received.length;
    await run(['verify', '--url', sandbox.url, '--max-calls', '230']);
    const calls = sandbox.received.slice(before).map(({ operation, request }) => ({ operation, request }));
    const names = (list: typeof calls) => new Set(list.map(({ operation }) => operation));
    // Every read that IDs lead to, in less than half of a full run.
    expect(names(calls.slice(0, 130))).toEqual(names(calls));
    expect(
      calls.some(({ operation, request }) => operation === 'Problem/ListProblems' && 'customerId' in request && request.customerId !== ''),
    ).toBe(true);
    expect(calls.filter(({ request }) => request.page === 2).length).toBeGreaterThan(15);
  });

  it('reports that no overlay was needed, or that it could not be written', async () => {
    const file = join(folder, 'unneeded.yaml');
    expect((await run(['verify', '--url', sandbox.url, '--propose', file])).err).toBe(
      `Found no further drift that an overlay can correct, so ${file} wasn’t written.\n`,
    );
    await serveDeviation(renamed, async (url) => {
      const { code, err } = await run(['verify', '--url', url, '--propose', join(folder, 'none', 'overlay.yaml')]);
      expect(code).toBe(2);
      expect(err).toMatch(/^Can’t write \S+ \(--propose\): ENOENT\. Specify a writable file\.\n/);
    });
  });

  it('respects --max-calls, and reports what it omitted', async () => {
    const before = sandbox.received.length;
    const { code, out } = await run(['verify', '--url', sandbox.url, '--max-calls', '12']);
    expect(code).toBe(0);
    expect(sandbox.received.length - before).toBe(12);
    const [, missingCalls] = /Sent 12 calls\.\nA full run needs at least (\d+) more calls\. Use --max-calls 450\.\n/.exec(out) ?? [];
    expect(Number(missingCalls)).toBeGreaterThan(30);
    expect(out).toMatch(/\n {2}Quote\/ListQuotes {2}BUDGET\n/);
  });

  it('exits with 3 if fewer read operations returned data than --min-confirmed requires', async () => {
    const args = ['verify', '--url', sandbox.url, '--max-calls', '12'];
    const { code, out, err } = await run([...args, '--min-confirmed', '50']);
    const [, confirmed, total] = /\nConfirmed (\d+) of (\d+) read operations\.\n/.exec(out) ?? [];
    expect([code, Number(confirmed) > 5, Number(total) > 80]).toEqual([3, true, true]);
    expect(err).toBe(`Confirmed ${confirmed} of ${total} read operations, but --min-confirmed requires 50%.\n`);
    expect((await run([...args, '--min-confirmed', '10'])).code).toBe(0);
    expect(await run(['verify', '--url', sandbox.url, '--min-confirmed', '95'])).toMatchObject({ code: 0, err: '' });
  });

  it('exits with 1 for drift, even if too little was confirmed', async () => {
    await serveDeviation(renamed, async (url) => {
      expect((await run(['verify', '--url', url, '--max-calls', '80', '--min-confirmed', '100'])).code).toBe(1);
    });
  });

  it('leaves the reserve of the rate limit to other clients', async () => {
    const limited = await openSandbox({ rateLimit: { limit: 30, windowSeconds: 60 } });
    const { out } = await run(['verify', '--url', limited.url, '--reserve', '18']);
    await limited.close();
    expect(limited.received).toHaveLength(12);
    expect(out).toContain('The rate limit is down to --reserve; use --wait to continue in the next window.');
  });

  it('exits with 2 and reports the reason if nothing could be verified', async () => {
    expect(await run(['verify', '--url', sandbox.url], 'demo-revoked')).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringContaining('The API key is invalid, expired, or revoked.'),
    });
    expect(await run(['verify', '--url', 'http://127.0.0.1:9'])).toMatchObject({
      code: 2,
      err: 'No read succeeded (connection failed: ECONNREFUSED). Check --url and the key.\n',
    });
    expect(await run(['verify', '--url', `${sandbox.url}/elsewhere`])).toMatchObject({
      code: 2,
      err: expect.stringContaining('NOT_SERVED with status 404'),
    });
  });

  it.each([
    [['check'], 'Unknown or missing command. Use verify or can.'],
    [['verify'], '--url or UPSTREAM_URL must be the base URL'],
    [['verify', '--url', 'ftp://x'], '--url or UPSTREAM_URL must be the base URL'],
    [['verify', '--url', 'http://x', '--max-calls', 'many'], '--max-calls must be an integer'],
    [['verify', '--url', 'http://x', '--overlay', 'no-such.yaml'], 'Can’t read no-such.yaml (--overlay): ENOENT. Specify a readable file.'],
    [['verify', '--url', 'http://x', '--min-confirmed', '101'], '--min-confirmed must be a whole percentage from 0 to 100.'],
    [['verify', '--nothing'], 'nothing'],
  ])('rejects %j', async (args, problem) => {
    const { code, out, err } = await run(args);
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain(problem);
    expect(err).toContain('Usage:');
  });
});

describe('can command', () => {
  it('says so if the upstream doesn’t report the scopes of the key', async () => {
    await serveDeviation(
      changeResponses('Workspace/Me', (response) => ({ data: response })),
      async (url) => {
        const { code, out } = await run(['can', '--url', url]);
        expect(code).toBe(0);
        expect(out).toMatch(/^The upstream doesn’t report the scopes of this key\. Use verify to find the reads that it rejects\.\n/);
        expect(out).toContain('unknown  Query.team\n');
      },
    );
  });

  it('exits with 2 if the scopes of the key can’t be read from the response', async () => {
    await serveDeviation(
      changeResponses('Workspace/Me', () => ({})),
      async (url) => {
        const err = 'Can’t get the scopes of the key (an empty response). Check --url and the key.\n';
        expect(await run(['can', '--url', url])).toEqual({ code: 2, out: '', err });
      },
    );
  });

  it('lists what a key can use, with a single call', async () => {
    const before = sandbox.received.length;
    const { code, out } = await run(['can', '--url', sandbox.url], 'demo-sales');
    expect(code).toBe(0);
    expect(sandbox.received.slice(before).map(({ operation }) => operation)).toEqual(['Workspace/Me']);
    expect(out).toContain('yes      Mutation.quoteConfirm\n');
    expect(out).toContain('no       Mutation.productCreate  missing catalog:write\n');
    expect(out).toContain('unknown  Query.actionRequest\n');
  });

  it('prints the scopes that documents require, without a key, and omits scopes for selections of only IDs', async () => {
    const quotes = writeFile(
      'quotes.graphql',
      'query Q($c: ID!, $all: Boolean!) { customer(id: $c) { id quotes { nodes { title customer { id } lines @include(if: $all) { product { name } } } } } }',
    );
    const confirm = writeFile(
      'confirm.graphql',
      'mutation C($input: QuoteConfirmInput!) { quoteConfirm(input: $input) { __typename ... on QuoteConfirmPayload { order { ...O } } } } fragment O on Order { customer { title } }',
    );
    const findScopes = async (...files: string[]) => run(['can', ...files.flatMap((file) => ['--document', file])], null);
    expect(await findScopes(quotes)).toEqual({ code: 0, out: 'Required scopes:\n  catalog:read\n  quote:read\n', err: '' });
    const { out } = await findScopes(quotes, confirm);
    expect(out).toContain('  customer:read\n');
    expect(out).toContain('  quote:confirm\n');
    expect(await findScopes(writeFile('bad.graphql', '{ nothing }'))).toMatchObject({
      code: 2,
      err: expect.stringContaining('doesn’t match the schema: Cannot query field "nothing"'),
    });
    expect(await findScopes(writeFile('broken.graphql', '{'))).toMatchObject({
      code: 2,
      err: expect.stringContaining('isn’t valid GraphQL'),
    });
  });

  it('marks the scopes that the key lacks, and exits with 1', async () => {
    const products = writeFile('products.graphql', '{ products { nodes { name } } order(id: "x") { status } }');
    const args = ['can', '--url', sandbox.url, '--document', products];
    expect(await run(args, 'demo-sales')).toMatchObject({ code: 0, out: 'Required scopes:\n  catalog:read\n  order:read\n' });
    const stockDocument = writeFile('stock.graphql', '{ inventoryTransfers { nodes { rawId } } }');
    const result = await run([...args, '--document', stockDocument], 'demo-sales');
    expect(result).toMatchObject({
      code: 1,
      out: 'Required scopes:\n  catalog:read\n  inventory:read  (missing from the key)\n  order:read\n',
    });
  });
});
