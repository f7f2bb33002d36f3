import { describe, expect, it } from 'vitest';
import { type ApiError, OperationInProgressError } from '../../../src/failures/failures.ts';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import { TestClock } from '../../support/clock.ts';
import { createUse, DAY_MS, HOUR_MS, LEASE_MS, type LedgerKind, Upstream, useLedgers } from './ledgerFixture.ts';

/** Tests of a ledger on hosts with different or changed clocks. */
export function testLedgerClocks(kind: LedgerKind): void {
  const { openLedgersWith, openLedger } = useLedgers(kind);

  describe('hosts with different or changed clocks', () => {
    const hours = [-30, -3, 3, 30].filter((each) => kind.hasOwnClock || Math.abs(each) < 24);

    /** Two hosts, with the second one's clock ahead by the given hours. Time passes on both. */
    const openHosts = async (aheadHours: number) => {
      const clocks = [new TestClock(), new TestClock(aheadHours * HOUR_MS)] as const;
      const [one, other] = (await openLedgersWith(...clocks)) as [Ledger, Ledger];
      const pass = (ms: number) => {
        for (const clock of clocks) clock.now += ms;
      };
      return { one, other, pass };
    };
    const runAndGetCode = (ledger: Ledger, { ok }: Upstream) =>
      ledger.runOnce(createUse(ok)).then(
        ({ effect }) => effect,
        ({ code }: ApiError) => code,
      );

    it.each(hours)('replay a mutation of the other host until the key expires, %i h ahead', async (aheadHours) => {
      for (const isFirst of [true, false]) {
        const { one, other, pass } = await openHosts(aheadHours);
        const upstream = new Upstream();
        await (isFirst ? one : other).runOnce(createUse(upstream.ok));
        pass(DAY_MS - (kind.hasOwnClock ? 1 : 4 * HOUR_MS));
        await Promise.all([one.sweep(), other.sweep()]);
        expect([await runAndGetCode(one, upstream), await runAndGetCode(other, upstream)]).toEqual(['REPLAYED', 'REPLAYED']);
        expect(upstream.effects).toHaveLength(1);
      }
    });

    it.each(hours)('don’t resend a mutation in flight on the other host, %i h ahead', async (aheadHours) => {
      for (const isFirst of [true, false]) {
        const { one, other } = await openHosts(aheadHours);
        const [first, second] = isFirst ? [one, other] : [other, one];
        const upstream = new Upstream();
        const pending = Promise.withResolvers<void>();
        const running = first.runOnce(createUse(() => pending.promise.then(upstream.ok)));
        await expect.poll(() => first.find(createUse(upstream.ok))).toMatchObject({ state: 'IN_FLIGHT' });
        expect(await runAndGetCode(second, upstream)).toBe(kind.hasOwnClock ? 'OPERATION_IN_PROGRESS' : 'OUTCOME_UNKNOWN');
        pending.resolve();
        expect((await running).effect).toBe('DONE');
        expect([await runAndGetCode(one, upstream), await runAndGetCode(other, upstream), upstream.effects.length]).toEqual([
          'REPLAYED',
          'REPLAYED',
          1,
        ]);
      }
    });

    it.each(hours)('expire the lease of a dead attempt on the other host, %i h ahead', async (aheadHours) => {
      for (const isFirst of [true, false]) {
        const { one, other, pass } = await openHosts(aheadHours);
        const [dying, second] = isFirst ? [one, other] : [other, one];
        const upstream = new Upstream();
        void dying.runOnce(createUse(() => new Promise(() => {})));
        await expect.poll(() => dying.find(createUse(upstream.ok))).toMatchObject({ state: 'IN_FLIGHT' });
        pass(LEASE_MS);
        expect([await second.find(createUse(upstream.ok)), await runAndGetCode(second, upstream)]).toMatchObject([
          { state: 'UNKNOWN' },
          'OUTCOME_UNKNOWN',
        ]);
        expect(upstream.effects).toEqual([]);
      }
    });

    it('extend no lease and drop no entry if the store’s own clock is set back', async () => {
      const clock = new TestClock();
      const ledger = await openLedger(clock);
      const upstream = new Upstream();
      await ledger.runOnce(createUse(upstream.ok));
      void ledger.runOnce(createUse(() => new Promise(() => {}), { idempotencyKey: 'dying' }));
      await expect.poll(() => ledger.find(createUse(upstream.ok, { idempotencyKey: 'dying' }))).toMatchObject({ state: 'IN_FLIGHT' });
      clock.now -= HOUR_MS;
      expect([await runAndGetCode(ledger, upstream), await ledger.find(createUse(upstream.ok, { idempotencyKey: 'dying' }))]).toMatchObject(
        ['REPLAYED', { state: 'UNKNOWN' }],
      );
      await expect(ledger.runOnce(createUse(upstream.ok, { idempotencyKey: 'dying' }))).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' });
      expect(upstream.effects).toHaveLength(1);
    });

    it('expire no lease if the clock is set back by less than a second', async () => {
      const clock = new TestClock();
      const ledger = await openLedger(clock);
      const upstream = new Upstream();
      void ledger.runOnce(createUse(() => new Promise(() => {})));
      await expect.poll(() => ledger.find(createUse(upstream.ok))).toMatchObject({ state: 'IN_FLIGHT' });
      clock.now -= 900;
      await expect(ledger.runOnce(createUse(upstream.ok))).rejects.toThrow(OperationInProgressError);
    });

    it.each([-30, -1, 1, 30])('apply no write twice if the clock is set by %i h while entries exist', async (by) => {
      const clock = new TestClock();
      const ledger = await openLedger(clock);
      const upstream = new Upstream();
      await ledger.runOnce(createUse(upstream.ok));
      void ledger.runOnce(createUse(() => new Promise(() => {}), { idempotencyKey: 'dying' }));
      await expect.poll(() => ledger.find(createUse(upstream.ok, { idempotencyKey: 'dying' }))).toMatchObject({ state: 'IN_FLIGHT' });
      clock.setAheadMs = by * HOUR_MS;
      await ledger.sweep();
      expect(await runAndGetCode(ledger, upstream)).toBe('REPLAYED');
      clock.now += LEASE_MS;
      await expect(ledger.runOnce(createUse(upstream.ok, { idempotencyKey: 'dying' }))).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' });
      // Entries written with the changed clock last equally long once the clock is corrected.
      await ledger.runOnce(createUse(upstream.ok, { idempotencyKey: 'after' }));
      clock.setAheadMs = 0;
      clock.now += DAY_MS - 1;
      await ledger.sweep();
      expect((await ledger.runOnce(createUse(upstream.ok, { idempotencyKey: 'after' }))).effect).toBe('REPLAYED');
      expect(upstream.effects).toHaveLength(2);
    });
  });
}
