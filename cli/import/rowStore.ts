import { isJsonObject, type JsonObject, parseJson } from '../../src/lib/json.ts';
import type { MaybePromise } from '../../src/lib/maybePromise.ts';

/** What happened to a row. `result` is JSON. */
export interface RowResult {
  readonly status: RowStatus;
  readonly result: string;
}

/**
 * - `DONE`, `REPLAYED`, `RECONCILED`, `UNCHANGED`: the effect of its mutation.
 * - `OUTCOME_UNKNOWN`: the mutation may have been applied.
 * - `RETRY`: it wasn't applied, but can be sent again.
 * - `FAILED`: it was rejected. `INVALID`: it wasn't sent, because its check failed.
 */
export type RowStatus = 'DONE' | 'REPLAYED' | 'RECONCILED' | 'UNCHANGED' | 'OUTCOME_UNKNOWN' | 'RETRY' | 'FAILED' | 'INVALID';

/** A row, and what is known about it. `status` and `result` are null while that's nothing. */
export interface StoredRow {
  readonly identity: string;
  readonly line: number;
  readonly content: string;
  /** When it was sent first, in Unix milliseconds. */
  readonly sentAt: number | null;
  readonly status: RowStatus | null;
  readonly result: string | null;
  /** 1 if the file has other content under its key now. */
  readonly isChanged: number;
}

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
  /** Adds a row that wasn't sent, or changes its line. A row that wasn't sent also gets the status and the result. */
  add(row: Omit<StoredRow, 'sentAt' | 'isChanged'>): void;
  /** Stores that the file has other content for a row. */
  markChanged(identity: string): void;
  /** Forgets which rows are changed. */
  resetChanged(): void;
  /** Stores when rows are sent, unless they were sent before, and returns that time for each. It survives a crash once this has returned. */
  markSent(identities: readonly string[], now: number): MaybePromise<readonly number[]>;
  /** Stores results by identity. */
  settle(results: ReadonlyMap<string, RowResult>): MaybePromise<void>;
  /** All rows, in the order of the file. */
  list(): Iterable<StoredRow>;
}

/** Statuses of rows that are applied. */
export const APPLIED: ReadonlySet<RowStatus | null> = new Set<RowStatus | null>(['DONE', 'REPLAYED', 'RECONCILED', 'UNCHANGED']);

/** The members of a stored result. None if the store was damaged. */
function parseResult(result: string | null): JsonObject {
  const parsed = parseJson(result ?? '{}');
  return isJsonObject(parsed) ? parsed : {};
}

/**
 * Whether a row can be sent: it has no result, or one that a request with the same key can change. While the graph knows the key, that searches for the record
 * again, and never applies the mutation.
 */
export const isOpen = ({ status, result }: StoredRow): boolean =>
  status === null || status === 'RETRY' || (status === 'OUTCOME_UNKNOWN' && parseResult(result).code === 'OUTCOME_UNKNOWN');

/** Formats the result of a row as a line of JSON. */
export function formatResult({ line, status, result, isChanged }: StoredRow): string {
  const own = status ?? 'NOT_SENT';
  const statuses = isChanged ? { status: 'CHANGED', previousStatus: own } : { status: own };
  return `${JSON.stringify({ line, ...statuses, ...parseResult(result) })}\n`;
}
