import { mkdtempSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  type ApiError,
  ForbiddenError,
  IdempotencyKeyReusedError,
  LedgerUnavailableError,
  NotFoundError,
  OperationInProgressError,
  OutcomeUnknownError,
  RateLimitedError,
} from '../../../src/failures/failures.ts';
import type { LedgerStore } from '../../../src/ledger/entry.ts';
import { Ledger, type LedgerOutcome, type LedgerUse } from '../../../src/ledger/ledger.ts';
import { RedisLedgerStore } from '../../../src/ledger/redisStore.ts';
import { LedgerDatabase } from '../../../src/ledger/sqliteDatabase.ts';
import { SqliteLedgerStore } from '../../../src/ledger/sqliteStore.ts';
import type { Clock } from '../../../src/lib/clock.ts';
import { connectRedis, type Redis } from '../../../src/lib/redis.ts';
import { StartError } from '../../../src/lib/starting.ts';
import { AdjustInventory, CreateContact, MoveInventory } from '../../../src/upstream/contract/generated/operations.ts';
import { TestClock } from '../../support/clock.ts';
import { hasRedis } from '../../support/faults/redisProcess.ts';
import { redisNote, useRedis } from '../../support/redis.ts';
import { fc } from '../../support/seeded.ts';
import { LONG_TEST_MS } from '../../support/timeouts.ts';

const LEASE_MS = 50_000;
const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

interface Made {
  readonly id: number;
}

type Use = LedgerUse<Made>;

/** An upstream that counts its effects. */
class Upstream {
  readonly effects: number[] = [];

  readonly ok = async (): Promise<Made> => ({ id: this.effects.push(0) });

  readonly lostAfter = async (): Promise<Made> => {
    this.effects.push(0);
    throw lost();
  };
}

const lost = () => new OutcomeUnknownError({ startedAt: new Date(), idempotencyKey: null, advice: 'Look.', retry: 'CHECK_FIRST' });

const fail = (error: Error) => async (): Promise<Made> => {
  throw error;
};

const nothingFound = async () => undefined;

const use = (send: Use['send'], traits: Partial<Use> = {}): Use => ({
  apiKey: 'a key',
  workspaceId: 'workspace',
  operation: CreateContact,
  idempotencyKey: 'key',
  request: { lastName: 'Adler' },
  send,
  redact: (answer) => answer,
  restore: (stored) => stored,
  reconcile: nothingFound,
  recheckAccess: async () => {},
  isDeduplicatedUpstream: false,
  isCreation: false,
  ...traits,
});

interface Kind {
  /** An empty store, on a host with this clock. Those of one `place` are the same store, as processes see it that do not know each other. */
  open(place: string, host: Clock): Promise<LedgerStore>;
  /** Whether the store has a clock of its own, which the hosts' clocks do not bear on. */
  readonly hasOwnClock: boolean;
}

