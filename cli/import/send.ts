import { createInvalidError, INVALID, RequestError, readSeconds, requireObject, requireObjects, TOO_LARGE } from '../bulk/graphResponse.ts';
import type { Pacer } from '../bulk/pacer.ts';
import { type InputColumn, KEY_FIELD } from './columns.ts';
import { chooseMutation } from './match.ts';
import type { ImportMutation } from './mutations.ts';
import { APPLIED, isOpen, parseResult, type RowResult, type RowStatus, type RowStore, type StoredRow } from './rowStore.ts';
import type { IdentifiedRow, Sha256 } from './rows.ts';

/** Number of rows that are sent at a time. */
const CONCURRENCY = 16;
/**
 * Number of rows that are stored before they're sent. If the import ends and the graph's storage of idempotency keys is replaced, their outcomes are unknown. Chosen
 * by measurement: 3,000 rows take as long as with 100, and 7 % longer with 16.
 */
const BATCH = 32;

/** Maximum attempts of a row. Chosen: a mutation that is still running takes seconds, and an outcome that a second request can't find out remains unknown. */
const MAX_ATTEMPTS = 4;
const MAX_UNKNOWN_ATTEMPTS = 2;
const RETRY_SECONDS = 2;

/**
 * The graph's time is known to the second, from a header that Node.js renews each second. Its ledger rejects keys that are older than it is, but accepts those of
 * the next half an hour.
 */
const CLOCK_MARGIN_MS = 2_000;

const UNKNOWN = 'OUTCOME_UNKNOWN';

const EXPIRED = 'IDEMPOTENCY_KEY_EXPIRED';

/** Codes of unknown outcomes that further requests with the same key don't find out. */
const FINAL: ReadonlySet<string | undefined> = new Set(['IDEMPOTENCY_KEY_REUSED', EXPIRED]);

/** What is stored before a row is sent, and remains if the import ends before there's a response. */
const NO_RESPONSE = {
  status: UNKNOWN,
  result: JSON.stringify({ code: UNKNOWN, message: 'The row was sent, but no response was received.', retry: 'SAME_KEY' }),
} as const;

/** A row that can't be sent again because the graph may have lost its key. */
const RESTORED = {
  status: UNKNOWN,
  input: null,
  result: JSON.stringify({
    code: UNKNOWN,
    message:
      'The row was sent, but no response was received, and the graph’s storage of idempotency keys was restored from an earlier backup since. Check the affected record.',
    retry: 'CHECK_FIRST',
  }),
} as const;

/** Number of applied rows whose keys are looked up to find out. Chosen: the last ones are those that a backup lacks first. */
const WITNESSES = 3;
const LOOKUP =
  'query ($operation: String!, $idempotencyKey: String!) { idempotentOperation(operation: $operation, idempotencyKey: $idempotencyKey) { state } }';

/** How long the graph accepts a key after its creation, so that its outcome is stored. Source: docs/decisions/0003-ledger.md#age-of-keys. */
const KEY_LIFETIME_MS = 23 * 60 * 60 * 1000;

/** Codes of errors that concern all rows, and reasons of `FORBIDDEN`. */
const FATAL: ReadonlySet<string> = new Set(['UNAUTHENTICATED', 'FORBIDDEN', 'GRAPHQL_VALIDATION_FAILED', 'QUERY_TOO_EXPENSIVE']);
const FATAL_REASONS: ReadonlySet<string> = new Set(['MISSING_SCOPE', 'ADDRESS']);

/** `__typename` of a result that stands for an error outside of the mutation's result. */
const OUTSIDE = 'RequestError';

/** A result of a mutation. */
interface MutationResult {
  readonly __typename: string;
  readonly effect?: RowStatus;
  readonly recordIds?: readonly { readonly field: string; readonly value: string }[];
  readonly code?: string;
  readonly message?: string;
  readonly retry?: string | undefined;
  readonly reason?: string;
  readonly retryAfterSeconds?: number | null;
  readonly issues?: readonly { readonly path: readonly string[]; readonly message: string }[];
  readonly candidates?: readonly { readonly id: string }[] | null;
  readonly blockers?: readonly { readonly message: string }[];
}

