import { describe, expect, it } from 'vitest';
import { createKeyCredential } from '../../../src/upstream/access/credential.ts';
import { Keys } from '../../../src/upstream/calls/key.ts';
import { createUpstream } from '../../../src/upstream/client.ts';
import { GetContact, UpdateContact } from '../../../src/upstream/contract/generated/operations.ts';
import type { Session } from '../../../src/upstream/session.ts';
import { TransportError, type UpstreamResponse } from '../../../src/upstream/transport/transport.ts';
import { fc } from '../../support/seeded.ts';

describe('Keys', () => {
  it('evicts the least recently used key', () => {
    const evicted: string[] = [];
    const keys = new Keys({ max: 2, onEvict: ({ hash }) => evicted.push(hash) });
    const first = keys.get('first');
    keys.get('second');
    expect(keys.get('first')).toBe(first);
    keys.get('third');
    expect([evicted, keys.size]).toEqual([['second'], 2]);
  });

  it.each([
    ['a session', 'sessions'],
    ['a call in flight', 'running'],
    ['a call that waits for a retry', 'pausing'],
  ] as const)('never evicts a key with %s', (_name, counter) => {
    const keys = new Keys({ max: 1 });
    const busy = keys.get('busy');
    busy[counter] += 1;
    for (let index = 0; index < 200; index += 1) keys.get(`other ${index}`);
    expect(keys.get('busy')).toBe(busy);
    expect(keys.size).toBe(2);
  });

  it('evicts a blocked key only after 100 others', () => {
    const keys = new Keys({ max: 100, isWorthKeeping: ({ pausing }) => pausing < 0 });
    const blocked = Array.from({ length: 99 }, (_, index) => keys.get(`blocked ${index}`));
    for (const key of blocked) key.pausing = -1;
    keys.get('idle');
    keys.get('next');
    expect(keys.get('blocked 0')).toBe(blocked[0]);
    for (const key of keys) key.pausing = -1;
    expect(keys.size).toBe(100);
    keys.get('one more');
    expect(keys.size).toBe(100);
  });
});

/** What a call ends with. */
type End = UpstreamResponse | TransportError;

const QUOTA = { 'ratelimit-limit': '20', 'ratelimit-remaining': '5', 'ratelimit-reset': '60' };
const json = (status: number, body: object, headers = {}): UpstreamResponse => ({
  status,
  headers: { ...QUOTA, ...headers },
  body: JSON.stringify(body),
});
const ENDS: readonly End[] = [
  json(200, { contact: { id: 'a', customerId: 'b' } }),
  json(401, { code: 'unauthenticated' }),
  json(429, { code: 'resource_exhausted' }, { 'retry-after': '1' }),
  json(503, { code: 'unavailable' }),
  new TransportError(true, false),
  new TransportError(false, true),
];

describe('counters of a key', () => {
  const steps = fc.array(
    fc.record({
      key: fc.nat(1),
      isWrite: fc.boolean(),
      isAdmitted: fc.boolean(),
      disconnects: fc.boolean(),
      end: fc.constantFrom(...ENDS),
      message: fc.constantFrom('a', 'b'),
    }),
    { minLength: 1, maxLength: 12 },
  );

  it('return to zero when all requests have ended, however they end', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), steps, async (scheduler, performed) => {
        const opened: Session[] = [];
        const ends = performed.map(({ end }) => end);
        const upstream = createUpstream({
          transport: {
            send: async ({ path }) => {
              await scheduler.schedule(Promise.resolve(), 'response');
              if (path.endsWith('/Me')) return json(200, { apiKey: { scopes: ['*'] }, workspace: { id: 'w' } });
              const end = ends.shift() ?? (ENDS[0] as End);
              if (end instanceof TransportError) throw end;
              return end;
            },
            close: async () => {},
          },
          timeoutMs: 60_000,
          callsPerRequest: 3,
          permits: { all: 2, perKey: 1, perService: 2 },
          wait: async () => void (await scheduler.schedule(Promise.resolve(), 'pause')),
        });
        const perform = async ({ key, isWrite, isAdmitted, disconnects, message }: (typeof performed)[number]) => {
          await scheduler.schedule(Promise.resolve(), 'begin');
          const session = upstream.openSession(createKeyCredential(`key ${key}`), 'a request');
          opened.push(session);
          try {
            if (!isWrite) session.permitAbandonment();
            if (isAdmitted) await session.admit({ maxCalls: 2, probeCalls: 0, minCalls: 1, expected: null, isLowerBound: false });
            const calling = isWrite
              ? session.call(UpdateContact, { id: message, lastName: 'x' })
              : session.call(GetContact, { id: message });
            if (disconnects) {
              session.finish();
              session.abandon();
            }
            await calling;
          } catch {
            // Any error is fine here.
          } finally {
            session.finish();
          }
        };
        await scheduler.waitFor(Promise.all(performed.map(perform)));
        await scheduler.waitAll();
        for (const { key } of opened) {
          expect([key.isBusy, key.sessions, key.running, key.runningExpensive, key.pausing]).toEqual([false, 0, 0, 0, 0]);
          expect([key.quota?.reserved ?? 0, key.turns]).toEqual([0, null]);
        }
      }),
      { numRuns: 500 },
    );
  });
});
