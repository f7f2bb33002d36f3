/** Shortens a text to a number of characters. As in the contract, a character outside the BMP counts as one and is never split. */
export function truncate(text: string, length: number): { readonly text: string; readonly isTruncated: boolean } {
  let end = 0;
  let characters = 0;
  for (const character of text) {
    if (characters === length) return { text: text.slice(0, end), isTruncated: true };
    characters += 1;
    end += character.length;
  }
  return { text, isTruncated: false };
}
