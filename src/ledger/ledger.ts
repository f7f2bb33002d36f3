// The rules of idempotency keys. A store (entry.ts defines the interface) persists the entries in Redis or in a file. The file store has three parts:
// sqliteStore.ts queues changes and combines concurrent ones into one transaction, sqliteThread.ts starts and calls the worker thread (sqliteWorker.ts),
// and sqliteDatabase.ts contains the SQL.
import { randomUUID } from 'node:crypto';
import {
  ApiError,
  type Delivery,
  IdempotencyKeyReusedError,
  OperationInProgressError,
  OutcomeUnknownError,
  OverloadedError,
} from '../failures/failures.ts';
import { BoundedCache } from '../lib/boundedCache.ts';
import { canonicalJson } from '../lib/canonicalJson.ts';
import { type Clock, systemClock } from '../lib/clock.ts';
import { keyHashOf } from '../lib/keyHash.ts';
import { isConclusive } from '../upstream/calls/answers.ts';
import {
  type Expected,
  type Found,
  isRunning,
  type LedgerDraft,
  type LedgerState,
  type LedgerStore,
  type SettledState,
  settled,
} from './entry.ts';
import { contestIdOf, idsOf, type LedgerKey, sha256 } from './ids.ts';

export interface LedgerUse<Answer> extends LedgerKey {
  readonly request: object;
  /** Whether the upstream itself recognises a repeat of the request: then it may be sent again. */
  readonly isKnownUpstream: boolean;
  /** Fails when the API key may not hear, as of now, what is kept: asked before a repeat is told anything. */
  readonly confirm: () => Promise<unknown>;
  /** Sends the request. */
  readonly send: () => Promise<Answer>;
  /** The response without what must not be stored. */
  readonly toKeep: (answer: Answer) => Answer;
  /** The response as `send` returns it, from a stored one. */
  readonly restore: (stored: Answer) => Answer;
  /** Finds out by reading that the request was done, and what came of it; undefined when that cannot be told. */
  readonly reconcile: (startedAt: Date, evidence: Evidence) => Promise<Answer | undefined>;
  /** Whether the request creates a record that `reconcile` could take for that of another request with the same input. */
  readonly isCreation: boolean;
}

/** What is known about a request whose response was lost. */
export interface Evidence {
  /** Null if nothing is known, such as after a restart of the process. */
  readonly delivery: Delivery | null;
  /** Whether the same request may have been sent under another key. To be checked after reading, since one that starts later can't have caused what was read. */
  readonly isContested: () => Promise<boolean>;
  /** Whether the response was lost by an earlier request with the same key. */
  readonly isRepeat: boolean;
}

/**
 * How an answer was come by.
 * - `DONE`: the upstream answered now.
 * - `REPLAYED`: it answered an earlier use of the key.
 * - `RECONCILED`: its answer was lost, and reading showed that it was done.
 */
export type Road = 'DONE' | 'REPLAYED' | 'RECONCILED';

/** Answer that the use of an idempotency key got. */
export interface LedgerOutcome<Answer> {
  readonly answer: Answer;
  readonly road: Road;
  /**
   * Whether the response describes its records as of now. The response of an earlier attempt can be out of date, and the key can have lost access to its
   * records since, no matter whether the ledger stored it or the upstream.
   */
  readonly isCurrent: boolean;
  /** When the use that it is the answer to began. */
  readonly startedAt: Date;
}

/** Facts that are known of an idempotency key. */
export interface LedgerFinding {
  readonly state: LedgerState;
  readonly startedAt: Date;
  readonly settledAt: Date | null;
  readonly expiresAt: Date;
}

export interface LedgerOptions {
  readonly store: LedgerStore;
  /** How long an attempt may run, in milliseconds: longer than a call to the upstream with all its resends. */
  readonly leaseMs: number;
  /** Told of failures that no caller is told of. */
  readonly onFailure?: (error: unknown) => void;
  /** For the moments that people are told; without it, the clocks of this machine. */
  readonly clock?: Clock;
}

