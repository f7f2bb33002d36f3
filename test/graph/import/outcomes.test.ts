import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { useTestGraph } from '../../support/testGraph.ts';
import { createFile, type ImportFile, readResults, runImport } from './support.ts';

const testGraph = useTestGraph();

// The sandbox's clock is ahead of the graph's: a record must not seem older than its request.
beforeAll(() => {
  testGraph.sandbox.now = Math.floor(Date.now() / 1_000) + 3_600;
});

const CREATE = ['--mutation', 'contactCreate'];

const countByStatus = (file: ImportFile) =>
  Object.fromEntries(
    Object.entries(Object.groupBy(readResults(file), ({ status }) => status)).map(([status, rows = []]) => [status, rows.length]),
  );

const countContacts = (prefix: string) =>
  testGraph.sandbox.world.store.all('SELECT 1 FROM main.contacts WHERE last_name LIKE :pattern', { pattern: `${prefix}%` }).length;

const createContacts = (prefix: string, count: number) =>
  createFile(`lastName\n${Array.from({ length: count }, (_, index) => `${prefix} ${index}\n`).join('')}`);

/**
 * Starts a proxy in front of the graph. `respond` handles the mutations, numbered from 1: `forward` sends one to the graph and returns the response's body.
 * Returns the URL.
 */
