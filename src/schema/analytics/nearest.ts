/** Edits between two texts (Levenshtein): letters that are put in, left out or changed. */
function distance(left: string, right: string): number {
  let previous = Array.from({ length: right.length + 1 }, (_each, index) => index);
  for (const [row, letter] of [...left].entries()) {
    const next = [row + 1];
    for (const [index, other] of [...right].entries())
      next.push(Math.min((next[index] ?? 0) + 1, (previous[index + 1] ?? 0) + 1, (previous[index] ?? 0) + (letter === other ? 0 : 1)));
    previous = next;
  }
  return previous.at(-1) ?? 0;
}

/** The longest name that is compared. Ours: edits are counted in a time that grows with the product of the lengths. */
const MAX_LENGTH = 64;

/** The name that was meant: the one with the fewest edits, at most a third of its letters and one; undefined when none is so near. */
export function nearest(name: string, names: readonly string[]): string | undefined {
  if (name.length > MAX_LENGTH) return undefined;
  const near = names
    .filter(({ length }) => length <= MAX_LENGTH)
    .map((each) => ({ each, edits: distance(name.toLowerCase(), each.toLowerCase()) }))
    .filter(({ each, edits }) => edits <= each.length / 3 + 1)
    .toSorted((left, right) => left.edits - right.edits);
  return near[0]?.each;
}