const HOUR_MS = 60 * 60 * 1000;
/** How long a key is kept: a day, as Stripe and Shopify keep theirs. */
const TTL_MS = 24 * HOUR_MS;
/** An unknown outcome is kept for longer, since people have to look into it. */
export const UNKNOWN_TTL_MS = 7 * 24 * HOUR_MS;
/** Seconds after which a caller should ask again about a mutation that still runs. Ours: most take less. */
const RETRY_AFTER_SECONDS = 2;
/** How long two equal requests under different keys contest each other. Chosen: as long as a quota window can be, within which a call is attributed to a process. */
const CONTEST_TTL_MS = HOUR_MS;
/** Unknown outcomes of this process for which evidence is stored. Chosen: more than one host has in an hour. */
const MAX_DELIVERIES = 10_000;
/** How often what has expired is deleted. */
const SWEEP_MS = 10 * 60 * 1000;
/** How often results are tried to be written that could not be. */
const RETRY_MS = 1_000;
/** Results that are written at a time: a store confirms those that come together by one write of its disk. Ours: as many as one transaction takes. */
const RETRY_SIZE = 1_000;
/**
 * Results that wait to be written. Ours: past it the oldest are given up, and become unknown when their lease ends; first those of claims that
 * failed, of which there is one for each request while the store is gone.
 */
const MAX_UNWRITTEN = 10_000;

const UNKNOWN_ADVICE =
  'Retry with the same idempotencyKey: the write isn’t applied again, and the response contains the outcome once it’s known. Check the affected record, and use a new idempotencyKey only if the write wasn’t applied.';

/** How long an entry is kept from when it is written. An attempt that is running may come to be unknown. */
const ttlOf = ({ state }: LedgerDraft): number => (state === 'SUCCEEDED' || state === 'FAILED' ? TTL_MS : UNKNOWN_TTL_MS);

interface Unwritten {
  readonly ids: readonly string[];
  readonly expected: Expected;
  readonly draft: LedgerDraft;
}

/** The ledger, as requests use it. */
export type Keeper = Pick<Ledger, 'once' | 'find'>;

/** The ledger of a rehearsal: keeps nothing, and finds nothing. */
export const NO_LEDGER: Keeper = {
  once: async ({ send }) => ({ answer: await send(), road: 'DONE', isCurrent: true, startedAt: new Date() }),
  find: async () => undefined,
};

/**
 * Keeps what was done under an idempotency key, so that it is not done twice. The claim is written before the request is sent; an attempt
 * of which nobody heard again is unknown, and is sent again only where the upstream itself recognises the key.
 */
export class Ledger {
  readonly #store: LedgerStore;
  readonly #leaseMs: number;
  readonly #clock: Clock;
  readonly #onFailure: (error: unknown) => void;
  readonly #unwritten: Unwritten[] = [];
  /** By attempt. */
  readonly #deliveries = new BoundedCache<Delivery>({ entries: MAX_DELIVERIES });
  readonly #timers: readonly NodeJS.Timeout[];

  constructor({ store, leaseMs, onFailure = () => {}, clock = systemClock }: LedgerOptions) {
    this.#store = store;
    this.#leaseMs = leaseMs;
    this.#clock = clock;
    this.#onFailure = onFailure;
    this.#timers = [
      setInterval(() => void this.sweep().catch(onFailure), SWEEP_MS).unref(),
      setInterval(() => void this.#writeUnwritten().catch(() => {}), RETRY_MS).unref(),
    ];
  }

  /** Has a request done once per key. A repeat with the same input gets the first answer, or hears what is known. */
  async once<Answer extends object>(use: LedgerUse<Answer>): Promise<LedgerOutcome<Answer>> {
    const ids = idsOf(use);
    const claim: LedgerDraft = {
      state: 'IN_FLIGHT',
      attempt: randomUUID(),
      operation: use.operation.name,
      fingerprint: sha256(canonicalJson(use.request)),
      credential: keyHashOf(use.apiKey),
      startedAt: this.#clock.unixMs(),
      leaseMs: this.#leaseMs,
    };
    const found = await this.#claim(ids, claim);
    if (!found) {
      if (use.isCreation && !use.isKnownUpstream) await this.#announce(claim, ids, use);
      return this.#send(claim, ids, use, false);
    }
    await use.confirm();
    return this.#again(found, claim, ids, use);
  }

  /** Finds the entry of an idempotency key; undefined when it is not known to have been used. */
  async find(key: LedgerKey): Promise<LedgerFinding | undefined> {
    const found = await this.#store.find(idsOf(key));
    if (!found) return undefined;
    const { entry } = found;
    return {
      state: entry.state === 'IN_FLIGHT' && !isRunning(found) ? 'UNKNOWN' : entry.state,
      startedAt: new Date(entry.startedAt),
      settledAt: entry.settledAt === undefined ? null : new Date(entry.settledAt),
      expiresAt: new Date(entry.expiresAt),
    };
  }

