import { createHash } from 'node:crypto';
import { canonicalJson } from '../upstream/canonical.ts';
import { ApiError, IdempotencyKeyReusedError, OperationInProgressError, OutcomeUnknownError } from '../upstream/errors.ts';
import type { AnyOperation } from '../upstream/operation.ts';

/** What is known of one use of an idempotency key. */
export interface LedgerEntry {
  readonly state: 'IN_FLIGHT' | 'SUCCEEDED' | 'UNKNOWN';
  /** A hash of the request. */
  readonly fingerprint: string;
  /** A hash of the API key that used it. */
  readonly credential: string;
  readonly startedAt: Date;
  /** The upstream's answer, once it succeeded. */
  readonly answer?: object;
}

/** Where entries are kept. Each method is atomic. */
export interface LedgerStore {
  /** Writes the entry under all ids when all are free; answers what was there otherwise, under the first that was taken. */
  claim(ids: readonly string[], entry: LedgerEntry): Promise<LedgerEntry | undefined>;
  settle(ids: readonly string[], entry: LedgerEntry): Promise<void>;
  /** Frees the ids: certainly nothing happened. */
  release(ids: readonly string[]): Promise<void>;
}

export interface LedgerUse {
  readonly apiKey: string;
  /** Null while the upstream does not tell it. */
  readonly workspaceId: string | null;
  readonly operation: AnyOperation;
  readonly idempotencyKey: string;
  readonly request: object;
}

/** What a key got. */
export interface LedgerOutcome<Answer> {
  readonly answer: Answer;
  /** Whether it is the answer to an earlier use of the key. */
  readonly isReplay: boolean;
  /** When the use that it is the answer to began. */
  readonly startedAt: Date;
}

/** Seconds after which a caller should ask again about a mutation that still runs. Ours: most take less. */
const RETRY_AFTER_SECONDS = 2;

const sha256 = (text: string) => createHash('sha256').update(text).digest('base64url');

/**
 * What an entry is found by: the API key, which is always known, and the workspace where the upstream tells it, so that a key that was
 * renewed between two attempts does not do the same thing twice.
 */
function idsOf({ apiKey, workspaceId, operation, idempotencyKey }: LedgerUse): string[] {
  const owners = [`key ${sha256(apiKey)}`, ...(workspaceId === null ? [] : [`workspace ${workspaceId}`])];
  return owners.map((owner) => sha256(JSON.stringify([owner, operation.name, idempotencyKey])));
}

/** Keeps mutations that the upstream does not de-duplicate from taking effect twice under one idempotency key. */
export class Ledger {
  readonly #store: LedgerStore;

  constructor(store: LedgerStore) {
    this.#store = store;
  }

  /** Runs `send` once per key. A repeat with the same input gets the first answer. */
  async once<Answer extends object>(use: LedgerUse, send: () => Promise<Answer>): Promise<LedgerOutcome<Answer>> {
    const { operation, idempotencyKey, request } = use;
    const ids = idsOf(use);
    const claim: LedgerEntry = {
      state: 'IN_FLIGHT',
      fingerprint: sha256(canonicalJson(request)),
      credential: sha256(use.apiKey),
      startedAt: new Date(),
    };
    const found = await this.#store.claim(ids, claim);
    if (found) return { answer: earlierAnswer(found, claim, use) as Answer, isReplay: true, startedAt: found.startedAt };
    try {
      const answer = await send();
      await this.#store.settle(ids, { ...claim, state: 'SUCCEEDED', answer });
      return { answer, isReplay: false, startedAt: claim.startedAt };
    } catch (error) {
      const isRefusal = error instanceof ApiError && !(error instanceof OutcomeUnknownError);
      if (isRefusal) await this.#store.release(ids);
      else await this.#store.settle(ids, { ...claim, state: 'UNKNOWN' });
      if (!(error instanceof OutcomeUnknownError)) throw error;
      throw new OutcomeUnknownError(operation.name, claim.startedAt, idempotencyKey, error.howToCheck, error);
    }
  }
}

function earlierAnswer(found: LedgerEntry, claim: LedgerEntry, { operation, idempotencyKey }: LedgerUse): object {
  if (found.fingerprint !== claim.fingerprint) throw new IdempotencyKeyReusedError(found.startedAt);
  // Another account may not see what this one may: it learns that the thing was done, and not what came of it.
  if (found.credential !== claim.credential && found.state === 'SUCCEEDED')
    throw new IdempotencyKeyReusedError(found.startedAt, 'another API key');
  if (found.state === 'IN_FLIGHT') throw new OperationInProgressError(RETRY_AFTER_SECONDS);
  if (found.state === 'UNKNOWN' || !found.answer) {
    throw new OutcomeUnknownError(
      operation.name,
      found.startedAt,
      idempotencyKey,
      'Read the record that it concerns; for another attempt use a new key.',
    );
  }
  return found.answer;
}
