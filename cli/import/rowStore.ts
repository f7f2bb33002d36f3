import { isJsonObject, type JsonObject, parseJson } from '../../src/lib/json.ts';
import type { MaybePromise } from '../../src/lib/maybePromise.ts';

/** What happened to a row. `result` is JSON. */
export interface RowResult {
  readonly status: RowStatus;
  readonly result: string;
}

/**
 * - `DONE`, `REPLAYED`, `RECONCILED`, `UNCHANGED`: the effect of its mutation.
 * - `OUTCOME_UNKNOWN`: it was sent, and the mutation may have been applied.
 * - `RETRY`: it wasn't applied, but can be sent again.
 * - `FAILED`: it was rejected. `INVALID`: it wasn't sent, because its check failed.
 */
export type RowStatus = 'DONE' | 'REPLAYED' | 'RECONCILED' | 'UNCHANGED' | 'OUTCOME_UNKNOWN' | 'RETRY' | 'FAILED' | 'INVALID';

/** A row, and what is known about it. `status` and `result` are null while that's nothing. */
export interface StoredRow {
  readonly identity: string;
  /** Null if the file doesn't have the row anymore. */
  readonly line: number | null;
  readonly content: string;
  /** When it was sent first with its current idempotency key, in Unix milliseconds. Null if it's known not to be applied: it gets a new key then. */
  readonly sentAt: number | null;
  /** The graph's storage that this key was created for. */
  readonly storageId: string | null;
  /** The input that was sent, as JSON, while a request with the same key can find out its outcome. Otherwise null. */
  readonly input: string | null;
  readonly status: RowStatus | null;
  readonly result: string | null;
  /** 1 if the file has other content under its key now. */
  readonly isChanged: number;
}

/** A number of items, and the first ones. */
export interface Sample<Item> {
  readonly count: number;
  readonly first: readonly Item[];
}

/** Number of items of a sample. Chosen: a person looks them up. */
export const MAX_SAMPLE = 10;

/** A row of the file, as its check leaves it. */
export type CheckedRow = Pick<StoredRow, 'identity' | 'content' | 'status' | 'result'> & { readonly line: number };

/** The rows of an import, and what is known about each. */
export interface RowStore {
  /** Starts to read the file from the start. */
  restart(): void;
  /** How many rows with this content were read since `restart`, including this one. */
  countOccurrence(content: string): number;
  /** Looked up references, as JSON, because a file can have more than fit into memory. */
  findReference(key: string): string | undefined;
  addReference(key: string, json: string): void;
  find(identity: string): StoredRow | undefined;
  /** Forgets the lines of all rows, and which ones are changed. */
  forgetLines(): void;
  /** Adds a row, or replaces one that isn't applied. Of one that may be applied, only stores its line, and whether its content is another one now. */
  add(row: CheckedRow): void;
  /** Removes rows without a line, if they aren't applied. Returns the number of the others, and some of them. */
  removeMissing(): Sample<StoredRow>;
  /** Stores what is known about rows. It survives a crash once this has returned. */
  save(rows: readonly StoredRow[]): MaybePromise<void>;
  /** All rows, in the order of the file. Those that it doesn't have anymore come last. */
  list(): Iterable<StoredRow>;
  /** Rows that are `DONE`, the last sent ones first. */
  listLastDone(count: number): readonly StoredRow[];
}

/** Statuses of rows that are applied. */
export const APPLIED: ReadonlySet<RowStatus | null> = new Set<RowStatus | null>(['DONE', 'REPLAYED', 'RECONCILED', 'UNCHANGED']);

/** The members of a stored result. None if the store was damaged. */
export function parseResult(result: string | null): JsonObject {
  const parsed = parseJson(result ?? '{}');
  return isJsonObject(parsed) ? parsed : {};
}

/** Whether a row is sent: it isn't applied, or a request with the same key can find out whether it is. */
export const isOpen = ({ status, input, line, isChanged }: StoredRow): boolean =>
  line !== null && isChanged === 0 && (status === null || status === 'RETRY' || status === 'FAILED' || input !== null);

/** Formats the result of a row as a line of JSON. */
export function formatResult({ line, status, result, isChanged }: StoredRow): string {
  const own = status ?? 'NOT_SENT';
  const statuses = isChanged ? { status: 'CHANGED', previousStatus: own } : { status: own };
  return `${JSON.stringify({ line, ...statuses, ...parseResult(result) })}\n`;
}