/** Tests of a ledger, the same for every store. */
function behaves(kind: Kind): void {
  let place = 0;
  const opened: Ledger[] = [];
  afterEach(() => Promise.all(opened.splice(0).map((ledger) => ledger.close())));
  const open = async (where: string, clock: Clock) => {
    const ledger = new Ledger({ store: await kind.open(where, clock), leaseMs: LEASE_MS, clock });
    opened.push(ledger);
    return ledger;
  };
  const ledgersOf = (...clocks: Clock[]) => {
    place += 1;
    return Promise.all(clocks.map((clock) => open(`place ${place}`, clock)));
  };
  const ledgers = (count: number, clock: Clock = new TestClock()) => ledgersOf(...Array.from({ length: count }, () => clock));
  const fresh = async (clock: Clock = new TestClock()) => (await ledgers(1, clock))[0] as Ledger;

  it('sends once when a hundred ask four processes at once', async () => {
    const four = await ledgers(4);
    const { effects, ok } = new Upstream();
    const answer = Promise.withResolvers<void>();
    const asked = Array.from({ length: 100 }, (_, index) => (four[index % 4] as Ledger).runOnce(use(() => answer.promise.then(ok))));
    // All that are refused are refused while the one runs.
    const refused = asked.map((each) =>
      each.then(
        () => undefined,
        (error: unknown) => error,
      ),
    );
    await Promise.any(refused.map(async (each) => expect(await each).toBeDefined()));
    answer.resolve();
    const results = await Promise.allSettled(asked);
    expect(effects).toHaveLength(1);
    const refusals = results.filter((result) => result.status === 'rejected').map(({ reason }) => reason);
    expect(results.length - refusals.length + refusals.filter((reason) => reason instanceof OperationInProgressError).length).toBe(100);
    for (const ledger of four) expect(await ledger.runOnce(use(ok))).toMatchObject({ response: { id: 1 }, effect: 'REPLAYED' });
    expect(effects).toHaveLength(1);
  });

  it('answers a repeat with the first answer, whatever the order of its members', async () => {
    const ledger = await fresh();
    const { effects, ok } = new Upstream();
    const first = await ledger.runOnce(use(ok, { request: { a: 1, b: { c: [1, 2], d: undefined } } }));
    const again = await ledger.runOnce(use(ok, { request: { b: { c: [1, 2] }, a: 1 } }));
    expect([first.effect, again]).toEqual(['DONE', { ...first, effect: 'REPLAYED', isCurrent: false }]);
    expect(effects).toHaveLength(1);
  });

  it.each([
    ['another value', { lastName: 'Bauer' }],
    ['another member', { lastName: 'Adler', email: '' }],
    ['another order of a list', { lastName: 'Adler', list: [2, 1] }],
  ])('refuses a repeat with %s', async (_name, request) => {
    const ledger = await fresh();
    const { effects, ok } = new Upstream();
    await ledger.runOnce(use(ok));
    await expect(ledger.runOnce(use(ok, { request }))).rejects.toThrow(IdempotencyKeyReusedError);
    expect(effects).toHaveLength(1);
  });

  it('keeps workspaces, operations and keys apart', async () => {
    const ledger = await fresh();
    const { effects, ok } = new Upstream();
    const uses = [
      use(ok),
      use(ok, { apiKey: 'another key', workspaceId: 'another' }),
      use(ok, { apiKey: 'a third key', workspaceId: null }),
      use(ok, { operation: AdjustInventory }),
      use(ok, { idempotencyKey: 'other' }),
      use(ok, { apiKey: 'x', workspaceId: 'a', idempotencyKey: 'b"],["c' }),
      use(ok, { apiKey: 'y', workspaceId: 'a"],["b', idempotencyKey: 'c' }),
    ];
    for (const each of uses) expect((await ledger.runOnce(each)).effect).toBe('DONE');
    expect(effects).toHaveLength(uses.length);
  });

  it.each([
    ['workspace', null],
    [null, 'workspace'],
  ])('knows its key again when the upstream tells the workspace %s, and then %s', async (first, second) => {
    const ledger = await fresh();
    const { effects, ok } = new Upstream();
    await ledger.runOnce(use(ok, { workspaceId: first }));
    expect((await ledger.runOnce(use(ok, { workspaceId: second }))).effect).toBe('REPLAYED');
    expect(effects).toHaveLength(1);
  });

  it('does not do again what another API key of the workspace did, and does not show it what came of it', async () => {
    const ledger = await fresh();
    const { effects, ok } = new Upstream();
    await ledger.runOnce(use(ok));
    await expect(ledger.runOnce(use(ok, { apiKey: 'renewed' }))).rejects.toThrow('already used with another API key');
    expect(effects).toHaveLength(1);
  });

  it('tells an API key that was refused what another one of the workspace did after it', async () => {
    const ledger = await fresh();
    const { ok } = new Upstream();
    await expect(ledger.runOnce(use(fail(new NotFoundError('No.'))))).rejects.toThrow(NotFoundError);
    await ledger.runOnce(use(ok, { apiKey: 'another key' }));
    expect(await ledger.find(use(ok))).toMatchObject({ state: 'SUCCEEDED' });
  });

  it.each([
    ['a refusal', new NotFoundError('No.')],
    ['too many calls', new RateLimitedError(1)],
  ])('lets the key be used again, for other input too, after %s', async (_name, error) => {
    const ledger = await fresh();
    const { effects, ok } = new Upstream();
    await expect(ledger.runOnce(use(fail(error)))).rejects.toBe(error);
    expect(await ledger.find(use(ok))).toMatchObject({ state: 'FAILED' });
    expect(await ledger.runOnce(use(ok, { request: { lastName: 'Corrected' } }))).toMatchObject({ effect: 'DONE' });
    expect(effects).toHaveLength(1);
  });

  it.each([
    ['a lost answer', lost()],
    ['a failure of our own', new TypeError('boom')],
  ])('never sends again after %s', async (_name, error) => {
    const ledger = await fresh();
    const { effects, ok } = new Upstream();
    await expect(ledger.runOnce(use(fail(error)))).rejects.toThrow();
    await expect(ledger.runOnce(use(ok))).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN', idempotencyKey: 'key', retry: 'SAME_KEY' });
    await expect(ledger.runOnce(use(ok, { request: {} }))).rejects.toThrow(IdempotencyKeyReusedError);
    expect(await ledger.find(use(ok))).toMatchObject({ state: 'UNKNOWN' });
    expect(effects).toEqual([]);
  });

  it('calls an attempt unknown whose process died, once its lease has ended, and never sends it again', async () => {
    const clock = new TestClock();
    const [dying, other] = (await ledgers(2, clock)) as [Ledger, Ledger];
    const { effects, ok } = new Upstream();
    void dying.runOnce(use(() => new Promise(() => {})));
    await expect.poll(() => other.find(use(ok))).toMatchObject({ state: 'IN_FLIGHT' });
    clock.now += LEASE_MS - 1;
    await expect(other.runOnce(use(ok))).rejects.toThrow(OperationInProgressError);
    clock.now += 1;
    expect(await other.find(use(ok))).toMatchObject({ state: 'UNKNOWN' });
    await expect(other.runOnce(use(ok))).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' });
    await expect(other.runOnce(use(ok))).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' });
    expect(effects).toEqual([]);
  });

  it('lets a late answer settle what a lapsed lease has called unknown', async () => {
    const clock = new TestClock();
    const [slow, other] = (await ledgers(2, clock)) as [Ledger, Ledger];
    const { effects, ok } = new Upstream();
    const answer = Promise.withResolvers<void>();
    const running = slow.runOnce(use(() => answer.promise.then(ok)));
    await expect.poll(() => other.find(use(ok))).toMatchObject({ state: 'IN_FLIGHT' });
    clock.now += LEASE_MS;
    await expect(other.runOnce(use(ok))).rejects.toThrow(OutcomeUnknownError);
    answer.resolve();
    expect((await running).effect).toBe('DONE');
    expect(await other.runOnce(use(ok))).toMatchObject({ response: { id: 1 }, effect: 'REPLAYED' });
    expect(effects).toHaveLength(1);
  });

  it('settles an unknown outcome by reading, at once and later', async () => {
    const ledger = await fresh();
    const { effects, ok, lostAfter } = new Upstream();
    const reconcile = async () => ({ id: 1 });
    expect(await ledger.runOnce(use(lostAfter, { reconcile }))).toMatchObject({ response: { id: 1 }, effect: 'RECONCILED' });
    expect((await ledger.runOnce(use(ok))).effect).toBe('REPLAYED');
    await expect(ledger.runOnce(use(lostAfter, { idempotencyKey: 'later' }))).rejects.toThrow(OutcomeUnknownError);
    expect((await ledger.runOnce(use(ok, { idempotencyKey: 'later', reconcile }))).effect).toBe('RECONCILED');
    expect((await ledger.runOnce(use(ok, { idempotencyKey: 'later' }))).effect).toBe('REPLAYED');
    expect(effects).toHaveLength(2);
  });

  it('does not keep what another account read for the one that asked first', async () => {
    const ledger = await fresh();
    const { ok, lostAfter } = new Upstream();
    await expect(ledger.runOnce(use(lostAfter))).rejects.toThrow(OutcomeUnknownError);
    const reconcile = async () => ({ id: 1 });
    expect((await ledger.runOnce(use(ok, { apiKey: 'another key', reconcile }))).effect).toBe('RECONCILED');
    await expect(ledger.runOnce(use(ok))).rejects.toThrow(OutcomeUnknownError);
  });

  it('stays unknown when the reading fails', async () => {
    const ledger = await fresh();
    const { lostAfter } = new Upstream();
    await expect(ledger.runOnce(use(lostAfter, { reconcile: fail(new NotFoundError('No.')) }))).rejects.toThrow(OutcomeUnknownError);
  });

  describe('of an operation that the upstream de-duplicates', () => {
    const keyed = (send: Use['send'], traits: Partial<Use> = {}) =>
      use(send, { operation: MoveInventory, isDeduplicatedUpstream: true, ...traits });

    it('sends an unknown one again', async () => {
      const ledger = await fresh();
      const { ok, lostAfter } = new Upstream();
      await expect(ledger.runOnce(keyed(lostAfter))).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN', retry: 'SAME_KEY' });
      expect((await ledger.runOnce(keyed(ok))).effect).toBe('DONE');
      expect(await ledger.find(keyed(ok))).toMatchObject({ state: 'SUCCEEDED' });
    });

    it('sends one again whose process died', async () => {
      const clock = new TestClock();
      const [dying, other] = (await ledgers(2, clock)) as [Ledger, Ledger];
      const { ok } = new Upstream();
      void dying.runOnce(keyed(() => new Promise(() => {})));
      await expect.poll(() => other.find(keyed(ok))).toMatchObject({ state: 'IN_FLIGHT' });
      clock.now += LEASE_MS;
      expect((await other.runOnce(keyed(ok))).effect).toBe('DONE');
    });

    it.each<[string, ApiError, string]>([
      ['the upstream says that it was not done', new NotFoundError('No.'), 'FAILED'],
      ['the repeat is refused for a reason of its own', new ForbiddenError('UNDETERMINED', []), 'UNKNOWN'],
      ['the repeat finds the calls used up', new RateLimitedError(1), 'UNKNOWN'],
    ])('when %s, the outcome of an unknown one is told truly', async (_name, error, state) => {
      const ledger = await fresh();
      const { ok, lostAfter } = new Upstream();
      await expect(ledger.runOnce(keyed(lostAfter))).rejects.toThrow(OutcomeUnknownError);
      await expect(ledger.runOnce(keyed(fail(error)))).rejects.toMatchObject({ code: state === 'FAILED' ? error.code : 'OUTCOME_UNKNOWN' });
      expect(await ledger.find(keyed(ok))).toMatchObject({ state });
    });

    it('asks the upstream for the answer to a repeat, for any key', async () => {
      const ledger = await fresh();
      const { effects, ok } = new Upstream();
      await ledger.runOnce(keyed(ok));
      expect((await ledger.runOnce(keyed(ok, { apiKey: 'another key' }))).effect).toBe('REPLAYED');
      await expect(ledger.runOnce(keyed(ok, { request: {} }))).rejects.toThrow(IdempotencyKeyReusedError);
      expect(effects).toHaveLength(2);
    });
  });

  it('forgets what succeeded after a day, and what is unknown after seven', async () => {
    const clock = new TestClock();
    const ledger = await fresh(clock);
    const { ok, lostAfter } = new Upstream();
    await ledger.runOnce(use(ok));
    await expect(ledger.runOnce(use(lostAfter, { idempotencyKey: 'lost' }))).rejects.toThrow(OutcomeUnknownError);
    clock.now += DAY_MS - 1;
    await ledger.sweep();
    expect((await ledger.runOnce(use(ok))).effect).toBe('REPLAYED');
    clock.now += 1;
    await ledger.sweep();
    expect(await ledger.find(use(ok))).toBeUndefined();
    expect((await ledger.runOnce(use(ok))).effect).toBe('DONE');
    clock.now += 6 * DAY_MS - 1;
    await ledger.sweep();
    expect(await ledger.find(use(ok, { idempotencyKey: 'lost' }))).toMatchObject({ state: 'UNKNOWN' });
    clock.now += 1;
    await ledger.sweep();
    expect((await ledger.runOnce(use(ok, { idempotencyKey: 'lost' }))).effect).toBe('DONE');
  });

  describe('on hosts whose clocks differ, or are set', () => {
    const hours = [-30, -3, 3, 30].filter((each) => kind.hasOwnClock || Math.abs(each) < 24);

    /** Two hosts, of which the clock of the second is set so many hours ahead. Time passes for both. */
    const hosts = async (aheadHours: number) => {
      const clocks = [new TestClock(), new TestClock(aheadHours * HOUR_MS)] as const;
      const [one, other] = (await ledgersOf(...clocks)) as [Ledger, Ledger];
      const pass = (ms: number) => {
        for (const clock of clocks) clock.now += ms;
      };
      return { one, other, pass };
    };
    const refusalOf = (ledger: Ledger, { ok }: Upstream) =>
      ledger.runOnce(use(ok)).then(
        ({ effect }) => effect,
        ({ code }: ApiError) => code,
      );

    it.each(hours)('an act of one is replayed by the other, %i h ahead, as long as the key is kept', async (ahead) => {
      for (const isFirst of [true, false]) {
        const { one, other, pass } = await hosts(ahead);
        const upstream = new Upstream();
        await (isFirst ? one : other).runOnce(use(upstream.ok));
        pass(DAY_MS - (kind.hasOwnClock ? 1 : 4 * HOUR_MS));
        await Promise.all([one.sweep(), other.sweep()]);
        expect([await refusalOf(one, upstream), await refusalOf(other, upstream)]).toEqual(['REPLAYED', 'REPLAYED']);
        expect(upstream.effects).toHaveLength(1);
      }
    });

    it.each(hours)('an act that runs on one is not done by the other, %i h ahead', async (ahead) => {
      for (const isFirst of [true, false]) {
        const { one, other } = await hosts(ahead);
        const [first, second] = isFirst ? [one, other] : [other, one];
        const upstream = new Upstream();
        const answer = Promise.withResolvers<void>();
        const running = first.runOnce(use(() => answer.promise.then(upstream.ok)));
        await expect.poll(() => first.find(use(upstream.ok))).toMatchObject({ state: 'IN_FLIGHT' });
        expect(await refusalOf(second, upstream)).toBe(kind.hasOwnClock ? 'OPERATION_IN_PROGRESS' : 'OUTCOME_UNKNOWN');
        answer.resolve();
        expect((await running).effect).toBe('DONE');
        expect([await refusalOf(one, upstream), await refusalOf(other, upstream), upstream.effects.length]).toEqual([
          'REPLAYED',
          'REPLAYED',
          1,
        ]);
      }
    });

    it.each(hours)(
      'an attempt that died on one does not block its key for longer than its lease on the other, %i h ahead',
      async (ahead) => {
        for (const isFirst of [true, false]) {
          const { one, other, pass } = await hosts(ahead);
          const [dying, second] = isFirst ? [one, other] : [other, one];
          const upstream = new Upstream();
          void dying.runOnce(use(() => new Promise(() => {})));
          await expect.poll(() => dying.find(use(upstream.ok))).toMatchObject({ state: 'IN_FLIGHT' });
          pass(LEASE_MS);
          expect([await second.find(use(upstream.ok)), await refusalOf(second, upstream)]).toMatchObject([
            { state: 'UNKNOWN' },
            'OUTCOME_UNKNOWN',
          ]);
          expect(upstream.effects).toEqual([]);
        }
      },
    );

    it('a store whose own clock is set back does not lengthen a lease, and forgets nothing', async () => {
      const clock = new TestClock();
      const ledger = await fresh(clock);
      const upstream = new Upstream();
      await ledger.runOnce(use(upstream.ok));
      void ledger.runOnce(use(() => new Promise(() => {}), { idempotencyKey: 'dying' }));
      await expect.poll(() => ledger.find(use(upstream.ok, { idempotencyKey: 'dying' }))).toMatchObject({ state: 'IN_FLIGHT' });
      clock.now -= HOUR_MS;
      expect([await refusalOf(ledger, upstream), await ledger.find(use(upstream.ok, { idempotencyKey: 'dying' }))]).toMatchObject([
        'REPLAYED',
        { state: 'UNKNOWN' },
      ]);
      await expect(ledger.runOnce(use(upstream.ok, { idempotencyKey: 'dying' }))).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' });
      expect(upstream.effects).toHaveLength(1);
    });

    it('a step back of less than a second, as time servers do, ends no lease', async () => {
      const clock = new TestClock();
      const ledger = await fresh(clock);
      const upstream = new Upstream();
      void ledger.runOnce(use(() => new Promise(() => {})));
      await expect.poll(() => ledger.find(use(upstream.ok))).toMatchObject({ state: 'IN_FLIGHT' });
      clock.now -= 900;
      await expect(ledger.runOnce(use(upstream.ok))).rejects.toThrow(OperationInProgressError);
    });

    it.each([-30, -1, 1, 30])('a clock that is set by %i h while entries are there brings no second effect', async (by) => {
      const clock = new TestClock();
      const ledger = await fresh(clock);
      const upstream = new Upstream();
      await ledger.runOnce(use(upstream.ok));
      void ledger.runOnce(use(() => new Promise(() => {}), { idempotencyKey: 'dying' }));
      await expect.poll(() => ledger.find(use(upstream.ok, { idempotencyKey: 'dying' }))).toMatchObject({ state: 'IN_FLIGHT' });
      clock.setAheadMs = by * HOUR_MS;
      await ledger.sweep();
      expect(await refusalOf(ledger, upstream)).toBe('REPLAYED');
      clock.now += LEASE_MS;
      await expect(ledger.runOnce(use(upstream.ok, { idempotencyKey: 'dying' }))).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' });
      // Entries that were written by the clock that was set are kept as long when it is corrected.
      await ledger.runOnce(use(upstream.ok, { idempotencyKey: 'after' }));
      clock.setAheadMs = 0;
      clock.now += DAY_MS - 1;
      await ledger.sweep();
      expect((await ledger.runOnce(use(upstream.ok, { idempotencyKey: 'after' }))).effect).toBe('REPLAYED');
      expect(upstream.effects).toHaveLength(2);
    });
  });

  it(
    'never lets one key have two effects, nor tells of one that was not, in whatever order things happen',
    async () => {
      const outcome = fc.constantFrom('ok', 'refused', 'lost before', 'lost after', 'broken', 'crash before', 'crash after');
      const step = fc.record({
        outcome,
        key: fc.constantFrom('a', 'b'),
        input: fc.constantFrom('x', 'y'),
        process: fc.nat(1),
        later: fc.constantFrom(0, 1_000, LEASE_MS),
      });
      let seen = 0;
      let runs = 0;
      const clock = new TestClock();
      const processes = await ledgers(2, clock);
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), fc.scheduler(), async (steps, scheduler) => {
          // Each run has keys of its own.
          runs += 1;
          const keyOf = (name: string) => `${name} ${runs}`;
          const effects: { readonly key: string; readonly input: string }[] = [];
          const told: { readonly key: string; readonly input: string; readonly outcome: LedgerOutcome<Made> | ApiError | undefined }[] = [];
          const running = steps.map(({ outcome: kindOf, key, input, process, later }) =>
            scheduler.schedule(Promise.resolve(), `${key}${input} ${kindOf}`).then(async () => {
              clock.now += later;
              const died = Promise.withResolvers<undefined>();
              const send = async (): Promise<Made> => {
                await scheduler.schedule(Promise.resolve(), 'send');
                if (kindOf === 'refused') throw new NotFoundError('No.');
                if (kindOf === 'broken') throw new TypeError('boom');
                if (kindOf === 'lost before') throw lost();
                if (kindOf !== 'crash before') effects.push({ key, input });
                if (kindOf === 'lost after') throw lost();
                if (!kindOf.startsWith('crash')) return { id: effects.length };
                died.resolve(undefined);
                return new Promise(() => {});
              };
              const act = use(send, { idempotencyKey: keyOf(key), request: { input } });
              const result = (processes[process] as Ledger).runOnce(act).catch((error: ApiError) => error);
              told.push({ key, input, outcome: await Promise.race([result, died.promise]) });
            }),
          );
          await scheduler.waitFor(Promise.all(running));
          seen += effects.length;
          for (const key of ['a', 'b']) {
            const made = effects.filter((effect) => effect.key === key);
            expect(made.length).toBeLessThanOrEqual(1);
            const answers = told.filter((each) => each.key === key && each.outcome && 'effect' in each.outcome);
            expect(new Set(answers.map((each) => (each.outcome as LedgerOutcome<Made>).response.id)).size).toBeLessThanOrEqual(1);
            for (const answer of answers) expect(made).toEqual([{ key, input: answer.input }]);
            // A key whose change was made is never free for another attempt.
            const state = await (processes[0] as Ledger).find(use(nothing, { idempotencyKey: keyOf(key) }));
            if (made.length === 1) expect(state?.state).not.toBe('FAILED');
          }
        }),
        { numRuns: Number(process.env.LEDGER_RUNS ?? 1_000) },
      );
      expect(seen).toBeGreaterThan(0);
    },
    LONG_TEST_MS,
  );
}

