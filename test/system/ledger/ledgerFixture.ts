import { afterEach } from 'vitest';
import { OutcomeUnknownError } from '../../../src/failures/failures.ts';
import type { LedgerStore } from '../../../src/ledger/entry.ts';
import { Ledger, type LedgerUse } from '../../../src/ledger/ledger.ts';
import type { Clock } from '../../../src/lib/clock.ts';
import { CreateContact } from '../../../src/upstream/contract/generated/operations.ts';
import { TestClock } from '../../support/clock.ts';

export const LEASE_MS = 50_000;
export const HOUR_MS = 60 * 60 * 1000;
export const DAY_MS = 24 * HOUR_MS;

export interface CreatedRecord {
  readonly id: number;
}

export type Use = LedgerUse<CreatedRecord>;

/** An upstream that counts its effects. */
export class Upstream {
  readonly effects: number[] = [];

  readonly ok = async (): Promise<CreatedRecord> => ({ id: this.effects.push(0) });

  readonly lostAfter = async (): Promise<CreatedRecord> => {
    this.effects.push(0);
    throw createLostError();
  };
}

export const createLostError = () =>
  new OutcomeUnknownError({ startedAt: new Date(), idempotencyKey: null, advice: 'Look.', retry: 'CHECK_FIRST' });

export const failWith = (error: Error) => async (): Promise<CreatedRecord> => {
  throw error;
};

/** Fails a test that sends a request that it must not send. */
export const failUnexpectedly = failWith(new Error('This must not be sent.'));

const findNothing = async () => undefined;

export const createUse = (send: Use['send'], traits: Partial<Use> = {}): Use => ({
  keyHash: 'a key',
  callerId: traits.keyHash ?? 'a key',
  workspaceId: 'workspace',
  operation: CreateContact,
  idempotencyKey: 'key',
  request: { lastName: 'Adler' },
  findProblem: () => undefined,
  prepare: async () => {},
  send,
  redact: (response) => response,
  restore: (stored) => stored,
  reconcile: findNothing,
  recheckAccess: async () => {},
  isDeduplicatedUpstream: false,
  ...traits,
});

export interface LedgerKind {
  /** Opens an empty store on a host with this clock. The same `name` opens the same store, as in separate processes. */
  open(name: string, host: Clock): Promise<LedgerStore>;
  /** Whether the store has its own clock, so that the clocks of the hosts don't matter. */
  readonly hasOwnClock: boolean;
}

let storeCount = 0;

/** Opens ledgers over stores of one kind. Closes them after each test. */
export function useLedgers(kind: LedgerKind) {
  const opened: Ledger[] = [];
  afterEach(() => Promise.all(opened.splice(0).map((ledger) => ledger.close())));
  const open = async (where: string, clock: Clock) => {
    const ledger = new Ledger({ store: await kind.open(where, clock), leaseMs: LEASE_MS, clock });
    opened.push(ledger);
    return ledger;
  };
  const openLedgersWith = (...clocks: Clock[]) => {
    storeCount += 1;
    return Promise.all(clocks.map((clock) => open(`store ${storeCount}`, clock)));
  };
  const openLedgers = (count: number, clock: Clock = new TestClock()) => openLedgersWith(...Array.from({ length: count }, () => clock));
  const openLedger = async (clock: Clock = new TestClock()) => (await openLedgers(1, clock))[0] as Ledger;
  return { openLedgersWith, openLedgers, openLedger };
}
