import { createInvalidError, INVALID, RequestError, readSeconds, requireObject, requireObjects, TOO_LARGE } from '../bulk/graphResponse.ts';
import type { Pacer } from '../bulk/pacer.ts';
import { type InputColumn, KEY_FIELD } from './columns.ts';
import type { ImportMutation } from './mutations.ts';
import { APPLIED, isOpen, type RowResult, type RowStatus, type RowStore } from './rowStore.ts';
import type { IdentifiedRow, Sha256 } from './rows.ts';

/** Number of rows that are stored before they're sent, and of those that are sent at a time. Chosen: a crash leaves few rows that may have been sent. */
const BATCH = 100;
const CONCURRENCY = 16;

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

/** Codes of errors that concern all rows, and reasons of `FORBIDDEN`. */
const FATAL: ReadonlySet<string> = new Set(['UNAUTHENTICATED', 'FORBIDDEN', 'GRAPHQL_VALIDATION_FAILED', 'QUERY_TOO_EXPENSIVE']);
const FATAL_REASONS: ReadonlySet<string> = new Set(['MISSING_SCOPE', 'ADDRESS']);

/** A result of a mutation. */
interface MutationResult {
  readonly __typename: string;
  readonly effect?: RowStatus;
  readonly recordIds?: readonly { readonly field: string; readonly value: string }[];
  readonly code?: string;
  readonly message?: string;
  readonly retry?: string;
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

/** Whether the graph doesn't forget idempotency keys when it restarts, so that no row is applied twice. */
export async function hasDurableKeys(pacer: Pacer): Promise<boolean> {
  const { data } = await pacer.request('{ idempotencyKeyStorage { isDurable } }', {}, { calls: 0, depth: 1 });
  return requireObject(data.idempotencyKeyStorage, 'idempotencyKeyStorage').isDurable === true;
}

/** References that don't order rows: many rows share them, and their order doesn't matter. */
const SHARED = /(?:location|template|folder)Id$/i;

/** IDs of the records that a row changes. Rows with the same one keep their order. */
function listSubjects(value: unknown, name = ''): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((item) => listSubjects(item, name));
  if (typeof value === 'object' && value !== null) return Object.entries(value).flatMap(([key, member]) => listSubjects(member, key));
  return /Id$/.test(name) && !SHARED.test(name) ? [`${name} ${value}`] : [];
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
    let batch: IdentifiedRow[] = [];
    for await (const row of rows) {
      if (signal.aborted) break;
      const known = state.find(row.identity);
      if (!known || !isOpen(known) || known.content !== row.content || row.problems.length > 0) continue;
      batch.push(row);
      if (batch.length < BATCH) continue;
      await this.#sendBatch(batch);
      batch = [];
    }
    if (batch.length > 0) await this.#sendBatch(batch);
  }

  async #sendBatch(rows: readonly IdentifiedRow[]): Promise<void> {
    const { state, graphTimeMs, signal, onRow } = this.#options;
    const times = await state.markSent(
      rows.map(({ identity }) => identity),
      graphTimeMs() + CLOCK_MARGIN_MS,
    );
    const results = new Map<string, RowResult>();
    const bySubject = new Map<string, Promise<unknown>>();
    const running = new Set<Promise<unknown>>();
    let failure: unknown;
    for (const [index, row] of rows.entries()) {
      while (running.size >= CONCURRENCY) await Promise.race(running);
      if (signal.aborted || failure !== undefined) break;
      const subjects = listSubjects(row.input);
      const previous = subjects.map((subject) => bySubject.get(subject));
      const sending = Promise.all(previous)
        .then(async () => {
          if (failure !== undefined || subjects.some((subject) => this.#held.has(subject))) return;
          const result = await this.#sendRow(row, times[index] ?? 0);
          results.set(row.identity, result);
          onRow(result);
          if (result.status === 'RETRY') for (const subject of subjects) this.#held.add(subject);
        })
        .catch((error: unknown) => {
          failure ??= error;
        })
        .finally(() => running.delete(sending));
      running.add(sending);
      for (const subject of subjects) bySubject.set(subject, sending);
    }
    await Promise.all(running);
    await state.settle(results);
    if (failure !== undefined) throw failure;
  }

  /** Sends a row until its outcome is known. The key has the time of the first attempt, so that the graph rejects it once it may have forgotten it. */
  async #sendRow({ identity, input }: IdentifiedRow, sentAt: number): Promise<RowResult> {
    const { importId, mutation, wait, sha256 } = this.#options;
    const hash = await sha256(JSON.stringify([importId, mutation.name, identity]));
    const variables = { input: { ...input, [KEY_FIELD]: `created:${sentAt}:${hash}` } };
    for (let attempt = 1; ; attempt += 1) {
      const result = await this.#request(variables);
      const canChange = result.retry === 'SAFE' || result.retry === 'SAME_KEY' || (result.code === UNKNOWN && !result.candidates?.length);
      if (!canChange || attempt >= (result.code === UNKNOWN ? MAX_UNKNOWN_ATTEMPTS : MAX_ATTEMPTS)) return this.#toResult(result);
      await wait((result.retryAfterSeconds ?? RETRY_SECONDS) * 1_000);
    }
  }

  /** Sends a mutation. Errors outside of its result become results, if they concern only this row. */
  async #request(variables: object): Promise<MutationResult> {
    const { mutation, pacer } = this.#options;
    try {
      const { data } = await pacer.request(mutation.document, variables, { calls: 1, depth: 1 });
      const result = requireResult(data.result);
      if (FATAL_REASONS.has(result.reason ?? ''))
        throw new RequestError({ message: result.message ?? '', extensions: { code: 'FORBIDDEN' } });
      return result;
    } catch (error) {
      if (!(error instanceof RequestError) || error.isTemporary || FATAL.has(error.code)) throw error;
      const retry = error.isUncertain ? 'CHECK_FIRST' : 'NEVER';
      // Not the graph's response, so nothing is known about the mutation.
      const code = error.code === INVALID || error.code === TOO_LARGE ? UNKNOWN : error.code;
      return { __typename: 'RequestError', code, message: error.message, retry };
    }
  }

  #toResult({ effect, recordIds = [], code, message, retry, issues = [], candidates, blockers = [] }: MutationResult): RowResult {
    if (effect)
      return { status: effect, result: JSON.stringify({ ids: Object.fromEntries(recordIds.map(({ field, value }) => [field, value])) }) };
    const details = {
      code,
      message,
      retry,
      ...(issues.length > 0 && { issues: issues.map(({ path, message: text }) => ({ ...this.#toColumn(path), message: text })) }),
      ...(blockers.length > 0 && { blockers: blockers.map(({ message: text }) => text) }),
      ...(candidates && { candidates: candidates.map(({ id }) => id) }),
    };
    return { status: toStatus(code, retry), result: JSON.stringify(details) };
  }

  /** The header of an input path, or the path itself. Nothing for the whole input. */
  #toColumn(path: readonly string[]): { readonly column?: string } {
    if (path.length === 0) return {};
    const name = path.join('.');
    return { column: this.#options.columns.find((column) => column.path.join('.') === name)?.header ?? name };
  }
}

/** A key was reused if the result of an earlier request, which may be applied, can't be returned. */
function toStatus(code: string | undefined, retry: string | undefined): RowStatus {
  if (code === UNKNOWN || code === 'IDEMPOTENCY_KEY_REUSED' || retry === 'CHECK_FIRST') return UNKNOWN;
  return retry === 'SAME_KEY' || retry === 'SAFE' ? 'RETRY' : 'FAILED';
}
