// The rules of idempotency keys. A store (entry.ts defines the interface) persists the entries in Redis or in a file. The file store has three parts:
// sqliteStore.ts queues changes and combines concurrent ones into one transaction, sqliteThread.ts starts and calls the worker thread (sqliteWorker.ts),
// and sqliteDatabase.ts contains the SQL.
import { randomUUID } from 'node:crypto';
import {
  ApiError,
  IdempotencyKeyExpiredError,
  IdempotencyKeyReusedError,
  LedgerUnavailableError,
  OperationInProgressError,
  OutcomeUnknownError,
  OverloadedError,
} from '../failures/failures.ts';
import { toCanonicalJson } from '../lib/canonicalJson.ts';
import { type Clock, systemClock } from '../lib/clock.ts';
import { isAccountCaller } from '../upstream/access/credential.ts';
import { isConclusive } from '../upstream/calls/outcomes.ts';
import {
  createSettledDraft,
  type Expected,
  type Found,
  getDefect,
  isRunning,
  type LedgerDraft,
  type LedgerState,
  type LedgerStore,
  OPEN_STATES,
  type Refusal,
  type SettledState,
  TTL_MS,
} from './entry.ts';
import { getEntryIds, type LedgerKey, parseTimedKey, sha256 } from './ids.ts';

export interface LedgerUse<Response> extends LedgerKey {
  readonly request: object;
  /** Whether the upstream itself recognizes a repeated request, so that it's safe to send the request again. */
  readonly isDeduplicatedUpstream: boolean;
  /** Throws if the API key has no access, as of now, to the stored result. Called before a repeat returns anything. */
  readonly recheckAccess: () => Promise<unknown>;
  /** Finds why the input alone shows that the request can't be sent. Undefined if it doesn't. Called before the key is claimed. */
  readonly findProblem: () => ApiError | undefined;
  /** Compares the request with records, and rejects if it can't be sent. Not called before a stored success is returned. */
  readonly prepare: () => Promise<void>;
  /** Sends the request. Calls `onUnsent` before it rejects if the upstream has certainly not received it. */
  readonly send: (onUnsent: () => void) => Promise<Response>;
  /** Removes the parts of a response that must not be stored. */
  readonly redact: (response: Response) => Response;
  /** Restores a stored response to the form that `send` returns. */
  readonly restore: (stored: Response) => Response;
  /**
   * Reads from the upstream whether the request was applied, and returns its result. Undefined if that can't be determined. `isAccepted`: the upstream has just
   * reported success.
   */
  readonly reconcile: (startedAt: Date, isAccepted: boolean) => Promise<Response | undefined>;
}

/**
 * How the response was obtained.
 * - `DONE`: the upstream responded to this request.
 * - `REPLAYED`: the upstream responded to an earlier use of the key.
 * - `RECONCILED`: the response was lost, and reads confirmed that the mutation was applied.
 */
export type LedgerEffect = 'DONE' | 'REPLAYED' | 'RECONCILED';

/** Result of using an idempotency key. */
export interface LedgerOutcome<Response> {
  readonly response: Response;
  readonly effect: LedgerEffect;
  /**
   * Whether the response describes its records as of now. The response of an earlier attempt can be out of date, and the key can have lost access to its
   * records since, no matter whether the ledger stored it or the upstream.
   */
  readonly isCurrent: boolean;
  /** When the attempt started that the response belongs to. */
  readonly startedAt: Date;
}

/** The known state of an idempotency key. */
export interface LedgerFinding {
  readonly state: LedgerState;
  readonly startedAt: Date;
  readonly settledAt: Date | null;
  readonly expiresAt: Date;
}

export interface LedgerOptions {
  readonly store: LedgerStore;
  /** How long an attempt may run, in milliseconds. Must be longer than an upstream call with all its retries. */
  readonly leaseMs: number;
  /** Whether entries survive a restart of the graph. Default: false. */
  readonly isDurable?: boolean;
  /** Called for failures that aren't returned to a caller. */
  readonly onFailure?: (error: unknown) => void;
  /** Clock for displayed timestamps. Defaults to the system clock. */
  readonly clock?: Clock;
}

const HOUR_MS = 60 * 60 * 1000;
/** Unknown outcomes are stored for longer, because a person has to investigate them. */
export const UNKNOWN_TTL_MS = 7 * 24 * HOUR_MS;
/** Seconds after which to retry while a mutation is still running. Chosen: most mutations take less. */
const RETRY_AFTER_SECONDS = 2;
/** Interval between deletions of expired entries. */
const SWEEP_MS = 10 * 60 * 1000;
/** Interval between attempts to write results whose write failed. */
const RETRY_MS = 1_000;
/** Results that are written concurrently, because a store confirms concurrent writes with one disk write. Chosen: the batch size of one transaction. */
const RETRY_SIZE = 1_000;
/**
 * Results that wait to be written. Chosen. Beyond it, a result is dropped, and its entry becomes unknown when its lease expires. Claims that were rejected or
 * sent nothing are dropped first, then the oldest results: while the store is unavailable, each request adds such a claim.
 */
