import { afterEach, describe, expect, it } from 'vitest';
import { getExecutionQueue } from '../../../sandbox/analytics/queue.ts';
import { startAdmin } from '../../../sandbox/kernel/admin.ts';
import { spec } from '../../support/spec.ts';
import { makeKey } from '../makeKey.ts';
import { type CallResult, createDemoWorld, demoId, openSandbox, post, START, useSandbox } from '../sandbox.ts';
import { createQuery, measure } from './queryHelpers.ts';

const opened = useSandbox();
const QUERY = createQuery('orders', { aggregate: { measures: [measure('COUNT')] } });
const OPERATION = 'AnalyticsService/ExecuteQuery';

const executions = () => getExecutionQueue(opened.sandbox.world);
const send = (key: string) => opened.callAs(key, OPERATION, { query: QUERY });

/** Sends this many queries, and waits until all of them are queued. */
async function queued(key: string, count: number): Promise<Promise<CallResult>[]> {
  const before = executions().waiting;
  const responses = Array.from({ length: count }, () => send(key));
  while (executions().waiting < before + count) await new Promise(setImmediate);
  return responses;
}

/** Ends the pause of a test. */
let release: (() => void) | undefined;

function hold(): void {
  release = executions().pause();
}

afterEach(() => {
  release?.();
  release = undefined;
  opened.sandbox.now = START;
  opened.sandbox.faults.clear();
});

describe('execution queue', () => {
  it('serves keys in rotation, so that a key with many queries doesn’t block others', spec('4.12.18'), async () => {
    const other = makeKey(opened.sandbox.world);
    const order: string[] = [];
    const recordOrder = (key: string, responses: readonly Promise<CallResult>[]) =>
      responses.map((response) => response.then(() => order.push(key)));
    hold();
    const many = recordOrder('many', await queued('demo-owner', 6));
    const few = recordOrder('few', await queued(other, 2));
    release?.();
    await Promise.all([...many, ...few]);
    // Responses arrive in the order of execution, except for those that overtake each other in transit.
    expect(order.lastIndexOf('few')).toBeLessThan(6);
    expect(order).toHaveLength(8);
  });

  it('rejects queries above the limit of a workspace, and executes the waiting ones', spec('4.12.17'), async () => {
    hold();
    const waiting = await queued('demo-owner', 32);
    expect(await send('demo-owner')).toMatchObject({ status: 429, body: { code: 'resource_exhausted' } });
    expect(await send(makeKey(opened.sandbox.world))).toMatchObject({ status: 429 });
    // Other workspaces have their own queues.
    const [neighbour] = await queued('demo-neighbour', 1);
    release?.();
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual(Array<number>(32).fill(200));
    expect((await neighbour)?.status).toBe(200);
  });

  it('returns a timeout for queries that can’t start within 30 s, and continues', spec('7.13'), async () => {
    hold();
    const [late] = await queued('demo-owner', 1);
    opened.sandbox.now += 20;
    const [timely] = await queued('demo-owner', 1);
    opened.sandbox.now += 11;
    release?.();
    expect(await late).toMatchObject({ status: 504, body: { code: 'deadline_exceeded' } });
    expect(await timely).toMatchObject({ status: 200 });
  });

  it('removes a query that fails', async () => {
    expect((await opened.call(OPERATION, { query: { ...QUERY, entity: 'nothing' } })).status).toBe(400);
    expect((await send('demo-owner')).status).toBe(200);
  });

  it('supports injected faults that look like its own errors', async () => {
    hold();
    const waiting = await queued('demo-owner', 32);
    const full = await send('demo-owner');
    opened.sandbox.now += 31;
    release?.();
    const late = await waiting[0];
    opened.sandbox.faults.add({ operation: OPERATION, status: 429, retryAfter: 1, times: 1 });
    opened.sandbox.faults.add({ operation: OPERATION, status: 504, times: 1 });
    for (const real of [full, late]) {
      const { status, body } = await send('demo-owner');
      expect({ status, code: body.code }).toEqual({ status: real?.status, code: real?.body.code });
    }
  });
});

describe('deadline of an execution', () => {
  /** A sandbox whose clock advances by this many seconds on each read. */
  async function sendAt(step: number): Promise<CallResult> {
    let now = START;
    const world = createDemoWorld(() => {
      now += step;
      return now * 1_000;
    });
    const sandbox = await openSandbox({ world });
    try {
      return await post(sandbox.url, 'demo-owner', OPERATION, { query: QUERY });
    } finally {
      await sandbox.close();
    }
  }

  it('fails after 15 s without a partial result', spec('4.12.86', '8.20'), async () => {
    expect(await sendAt(1)).toMatchObject({ status: 200 });
    const { status, body } = await sendAt(16);
    expect({ status, code: body.code, result: body.result }).toEqual({ status: 504, code: 'deadline_exceeded', result: undefined });
  });
});

describe('usage', () => {
  it('counts successful queries by key and day, and is listed by the admin port', spec('4.12.19'), async () => {
    const sandbox = await openSandbox();
    const admin = await startAdmin(sandbox, 0);
    const sendRequest = (key: string, query: object) => post(sandbox.url, key, OPERATION, { query });
    const fetchUsage = async () => ((await (await fetch(`${admin.url}/usage`)).json()) as { usage: object[] }).usage;
    try {
      expect(await fetchUsage()).toEqual([]);
      await sendRequest('demo-owner', QUERY);
      await sendRequest('demo-owner', createQuery('orders', { records: { fields: ['id'] }, limit: 7 }));
      await sendRequest('demo-owner', { ...QUERY, entity: 'nothing' });
      sandbox.now += 86_400;
      await sendRequest('demo-owner', QUERY);
      const plain = { workspaceId: demoId('workspace'), milliseconds: expect.any(Number), keyId: expect.any(String) };
      expect(await fetchUsage()).toEqual([
        { ...plain, day: '2026-03-03', executions: 1, rows: 1 },
        { ...plain, day: '2026-03-02', executions: 2, rows: 8 },
      ]);
      expect((await fetch(`${admin.url}/usage`, { method: 'DELETE' })).status).toBe(400);
    } finally {
      await admin.close();
      await sandbox.close();
    }
  });
});