  /** Deletes what has expired. */
  sweep(): Promise<void> {
    return this.#store.sweep();
  }

  /** Writes what has yet to be written, as far as it can be, and closes the store. */
  async close(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    await this.#writeUnwritten().catch(this.#onFailure);
    await this.#store.close();
  }

  /**
   * Announces to all processes that a record is about to be created, so that an equal request under another key isn't taken for this one, nor this one for it. The
   * entry holds the last of them, by the first ID of its key, and whether there was another.
   */
  async #announce(claim: LedgerDraft, ids: readonly string[], use: LedgerKey): Promise<void> {
    const contestId = [contestIdOf(use, claim.fingerprint)];
    const { startedAt, fingerprint, credential } = claim;
    const draft: LedgerDraft = { state: 'SUCCEEDED', attempt: ids[0] ?? '', fingerprint, credential, startedAt, leaseMs: 0 };
    try {
      for (;;) {
        const found = await this.#store.claim(contestId, draft, CONTEST_TTL_MS);
        if (!found || found.entry.attempt === draft.attempt) return;
        const expected: Expected = { attempt: found.entry.attempt, states: ['SUCCEEDED'] };
        if (await this.#store.move(contestId, expected, { ...draft, isContested: true }, CONTEST_TTL_MS)) return;
      }
    } catch (error) {
      // Nothing was sent.
      await this.#settle(ids, claim, ['IN_FLIGHT'], this.#settled(claim, 'FAILED'));
      throw error;
    }
  }