/** Checks a result. Throws RequestError if a graph can't have sent it. */
function requireResult(value: unknown): MutationResult {
  const result = requireObject(value, 'result');
  const { recordIds, issues, candidates, blockers, effect, code, retryAfterSeconds } = result;
  const listedIssues = requireObjects(issues ?? [], 'issues');
  if (!listedIssues.every(({ path }) => Array.isArray(path))) throw createInvalidError('has an issue without a path');
  if (!APPLIED.has((effect ?? null) as RowStatus | null) && typeof code !== 'string') throw createInvalidError('has no effect and no code');
  return {
    ...result,
    recordIds: requireObjects(recordIds ?? [], 'recordIds'),
    issues: listedIssues,
    blockers: requireObjects(blockers ?? [], 'blockers'),
    candidates: candidates === undefined || candidates === null ? null : requireObjects(candidates, 'candidates'),
    retryAfterSeconds: readSeconds(retryAfterSeconds),
  } as unknown as MutationResult;
}

interface SenderOptions {
  readonly mutation: ImportMutation;
  readonly columns: readonly InputColumn[];
  /** Unique, so that another import of the same rows sends them again. */
  readonly importId: string;
  /** The graph's storage of idempotency keys. It rejects the keys of others, so that a row whose outcome is unknown isn't applied again. */
  readonly storageId: string;
  readonly sha256: Sha256;
  readonly state: RowStore;
  readonly pacer: Pacer;
  readonly wait: (ms: number) => Promise<unknown>;
  /** Unix milliseconds of the graph's clock, to the second, for new keys. */
  readonly graphTimeMs: () => number;
  /** Stops between two rows. */
  readonly signal: AbortSignal;
  /** Called after each row that was sent. */
  readonly onRow: (result: RowResult) => void;
}

/** How the graph stores idempotency keys. */
export interface KeyStorage {
  /** Whether it doesn't forget them when it restarts, so that no row is applied twice. */
  readonly isDurable: boolean;
  readonly storageId: string;
}

/** Reads how the graph stores idempotency keys. */
export async function readKeyStorage(pacer: Pacer): Promise<KeyStorage> {
  const { data } = await pacer.request('{ idempotencyKeyStorage { isDurable storageId } }', {}, { calls: 0, depth: 1 });
  const { isDurable, storageId } = requireObject(data.idempotencyKeyStorage, 'idempotencyKeyStorage');
  if (typeof storageId !== 'string' || !/^[\w-]{1,64}$/.test(storageId)) throw createInvalidError('has no storageId');
  return { isDurable: isDurable === true, storageId };
}

/** References that don't order rows: many rows share them, and their order doesn't matter. */
const SHARED = /(?:location|template|folder)Id$/i;

/** IDs of the records that a row changes. Rows with the same one keep their order. */
function listSubjects(value: unknown, name = ''): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((item) => listSubjects(item, name));
  if (typeof value === 'object' && value !== null) return Object.entries(value).flatMap(([key, member]) => listSubjects(member, key));
  return /Id$/.test(name) && !SHARED.test(name) ? [`${name} ${value}`] : [];
}

/** A row as it's sent: `input` is JSON. */
interface PendingRow extends StoredRow {
  readonly sentAt: number;
  readonly storageId: string;
  readonly input: string;
}

/** Sends rows, each once. */
export class Sender {
  readonly #options: SenderOptions;
  /** Records whose next rows must wait for one that wasn't applied yet. */
  readonly #held = new Set<string>();

  constructor(options: SenderOptions) {
    this.#options = options;
  }

  /** Sends rows that have no final result. Throws RequestError if the graph can't be used. */
  async send(rows: AsyncIterable<IdentifiedRow>): Promise<void> {
    const { state, signal } = this.#options;
    let batch: (readonly [known: StoredRow, row: IdentifiedRow])[] = [];
    let isRestored: boolean | undefined;
    for await (const row of rows) {
      if (signal.aborted) break;
      const known = state.find(row.identity);
      if (!known || !isOpen(known) || known.content !== row.content || row.problems.length > 0) continue;
      if (known.input !== null) {
        isRestored ??= await this.#findLoss();
        if (isRestored) {
          await state.save([{ ...known, ...RESTORED }]);
          continue;
        }
      }
      batch.push([known, row]);
      if (batch.length < BATCH) continue;
      await this.#sendBatch(batch);
      batch = [];
    }
    if (batch.length > 0) await this.#sendBatch(batch);
  }