const nothing = async (): Promise<Made> => {
  throw new Error('Nobody sends this.');
};

describe('the ledger in a file', () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'ledger-'));
  });
  const open = async (place: string, host: Clock) => {
    const store = new SqliteLedgerStore(join(folder, `${place}.sqlite`), host);
    await store.open();
    return store;
  };
  behaves({ open, hasOwnClock: false });

  it('is for the eyes of its user only', async () => {
    const path = join(folder, 'private.sqlite');
    const store = new SqliteLedgerStore(path);
    await store.find(['id']);
    for (const file of [path, `${path}-wal`, `${path}-shm`]) expect(statSync(file).mode & 0o077).toBe(0);
    await store.close();
  });

  it('learns what was done before it was gone, however many asked in vain since', async () => {
    /** Can be gone. */
    class Store extends SqliteLedgerStore {
      isGone = false;
      override async claim(...given: Parameters<LedgerStore['claim']>) {
        if (this.isGone) throw new LedgerUnavailableError();
        return super.claim(...given);
      }
      override async move(...given: Parameters<LedgerStore['move']>) {
        if (this.isGone) throw new LedgerUnavailableError();
        return super.move(...given);
      }
    }
    const path = join(folder, 'gone.sqlite');
    const store = new Store(path);
    const ledger = new Ledger({ store, leaseMs: LEASE_MS });
    const { ok } = new Upstream();
    const done = () => {
      store.isGone = true;
      return ok();
    };
    expect((await ledger.runOnce(use(done))).effect).toBe('DONE');
    // As many results as are kept.
    for (let asked = 0; asked < 10_000; asked += 1)
      await expect(ledger.runOnce(use(ok, { idempotencyKey: `${asked}` }))).rejects.toThrow(LedgerUnavailableError);
    store.isGone = false;
    await ledger.close();
    const other = new Ledger({ store: new SqliteLedgerStore(path), leaseMs: LEASE_MS });
    expect(await other.find(use(ok))).toMatchObject({ state: 'SUCCEEDED' });
    await other.close();
  });

  describe('while another process makes the file', () => {
    const openBeside = (path: string) => {
      const other = new DatabaseSync(path);
      other.exec('BEGIN IMMEDIATE');
      return other;
    };
    afterEach(() => {
      vi.useRealTimers();
      vi.restoreAllMocks();
    });

    it('waits until it is made', () => {
      const path = join(folder, 'beside.sqlite');
      const other = openBeside(path);
      const paused = vi.spyOn(Atomics, 'wait').mockImplementation(() => {
        if (other.isTransaction) other.exec('COMMIT');
        return 'timed-out';
      });
      const database = new LedgerDatabase(path);
      expect(paused).toHaveBeenCalledOnce();
      expect(database.find(0, ['id'])).toBeNull();
      database.close();
      other.close();
    });

    it('gives up after two seconds', () => {
      const path = join(folder, 'locked.sqlite');
      const other = openBeside(path);
      vi.useFakeTimers({ toFake: ['performance'] });
      let waited = 0;
      vi.spyOn(Atomics, 'wait').mockImplementation((_array, _index, _value, ms = 0) => {
        waited += ms;
        vi.advanceTimersByTime(ms);
        return 'timed-out';
      });
      expect(() => new LedgerDatabase(path)).toThrow('database is locked');
      expect(waited).toBe(2_000);
      other.close();
    });
  });

  it('is not opened when it is of another format', async () => {
    const path = join(folder, 'newer.sqlite');
    const database = new DatabaseSync(path);
    database.exec('PRAGMA user_version = 2');
    database.close();
    const refused = await new SqliteLedgerStore(path).open().catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(StartError);
    expect(refused).toMatchObject({ message: expect.stringContaining('has format version 2, but this version of the graph requires 1') });
  });
});

