import { describe, expect, it } from 'vitest';
import { IdempotencyKeyReusedError } from '../../../src/failures/failures.ts';
import type { LedgerDraft } from '../../../src/ledger/entry.ts';
import { Ledger } from '../../../src/ledger/ledger.ts';
import { TestClock } from '../../support/clock.ts';
import { createUse, DAY_MS, LEASE_MS, type LedgerKind, Upstream } from './ledgerFixture.ts';

/** IDs and entry that versions without sign-in write for `createUse`. They only know API keys. */
const IDS = [
  '{_Fjd31_hlEd4MH8ro1wvXt_SBczHiAUf3tV4b8a8oKs}W-GtduytTn5AXj9RFB_4YMG_nbrUoP4_0c0DOc6RjnE',
  '{_Fjd31_hlEd4MH8ro1wvXt_SBczHiAUf3tV4b8a8oKs}bA9-uaxHSf9re1MMYbzmYH69rZweiQMxyprxdSy3I7A',
];
const ENTRY: LedgerDraft = {
  state: 'SUCCEEDED',
  attempt: '374fad0a-bc14-47c2-ada8-749f54fc3a75',
  operation: 'Contact/CreateContact',
  fingerprint: 'sai79lHA5IH9MwxlhNwEnPpvMmEnMZCpzi2Noq4R2bs',
  credential: 'a key',
  startedAt: 1_772_442_000_000,
  settledAt: 1_772_442_000_100,
  leaseMs: 0,
  answer: { id: 7 },
};
const ACCOUNT = { callerId: 'account:alice' };

let storeCount = 0;

/** Tests of a store that replicas of two versions share during an upgrade. */
export function testLedgerVersions(kind: LedgerKind): void {
  const openStore = () => {
    storeCount += 1;
    return kind.open(`versions ${storeCount}`, new TestClock());
  };

  describe('entries of another version', () => {
    it('replay for their API key, and not for its accounts', async () => {
      const store = await openStore();
      const ledger = new Ledger({ store, leaseMs: LEASE_MS });
      const { effects, ok } = new Upstream();
      await store.claim(IDS, ENTRY, DAY_MS);
      expect(await ledger.runOnce(createUse(ok))).toMatchObject({ response: { id: 7 }, effect: 'REPLAYED' });
      for (const isDeduplicatedUpstream of [false, true])
        await expect(ledger.runOnce(createUse(ok, { ...ACCOUNT, isDeduplicatedUpstream }))).rejects.toThrow(IdempotencyKeyReusedError);
      expect(effects).toEqual([]);
      await ledger.close();
    });

    it('count as those of another API key in versions without sign-in', async () => {
      const store = await openStore();
      const ledger = new Ledger({ store, leaseMs: LEASE_MS });
      const { effects, ok } = new Upstream();
      await ledger.runOnce(createUse(ok, ACCOUNT));
      // These return the stored response only if `credential` is the hash of the request's API key.
      const { operation, fingerprint } = ENTRY;
      for (const id of IDS)
        expect(await store.find([id])).toMatchObject({
          entry: { operation, fingerprint, state: 'SUCCEEDED', credential: 'account:alice' },
        });
      await expect(ledger.runOnce(createUse(ok))).rejects.toThrow(IdempotencyKeyReusedError);
      expect((await ledger.runOnce(createUse(ok, ACCOUNT))).effect).toBe('REPLAYED');
      expect(effects).toHaveLength(1);
      await ledger.close();
    });
  });
}