const MAX_PENDING = 10_000;

const UNKNOWN_ADVICE =
  'Retry with the same idempotencyKey: the write isn’t applied again, and the response contains the outcome once it’s known. Check the affected record, and use a new idempotencyKey only if the write wasn’t applied.';

/** How long an entry is stored from when it's written. A running attempt can end with an unknown outcome, so it's stored as long as one. */
const getTtlMs = ({ state }: LedgerDraft): number => (state === 'SUCCEEDED' || state === 'FAILED' ? TTL_MS : UNKNOWN_TTL_MS);

interface PendingWrite {
  readonly ids: readonly string[];
  readonly expected: Expected;
  /** The entry to write. Null to delete the claim, because nothing was sent. */
  readonly draft: LedgerDraft | null;
}

/** Deletes the entry of an attempt that has sent nothing. */
const createRelease = (ids: readonly string[], { attempt }: LedgerDraft): PendingWrite => ({
  ids,
  expected: { attempt, states: OPEN_STATES },
  draft: null,
});

/** The part of the ledger that requests use. */
export type RequestLedger = Pick<Ledger, 'runOnce' | 'find' | 'isDurable' | 'getStorageId'>;

/**
 * Records what was done under an idempotency key, so that a retry doesn't do it again. The claim is written before the request is sent. If an attempt leaves no
 * result, its outcome is unknown, and it's sent again only if the upstream itself recognizes the repeated request.
 */
export class Ledger {
  /** Whether entries survive a restart of the graph. */
  readonly isDurable: boolean;
  readonly #store: LedgerStore;
  readonly #leaseMs: number;
  readonly #clock: Clock;
  readonly #onFailure: (error: unknown) => void;
  readonly #pending: PendingWrite[] = [];
  #storageId: string | undefined;
  /** Why no claim is accepted anymore. */
  #loss: unknown;
  readonly #timers: readonly NodeJS.Timeout[];

  constructor({ store, leaseMs, isDurable = false, onFailure = () => {}, clock = systemClock }: LedgerOptions) {
    this.isDurable = isDurable;
    this.#store = store;
    this.#leaseMs = leaseMs;
    this.#clock = clock;
    this.#onFailure = onFailure;
    this.#timers = [
      setInterval(() => void this.sweep().catch(onFailure), SWEEP_MS).unref(),
      setInterval(() => void this.#flushPending().catch(() => {}), RETRY_MS).unref(),
    ];
  }

  /**
   * Runs a request once per key. A repeat with the same input returns the first response, or throws an error with what is known. A request that isn't sent leaves
   * no entry, because it costs its caller nothing.
   */
  async runOnce<Response extends object>(use: LedgerUse<Response>): Promise<LedgerOutcome<Response>> {
    const ids = getEntryIds(use);
    const claim: LedgerDraft = {
      state: 'IN_FLIGHT',
      attempt: randomUUID(),
      operation: use.operation.name,
      fingerprint: sha256(toCanonicalJson(use.request)),
      credential: use.callerId,
      startedAt: this.#clock.unixMs(),
      leaseMs: this.#leaseMs,
    };
    const { createdAt: keyCreatedAt, storageId } = parseTimedKey(use.idempotencyKey);
    const isForeign = storageId !== undefined && storageId !== (await this.getStorageId());
    const problem = use.findProblem() ?? (isForeign ? new IdempotencyKeyExpiredError('FOREIGN') : undefined);
    if (this.#loss) throw new LedgerUnavailableError(this.#loss);
    // An earlier attempt may have been applied, for example before an upgrade, so the problem isn't its outcome.
    const found = await (problem ? this.#check(ids, keyCreatedAt) : this.#claim(ids, claim, keyCreatedAt));
    if (found === 'OLD' || found === 'EARLY') throw new IdempotencyKeyExpiredError(found);
    if (!found && problem) throw problem;
    if (!found) return this.#send(claim, ids, use, false);
    await use.recheckAccess();
    return this.#handleRepeat(found, claim, ids, use, use.isDeduplicatedUpstream && !problem);
  }

  /** Finds the entry of an idempotency key. Undefined if the key isn't known to have been used. */
  async find(key: LedgerKey): Promise<LedgerFinding | undefined> {
    const found = await this.#store.find(getEntryIds(key)).catch((error: unknown) => this.#reportDefect(error));
    if (!found) return undefined;
    const { entry } = found;
    return {
      state: entry.state === 'IN_FLIGHT' && !isRunning(found) ? 'UNKNOWN' : entry.state,
      startedAt: new Date(entry.startedAt),
      settledAt: entry.settledAt === undefined ? null : new Date(entry.settledAt),
      expiresAt: new Date(entry.expiresAt),
    };
  }

  /** Returns the ID of the storage, which a key can contain so that no other storage accepts it. */
  async getStorageId(): Promise<string> {
    this.#storageId ??= sha256(await this.#store.getId().catch((error: unknown) => this.#reportDefect(error)));
    return this.#storageId;
  }

  /** Deletes expired entries. */
  sweep(): Promise<void> {
    return this.#store.sweep();
  }

  /** Writes pending results, if the store accepts them, and closes the store. */
  async close(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    await this.#flushPending().catch(this.#onFailure);
    await this.#store.close();
  }

  async #claim(ids: readonly string[], claim: LedgerDraft, keyCreatedAt: number | undefined): Promise<Found | Refusal | undefined> {
    try {
      return await this.#store.claim(ids, claim, getTtlMs(claim), keyCreatedAt);
    } catch (error) {
      if (error instanceof OverloadedError) throw error;
      // The claim may have been written despite the error. The request isn't sent, so the key must become free again.
      if (getDefect(error) !== 'MALFORMED') this.#defer(createRelease(ids, claim));
      return this.#reportDefect(error);
    }
  }

  #check(ids: readonly string[], keyCreatedAt: number | undefined): Promise<Found | Refusal | undefined> {
    return this.#store.check(ids, keyCreatedAt).catch((error: unknown) => this.#reportDefect(error));
  }