describe.skipIf(!hasRedis)(`the ledger in Redis${redisNote}`, () => {
  const redis = useRedis();
  const connections: Redis[] = [];
  afterAll(() => Promise.all(connections.map((connection) => connection.close())));
  let shared: Promise<Redis> | undefined;
  const connect = async () => {
    const connection = await connectRedis(redis.url, () => {});
    connections.push(connection);
    return connection;
  };
  behaves({
    // A single connection is enough, since Redis runs each script atomically. Ids of different places differ in their prefix.
    hasOwnClock: true,
    open: async (place, host) => {
      shared ??= connect();
      const connection = await shared;
      // The time of Redis is what has passed, whatever the clock of the host was set to.
      const atTime = (script: string) => script.replace(/local now = .*/, `local now = ${host.monotonicMs()}`);
      return new RedisLedgerStore({
        ...connection,
        run: (script, keys, args) =>
          connection.run(
            atTime(script),
            keys.map((key) => `${place} ${key}`),
            args,
          ),
      });
    },
  });

  it('says so, and sends nothing, while Redis is away; and goes on when it is back', async () => {
    const connection = await connect();
    const ledger = new Ledger({ store: new RedisLedgerStore(connection), leaseMs: LEASE_MS });
    const { effects, ok } = new Upstream();
    await redis.stop();
    await expect(ledger.runOnce(use(ok))).rejects.toThrow(LedgerUnavailableError);
    expect(effects).toEqual([]);
    await redis.start();
    await expect
      .poll(() =>
        ledger.runOnce(use(ok)).then(
          ({ effect }) => effect,
          (error: ApiError) => error.code,
        ),
      )
      .toBe('DONE');
    expect(effects).toHaveLength(1);
    await ledger.close();
  });
});