  async #isContested({ fingerprint }: LedgerDraft, ids: readonly string[], use: LedgerKey): Promise<boolean> {
    const found = await this.#store.find([contestIdOf(use, fingerprint)]);
    return found?.entry.attempt !== ids[0] || found?.entry.isContested === true;
  }

  async #claim(ids: readonly string[], claim: LedgerDraft): Promise<Found | undefined> {
    try {
      return await this.#store.claim(ids, claim, ttlOf(claim));
    } catch (error) {
      if (error instanceof OverloadedError) throw error;
      // The claim may have been written all the same. Nothing is sent, so the key must be free again.
      this.#defer({ ids, expected: { attempt: claim.attempt, states: ['IN_FLIGHT'] }, draft: this.#settled(claim, 'FAILED') });
      throw error;
    }
  }

  /** Answers a repeat: the use of an idempotency key that has an entry. */
  async #again<Answer extends object>(
    found: Found,
    claim: LedgerDraft,
    ids: readonly string[],
    use: LedgerUse<Answer>,
  ): Promise<LedgerOutcome<Answer>> {
    const { entry } = found;
    const startedAt = new Date(entry.startedAt);
    if (entry.fingerprint !== claim.fingerprint) throw new IdempotencyKeyReusedError(startedAt);
    if (isRunning(found)) throw new OperationInProgressError(RETRY_AFTER_SECONDS);
    const { isKnownUpstream } = use;
    if (entry.state === 'SUCCEEDED') {
      const isOwn = entry.credential === claim.credential;
      // Another account may not learn what the mutation did, unless the upstream returns it to that account too.
      if (!isOwn && !isKnownUpstream) throw new IdempotencyKeyReusedError(startedAt, 'API_KEY');
      if (!entry.answer && !isKnownUpstream) throw new IdempotencyKeyReusedError(startedAt, 'RESPONSE_LOST');
      const answer = isOwn && entry.answer ? use.restore(entry.answer as Answer) : await use.send();
      return { answer, road: 'REPLAYED', isCurrent: false, startedAt };
    }
    if (!isKnownUpstream) return this.#reconcile(await this.#lapsed(entry, ids), ids, use);
    const next = { ...claim, startedAt: entry.startedAt };
    const isOurs = await this.#store.move(ids, { attempt: entry.attempt, states: [entry.state] }, next, ttlOf(next));
    if (!isOurs) throw new OperationInProgressError(RETRY_AFTER_SECONDS);
    return this.#send(next, ids, use, true);
  }

  /** Writes down that an attempt is unknown by now. */
  async #lapsed(found: LedgerDraft, ids: readonly string[]): Promise<LedgerDraft> {
    if (found.state === 'UNKNOWN') return found;
    const draft = this.#settled(found, 'UNKNOWN');
    await this.#store.move(ids, { attempt: found.attempt, states: ['IN_FLIGHT'] }, draft, ttlOf(draft));
    return draft;
  }

  async #send<Answer extends object>(
    claim: LedgerDraft,
    ids: readonly string[],
    use: LedgerUse<Answer>,
    isRepeat: boolean,
  ): Promise<LedgerOutcome<Answer>> {
    try {
      const answer = await use.send();
      await this.#settle(ids, claim, ['IN_FLIGHT', 'UNKNOWN'], this.#settled(claim, 'SUCCEEDED', use.toKeep(answer)));
      return { answer, road: 'DONE', isCurrent: !isRepeat, startedAt: new Date(claim.startedAt) };
    } catch (error) {
      const isLost = !(error instanceof ApiError) || error instanceof OutcomeUnknownError;
      // An earlier attempt under this key may have been done, whatever this one was told.
      const isOpen = isRepeat && !isConclusive(error, use.operation);
      const entry = this.#settled(claim, isLost || isOpen ? 'UNKNOWN' : 'FAILED');
      await this.#settle(ids, claim, ['IN_FLIGHT'], entry);
      if (error instanceof OutcomeUnknownError && error.delivery) this.#deliveries.set(claim.attempt, error.delivery);
      if (error instanceof ApiError && (isLost || isOpen)) return this.#reconcile(entry, ids, use, error);
      throw error;
    }
  }

  /** Reads whether a request of unknown outcome was done. That it was can be seen; that it was not cannot, since it may be on its way. */
  async #reconcile<Answer extends object>(
    entry: LedgerDraft,
    ids: readonly string[],
    use: LedgerUse<Answer>,
    cause?: ApiError,
  ): Promise<LedgerOutcome<Answer>> {
    const startedAt = new Date(entry.startedAt);
    const evidence: Evidence = {
      delivery: this.#deliveries.get(entry.attempt) ?? null,
      isContested: () => this.#isContested(entry, ids, use),
      isRepeat: cause === undefined,
    };
    const answer = await use.reconcile(startedAt, evidence).catch((error: unknown) => {
      if (!(error instanceof ApiError)) this.#onFailure(error);
      return undefined;
    });
    if (answer) {
      // An account must not be shown what another one may see.
      if (entry.credential === keyHashOf(use.apiKey))
        await this.#settle(ids, entry, ['UNKNOWN'], this.#settled(entry, 'SUCCEEDED', use.toKeep(answer)));
      return { answer, road: 'RECONCILED', isCurrent: true, startedAt };
    }
    const advice = cause instanceof OutcomeUnknownError && cause.retry !== 'CHECK_FIRST' ? cause.advice : UNKNOWN_ADVICE;
    throw new OutcomeUnknownError({ startedAt, idempotencyKey: use.idempotencyKey, advice, retry: 'SAME_KEY' }, cause);
  }

  #settled(claim: LedgerDraft, state: SettledState, answer?: object): LedgerDraft {
    return { ...settled(claim, state, this.#clock.unixMs()), ...(answer && { answer }) };
  }

  /** Writes a result. The caller is answered even when that fails: then it is tried again. */
  async #settle(ids: readonly string[], { attempt }: LedgerDraft, states: readonly LedgerState[], draft: LedgerDraft): Promise<void> {
    const result: Unwritten = { ids, expected: { attempt, states }, draft };
    try {
      await this.#store.move(ids, result.expected, draft, ttlOf(draft));
    } catch (error) {
      this.#onFailure(error);
      this.#defer(result);
    }
  }

  #defer(result: Unwritten): void {
    if (this.#unwritten.length >= MAX_UNWRITTEN) {
      const leastMissed = this.#unwritten.findIndex(({ draft }) => draft.state === 'FAILED');
      this.#unwritten.splice(Math.max(0, leastMissed), 1);
    }
    this.#unwritten.push(result);
  }

  /** The first tells whether the store can be written again. */
  async #writeUnwritten(): Promise<void> {
    for (let size = 1; this.#unwritten.length > 0; size = RETRY_SIZE) {
      const tried = this.#unwritten.splice(0, size);
      const tries = await Promise.allSettled(tried.map(({ ids, expected, draft }) => this.#store.move(ids, expected, draft, ttlOf(draft))));
      const failed = tries.findIndex(({ status }) => status === 'rejected');
      if (failed < 0) continue;
      this.#unwritten.unshift(...tried.filter((_, index) => tries[index]?.status === 'rejected'));
      throw (tries[failed] as PromiseRejectedResult).reason;
    }
  }
}
