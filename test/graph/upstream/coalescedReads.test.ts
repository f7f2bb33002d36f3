import { describe, expect, it } from 'vitest';
import { NotSentError } from '../../../src/failures/failures.ts';
import { createKeyCredential } from '../../../src/upstream/access/credential.ts';
import type { Call } from '../../../src/upstream/calls/call.ts';
import { Key } from '../../../src/upstream/calls/key.ts';
import { createUpstream } from '../../../src/upstream/client.ts';
import { ListContacts } from '../../../src/upstream/contract/generated/operations.ts';
import { makeKey } from '../../sandbox/makeKey.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { createClock } from '../../support/clock.ts';
import { fc } from '../../support/seeded.ts';
import { type GraphResult, useTestGraph } from '../../support/testGraph.ts';
import { createRead, createReads, createRequester } from './testReads.ts';
import { WatchedQuota } from './watchedQuota.ts';

const GET = 'Contact/GetContact';
const CONTACT = 'query ($id: ID!) { contact(id: $id) { rawId lastName } }';
const contact = { id: demoId('contact 0') };
const UPDATE = 'mutation ($input: ContactUpdateInput!) { contactUpdate(input: $input) { __typename } }';

describe('read shared by concurrent requests', () => {
  const quota = new WatchedQuota();
  const testGraph = useTestGraph({}, undefined, { upstream: { quota } });
  /** Executes a request while another request of `demo-owner` waits for the same contact. Returns both results and the calls. */
  async function executeWhileHeld(perform: () => Promise<GraphResult>) {
    const held = testGraph.gate.hold(GET);
    return testGraph.recordCalls(async () => {
      const first = testGraph.execute(CONTACT, contact);
      await held.arrived;
      const started = quota.waitForStarted();
      const second = perform();
      await started;
      held.release();
      return { first: await first, second: await second };
    });
  }

  it('costs one call, charged to the first request', async () => {
    const [{ first, second }, calls] = await executeWhileHeld(() => testGraph.execute(CONTACT, contact));
    expect(second).toMatchObject({ data: first.data, cost: { predictedCalls: 1, actualCalls: 0 } });
    expect(calls.filter((name) => name === GET)).toHaveLength(1);
  });

  it('doesn’t depend on the order of its fields', async () => {
    const upstream = createUpstream({ transport: testGraph.gate, timeoutMs: 20_000, callsPerRequest: 10 });
    const search = (request: { page: number; pageSize: number }) =>
      upstream.openSession(createKeyCredential('demo-owner'), 'a request').call(ListContacts, request);
    const [, calls] = await testGraph.recordCalls(() =>
      Promise.all([search({ page: 1, pageSize: 2 }), search({ pageSize: 2, page: 1 }), search({ pageSize: 3, page: 1 })]),
    );
    expect(calls).toHaveLength(2);
  });

  it('costs one call per key', async () => {
    const key = makeKey(testGraph.sandbox.world);
    const [, calls] = await executeWhileHeld(() => testGraph.executeAs(key, CONTACT, contact));
    expect(calls.filter((name) => name === GET)).toHaveLength(2);
  });

  it('repeats its call after a mutation of any key in between', async () => {
    const key = makeKey(testGraph.sandbox.world);
    const held = testGraph.gate.hold(GET);
    const [, calls] = await testGraph.recordCalls(async () => {
      const first = testGraph.execute(CONTACT, contact);
      await held.arrived;
      await testGraph.executeAs(key, 'mutation { contactCreate(input: { lastName: "New" }) { __typename } }');
      const started = quota.waitForStarted();
      const second = testGraph.execute(CONTACT, contact);
      await started;
      held.release();
      return Promise.all([first, second]);
    });
    expect(calls.filter((name) => name === GET)).toHaveLength(2);
  });

  it('repeats its call if it started before a mutation ended', async () => {
    const change = testGraph.gate.hold('Contact/CreateContact');
    const held = testGraph.gate.hold(GET);
    const [, calls] = await testGraph.recordCalls(async () => {
      const changing = testGraph.execute('mutation { contactCreate(input: { lastName: "Slow" }) { __typename } }');
      await change.arrived;
      const first = testGraph.execute(CONTACT, contact);
      await held.arrived;
      change.release();
      await changing;
      const started = quota.waitForStarted();
      const second = testGraph.execute(CONTACT, contact);
      await started;
      held.release();
      return Promise.all([first, second]);
    });
    expect(calls.filter((name) => name === GET)).toHaveLength(2);
  });

  it('fails for all requests', async () => {
    testGraph.sandbox.faults.add({ operation: GET, status: 500, times: 1 });
    const [{ second }, calls] = await executeWhileHeld(() => testGraph.execute(CONTACT, contact));
    expect(second).toMatchObject({ errors: [{ extensions: { code: 'UPSTREAM_UNAVAILABLE' } }] });
    expect(calls.filter((name) => name === GET)).toHaveLength(1);
  });
});

