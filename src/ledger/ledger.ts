import { createHash, randomUUID } from 'node:crypto';
import { isConclusive } from '../upstream/answers.ts';
import { canonicalJson } from '../upstream/canonical.ts';
import { credentialOf } from '../upstream/credential.ts';
import { ApiError, IdempotencyKeyReusedError, OperationInProgressError, OutcomeUnknownError } from '../upstream/errors.ts';
import type { AnyOperation } from '../upstream/operation.ts';
import type { Expected, LedgerEntry, LedgerState, LedgerStore } from './entry.ts';

/** Whose key it is, and what it is for. */
export interface LedgerKey {
  readonly apiKey: string;
  /** Null while the upstream does not tell it. */
  readonly workspaceId: string | null;
  readonly operation: AnyOperation;
  readonly idempotencyKey: string;
}

export interface LedgerUse<Answer> extends LedgerKey {
  readonly request: object;
  /** Sends the request. */
  readonly send: () => Promise<Answer>;
  /** Finds out by reading that the request was done, and what came of it; undefined when that cannot be told. */
  readonly lookUp: (startedAt: Date) => Promise<Answer | undefined>;
}

/**
 * How an answer was come by.
 * - `DONE`: the upstream answered now.
 * - `REPLAYED`: it answered an earlier use of the key.
 * - `RECONCILED`: its answer was lost, and reading showed that it was done.
 */
export type Road = 'DONE' | 'REPLAYED' | 'RECONCILED';

/** What a key got. */
export interface LedgerOutcome<Answer> {
  readonly answer: Answer;
  readonly road: Road;
  /** When the use that it is the answer to began. */
  readonly startedAt: Date;
}

/** What became of a key. */
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
  /** Unix milliseconds. */
  readonly now?: () => number;
}

const HOUR_MS = 60 * 60 * 1000;
/** How long a key is kept: a day, as Stripe and Shopify keep theirs. */
const TTL_MS = 24 * HOUR_MS;
/** An unknown outcome is kept for longer, since people have to look into it. */
const UNKNOWN_TTL_MS = 7 * 24 * HOUR_MS;
/** Seconds after which a caller should ask again about a mutation that still runs. Ours: most take less. */
const RETRY_AFTER_SECONDS = 2;
/** How often what has expired is deleted. */
const SWEEP_MS = 10 * 60 * 1000;
/** How often results are tried to be written that could not be. */
const RETRY_MS = 1_000;
/**
 * Results that wait to be written. Ours: past it the oldest are given up, and become unknown when their lease ends; first those of claims that
 * failed, of which there is one for each request while the store is gone.
 */
const MAX_UNWRITTEN = 10_000;

const UNKNOWN_ADVICE =
  'Send it again with the same idempotencyKey: it is not done again, and you are told when it is known. Read the record that it concerns; choose a new key only when you see that nothing was done.';

const sha256 = (text: string) => createHash('sha256').update(text).digest('base64url');

/**
 * What an entry is found by: the API key, which is always known, and the workspace where the upstream tells it, so that a key that was
 * renewed between two attempts does not do the same thing twice. The part in braces is the same for both: a Redis cluster keeps them together.
 */
function idsOf({ apiKey, workspaceId, operation, idempotencyKey }: LedgerKey): string[] {
  const owners = [`key ${credentialOf(apiKey)}`, ...(workspaceId === null ? [] : [`workspace ${workspaceId}`])];
  const use = sha256(JSON.stringify([operation.name, idempotencyKey]));
  return owners.map((owner) => `{${use}}${sha256(owner)}`);
}

interface Unwritten {
  readonly ids: readonly string[];
  readonly expected: Expected;
  readonly entry: LedgerEntry;
}

/**
 * Keeps what was done under an idempotency key, so that it is not done twice. The claim is written before the request is sent; an attempt
 * of which nobody heard again is unknown, and is sent again only where the upstream itself recognises the key.
 */
export class Ledger {
  readonly #store: LedgerStore;
  readonly #leaseMs: number;
  readonly #now: () => number;
  readonly #onFailure: (error: unknown) => void;
  readonly #unwritten: Unwritten[] = [];
  readonly #timers: readonly NodeJS.Timeout[];

