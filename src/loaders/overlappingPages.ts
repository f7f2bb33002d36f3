/** A page of a list. */
export interface OverlappingPage {
  /** 1-based, in pages of this size. */
  readonly number: number;
  readonly size: number;
  /** Index of its first row in the list. */
  readonly offset: number;
}

/** Known pages, by maximum size. */
const known = new Map<number, OverlappingPage[]>();

/** Returns the page that starts at or before a row and extends furthest beyond it. */
function findFurthestPage(row: number, maxSize: number): OverlappingPage {
  let best: OverlappingPage = { number: 1, size: maxSize, offset: 0 };
  for (let size = maxSize; size > maxSize / 2; size -= 1) {
    const offset = Math.floor(row / size) * size;
    if (offset + size > best.offset + best.size) best = { number: offset / size + 1, size, offset };
  }
  return best;
}

/**
 * Returns one of the pages that cover a list from its start. Each starts with a row of the previous page: 100 rows, 99 from the 100th, 98 from the 197th. A row
 * that is added or removed between two calls moves all rows after it, so the pages no longer overlap in the same row.
 */
export function getOverlappingPage(place: number, maxSize: number): OverlappingPage {
  const pages = known.get(maxSize) ?? [];
  known.set(maxSize, pages);
  for (let last = pages.at(-1); pages.length <= place; last = pages.at(-1))
    pages.push(findFurthestPage(last ? last.offset + last.size - 1 : 0, maxSize));
  return pages[place] as OverlappingPage;
}
