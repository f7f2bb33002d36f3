/** The first so many characters of a text, counted as the contract counts: a character outside the basic plane is one, and is never cut in half. */
export function shorten(text: string, length: number): { readonly text: string; readonly isCut: boolean } {
  let end = 0;
  let characters = 0;
  for (const character of text) {
    if (characters === length) return { text: text.slice(0, end), isCut: true };
    characters += 1;
    end += character.length;
  }
  return { text, isCut: false };
}