  /** Until its outcome is known, a row is stored as unknown with what was sent. Rows that weren't sent get back what was stored before. */
  async #sendBatch(rows: readonly (readonly [known: StoredRow, row: IdentifiedRow])[]): Promise<void> {
    const { state, graphTimeMs, storageId: current, signal } = this.#options;
    const now = graphTimeMs() + CLOCK_MARGIN_MS;
    const pending = rows.map(([known, row]): PendingRow => {
      const { sentAt, storageId, input } = known;
      const isNew = sentAt === null || storageId === null || input === null;
      const request = isNew ? { sentAt: now, storageId: current, input: JSON.stringify(row.input) } : { sentAt, storageId, input };
      return { ...known, ...request, ...NO_RESPONSE };
    });
    await state.save(pending);
    const settled = new Map(rows.map(([known]) => [known.identity, known]));
    const bySubject = new Map<string, Promise<unknown>>();
    const running = new Set<Promise<unknown>>();
    let failure: unknown;
    for (const [index, row] of pending.entries()) {
      while (running.size >= CONCURRENCY) await Promise.race(running);
      if (signal.aborted || failure !== undefined) break;
      const subjects = listSubjects(JSON.parse(row.input));
      const previous = subjects.map((subject) => bySubject.get(subject));
      const sending = Promise.all(previous)
        .then(async () => {
          if (failure !== undefined || subjects.some((subject) => this.#held.has(subject))) return;
          const known = rows[index]?.[0] ?? row;
          const status = await this.#sendRow(row, known, (after) => settled.set(row.identity, after));
          if (status === 'RETRY') for (const subject of subjects) this.#held.add(subject);
        })
        .catch((error: unknown) => {
          failure ??= error;
        })
        .finally(() => running.delete(sending));
      running.add(sending);
      for (const subject of subjects) bySubject.set(subject, sending);
    }
    await Promise.all(running);
    await state.save([...settled.values()]);
    if (failure !== undefined) throw failure;
  }

  /** The idempotency key that a row was sent with. */
  async #createKey({ identity, content, sentAt, storageId }: StoredRow): Promise<string> {
    const { importId, mutation, sha256 } = this.#options;
    const hash = await sha256(JSON.stringify([importId, mutation.name, identity, content]));
    return `created:${sentAt}:storage:${storageId}:${hash}`;
  }

  /** Whether the graph doesn't know the keys of rows that it has applied: its storage was restored from a backup, and lacks those of later rows as well. */
  async #findLoss(): Promise<boolean> {
    const { state, storageId, graphTimeMs, pacer, mutation } = this.#options;
    const isStored = (row: StoredRow) => row.storageId === storageId && (row.sentAt ?? 0) > graphTimeMs() - KEY_LIFETIME_MS;
    for (const row of state.listLastDone(WITNESSES).filter(isStored)) {
      const { mutation: sentBy = mutation.name } = parseResult(row.result);
      const variables = { operation: sentBy, idempotencyKey: await this.#createKey(row) };
      const { data } = await pacer.request(LOOKUP, variables, { calls: 1, depth: 1 });
      if (data.idempotentOperation === null) return true;
    }
    return false;
  }

