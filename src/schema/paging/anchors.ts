import { hash } from 'node:crypto';

/** How the rows of a list are recognized and sorted. */
export interface RowOrder<Row> {
  /** Returns the identity of a row. Undefined if the row has none. */
  readonly identify?: ((row: Row) => string | undefined) | undefined;
  /** Returns the sort value of a row. Values increase along the list. Omitted if the sort order of the list isn’t known. */
  readonly getRank?: ((row: Row) => number | undefined) | undefined;
}

type SortedBy<Key extends string> = { readonly [Member in Key]?: string | undefined };

/** Ranks rows by a timestamp, earliest first. */
export const rankAscendingBy =
  <Key extends string>(key: Key) =>
  (row: SortedBy<Key>): number | undefined =>
    row[key] ? Number(row[key]) : undefined;

/** Ranks rows by a timestamp, latest first. */
export const rankDescendingBy =
  <Key extends string>(key: Key) =>
  (row: SortedBy<Key>): number | undefined =>
    row[key] ? -Number(row[key]) : undefined;

/** Length of a row’s hash in characters: 36 bits, enough to distinguish some hundreds of rows. */
const HASH_LENGTH = 6;
/** Maximum number of rows with the same timestamp that an anchor lists, at 6 characters each. Chosen. */
const MAX_TRAIL = 8;

const hashIdentity = (identity: string): string => hash('sha256', identity, 'base64url').slice(0, HASH_LENGTH);

const FORMAT = new RegExp(`^((?:[\\w-]{${HASH_LENGTH}}){1,${MAX_TRAIL}})(?:\\.(-?[0-9a-z]{1,10})(~?))?$`);

/**
 * Finds the position of a row again after rows were added or removed. A cursor contains it and can be passed to another key, so it consists of hashed IDs and a
 * timestamp only.
 */
export class Anchor {
  /** Hashes of the row and of preceding rows, nearest first: the next one, and all with the same rank. */
  readonly trail: readonly string[];
  readonly rank: number | undefined;
  /** Whether the trail contains all preceding rows with the same rank. */
  readonly isTrailComplete: boolean;

  constructor(trail: readonly string[], rank: number | undefined, isTrailComplete: boolean) {
    this.trail = trail;
    this.rank = rank;
    this.isTrailComplete = isTrailComplete;
  }

  toString(): string {
    const rank = this.rank === undefined ? '' : `.${this.rank.toString(36)}${this.isTrailComplete ? '' : '~'}`;
    return `${this.trail.join('')}${rank}`;
  }
}

/** Parses the anchor of a cursor. Null if it’s invalid. */
export function parseAnchor(text: string): Anchor | null {
  const [, hashes, rank, suffix] = FORMAT.exec(text) ?? [];
  if (hashes === undefined) return null;
  const trail = hashes.match(new RegExp(`.{${HASH_LENGTH}}`, 'g')) ?? [];
  return new Anchor(trail, rank === undefined ? undefined : Number.parseInt(rank, 36), suffix !== '~');
}

/** Consecutive rows of a list. */
export interface RowRun<Row> {
  readonly rows: readonly Row[];
  readonly offsets: readonly number[];
  /** Offset at which the run starts. Its first rows may be missing. */
  readonly start: number;
  /** Offset at which the run ends, exclusive. */
  readonly end: number;
}

/** Creates the run of all rows from the start of a list. */
export const createRun = <Row>(rows: readonly Row[]): RowRun<Row> => ({
  rows,
  offsets: rows.map((_row, index) => index),
  start: 0,
  end: rows.length,
});

const getEncodableRank = <Row>({ getRank }: RowOrder<Row>, row: Row): number | undefined => {
  const rank = getRank?.(row);
  // Longer ranks don’t fit into a cursor.
  return rank !== undefined && Number.isSafeInteger(rank) && Math.abs(rank) < 36 ** 10 ? rank : undefined;
};