describe('READ_CACHE_MS', () => {
  let clock = Date.now();
  const testGraph = useTestGraph({}, undefined, { env: { READ_CACHE_MS: '1000' }, clock: createClock(() => clock) });
  const readContact = async (key: string) => (await testGraph.recordCalls(() => testGraph.executeAs(key, CONTACT, contact)))[1];

  it('serves later requests of the key until expiry or its next mutation', async () => {
    const other = makeKey(testGraph.sandbox.world);
    expect([await readContact('demo-owner'), await readContact('demo-owner'), await readContact(other)]).toEqual([[GET], [], [GET]]);
    clock += 1_000;
    expect([await readContact('demo-owner'), await readContact('demo-owner')]).toEqual([[GET], []]);
    await readContact(other);
    await testGraph.execute(UPDATE, { input: { contactId: contact.id, lastName: 'Changed' } });
    expect([await readContact('demo-owner'), await readContact(other)]).toEqual([[GET], []]);
    clock += 1_000;
    expect((await testGraph.execute(CONTACT, contact)).data.contact.lastName).toBe('Changed');
  });

  it('doesn’t extend the lifetime if the clock is set back', async () => {
    clock += 1_000;
    expect([await readContact('demo-owner'), await readContact('demo-owner')]).toEqual([[GET], []]);
    clock -= 3_600_000;
    expect([await readContact('demo-owner'), await readContact('demo-owner')]).toEqual([[GET], []]);
    clock += 3_600_000;
  });

  it('doesn’t apply to failures', async () => {
    clock += 1_000;
    testGraph.sandbox.faults.add({ operation: GET, status: 500, times: 1 });
    expect([await readContact('demo-owner'), await readContact('demo-owner')]).toEqual([[GET], [GET]]);
  });
});

describe('interleaving of keys, reads, and writes', () => {
  const ownLimit = new NotSentError('it timed out in the queue.');
  const KEYS = ['a', 'b', 'c'] as const;
  const steps = fc.array(fc.record({ key: fc.constantFrom(...KEYS), isWrite: fc.boolean(), fails: fc.boolean(), ages: fc.boolean() }), {
    minLength: 2,
    maxLength: 12,
  });

  it.each([0, 5])(
    'never returns another key’s response or one older than the key’s own last write, with READ_CACHE_MS=%i',
    async (cacheMs) => {
      await fc.assert(
        fc.asyncProperty(fc.scheduler(), steps, async (scheduler, performed) => {
          // The record that all keys read.
          const record = { version: 0 };
          let clock = 0;
          const reads = createReads(
            createClock(() => clock),
            cacheMs,
          );
          const keys = new Map(KEYS.map((name) => [name, new Key(name)]));
          const failing = new Set<Call>();
          const send = async (call: Call) => {
            // Simulates the request and the response in transit.
            await scheduler.schedule(Promise.resolve(), 'request');
            const { version } = record;
            await scheduler.schedule(Promise.resolve(), 'answer');
            if (failing.has(call)) throw ownLimit;
            return { owner: call.key.hash, version };
          };
          const lastWrite = new Map<string, number>();
          const perform = async ({
            key: name,
            isWrite,
            fails,
            ages,
          }: {
            key: (typeof KEYS)[number];
            isWrite: boolean;
            fails: boolean;
            ages: boolean;
          }) => {
            const key = keys.get(name) ?? new Key(name);
            await scheduler.schedule(Promise.resolve(), 'begin');
            if (ages) clock += 3;
            if (isWrite) {
              reads.onWrite(key);
              await scheduler.schedule(Promise.resolve(), 'request');
              record.version += 1;
              const { version } = record;
              await scheduler.schedule(Promise.resolve(), 'answer');
              reads.onWrite(key);
              lastWrite.set(name, Math.max(lastWrite.get(name) ?? 0, version));
              return;
            }
            const atLeast = lastWrite.get(name) ?? 0;
            const call = createRead(createRequester(key), 'the same');
            if (fails) failing.add(call);
            try {
              const response = (await reads.read(call, send)) as {
                owner: string;
                version: number;
              };
              expect(response.owner).toBe(name);
              expect(response.version).toBeGreaterThanOrEqual(atLeast);
            } catch (error) {
              // Only a request that hits its own limit may fail.
              if (error !== ownLimit || !fails) throw error;
            }
          };
          const all = Promise.all(performed.map(perform));
          await scheduler.waitFor(all);
        }),
        { numRuns: 3_000 },
      );
    },
  );
});
