import { describe, expect, it } from 'vitest';
import {
  IdempotencyKeyExpiredError,
  IdempotencyKeyReusedError,
  invalidInput,
  OperationInProgressError,
  OutcomeUnknownError,
  RateLimitedError,
} from '../../../src/failures/failures.ts';
import { createTimedKey } from '../../../src/ledger/ids.ts';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import { MoveInventory } from '../../../src/upstream/contract/generated/operations.ts';
import { TestClock } from '../../support/clock.ts';
import {
  createUse,
  DAY_MS,
  failUnexpectedly,
  failWith,
  LEASE_MS,
  type LedgerKind,
  Upstream,
  type Use,
  useLedgers,
} from './ledgerFixture.ts';

/** Tests of requests that aren't sent, with any store. */
export function testUnsentRequests(kind: LedgerKind): void {
  const { openLedgers, openLedger } = useLedgers(kind);

  describe('request that isn’t sent', () => {
    const problem = invalidInput(['quantity'], 'OUT_OF_RANGE', 'must not be 0.');
    const rejectUnsent: Use['send'] = async (onUnsent) => {
      onUnsent();
      throw new RateLimitedError(1);
    };
    const createUnsent = (traits: Partial<Use> = {}): [reason: string, use: Use][] => [
      ['its input has a problem', createUse(failUnexpectedly, { findProblem: () => problem, ...traits })],
      ['a record has a problem', createUse(failUnexpectedly, { prepare: failWith(problem) as () => Promise<never>, ...traits })],
      ['its quota is used up', createUse(rejectUnsent, traits)],
    ];

    it.each(createUnsent())('leaves no entry if %s', async (_reason, use) => {
      const ledger = await openLedger();
      const { effects, ok } = new Upstream();
      await expect(ledger.runOnce(use)).rejects.toMatchObject({ retry: expect.stringMatching('NEVER|SAFE') });
      expect(await ledger.find(use)).toBeUndefined();
      expect(await ledger.runOnce(createUse(ok, { request: { lastName: 'Corrected' } }))).toMatchObject({ effect: 'DONE' });
      expect(effects).toHaveLength(1);
    });

    it('returns the outcome of an earlier attempt, although its input has a problem by now', async () => {
      const ledger = await openLedger();
      const { effects, ok, lostAfter } = new Upstream();
      const refused = (traits: Partial<Use> = {}) => createUse(failUnexpectedly, { findProblem: () => problem, ...traits });
      await ledger.runOnce(createUse(ok));
      expect(await ledger.runOnce(refused())).toMatchObject({ response: { id: 1 }, effect: 'REPLAYED' });
      await expect(ledger.runOnce(refused({ request: {} }))).rejects.toThrow(IdempotencyKeyReusedError);
      for (const isDeduplicatedUpstream of [false, true]) {
        const lost = { idempotencyKey: `lost ${isDeduplicatedUpstream}`, isDeduplicatedUpstream };
        await expect(ledger.runOnce(createUse(lostAfter, lost))).rejects.toThrow(OutcomeUnknownError);
        await expect(ledger.runOnce(refused(lost))).rejects.toThrow(OutcomeUnknownError);
        expect(await ledger.find(refused(lost))).toMatchObject({ state: 'UNKNOWN' });
      }
      expect(effects).toHaveLength(3);
    });

    it('doesn’t learn what another API key has done', async () => {
      const ledger = await openLedger();
      const { ok } = new Upstream();
      const traits = { operation: MoveInventory, isDeduplicatedUpstream: true };
      await ledger.runOnce(createUse(ok, traits));
      const other = createUse(failUnexpectedly, { ...traits, keyHash: 'another key', findProblem: () => problem });
      await expect(ledger.runOnce(other)).rejects.toThrow('already used with another API key');
    });

    it.each(createUnsent({ isDeduplicatedUpstream: true, operation: MoveInventory }))(
      'leaves an earlier attempt unknown if %s',
      async (_reason, use) => {
        const ledger = await openLedger();
        const { effects, ok, lostAfter } = new Upstream();
        await expect(ledger.runOnce({ ...use, findProblem: () => undefined, prepare: async () => {}, send: lostAfter })).rejects.toThrow();
        await expect(ledger.runOnce(use)).rejects.toThrow(OutcomeUnknownError);
        expect(await ledger.find(use)).toMatchObject({ state: 'UNKNOWN' });
        expect(await ledger.runOnce({ ...use, findProblem: () => undefined, prepare: async () => {}, send: ok })).toMatchObject({
          effect: 'DONE',
        });
        expect(effects).toHaveLength(2);
      },
    );

    it('replays a stored success without comparing it with records', async () => {
      const ledger = await openLedger();
      const { effects, ok } = new Upstream();
      const traits = { operation: MoveInventory, isDeduplicatedUpstream: true };
      await ledger.runOnce(createUse(ok, traits));
      const prepare = failWith(problem) as () => Promise<never>;
      expect(await ledger.runOnce(createUse(ok, { ...traits, prepare }))).toMatchObject({ effect: 'REPLAYED' });
      expect(await ledger.runOnce(createUse(ok, { ...traits, prepare, keyHash: 'another key' }))).toMatchObject({ effect: 'REPLAYED' });
      expect(effects).toHaveLength(2);
    });

    it('doesn’t delete the entry of the attempt that took over its expired claim', async () => {
      const clock = new TestClock();
      const [slow, other] = (await openLedgers(2, clock)) as [Ledger, Ledger];
      const { effects, ok } = new Upstream();
      const traits = { operation: MoveInventory, isDeduplicatedUpstream: true };
      const comparing = Promise.withResolvers<void>();
      const running = slow.runOnce(createUse(failUnexpectedly, { ...traits, prepare: () => comparing.promise }));
      await expect.poll(() => other.find(createUse(ok, traits))).toMatchObject({ state: 'IN_FLIGHT' });
      await expect(other.runOnce(createUse(ok, traits))).rejects.toThrow(OperationInProgressError);
      clock.now += LEASE_MS;
      expect((await other.runOnce(createUse(ok, traits))).effect).toBe('DONE');
      comparing.reject(problem);
      await expect(running).rejects.toThrow(OperationInProgressError);
      expect((await other.runOnce(createUse(ok, traits))).effect).toBe('REPLAYED');
      expect(effects).toHaveLength(1);
    });

    it('releases its key, although another process has reported it as unknown', async () => {
      const clock = new TestClock();
      const [slow, other] = (await openLedgers(2, clock)) as [Ledger, Ledger];
      const comparing = Promise.withResolvers<void>();
      const running = slow.runOnce(createUse(failUnexpectedly, { prepare: () => comparing.promise }));
      await expect.poll(() => other.find(createUse(failUnexpectedly))).toMatchObject({ state: 'IN_FLIGHT' });
      clock.now += LEASE_MS;
      await expect(other.runOnce(createUse(failUnexpectedly))).rejects.toThrow(OutcomeUnknownError);
      comparing.reject(problem);
      await expect(running).rejects.toBe(problem);
      expect(await other.find(createUse(failUnexpectedly))).toBeUndefined();
    });

    it('deletes its claim under the IDs of its workspace and of its API key, and no other', async () => {
      const ledger = await openLedger();
      const { ok } = new Upstream();
      await ledger.runOnce(createUse(ok, { workspaceId: null, keyHash: 'another key' }));
      await expect(ledger.runOnce(createUse(rejectUnsent))).rejects.toThrow(RateLimitedError);
      for (const traits of [{ workspaceId: null }, { keyHash: 'a third key' }])
        expect(await ledger.find(createUse(ok, traits))).toBeUndefined();
      expect(await ledger.find(createUse(ok, { workspaceId: null, keyHash: 'another key' }))).toMatchObject({ state: 'SUCCEEDED' });
    });

    it('returns IDEMPOTENCY_KEY_EXPIRED for a key whose entry may have expired, although its input has a problem', async () => {
      const clock = new TestClock();
      const ledger = await openLedger(clock);
      const idempotencyKey = createTimedKey(clock.now, 'id');
      const use = createUse(failUnexpectedly, { idempotencyKey, findProblem: () => problem });
      await expect(ledger.runOnce(use)).rejects.toBe(problem);
      clock.now += DAY_MS;
      await expect(ledger.runOnce(use)).rejects.toThrow(IdempotencyKeyExpiredError);
    });
  });
}
