import type { Drift as JudgedDrift } from '../upstream/contract/judge.ts';
import type { Unreached } from './caller.ts';

/**
 * Drift: a difference between the upstream and the contract by which the graph answers something wrong, or nothing.
 * - `TYPE`, `FORMAT`, `ENUM`, `MILLISECONDS`: of a value; see the judge.
 * - `RENAMED`: a member comes under another name.
 * - `MISSING`: a member never comes, of an upstream that writes members out which are empty.
 * - `ANSWER`: a success that holds nothing of what the contract promises, such as a record that is wrapped, or an error.
 * - `SERVICE_NAME`: a service goes by another name in paths.
 * - `FILTER_IGNORED`: a list shows rows that its filter leaves out; `FILTER_EMPTY`: it shows none where rows have the value.
 * - `PAGE_IGNORED`: page 2 is page 1; `PAGE_BASE`: pages are counted from 0.
 * - `PAGE_TURN`: page 2 does not go on where page 1 ends; `PAGE_ECHO`: an answer tells another page, or size, than was asked for.
 * - `PAGE_SIZE_IGNORED`: a page holds more rows than were asked for; `PAGE_CAP`: it may hold fewer than the contract says.
 * - `HAS_MORE`: the end mark of a page is wrong.
 * - `SUMMARY_ROWS`: rows of a list lack members that the record has, although both are one message of the contract.
 * - `ORDER`: a list returns its rows in another order on each read.
 * - `CLOCK`: a timestamp that the upstream sets is in the future, by the upstream's own clock.
 * - `SCALE`: two operations return a number of the same record in different scales.
 * - `PARTS`: a list of all owners shows other rows than that of one.
 * - `OTHER_RECORD`: a record comes that was not asked for; `NOT_FOUND`: an ID that doesn't exist isn't answered with 404, or one that exists is.
 * - `RATE_UNIT`: RateLimit headers in a unit that the graph does not understand.
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
  | 'RATE_UNIT';

/** Finding on one coordinate of the contract: `QuoteRecord.title`, `Quote/ListQuotes`, `Quote`. It holds shapes and counts, never a value. */
export type Finding = { readonly coordinate: string } & (
  | { readonly verdict: 'CONFIRMED'; readonly count: number }
  | { readonly verdict: 'DRIFT'; readonly kind: DriftKind; readonly detail: string; readonly count: number }
  | { readonly verdict: 'UNKNOWN'; readonly count: number }
  | { readonly verdict: 'NEVER_SEEN' }
  | { readonly verdict: 'UNREACHED'; readonly reason: Unreached; readonly detail?: string }
);

/** Something that was found out of the upstream, and is no drift whatever it is. */
export interface Fact {
  readonly subject: string;
  readonly result: string;
}

/** A guess of the contract that this run has settled. */
export interface Settled {
  /** The kind of thing that the contract says, as docs/assumed.md has it. */
  readonly kind: string;
  readonly of: string;
  readonly isRight: boolean;
}