  constructor({ store, leaseMs, onFailure = () => {}, now = Date.now }: LedgerOptions) {
    this.#store = store;
    this.#leaseMs = leaseMs;
    this.#now = now;
    this.#onFailure = onFailure;
    this.#timers = [
      setInterval(() => void this.sweep().catch(onFailure), SWEEP_MS).unref(),
      setInterval(() => void this.#writeUnwritten().catch(() => {}), RETRY_MS).unref(),
    ];
  }

  /** Has a request done once per key. A repeat with the same input gets the first answer, or hears what is known. */
  async once<Answer extends object>(use: LedgerUse<Answer>): Promise<LedgerOutcome<Answer>> {
    const now = this.#now();
    const ids = idsOf(use);
    const claim: LedgerEntry = {
      state: 'IN_FLIGHT',
      attempt: randomUUID(),
      fingerprint: sha256(canonicalJson(use.request)),
      credential: credentialOf(use.apiKey),
      startedAt: now,
      leaseUntil: now + this.#leaseMs,
      expiresAt: now + UNKNOWN_TTL_MS,
    };
    const found = await this.#claim(ids, claim, now);
    return found ? this.#again(found, claim, ids, use) : this.#send(claim, ids, use, false);
  }

  /** What became of a key; undefined when it is not known to have been used. */
  async find(key: LedgerKey): Promise<LedgerFinding | undefined> {
    const now = this.#now();
    const entry = await this.#store.find(idsOf(key), now);
    if (!entry) return undefined;
    return {
      state: entry.state === 'IN_FLIGHT' && entry.leaseUntil <= now ? 'UNKNOWN' : entry.state,
      startedAt: new Date(entry.startedAt),
      settledAt: entry.settledAt === undefined ? null : new Date(entry.settledAt),
      expiresAt: new Date(entry.expiresAt),
    };
  }

  /** Deletes what has expired. */
  sweep(): Promise<void> {
    return this.#store.sweep(this.#now());
  }

  /** Writes what has yet to be written, as far as it can be, and closes the store. */
  async close(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    await this.#writeUnwritten().catch(this.#onFailure);
    await this.#store.close();
  }

