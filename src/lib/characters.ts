/** Returns the number of characters of a text. A character is a Unicode code point, in all limits of texts. */
export function countCharacters(text: string): number {
  let count = 0;
  for (const _character of text) count += 1;
  return count;
}

/** Whether a text has more than `limit` characters. Rarely has to count them, because a character has one or two UTF-16 units. */
export const isLongerThan = (text: string, limit: number): boolean =>
  text.length > limit && (text.length > 2 * limit || countCharacters(text) > limit);
