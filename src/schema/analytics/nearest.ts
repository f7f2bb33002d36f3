/** Computes the Levenshtein distance of two strings: inserted, deleted and replaced characters. */
function computeEditDistance(left: string, right: string): number {
  let previous = Array.from({ length: right.length + 1 }, (_each, index) => index);
  for (const [row, letter] of [...left].entries()) {
    const next = [row + 1];
    for (const [index, other] of [...right].entries())
      next.push(Math.min((next[index] ?? 0) + 1, (previous[index + 1] ?? 0) + 1, (previous[index] ?? 0) + (letter === other ? 0 : 1)));
    previous = next;
  }
  return previous.at(-1) ?? 0;
}

/** Maximum length of a name to compare. Chosen, because the computing time is proportional to the product of both lengths. */
const MAX_LENGTH = 64;

/** Returns the most similar name: the one with the smallest edit distance, up to a third of its length plus one. Undefined if none is similar enough. */
export function findNearest(name: string, names: readonly string[]): string | undefined {
  if (name.length > MAX_LENGTH) return undefined;
  const near = names
    .filter(({ length }) => length <= MAX_LENGTH)
    .map((each) => ({ each, edits: computeEditDistance(name.toLowerCase(), each.toLowerCase()) }))
    .filter(({ each, edits }) => edits <= each.length / 3 + 1)
    .toSorted((left, right) => left.edits - right.edits);
  return near[0]?.each;
}