  async #claim(ids: readonly string[], claim: LedgerEntry, now: number): Promise<LedgerEntry | undefined> {
    try {
      return await this.#store.claim(ids, claim, now);
    } catch (error) {
      // It may have been written all the same. Nothing is sent, so the key must be free again.
      this.#defer({ ids, expected: { attempt: claim.attempt, states: ['IN_FLIGHT'] }, entry: this.#settled(claim, 'FAILED') });
      throw error;
    }
  }

  /** What a repeat of a key gets. */
  async #again<Answer extends object>(
    found: LedgerEntry,
    claim: LedgerEntry,
    ids: readonly string[],
    use: LedgerUse<Answer>,
  ): Promise<LedgerOutcome<Answer>> {
    const startedAt = new Date(found.startedAt);
    if (found.fingerprint !== claim.fingerprint) throw new IdempotencyKeyReusedError(startedAt);
    if (found.state === 'IN_FLIGHT' && found.leaseUntil > this.#now()) throw new OperationInProgressError(RETRY_AFTER_SECONDS);
    const isKnownUpstream = use.operation.effect === 'KEYED';
    if (found.state === 'SUCCEEDED') {
      // The upstream answers the repeat, to those whom it lets see it.
      if (isKnownUpstream) return { answer: await use.send(), road: 'DONE', startedAt };
      // Another account may not see what this one may: it learns that the thing was done, and not what came of it.
      if (found.credential !== claim.credential) throw new IdempotencyKeyReusedError(startedAt, 'another API key');
      return { answer: found.answer as Answer, road: 'REPLAYED', startedAt };
    }
    if (!isKnownUpstream) return this.#reconcile(await this.#lapsed(found, ids), ids, use);
    const next = { ...claim, startedAt: found.startedAt };
    const isOurs = await this.#store.move(ids, { attempt: found.attempt, states: [found.state] }, next, this.#now());
    if (!isOurs) throw new OperationInProgressError(RETRY_AFTER_SECONDS);
    return this.#send(next, ids, use, true);
  }

  /** Writes down that an attempt is unknown by now. */
  async #lapsed(found: LedgerEntry, ids: readonly string[]): Promise<LedgerEntry> {
    if (found.state === 'UNKNOWN') return found;
    const entry = this.#settled(found, 'UNKNOWN');
    await this.#store.move(ids, { attempt: found.attempt, states: ['IN_FLIGHT'] }, entry, this.#now());
    return entry;
  }

  async #send<Answer extends object>(
    claim: LedgerEntry,
    ids: readonly string[],
    use: LedgerUse<Answer>,
    isRepeat: boolean,
  ): Promise<LedgerOutcome<Answer>> {
    try {
      const answer = await use.send();
      await this.#settle(ids, claim, ['IN_FLIGHT', 'UNKNOWN'], this.#settled(claim, 'SUCCEEDED', answer));
      return { answer, road: 'DONE', startedAt: new Date(claim.startedAt) };
    } catch (error) {
      const isLost = !(error instanceof ApiError) || error instanceof OutcomeUnknownError;
      // An earlier attempt under this key may have been done, whatever this one was told.
      const isOpen = isRepeat && !isConclusive(error, use.operation);
      const entry = this.#settled(claim, isLost || isOpen ? 'UNKNOWN' : 'FAILED');
      await this.#settle(ids, claim, ['IN_FLIGHT'], entry);
      if (error instanceof ApiError && (isLost || isOpen)) return this.#reconcile(entry, ids, use, error);
      throw error;
    }
  }

  /** Reads whether a request of unknown outcome was done. That it was can be seen; that it was not cannot, since it may be on its way. */
  async #reconcile<Answer extends object>(
    entry: LedgerEntry,
    ids: readonly string[],
    use: LedgerUse<Answer>,
    cause?: ApiError,
  ): Promise<LedgerOutcome<Answer>> {
    const startedAt = new Date(entry.startedAt);
    const answer = await use.lookUp(startedAt).catch((error: unknown) => {
      if (!(error instanceof ApiError)) this.#onFailure(error);
      return undefined;
    });
    if (answer) {
      // What one account may see is not for another one to be shown.
      if (entry.credential === credentialOf(use.apiKey))
        await this.#settle(ids, entry, ['UNKNOWN'], this.#settled(entry, 'SUCCEEDED', answer));
      return { answer, road: 'RECONCILED', startedAt };
    }
    const { operation, idempotencyKey } = use;
    const advice = cause instanceof OutcomeUnknownError && cause.retry !== 'CHECK_FIRST' ? cause.howToCheck : UNKNOWN_ADVICE;
    throw new OutcomeUnknownError(operation.name, startedAt, idempotencyKey, advice, cause, 'SAME_KEY');
  }

  #settled(claim: LedgerEntry, state: Exclude<LedgerState, 'IN_FLIGHT'>, answer?: object): LedgerEntry {
    const settledAt = this.#now();
    const expiresAt = settledAt + (state === 'UNKNOWN' ? UNKNOWN_TTL_MS : TTL_MS);
    return { ...claim, state, settledAt, expiresAt, ...(answer && { answer }) };
  }

  /** Writes a result. What came of the request is told to the caller even when it cannot be written: then it is tried again. */
  async #settle(ids: readonly string[], { attempt }: LedgerEntry, states: readonly LedgerState[], entry: LedgerEntry): Promise<void> {
    const result: Unwritten = { ids, expected: { attempt, states }, entry };
    try {
      await this.#store.move(ids, result.expected, entry, this.#now());
    } catch (error) {
      this.#onFailure(error);
      this.#defer(result);
    }
  }

  #defer(result: Unwritten): void {
    if (this.#unwritten.length >= MAX_UNWRITTEN) {
      const leastMissed = this.#unwritten.findIndex(({ entry }) => entry.state === 'FAILED');
      this.#unwritten.splice(Math.max(0, leastMissed), 1);
    }
    this.#unwritten.push(result);
  }

  async #writeUnwritten(): Promise<void> {
    for (let next = this.#unwritten.shift(); next; next = this.#unwritten.shift()) {
      try {
        await this.#store.move(next.ids, next.expected, next.entry, this.#now());
      } catch (error) {
        this.#unwritten.unshift(next);
        throw error;
      }
    }
  }
}
