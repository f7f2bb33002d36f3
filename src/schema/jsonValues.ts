/** Keys that lead to a prototype where code copies objects carelessly. */
const POLLUTING = ['__proto__', 'constructor', 'prototype'] as const;

/** Finds text that may name one of them. */
export const POLLUTING_TEXT = new RegExp(POLLUTING.join('|'));

export const isPolluting = (key: string): boolean => POLLUTING.some((each) => each === key);

/** How deep objects and lists may nest. Ours: the deepest input of the graph has six levels. */
const MAX_DEPTH = 32;

/** What is wrong with a JSON value that a caller has sent, as the end of a sentence; undefined when nothing is. */
export function problemOf(given: unknown): string | undefined {
  const open: [value: unknown, depth: number][] = [[given, 0]];
  for (let entry = open.pop(); entry; entry = open.pop()) {
    const [value, depth] = entry;
    if (typeof value !== 'object' || value === null) continue;
    if (depth === MAX_DEPTH) return `must not nest more than ${MAX_DEPTH} levels deep`;
    const polluting = Array.isArray(value) ? undefined : Object.keys(value).find(isPolluting);
    if (polluting) return `must not have a key named ${polluting}`;
    for (const member of Object.values(value)) open.push([member, depth + 1]);
  }
  return undefined;
}
