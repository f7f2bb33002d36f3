import type { Drift as JudgedDrift } from '../../src/upstream/contract/comparison.ts';
import type { UnreachedReason } from './caller.ts';

/**
 * Drift: a difference between the upstream and the contract that makes the graph return wrong data, or none.
 * - `TYPE`, `FORMAT`, `ENUM`, `MILLISECONDS`: of a value. See comparison.ts.
 * - `RENAMED`: a field has another name.
 * - `MISSING`: a field is never returned, although the upstream returns empty fields of its type.
 * - `ANSWER`: a success without the expected content, such as a wrapped record, or an error.
 * - `SERVICE_NAME`: a service has another name in paths.
 * - `FILTER_IGNORED`: a list returns rows that its filter excludes; `FILTER_EMPTY`: it returns none although rows have the value.
 * - `PAGE_IGNORED`: page 2 is page 1; `PAGE_BASE`: pages are counted from 0.
 * - `PAGE_TURN`: page 2 doesn't start where page 1 ends; `PAGE_ECHO`: a response reports another page or size than requested.
 * - `PAGE_SIZE_IGNORED`: a page has more rows than requested; `PAGE_CAP`: it's limited to fewer rows than in the contract.
 * - `HAS_MORE`: `hasMore` is wrong.
 * - `SUMMARY_ROWS`: rows of a list lack members that the record has, although both are one message of the contract.
 * - `ORDER`: a list returns its rows in another order on each read.
 * - `CLOCK`: a timestamp that the upstream sets is in the future, by the upstream's own clock.
 * - `SCALE`: two requests return a number of the same record in different scales.
 * - `PARTS`: the list of all owners has other rows than the list of one.
 * - `OTHER_RECORD`: a get returns another record than requested; `NOT_FOUND`: the response for an unknown ID isn't a 404, or the one for a known ID is.
 * - `INDEX_NAME`: a root, column or relationship of the analytics catalog has another name; `INDEX_MISSING`: the catalog lacks it.
 * - `INDEX_TYPE`: a column has another type; `INDEX_OPERATOR`: it lacks an operator that a search uses.
 * - `INDEX_QUERY`: a query of a search is rejected; `INDEX_ROW`: a row of an index differs from its record.
 * - `ID_ORDER`: rows of an index with equal sort values aren't sorted by ID; `TIMESTAMP_EQ`: a row isn't found by its timestamp.
 * - `SORT_DIRECTION`: typed queries aren't sorted in descending order.
 * - `RATE_UNIT`: RateLimit headers in a unit that the graph doesn't support.
 */
export type DriftKind =
  | JudgedDrift
  | 'RENAMED'
  | 'MISSING'
  | 'ANSWER'
  | 'SERVICE_NAME'
  | 'FILTER_IGNORED'
  | 'FILTER_EMPTY'
  | 'PAGE_IGNORED'
  | 'PAGE_BASE'
  | 'PAGE_TURN'
  | 'PAGE_ECHO'
  | 'PAGE_SIZE_IGNORED'
  | 'PAGE_CAP'
  | 'HAS_MORE'
  | 'SUMMARY_ROWS'
  | 'ORDER'
  | 'CLOCK'
  | 'SCALE'
  | 'PARTS'
  | 'OTHER_RECORD'
  | 'NOT_FOUND'
  | 'INDEX_NAME'
  | 'INDEX_MISSING'
  | 'INDEX_TYPE'
  | 'INDEX_OPERATOR'
  | 'INDEX_QUERY'
  | 'INDEX_ROW'
  | 'ID_ORDER'
  | 'TIMESTAMP_EQ'
  | 'SORT_DIRECTION'
  | 'RATE_UNIT';

/** Finding on one coordinate of the contract: `QuoteRecord.title`, `Quote/ListQuotes`, `Quote`. Contains shapes and counts, never a value. */
export type Finding = { readonly coordinate: string } & (
  | { readonly verdict: 'CONFIRMED'; readonly count: number }
  | { readonly verdict: 'DRIFT'; readonly kind: DriftKind; readonly detail: string; readonly count: number }
  | { readonly verdict: 'UNKNOWN'; readonly count: number }
  | { readonly verdict: 'NEVER_SEEN' }
  | { readonly verdict: 'UNREACHED'; readonly reason: UnreachedReason; readonly detail?: string }
);

/** Information about the upstream that isn't drift, whatever its result. */
export interface Fact {
  readonly subject: string;
  readonly result: string;
}

/** An assumption of the contract that a run has checked. */
export interface CheckedAssumption {
  /** Kind of the assumption, as in docs/assumed.md. */
  readonly kind: string;
  readonly of: string;
  readonly isRight: boolean;
}
