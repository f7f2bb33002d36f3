/** Maximum length of a description. Chosen: search engines display about 160 characters. */
const MAX_LENGTH = 160;

/** Matches blocks that aren't prose: headings, lists, tables, quotes, code, images, HTML, and rules. */
const NOT_PROSE = /^(#|[-*+] |\d+\. |\||>|```|!\[|<|---)/;

/** Matches the status of a decision, such as "Accepted, 2026-11-22.", which doesn't describe its content. */
const STATUS = /^(Accepted|Proposed|Replaced|Superseded)\b/;

/** Converts Markdown to plain text. */
const toPlainText = (markdown: string): string =>
  markdown
    .replaceAll(/!?\[((?:[^\]\\]|\\.)*)\]\([^)\s]+\)/g, '$1')
    .replace(/^\*\*[^*]+[.:]\*\*\s*/, '')
    .replaceAll(/[`*]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replace(/:$/, '.');

/** Shortens a text to complete sentences if one fits, otherwise to complete words. */
function shorten(text: string): string {
  if (text.length <= MAX_LENGTH) return text;
  const sentences = text.slice(0, MAX_LENGTH + 1).match(/^.*[.!?](?= )/)?.[0];
  if (sentences) return sentences;
  return `${text.slice(0, MAX_LENGTH - 1).replace(/[\s,;:]*\s\S*$/, '')}…`;
}

/** Creates the description of a page from its first paragraph. Empty if it has none. */
export function createDescription(markdown: string): string {
  const blocks = markdown.replaceAll(/^ *```[\s\S]*?^ *```$/gm, '').split(/\n\s*\n/);
  const first = blocks.map((block) => block.trim()).find((block) => block !== '' && !NOT_PROSE.test(block) && !STATUS.test(block));
  return shorten(toPlainText(first ?? ''));
}
