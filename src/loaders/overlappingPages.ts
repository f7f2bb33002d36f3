/** Page of a list. */
export interface OverlappingPage {
  /** Counted from 1, in pages of this size. */
  readonly number: number;
  readonly size: number;
  /** Place of its first row in the list. */
  readonly offset: number;
}

/** Pages by their greatest size, as far as they were asked for. */
const known = new Map<number, OverlappingPage[]>();

/** The page that begins at or before a row, and reaches furthest behind it. */
function furthestFrom(row: number, maxSize: number): OverlappingPage {
  let best: OverlappingPage = { number: 1, size: maxSize, offset: 0 };
  for (let size = maxSize; size > maxSize / 2; size -= 1) {
    const offset = Math.floor(row / size) * size;
    if (offset + size > best.offset + best.size) best = { number: offset / size + 1, size, offset };
  }
  return best;
}

/**
 * The page of this place among pages that cover a list from its beginning, each of which begins with a row of the page before: 100 rows, 99 from the
 * 100th, 98 from the 197th. A row that came or went between two calls moves all behind it, so that they do not meet in the same row any more.
 */
export function overlappingPage(place: number, maxSize: number): OverlappingPage {
  const pages = known.get(maxSize) ?? [];
  known.set(maxSize, pages);
  for (let last = pages.at(-1); pages.length <= place; last = pages.at(-1))
    pages.push(furthestFrom(last ? last.offset + last.size - 1 : 0, maxSize));
  return pages[place] as OverlappingPage;
}
