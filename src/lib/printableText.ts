/** Printable ASCII and line feeds, which most texts consist of. */
const PLAIN = /^[\n\x20-\x7e]*$/;

/**
 * Characters that a reader can't see, or that change how the text around them is displayed: control characters such as those of terminals, line separators,
 * unpaired surrogates, and format characters such as those that reverse the direction of a text. Not line feeds, nor the joiners that emoji and scripts need.
 */
const HIDDEN = /[\p{Zl}\p{Zp}\p{Cs}]|(?!\n)\p{Cc}|(?![\u200c\u200d])\p{Cf}/gu;

const escapeUnit = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** As in JSON. */
const escapeCharacter = (character: string): string => {
  const escaped = JSON.stringify(character).slice(1, -1);
  return escaped === character ? character.split('').map(escapeUnit).join('') : escaped;
};

/** Escapes the hidden characters of a text that may have several lines, as in JSON. */
export const escapeLines = (text: string): string => (PLAIN.test(text) ? text : text.replace(HIDDEN, escapeCharacter));

/** Escapes the hidden characters and line feeds of a text from elsewhere, such as an upstream's message, so that it can't add lines to an output. */
export const escapeText = (text: string): string => escapeLines(text).replaceAll('\n', '\\n');

/** Maximum length of a quoted text in characters. Chosen: enough to recognize a record. */
const MAX_QUOTED = 200;

/** Quotes a text from elsewhere in one line, such as the title of a record, so that it can't be mistaken for the text around it. Shortens it if it's long. */
export function quoteText(text: string, maxLength: number = MAX_QUOTED): string {
  // A character has at most two UTF-16 units.
  const characters = [...text.slice(0, 2 * maxLength + 2)];
  const isLong = characters.length > maxLength;
  return escapeLines(JSON.stringify(isLong ? `${characters.slice(0, maxLength).join('')}…` : text));
}