  /**
   * Sends a row until its outcome is known, and passes what is known then to `settle`. The key has the time of the first attempt, so that the graph rejects it once
   * it may have forgotten it.
   */
  async #sendRow(row: PendingRow, known: StoredRow, settle: (after: StoredRow) => void): Promise<RowStatus> {
    const { wait, onRow } = this.#options;
    const input = JSON.parse(row.input);
    const mutation = chooseMutation(this.#options.mutation, input);
    const variables = { input: { ...input, [KEY_FIELD]: await this.#createKey(row) } };
    const wasSent = known.input !== null;
    let isUncertain = wasSent;
    const onUncertain = () => {
      isUncertain = true;
    };
    for (let attempt = 1; ; attempt += 1) {
      const result = await this.#request(mutation, variables, onUncertain).catch((error: unknown) => {
        settle(isUncertain && !wasSent ? row : known);
        throw error;
      });
      const { code, retry, candidates, retryAfterSeconds, message = '' } = result;
      // A new key is only rejected by a server that doesn't share the storage of the one that was asked, so no row can be sent safely.
      if (code === EXPIRED && retry === 'CHECK_FIRST' && !isUncertain) {
        settle(known);
        throw new RequestError({ message, extensions: { code } });
      }
      const canChange = retry === 'SAFE' || retry === 'SAME_KEY' || (code === UNKNOWN && !candidates?.length);
      if (!canChange || attempt >= (code === UNKNOWN ? MAX_UNKNOWN_ATTEMPTS : MAX_ATTEMPTS)) {
        const status = toStatus(result, isUncertain);
        const after = { status, result: this.#formatResult(mutation, result) };
        const isKnown = status !== UNKNOWN || FINAL.has(code);
        settle({ ...row, ...after, ...(isKnown && { input: null }), ...((status === 'RETRY' || status === 'FAILED') && { sentAt: null }) });
        onRow(after);
        return status;
      }
      await wait((retryAfterSeconds ?? RETRY_SECONDS) * 1_000);
    }
  }

  /** Sends a mutation. Errors outside of its result become results, if they concern only this row. */
  async #request({ document }: ImportMutation, variables: object, onUncertain: () => void): Promise<MutationResult> {
    const { pacer } = this.#options;
    try {
      const { data } = await pacer.request(document, variables, { calls: 1, depth: 1, onUncertain });
      const result = requireResult(data.result);
      if (FATAL_REASONS.has(result.reason ?? ''))
        throw new RequestError({ message: result.message ?? '', extensions: { code: 'FORBIDDEN' } });
      return result;
    } catch (error) {
      if (!(error instanceof RequestError) || error.isTemporary || FATAL.has(error.code)) throw error;
      const { message, retry } = error;
      // Not the graph's response, so nothing is known about the mutation.
      const code = error.code === INVALID || error.code === TOO_LARGE ? UNKNOWN : error.code;
      return { __typename: OUTSIDE, code, message, retry };
    }
  }

  #formatResult(
    mutation: ImportMutation,
    { effect, recordIds = [], code, message, retry, issues = [], candidates, blockers = [] }: MutationResult,
  ): string {
    const chosen = this.#options.mutation.match && { mutation: mutation.name };
    if (effect) return JSON.stringify({ ...chosen, ids: Object.fromEntries(recordIds.map(({ field, value }) => [field, value])) });
    return JSON.stringify({
      ...chosen,
      code,
      message,
      retry,
      ...(issues.length > 0 && { issues: issues.map(({ path, message: text }) => ({ ...this.#toColumn(path), message: text })) }),
      ...(blockers.length > 0 && { blockers: blockers.map(({ message: text }) => text) }),
      ...(candidates && { candidates: candidates.map(({ id }) => id) }),
    });
  }

  /** The header of an input path, or the path itself. Nothing for the whole input. */
  #toColumn(path: readonly string[]): { readonly column?: string } {
    if (path.length === 0) return {};
    const name = path.join('.');
    return { column: this.#options.columns.find((column) => column.path.join('.') === name)?.header ?? name };
  }
}

/** `isUncertain`: whether an earlier request with the same key may have been applied. Only what the ledger knows about the key settles that. */
function toStatus({ __typename, effect, code, retry }: MutationResult, isUncertain: boolean): RowStatus {
  if (effect) return effect;
  // The result of an earlier request with the key can't be returned.
  if (code === UNKNOWN || code === 'IDEMPOTENCY_KEY_REUSED') return UNKNOWN;
  if (retry === 'SAME_KEY' || retry === 'CHECK_FIRST') return UNKNOWN;
  if (retry === 'SAFE') return isUncertain ? UNKNOWN : 'RETRY';
  return isUncertain && __typename === OUTSIDE ? UNKNOWN : 'FAILED';
}