async function startProxy(
  respond: (number: number, response: ServerResponse, forward: () => Promise<string>, key: string) => Promise<void>,
): Promise<string> {
  let mutations = 0;
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const forward = async () => {
      const { authorization = '' } = request.headers;
      const forwarded = await fetch(`${testGraph.url}/graphql`, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json' },
        body,
      });
      return forwarded.text();
    };
    if (body.includes('"query":"mutation')) {
      mutations += 1;
      await respond(mutations, response, forward, JSON.parse(body).variables.input.idempotencyKey);
    } else response.setHeader('content-type', 'application/json').end(await forward());
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`;
}

const runAt = (url: string, file: ImportFile, args: readonly string[] = []) =>
  runImport(testGraph.sandbox.url, file, [...CREATE, '--url', url, '--allow-volatile', ...args]);

describe('import whose connection to the graph breaks', () => {
  it('reports rows that were handed to the network as unknown, and others as not sent, until a run finds out', async () => {
    const file = createContacts('Broken', 40);
    let isBroken = true;
    const url = await startProxy(async (number, response, forward) => {
      const body = await forward();
      if (number <= 10 || !isBroken) response.setHeader('content-type', 'application/json').end(body);
      else response.destroy();
    });
    expect(await runAt(url, file)).toMatchObject({ code: 1, err: expect.stringContaining('can’t be reached') });
    const { DONE = 0, OUTCOME_UNKNOWN = 0, NOT_SENT = 0, ...others } = countByStatus(file);
    expect([DONE, OUTCOME_UNKNOWN + NOT_SENT, others]).toEqual([10, 30, {}]);
    expect([countContacts('Broken'), OUTCOME_UNKNOWN]).toEqual([DONE + OUTCOME_UNKNOWN, expect.toSatisfy((count: number) => count > 0)]);
    isBroken = false;
    expect(await runAt(url, file)).toMatchObject({ code: 0 });
    expect([countByStatus(file), countContacts('Broken')]).toEqual([{ DONE: 10 + NOT_SENT, REPLAYED: OUTCOME_UNKNOWN }, 40]);
  });

  it('never reports a row as not applied whose first response was lost', async () => {
    const file = createContacts('Limited', 1);
    const limited = { __typename: 'RateLimitedError', code: 'RATE_LIMITED', message: 'Later.', retry: 'SAFE', retryAfterSeconds: 1 };
    const url = await startProxy(async (number, response, forward) => {
      if (number > 1) response.setHeader('content-type', 'application/json').end(JSON.stringify({ data: { result: limited } }));
      else {
        await forward();
        response.destroy();
      }
    });
    expect(await runAt(url, file)).toMatchObject({ code: 3 });
    expect([countByStatus(file), countContacts('Limited')]).toEqual([{ OUTCOME_UNKNOWN: 1 }, 1]);
  });
});

describe('import of rows that are known not to be applied', () => {
  it('sends them with a new idempotency key in the next run', async () => {
    const file = createContacts('Renewed', 1);
    const keys = new Set<string>();
    const limited = { __typename: 'RateLimitedError', code: 'RATE_LIMITED', message: 'Later.', retry: 'SAFE', retryAfterSeconds: 1 };
    const url = await startProxy(async (_, response, forward, key) => {
      keys.add(key);
      const body = keys.size > 1 ? await forward() : JSON.stringify({ data: { result: limited } });
      response.setHeader('content-type', 'application/json').end(body);
    });
    expect(await runAt(url, file)).toMatchObject({ code: 3 });
    expect(countByStatus(file)).toEqual({ RETRY: 1 });
    // The time in the key is that of the graph's Date header, which changes each second.
    await wait(1_100);
    expect(await runAt(url, file)).toMatchObject({ code: 0 });
    expect([keys.size, countContacts('Renewed')]).toEqual([2, 1]);
  });

  it('reports rows whose mutation is still in progress as unknown', async () => {
    const file = createContacts('Running', 1);
    const running = {
      __typename: 'OperationInProgressError',
      code: 'OPERATION_IN_PROGRESS',
      message: 'Running.',
      retry: 'SAME_KEY',
      retryAfterSeconds: 1,
    };
    let isRunning = true;
    const url = await startProxy(async (_, response, forward) => {
      const body = isRunning ? JSON.stringify({ data: { result: running } }) : await forward();
      response.setHeader('content-type', 'application/json').end(body);
    });
    expect(await runAt(url, file)).toMatchObject({ code: 3 });
    expect(countByStatus(file)).toEqual({ OUTCOME_UNKNOWN: 1 });
    isRunning = false;
    expect(await runAt(url, file)).toMatchObject({ code: 0 });
  });

  it('continues with another key of the workspace, but not with that of another one', async () => {
    const file = createFile('customerId,title\n00000000-0000-4000-8000-000000000000,Late\n');
    const run = (key: string) => runImport(testGraph.sandbox.url, file, ['--mutation', 'workOrderCreate'], { key });
    expect(await run('demo-warehouse')).toMatchObject({ code: 1, err: expect.stringContaining('missing a required scope') });
    expect(countByStatus(file)).toEqual({ NOT_SENT: 1 });
    expect(await run('demo-neighbour')).toMatchObject({ code: 1, err: expect.stringContaining('another key') });
    expect(await run('demo-owner')).toMatchObject({ code: 3, err: expect.stringContaining('1 FAILED') });
  });
});

describe('import that changes what its rows are looked up by', () => {
  it('continues rows with an unknown outcome with the input that was sent', async () => {
    const { data } = await testGraph.execute('{ customers(first: 3) { nodes { email } } }');
    const emails: string[] = data.customers.nodes.map(({ email }: { email: string | null }) => email).filter(Boolean);
    const file = createFile(`customerId:email,email\n${emails.map((email) => `${email},changed-${email}\n`).join('')}`);
    let isBroken = true;
    const url = await startProxy(async (_, response, forward) => {
      const body = await forward();
      if (isBroken) response.destroy();
      else response.setHeader('content-type', 'application/json').end(body);
    });
    const run = () => runImport(testGraph.sandbox.url, file, ['--mutation', 'customerUpdate', '--url', url, '--allow-volatile']);
    expect(await run()).toMatchObject({ code: 1 });
    expect(countByStatus(file)).toEqual({ OUTCOME_UNKNOWN: emails.length });
    isBroken = false;
    expect(await run()).toMatchObject({ code: 0 });
    expect(countByStatus(file)).toEqual({ REPLAYED: emails.length });
    // The rows don't match any customer anymore.
    expect(await run()).toMatchObject({ code: 0 });
  });
});