  /** Throws the error. Logs it if the store is defective, because callers only learn that it's unavailable. A loss is logged once. */
  #reportDefect(error: unknown): never {
    const defect = getDefect(error);
    const { cause } = error as Error;
    if (defect && !(defect === 'LOST' && this.#loss)) this.#onFailure(cause);
    if (defect === 'LOST') this.#loss = cause;
    throw error;
  }

  /** Handles a repeat: the use of an idempotency key that already has an entry. `canResend`: whether the upstream may receive the request again. */
  async #handleRepeat<Response extends object>(
    found: Found,
    claim: LedgerDraft,
    ids: readonly string[],
    use: LedgerUse<Response>,
    canResend: boolean,
  ): Promise<LedgerOutcome<Response>> {
    const { entry } = found;
    const startedAt = new Date(entry.startedAt);
    if (entry.fingerprint !== claim.fingerprint) throw new IdempotencyKeyReusedError(startedAt);
    if (isRunning(found)) throw new OperationInProgressError(RETRY_AFTER_SECONDS);
    const isOwn = entry.credential === claim.credential;
    const isOtherAccount = !isOwn && (isAccountCaller(entry.credential) || isAccountCaller(claim.credential));
    // The upstream returns its response to every account of an API key, but these can have different rights.
    if (isOtherAccount && use.isDeduplicatedUpstream) throw new IdempotencyKeyReusedError(startedAt, 'ACCOUNT');
    if (entry.state === 'SUCCEEDED') {
      // Another key must not learn what the mutation did, unless the upstream returns it to that key too.
      if (!isOwn && !canResend) throw new IdempotencyKeyReusedError(startedAt, isOtherAccount ? 'ACCOUNT' : 'API_KEY');
      if (!entry.answer && !canResend) throw new IdempotencyKeyReusedError(startedAt, 'RESPONSE_LOST');
      const response = isOwn && entry.answer ? use.restore(entry.answer as Response) : await use.send(() => {});
      return { response, effect: 'REPLAYED', isCurrent: false, startedAt };
    }
    if (!canResend) return this.#reconcile(await this.#markUnknown(entry, ids), ids, use);
    const next = { ...claim, startedAt: entry.startedAt };
    const isClaimed = await this.#store.move(ids, { attempt: entry.attempt, states: [entry.state] }, next, getTtlMs(next));
    if (!isClaimed) throw new OperationInProgressError(RETRY_AFTER_SECONDS);
    return this.#send(next, ids, use, true);
  }

