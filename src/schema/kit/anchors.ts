import { hash } from 'node:crypto';

/** How the rows of a list are recognized and sorted. */
export interface RowOrder<Row> {
  /** Identity of a row; undefined for a row that has none. */
  readonly identify?: ((row: Row) => string | undefined) | undefined;
  /** Sort value of a row, which increases along the list. Missing if the order of the list isn’t known. */
  readonly getRank?: ((row: Row) => number | undefined) | undefined;
}

type SortedBy<Key extends string> = { readonly [Member in Key]?: string | undefined };

/** Orders rows by a timestamp, earliest first. */
export const rankAscendingBy =
  <Key extends string>(key: Key) =>
  (row: SortedBy<Key>): number | undefined =>
    row[key] ? Number(row[key]) : undefined;

/** Orders rows by a timestamp, latest first. */
export const rankDescendingBy =
  <Key extends string>(key: Key) =>
  (row: SortedBy<Key>): number | undefined =>
    row[key] ? -Number(row[key]) : undefined;

/** Characters of a row’s mark: 36 bits, to recognize one row among some hundreds. */
const HASH_LENGTH = 6;
/** Maximum number of rows with the same timestamp that an anchor lists, at 6 characters each. Chosen. */
const MAX_TRAIL = 8;

const hashIdentity = (identity: string): string => hash('sha256', identity, 'base64url').slice(0, HASH_LENGTH);

const FORMAT = new RegExp(`^((?:[\\w-]{${HASH_LENGTH}}){1,${MAX_TRAIL}})(?:\\.(-?[0-9a-z]{1,10})(~?))?$`);

/**
 * Recognizes the place of a row after rows have come and gone. A cursor carries it, and may be passed to another key, so that it contains hashes of
 * IDs and a timestamp, but nothing else of the row.
 */
export class Anchor {
  /** Marks of the row and of those before it, nearest first: the next one, and all that have the same rank. */
  readonly trail: readonly string[];
  readonly rank: number | undefined;
  /** Whether the trail has all rows before this one with the same rank. */
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

/** The anchor in the text of a cursor; null if it isn’t one. */
export function parseAnchor(text: string): Anchor | null {
  const [, marks, rank, cut] = FORMAT.exec(text) ?? [];
  if (marks === undefined) return null;
  const trail = marks.match(new RegExp(`.{${HASH_LENGTH}}`, 'g')) ?? [];
  return new Anchor(trail, rank === undefined ? undefined : Number.parseInt(rank, 36), cut !== '~');
}

/** Rows that follow each other in a list. */
export interface Run<Row> {
  readonly rows: readonly Row[];
  readonly offsets: readonly number[];
  /** Offset at which the run starts; its first rows may be missing. */
  readonly start: number;
  /** Offset at which the run ends, not included. */
  readonly end: number;
}

/** Rows of a list from its start. */
export const createRun = <Row>(rows: readonly Row[]): Run<Row> => ({
  rows,
  offsets: rows.map((_row, index) => index),
  start: 0,
  end: rows.length,
});

const getEncodableRank = <Row>({ getRank }: RowOrder<Row>, row: Row): number | undefined => {
  const rank = getRank?.(row);
  // Longer ones don’t fit into a cursor.
  return rank !== undefined && Number.isSafeInteger(rank) && Math.abs(rank) < 36 ** 10 ? rank : undefined;
};

/** The anchor of a row of a run; undefined for a row without an identity. `previous` is the anchor that the run was read after. */
export function createAnchor<Row>(
  { rows, start }: Run<Row>,
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
    const known = order.identify?.(neighbor);
    if (known === undefined || trail.length === MAX_TRAIL) return new Anchor(trail, rank, false);
    trail.push(hashIdentity(known));
    if (rank === undefined || getEncodableRank(order, neighbor) !== rank) return new Anchor(trail, rank, true);
  }
  if (start === 0) return new Anchor(trail, rank, true);
  if (!previous) return new Anchor(trail, rank, false);
  const isTied = rank !== undefined && previous.rank === rank;
  const earlier = (isTied ? previous.trail : previous.trail.slice(0, 1)).filter((mark) => !trail.includes(mark));
  const whole = [...trail, ...earlier];
  return new Anchor(whole.slice(0, MAX_TRAIL), rank, whole.length <= MAX_TRAIL && (!isTied || previous.isTrailComplete));
}

/** Index of the first row after a place, and whether its row still exists; or where to search for it. */
export type RowLocation = { readonly index: number; readonly isPresent: boolean } | 'EARLIER' | 'LATER' | 'ANYWHERE' | 'LOST';

/** Ranks of all rows; null if they aren’t known, or aren’t in order. */
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
 * Finds a place in rows that may have moved. In a list whose order is known, the place of a row follows from its rank even if the row is gone. In other
 * lists, the row must be where it was, or next to the neighbor that it had. A place outside the run hasn’t moved unless the run contradicts it.
 */
export function locate<Row>(run: Run<Row>, anchor: Anchor, offset: number, order: RowOrder<Row>): RowLocation {
  const { rows, offsets, start, end } = run;
  const marks = rows.map((row) => {
    const identity = order.identify?.(row);
    return identity === undefined ? '' : hashIdentity(identity);
  });
  const ranks = anchor.rank === undefined ? null : getSortedRanks(rows, order);
  const isOutside = offset < start || offset >= end;
  const edge = offset < start ? 0 : rows.length;
  if (rows.length === 0 && start > 0) return 'EARLIER';
  if (ranks) return locateByRank(marks, ranks, anchor, start, isOutside ? edge : undefined);
  const { trail } = anchor;
  const at = marks.indexOf(trail[0] as string);
  if (at >= 0) {
    const isNextToNeighbor = trail[1] !== undefined && marks[at - 1] === trail[1];
    if (offsets[at] === offset || isNextToNeighbor) return { index: at + 1, isPresent: true };
    return at === 0 && start > 0 ? 'EARLIER' : 'LOST';
  }
  const neighbor = trail[1] === undefined ? -1 : marks.indexOf(trail[1]);
  if (neighbor >= 0 && offsets[neighbor] === offset - 1) return { index: neighbor + 1, isPresent: false };
  return isOutside && neighbor < 0 ? { index: edge, isPresent: false } : 'ANYWHERE';
}

function locateByRank(
  marks: readonly string[],
  ranks: readonly number[],
  { trail, rank = 0, isTrailComplete }: Anchor,
  start: number,
  edge: number | undefined,
): RowLocation {
  for (const [place, mark] of trail.entries()) {
    const at = marks.indexOf(mark);
    const own = ranks[at];
    // A row with another rank than it had has moved by itself, such as an appointment to another day.
    if (own !== undefined && (place === 0 ? own === rank : own <= rank)) return { index: at + 1, isPresent: place === 0 };
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
