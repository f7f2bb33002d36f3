import { describe, expect, it } from 'vitest';
import {
  type ApiError,
  ForbiddenError,
  IdempotencyKeyExpiredError,
  IdempotencyKeyReusedError,
  NotFoundError,
  OperationInProgressError,
  OutcomeUnknownError,
  RateLimitedError,
} from '../../../src/failures/failures.ts';
import { createTimedKey } from '../../../src/ledger/ids.ts';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import { AdjustInventory, MoveInventory } from '../../../src/upstream/contract/generated/operations.ts';
import { TestClock } from '../../support/clock.ts';
import {
  createLostError,
  createUse,
  DAY_MS,
  failWith,
  HOUR_MS,
  LEASE_MS,
  type LedgerKind,
  Upstream,
  type Use,
  useLedgers,
} from './ledgerFixture.ts';

/** Tests of a ledger with any store. */
export function testLedger(kind: LedgerKind): void {
  const { openLedgers, openLedger } = useLedgers(kind);

  it('sends once for a hundred concurrent requests in four processes', async () => {
    const four = await openLedgers(4);
    const { effects, ok } = new Upstream();
    const pending = Promise.withResolvers<void>();
    const requests = Array.from({ length: 100 }, (_, index) =>
      (four[index % 4] as Ledger).runOnce(createUse(() => pending.promise.then(ok))),
    );
    // The rejections arrive while the one request is in flight.
    const rejections = requests.map((each) =>
      each.then(
        () => undefined,
        (error: unknown) => error,
      ),
    );
    await Promise.any(rejections.map(async (each) => expect(await each).toBeDefined()));
    pending.resolve();
    const results = await Promise.allSettled(requests);
    expect(effects).toHaveLength(1);
    const refusals = results.filter((result) => result.status === 'rejected').map(({ reason }) => reason);
    expect(results.length - refusals.length + refusals.filter((reason) => reason instanceof OperationInProgressError).length).toBe(100);
    for (const ledger of four) expect(await ledger.runOnce(createUse(ok))).toMatchObject({ response: { id: 1 }, effect: 'REPLAYED' });
    expect(effects).toHaveLength(1);
  });

  it('sends a mutation only with the storage that its key names, and replays it in each process that shares the storage', async () => {
    const clock = new TestClock();
    const [one, another] = (await openLedgers(2, clock)) as [Ledger, Ledger];
    const separate = await openLedger(clock);
    const { effects, ok } = new Upstream();
    const storageId = await one.getStorageId();
    expect(await another.getStorageId()).toBe(storageId);
    const named = { idempotencyKey: createTimedKey(clock.unixMs(), `storage:${storageId}:row 1`) };
    await expect(separate.runOnce(createUse(ok, named))).rejects.toThrow('created for another storage');
    expect(effects).toEqual([]);
    expect((await one.runOnce(createUse(ok, named))).effect).toBe('DONE');
    expect((await another.runOnce(createUse(ok, named))).effect).toBe('REPLAYED');
    await expect(separate.runOnce(createUse(ok, named))).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_EXPIRED', retry: 'CHECK_FIRST' });
    expect(effects).toHaveLength(1);
  });

  it('replays the first response for a repeat, regardless of the order of its fields', async () => {
    const ledger = await openLedger();
    const { effects, ok } = new Upstream();
    const first = await ledger.runOnce(createUse(ok, { request: { a: 1, b: { c: [1, 2], d: undefined } } }));
    const again = await ledger.runOnce(createUse(ok, { request: { b: { c: [1, 2] }, a: 1 } }));
    expect([first.effect, again]).toEqual(['DONE', { ...first, effect: 'REPLAYED', isCurrent: false }]);
    expect(effects).toHaveLength(1);
  });

  it.each([
    ['another value', { lastName: 'Bauer' }],
    ['another field', { lastName: 'Adler', email: '' }],
    ['another list order', { lastName: 'Adler', list: [2, 1] }],
  ])('rejects a repeat with %s', async (_name, request) => {
    const ledger = await openLedger();
    const { effects, ok } = new Upstream();
    await ledger.runOnce(createUse(ok));
    await expect(ledger.runOnce(createUse(ok, { request }))).rejects.toThrow(IdempotencyKeyReusedError);
    expect(effects).toHaveLength(1);
  });

  it('isolates entries by workspace, operation, and idempotency key', async () => {
    const ledger = await openLedger();
    const { effects, ok } = new Upstream();
    const uses = [
      createUse(ok),
      createUse(ok, { keyHash: 'another key', workspaceId: 'another' }),
      createUse(ok, { keyHash: 'a third key', workspaceId: null }),
      createUse(ok, { operation: AdjustInventory }),
      createUse(ok, { idempotencyKey: 'other' }),
      createUse(ok, { keyHash: 'x', workspaceId: 'a', idempotencyKey: 'b"],["c' }),
      createUse(ok, { keyHash: 'y', workspaceId: 'a"],["b', idempotencyKey: 'c' }),
    ];
    for (const each of uses) expect((await ledger.runOnce(each)).effect).toBe('DONE');
    expect(effects).toHaveLength(uses.length);
  });

  it.each([
    ['workspace', null],
    [null, 'workspace'],
  ])('recognizes its key if the upstream returns the workspace %s first and %s later', async (first, second) => {
    const ledger = await openLedger();
    const { effects, ok } = new Upstream();
    await ledger.runOnce(createUse(ok, { workspaceId: first }));
    expect((await ledger.runOnce(createUse(ok, { workspaceId: second }))).effect).toBe('REPLAYED');
    expect(effects).toHaveLength(1);
  });

  it('rejects a reused key of another API key without exposing its result', async () => {
    const ledger = await openLedger();
    const { effects, ok } = new Upstream();
    await ledger.runOnce(createUse(ok));
    await expect(ledger.runOnce(createUse(ok, { keyHash: 'renewed' }))).rejects.toThrow('already used with another API key');
    expect(effects).toHaveLength(1);
  });

  it('finds the later success of another API key after a rejection', async () => {
    const ledger = await openLedger();
    const { ok } = new Upstream();
    await expect(ledger.runOnce(createUse(failWith(new NotFoundError('No.'))))).rejects.toThrow(NotFoundError);
    await ledger.runOnce(createUse(ok, { keyHash: 'another key' }));
    expect(await ledger.find(createUse(ok))).toMatchObject({ state: 'SUCCEEDED' });
  });

  it.each([
    ['a rejection', new NotFoundError('No.')],
    ['a rate limit', new RateLimitedError(1)],
  ])('releases the key, also for other input, after %s', async (_name, error) => {
    const ledger = await openLedger();
    const { effects, ok } = new Upstream();
    await expect(ledger.runOnce(createUse(failWith(error)))).rejects.toBe(error);
    expect(await ledger.find(createUse(ok))).toMatchObject({ state: 'FAILED' });
    expect(await ledger.runOnce(createUse(ok, { request: { lastName: 'Corrected' } }))).toMatchObject({ effect: 'DONE' });
    expect(effects).toHaveLength(1);
  });

  it.each([
    ['a lost response', createLostError()],
    ['an internal error', new TypeError('boom')],
  ])('never resends after %s', async (_name, error) => {
    const ledger = await openLedger();
    const { effects, ok } = new Upstream();
    await expect(ledger.runOnce(createUse(failWith(error)))).rejects.toThrow();
    await expect(ledger.runOnce(createUse(ok))).rejects.toMatchObject({
      code: 'OUTCOME_UNKNOWN',
      idempotencyKey: 'key',
      retry: 'SAME_KEY',
    });
    await expect(ledger.runOnce(createUse(ok, { request: {} }))).rejects.toThrow(IdempotencyKeyReusedError);
    expect(await ledger.find(createUse(ok))).toMatchObject({ state: 'UNKNOWN' });
    expect(effects).toEqual([]);
  });

  it('marks an attempt of a dead process as unknown when its lease expires, and never resends it', async () => {
    const clock = new TestClock();
    const [dying, other] = (await openLedgers(2, clock)) as [Ledger, Ledger];
    const { effects, ok } = new Upstream();
    void dying.runOnce(createUse(() => new Promise(() => {})));
    await expect.poll(() => other.find(createUse(ok))).toMatchObject({ state: 'IN_FLIGHT' });
    clock.now += LEASE_MS - 1;
    await expect(other.runOnce(createUse(ok))).rejects.toThrow(OperationInProgressError);
    clock.now += 1;
    expect(await other.find(createUse(ok))).toMatchObject({ state: 'UNKNOWN' });
    await expect(other.runOnce(createUse(ok))).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' });
    await expect(other.runOnce(createUse(ok))).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' });
    expect(effects).toEqual([]);
  });

  it('settles an expired lease with the late response', async () => {
    const clock = new TestClock();
    const [slow, other] = (await openLedgers(2, clock)) as [Ledger, Ledger];
    const { effects, ok } = new Upstream();
    const pending = Promise.withResolvers<void>();
    const running = slow.runOnce(createUse(() => pending.promise.then(ok)));
    await expect.poll(() => other.find(createUse(ok))).toMatchObject({ state: 'IN_FLIGHT' });
    clock.now += LEASE_MS;
    await expect(other.runOnce(createUse(ok))).rejects.toThrow(OutcomeUnknownError);
    pending.resolve();
    expect((await running).effect).toBe('DONE');
    expect(await other.runOnce(createUse(ok))).toMatchObject({ response: { id: 1 }, effect: 'REPLAYED' });
    expect(effects).toHaveLength(1);
  });

  it('reconciles an unknown outcome immediately or later', async () => {
    const ledger = await openLedger();
    const { effects, ok, lostAfter } = new Upstream();
    const reconcile = async () => ({ id: 1 });
    expect(await ledger.runOnce(createUse(lostAfter, { reconcile }))).toMatchObject({ response: { id: 1 }, effect: 'RECONCILED' });
    expect((await ledger.runOnce(createUse(ok))).effect).toBe('REPLAYED');
    await expect(ledger.runOnce(createUse(lostAfter, { idempotencyKey: 'later' }))).rejects.toThrow(OutcomeUnknownError);
    expect((await ledger.runOnce(createUse(ok, { idempotencyKey: 'later', reconcile }))).effect).toBe('RECONCILED');
    expect((await ledger.runOnce(createUse(ok, { idempotencyKey: 'later' }))).effect).toBe('REPLAYED');
    expect(effects).toHaveLength(2);
  });

  it('doesn’t store what another account has reconciled', async () => {
    const ledger = await openLedger();
    const { ok, lostAfter } = new Upstream();
    await expect(ledger.runOnce(createUse(lostAfter))).rejects.toThrow(OutcomeUnknownError);
    const reconcile = async () => ({ id: 1 });
    expect((await ledger.runOnce(createUse(ok, { keyHash: 'another key', reconcile }))).effect).toBe('RECONCILED');
    await expect(ledger.runOnce(createUse(ok))).rejects.toThrow(OutcomeUnknownError);
  });

  it('remains unknown if reconciliation fails', async () => {
    const ledger = await openLedger();
    const { lostAfter } = new Upstream();
    await expect(ledger.runOnce(createUse(lostAfter, { reconcile: failWith(new NotFoundError('No.')) }))).rejects.toThrow(
      OutcomeUnknownError,
    );
  });

  describe('operation that the upstream deduplicates', () => {
    const createKeyedUse = (send: Use['send'], traits: Partial<Use> = {}) =>
      createUse(send, { operation: MoveInventory, isDeduplicatedUpstream: true, ...traits });

    it('resends an unknown attempt', async () => {
      const ledger = await openLedger();
      const { ok, lostAfter } = new Upstream();
      await expect(ledger.runOnce(createKeyedUse(lostAfter))).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN', retry: 'SAME_KEY' });
      expect((await ledger.runOnce(createKeyedUse(ok))).effect).toBe('DONE');
      expect(await ledger.find(createKeyedUse(ok))).toMatchObject({ state: 'SUCCEEDED' });
    });

    it('resends an attempt of a dead process', async () => {
      const clock = new TestClock();
      const [dying, other] = (await openLedgers(2, clock)) as [Ledger, Ledger];
      const { ok } = new Upstream();
      void dying.runOnce(createKeyedUse(() => new Promise(() => {})));
      await expect.poll(() => other.find(createKeyedUse(ok))).toMatchObject({ state: 'IN_FLIGHT' });
      clock.now += LEASE_MS;
      expect((await other.runOnce(createKeyedUse(ok))).effect).toBe('DONE');
    });

    it.each<[string, ApiError, string]>([
      ['the upstream reports that it wasn’t applied', new NotFoundError('No.'), 'FAILED'],
      ['the retry is rejected for another reason', new ForbiddenError('UNDETERMINED', []), 'UNKNOWN'],
      ['the retry is rate limited', new RateLimitedError(1), 'UNKNOWN'],
    ])('returns the correct outcome of an unknown attempt if %s', async (_name, error, state) => {
      const ledger = await openLedger();
      const { ok, lostAfter } = new Upstream();
      await expect(ledger.runOnce(createKeyedUse(lostAfter))).rejects.toThrow(OutcomeUnknownError);
      await expect(ledger.runOnce(createKeyedUse(failWith(error)))).rejects.toMatchObject({
        code: state === 'FAILED' ? error.code : 'OUTCOME_UNKNOWN',
      });
      expect(await ledger.find(createKeyedUse(ok))).toMatchObject({ state });
    });

    it('resends a repeat of any API key to get its response', async () => {
      const ledger = await openLedger();
      const { effects, ok } = new Upstream();
      await ledger.runOnce(createKeyedUse(ok));
      expect((await ledger.runOnce(createKeyedUse(ok, { keyHash: 'another key' }))).effect).toBe('REPLAYED');
      await expect(ledger.runOnce(createKeyedUse(ok, { request: {} }))).rejects.toThrow(IdempotencyKeyReusedError);
      expect(effects).toHaveLength(2);
    });
  });

  it('sends a request once whose key contains its age, whenever it’s repeated', async () => {
    const clock = new TestClock();
    const ledger = await openLedger(clock);
    const { effects, ok, lostAfter } = new Upstream();
    const [stored, lost] = ['stored', 'lost'].map((id) => createTimedKey(clock.now, id)) as [string, string];
    expect((await ledger.runOnce(createUse(ok, { idempotencyKey: stored }))).effect).toBe('DONE');
    await expect(ledger.runOnce(createUse(lostAfter, { idempotencyKey: lost }))).rejects.toThrow(OutcomeUnknownError);
    const outcomes: string[] = [];
    for (let hour = 1; hour <= 8 * 24; hour += 1) {
      clock.now += HOUR_MS;
      await ledger.sweep();
      const repeats = [stored, lost].map((idempotencyKey) =>
        ledger.runOnce(createUse(ok, { idempotencyKey })).catch((error: unknown) => error),
      );
      const [first, second] = (await Promise.all(repeats)) as { effect?: string; code?: string }[];
      outcomes.push(`${first?.effect ?? first?.code} ${second?.effect ?? second?.code}`);
    }
    expect(effects).toHaveLength(2);
    expect(outcomes).toEqual([
      ...Array(23).fill('REPLAYED OUTCOME_UNKNOWN'),
      ...Array(6 * 24).fill('IDEMPOTENCY_KEY_EXPIRED OUTCOME_UNKNOWN'),
      ...Array(25).fill('IDEMPOTENCY_KEY_EXPIRED IDEMPOTENCY_KEY_EXPIRED'),
    ]);
  });

  it.each([
    ['is 23 hours old', -23 * HOUR_MS, 'IDEMPOTENCY_KEY_EXPIRED CHECK_FIRST'],
    ['is less than 23 hours old', 1 - 23 * HOUR_MS, 'DONE'],
    ['was created by a clock that is up to half an hour ahead', HOUR_MS / 2, 'DONE'],
    ['was created by a clock that is more than half an hour ahead', HOUR_MS / 2 + 1, 'IDEMPOTENCY_KEY_EXPIRED NEVER'],
    ['was created in 1970', -1_700_000_000_000, 'IDEMPOTENCY_KEY_EXPIRED CHECK_FIRST'],
  ])('decides about an unused key that %s', async (_name, ageMs, expected) => {
    const clock = new TestClock(0, 1_700_000_000_000 - DAY_MS);
    const ledger = await openLedger(clock);
    clock.now += DAY_MS;
    const { effects, ok } = new Upstream();
    const use = createUse(ok, { idempotencyKey: createTimedKey(clock.now + ageMs, 'id') });
    const outcome = await ledger.runOnce(use).then(
      ({ effect }) => effect,
      ({ code, retry }: ApiError) => `${code} ${retry}`,
    );
    expect([outcome, effects.length]).toEqual([expected, expected === 'DONE' ? 1 : 0]);
  });

  it('rejects an unused key that is older than the ledger', async () => {
    const clock = new TestClock();
    const before = createTimedKey(clock.now - 1, 'id');
    const ledger = await openLedger(clock);
    const { effects, ok } = new Upstream();
    await expect(ledger.runOnce(createUse(ok, { idempotencyKey: before }))).rejects.toThrow(IdempotencyKeyExpiredError);
    expect((await ledger.runOnce(createUse(ok, { idempotencyKey: createTimedKey(clock.now, 'id') }))).effect).toBe('DONE');
    expect(effects).toHaveLength(1);
  });

  it('expires successes after one day and unknown outcomes after seven', async () => {
    const clock = new TestClock();
    const ledger = await openLedger(clock);
    const { ok, lostAfter } = new Upstream();
    await ledger.runOnce(createUse(ok));
    await expect(ledger.runOnce(createUse(lostAfter, { idempotencyKey: 'lost' }))).rejects.toThrow(OutcomeUnknownError);
    clock.now += DAY_MS - 1;
    await ledger.sweep();
    expect((await ledger.runOnce(createUse(ok))).effect).toBe('REPLAYED');
    clock.now += 1;
    await ledger.sweep();
    expect(await ledger.find(createUse(ok))).toBeUndefined();
    expect((await ledger.runOnce(createUse(ok))).effect).toBe('DONE');
    clock.now += 6 * DAY_MS - 1;
    await ledger.sweep();
    expect(await ledger.find(createUse(ok, { idempotencyKey: 'lost' }))).toMatchObject({ state: 'UNKNOWN' });
    clock.now += 1;
    await ledger.sweep();
    expect((await ledger.runOnce(createUse(ok, { idempotencyKey: 'lost' }))).effect).toBe('DONE');
  });
}