/** Creates the anchor of a row in a run. Undefined if the row has no identity. `previous` is the anchor after which the run was read. */
export function createAnchor<Row>(
  { rows, start }: RowRun<Row>,
  index: number,
  order: RowOrder<Row>,
  previous: Anchor | undefined,
): Anchor | undefined {
  const row = rows[index];
  const identity = row && order.identify?.(row);
  if (!identity) return undefined;
  const rank = getEncodableRank(order, row);
  const trail = [hashIdentity(identity)];
  for (let before = index - 1; before >= 0; before -= 1) {
    const neighbor = rows[before] as Row;
    const neighborIdentity = order.identify?.(neighbor);
    if (neighborIdentity === undefined || trail.length === MAX_TRAIL) return new Anchor(trail, rank, false);
    trail.push(hashIdentity(neighborIdentity));
    if (rank === undefined || getEncodableRank(order, neighbor) !== rank) return new Anchor(trail, rank, true);
  }
  if (start === 0) return new Anchor(trail, rank, true);
  if (!previous) return new Anchor(trail, rank, false);
  const isTied = rank !== undefined && previous.rank === rank;
  const earlier = (isTied ? previous.trail : previous.trail.slice(0, 1)).filter((rowHash) => !trail.includes(rowHash));
  const combined = [...trail, ...earlier];
  return new Anchor(combined.slice(0, MAX_TRAIL), rank, combined.length <= MAX_TRAIL && (!isTied || previous.isTrailComplete));
}

/** Index of the first row after the anchor and whether the anchored row still exists, or the direction in which to continue the search. */
export type RowLocation = { readonly index: number; readonly isPresent: boolean } | 'EARLIER' | 'LATER' | 'ANYWHERE' | 'LOST';

/** Returns the ranks of all rows. Null if a rank isn’t known or the rows aren’t sorted. */
function getSortedRanks<Row>(rows: readonly Row[], order: RowOrder<Row>): readonly number[] | null {
  const ranks: number[] = [];
  for (const row of rows) {
    const rank = getEncodableRank(order, row);
    if (rank === undefined || rank < (ranks.at(-1) ?? Number.NEGATIVE_INFINITY)) return null;
    ranks.push(rank);
  }
  return ranks;
}

/**
 * Finds an anchor in rows that may have moved. If the sort order is known, the rank determines the position, even if the row was deleted. In other lists, the
 * row must have its old offset or its old neighbor. A position outside the run counts as unmoved unless the run contradicts it.
 */
export function locate<Row>(run: RowRun<Row>, anchor: Anchor, offset: number, order: RowOrder<Row>): RowLocation {
  const { rows, offsets, start, end } = run;
  const hashes = rows.map((row) => {
    const identity = order.identify?.(row);
    return identity === undefined ? '' : hashIdentity(identity);
  });
  const ranks = anchor.rank === undefined ? null : getSortedRanks(rows, order);
  const isOutside = offset < start || offset >= end;
  const edge = offset < start ? 0 : rows.length;
  if (rows.length === 0 && start > 0) return 'EARLIER';
  if (ranks) return locateByRank(hashes, ranks, anchor, start, isOutside ? edge : undefined);
  const { trail } = anchor;
  const at = hashes.indexOf(trail[0] as string);
  if (at >= 0) {
    const isNextToNeighbor = trail[1] !== undefined && hashes[at - 1] === trail[1];
    if (offsets[at] === offset || isNextToNeighbor) return { index: at + 1, isPresent: true };
    return at === 0 && start > 0 ? 'EARLIER' : 'LOST';
  }
  const neighbor = trail[1] === undefined ? -1 : hashes.indexOf(trail[1]);
  if (neighbor >= 0 && offsets[neighbor] === offset - 1) return { index: neighbor + 1, isPresent: false };
  return isOutside && neighbor < 0 ? { index: edge, isPresent: false } : 'ANYWHERE';
}

function locateByRank(
  hashes: readonly string[],
  ranks: readonly number[],
  { trail, rank = 0, isTrailComplete }: Anchor,
  start: number,
  edge: number | undefined,
): RowLocation {
  for (const [trailIndex, rowHash] of trail.entries()) {
    const at = hashes.indexOf(rowHash);
    const rowRank = ranks[at];
    // A row whose rank has changed was moved itself, such as an appointment that was rescheduled.
    if (rowRank !== undefined && (trailIndex === 0 ? rowRank === rank : rowRank <= rank))
      return { index: at + 1, isPresent: trailIndex === 0 };
  }
  const first = ranks.findIndex((each) => each >= rank);
  const index = first < 0 ? ranks.length : first;
  if (index !== edge) {
    if (index === ranks.length) return 'LATER';
    if (index === 0 && start > 0) return 'EARLIER';
    if (ranks[index] === rank && !isTrailComplete) return 'LOST';
  }
  return { index, isPresent: false };
}