  /** Marks an attempt as unknown if it isn't yet. */
  async #markUnknown(found: LedgerDraft, ids: readonly string[]): Promise<LedgerDraft> {
    if (found.state === 'UNKNOWN') return found;
    const draft = this.#createSettled(found, 'UNKNOWN');
    await this.#store.move(ids, { attempt: found.attempt, states: ['IN_FLIGHT'] }, draft, getTtlMs(draft));
    return draft;
  }

  async #send<Response extends object>(
    claim: LedgerDraft,
    ids: readonly string[],
    use: LedgerUse<Response>,
    isRepeat: boolean,
  ): Promise<LedgerOutcome<Response>> {
    // Assumed as soon as `send` is called, unless it reports the opposite.
    let isSent = false;
    try {
      await use.prepare();
      isSent = true;
      const response = await use.send(() => {
        isSent = false;
      });
      await this.#settle(ids, claim, OPEN_STATES, this.#createSettled(claim, 'SUCCEEDED', use.redact(response)));
      return { response, effect: 'DONE', isCurrent: !isRepeat, startedAt: new Date(claim.startedAt) };
    } catch (error) {
      const isLost = !(error instanceof ApiError) || error instanceof OutcomeUnknownError;
      // An earlier attempt under this key may have been applied, whatever this one returned. Only the upstream knows that it wasn't.
      const isOpen = isRepeat && !(isSent && isConclusive(error, use.operation));
      const entry = this.#createSettled(claim, isLost || isOpen ? 'UNKNOWN' : 'FAILED');
      const isReleased = !isSent && !isRepeat;
      const isOwn = await (isReleased ? this.#write(createRelease(ids, claim)) : this.#settle(ids, claim, OPEN_STATES, entry));
      if (!(error instanceof ApiError)) throw error;
      if (!isReleased && (isLost || isOpen)) return this.#reconcile(entry, ids, use, error);
      // After the lease, another attempt may have taken over the key, or reads have confirmed that it was applied.
      throw isOwn ? error : new OperationInProgressError(RETRY_AFTER_SECONDS);
    }
  }

  /**
   * Reads whether a request with an unknown outcome was applied. Reads can only confirm that it was: if they find nothing, the request may still be on its way.
   */
  async #reconcile<Response extends object>(
    entry: LedgerDraft,
    ids: readonly string[],
    use: LedgerUse<Response>,
    cause?: ApiError,
  ): Promise<LedgerOutcome<Response>> {
    const startedAt = new Date(entry.startedAt);
    const isAccepted = cause instanceof OutcomeUnknownError && cause.isAccepted;
    const response = await use.reconcile(startedAt, isAccepted).catch((error: unknown) => {
      if (!(error instanceof ApiError)) this.#onFailure(error);
      return undefined;
    });
    if (response) {
      // Only stored for the account that sent the request, because another account can see other data.
      if (entry.credential === use.callerId)
        await this.#settle(ids, entry, ['UNKNOWN'], this.#createSettled(entry, 'SUCCEEDED', use.redact(response)));
      return { response, effect: 'RECONCILED', isCurrent: true, startedAt };
    }
    const advice = cause instanceof OutcomeUnknownError && cause.retry !== 'CHECK_FIRST' ? cause.advice : UNKNOWN_ADVICE;
    throw new OutcomeUnknownError({ startedAt, idempotencyKey: use.idempotencyKey, advice, retry: 'SAME_KEY' }, cause);
  }

  #createSettled(claim: LedgerDraft, state: SettledState, response?: object): LedgerDraft {
    return { ...createSettledDraft(claim, state, this.#clock.unixMs()), ...(response && { answer: response }) };
  }

  #settle(ids: readonly string[], { attempt }: LedgerDraft, states: readonly LedgerState[], draft: LedgerDraft): Promise<boolean> {
    return this.#write({ ids, expected: { attempt, states }, draft });
  }

  /** Writes a result. If that fails, it's retried later, and the caller still gets the response. Returns false if the entry belongs to another attempt, or was settled. */
  async #write(result: PendingWrite): Promise<boolean> {
    try {
      return await this.#tryToWrite(result);
    } catch (error) {
      this.#onFailure(error);
      if (getDefect(error) !== 'MALFORMED') this.#defer(result);
      return true;
    }
  }

  #tryToWrite({ ids, expected, draft }: PendingWrite): Promise<boolean> {
    return draft ? this.#store.move(ids, expected, draft, getTtlMs(draft)) : this.#store.remove(ids, expected);
  }

  #defer(result: PendingWrite): void {
    if (this.#pending.length >= MAX_PENDING) {
      const droppedIndex = this.#pending.findIndex(({ draft }) => draft === null || draft.state === 'FAILED');
      this.#pending.splice(Math.max(0, droppedIndex), 1);
    }
    this.#pending.push(result);
  }

  /** The first write checks whether the store is available again. */
  async #flushPending(): Promise<void> {
    for (let size = 1; this.#pending.length > 0; size = RETRY_SIZE) {
      const batch = this.#pending.splice(0, size);
      const results = await Promise.allSettled(batch.map((each) => this.#tryToWrite(each)));
      // A malformed entry can never be replaced, so it doesn't block the others.
      const isRetried = (result: PromiseSettledResult<boolean> | undefined) =>
        result?.status === 'rejected' && getDefect(result.reason) !== 'MALFORMED';
      const failed = results.find(isRetried);
      if (!failed) continue;
      this.#pending.unshift(...batch.filter((_, index) => isRetried(results[index])));
      throw (failed as PromiseRejectedResult).reason;
    }
  }
}
