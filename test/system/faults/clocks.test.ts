import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSandbox } from '../../sandbox/sandbox.ts';
import { createMovableClock, faketimeNote, hasFaketime } from '../../support/faketime.ts';
import { killAll, startGraph } from '../../support/faults/process.ts';
import { hasRedis } from '../../support/faults/redisProcess.ts';
import { redisNote, useRedis } from '../../support/redis.ts';
import { postQuery } from '../../support/testGraph.ts';

const HOUR_SECONDS = 3_600;
const LIMIT = 5;
/** Shorter than the time that a graph waits for a key's quota window. */
const WINDOW_SECONDS = 4;

const createQuery = (count: number, name: string) =>
  `{ ${Array.from({ length: count }, (_, index) => `a${index}: contact(id: "${name} ${index}") { lastName }`).join(' ')} }`;

/** A folder for the files of one suite. Also ends the programs of the suite. */
function useFolder() {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'clocks-'));
  });
  afterAll(killAll);
  return {
    in: (name: string) => {
      const own = join(folder, name);
      mkdirSync(own);
      return own;
    },
  };
}

describe.skipIf(!hasFaketime)(`graph whose clock is set back by an hour${faketimeNote}`, () => {
  const folder = useFolder();

  it('serves an exhausted key as soon as the upstream’s window ends', async () => {
    const sandbox = await openSandbox({ rateLimit: { limit: LIMIT, windowSeconds: WINDOW_SECONDS } });
    const clock = createMovableClock(folder.in('set back'));
    clock.set(HOUR_SECONDS);
    const graph = await startGraph({ UPSTREAM_URL: sandbox.url, LEDGER_URL: 'file::memory:', ...clock.env });
    const sendQuery = (query: string) => postQuery(graph.url, 'demo-owner', query);
    try {
      // These calls and the call for the key's scopes exhaust the quota.
      const { cost } = await sendQuery(createQuery(LIMIT - 1, 'first'));
      expect(cost?.quota?.remaining).toBe(0);
      clock.set(0);
      sandbox.now += WINDOW_SECONDS;
      expect(await sendQuery(createQuery(1, 'second'))).toMatchObject({
        status: 200,
        data: { a0: null },
        errors: undefined,
        cost: { actualCalls: 1 },
      });
    } finally {
      await graph.kill();
      await sandbox.close();
    }
  });
});

const CREATE = `mutation ($key: String!) {
  contactCreate(input: { lastName: "Once", idempotencyKey: $key }) { ... on ContactCreatePayload { effect } ... on MutationError { code } }
}`;

describe.skipIf(!hasFaketime || !hasRedis)(`instances with 30 hours of clock skew${faketimeNote}${redisNote}`, () => {
  const folder = useFolder();
  const redis = useRedis();

  it('applies a write once, whichever instance gets it first', async () => {
    const sandbox = await openSandbox();
    const start = (offsetHours: number) => {
      const clock = createMovableClock(folder.in(`at ${offsetHours}`));
      clock.set(offsetHours * HOUR_SECONDS);
      return startGraph({ UPSTREAM_URL: sandbox.url, LEDGER_URL: redis.url, ...clock.env });
    };
    const [graph, ahead] = await Promise.all([start(0), start(30)]);
    const create = async ({ url }: { readonly url: string }, key: string) =>
      (await postQuery(url, 'demo-owner', CREATE, { key })).data.contactCreate;
    expect([await create(graph, 'a'), await create(ahead, 'a')]).toEqual([{ effect: 'DONE' }, { effect: 'REPLAYED' }]);
    expect([await create(ahead, 'b'), await create(graph, 'b')]).toEqual([{ effect: 'DONE' }, { effect: 'REPLAYED' }]);
    expect(sandbox.received.filter(({ operation }) => operation === 'Contact/CreateContact')).toHaveLength(2);
    await sandbox.close();
  });
});
