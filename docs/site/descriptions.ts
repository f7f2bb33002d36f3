/** Longest description. Chosen: search engines show about 160 characters. */
const MAX_LENGTH = 160;

/** Blocks that aren't prose: headings, lists, tables, quotes, code, images, HTML, and rules. */
const NO_PROSE = /^(#|[-*+] |\d+\. |\||>|```|!\[|<|---)/;

/** The status of a decision, which says nothing about its content: "Accepted, 2026-11-22." */
const STATUS = /^(Accepted|Proposed|Replaced|Superseded)\b/;

/** Markdown as plain text. */
const plain = (markdown: string): string =>
  markdown
    .replaceAll(/!?\[((?:[^\]\\]|\\.)*)\]\([^)\s]+\)/g, '$1')
    .replace(/^\*\*[^*]+[.:]\*\*\s*/, '')
    .replaceAll(/[`*]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replace(/:$/, '.');

/** Whole sentences if one fits, otherwise whole words. */
function shortened(text: string): string {
  if (text.length <= MAX_LENGTH) return text;
  const sentences = text.slice(0, MAX_LENGTH + 1).match(/^.*[.!?](?= )/)?.[0];
  if (sentences) return sentences;
  return `${text.slice(0, MAX_LENGTH - 1).replace(/[\s,;:]*\s\S*$/, '')}…`;
}

/** The description of a page: the beginning of its first paragraph. Empty if it has none. */
export function descriptionOf(markdown: string): string {
  const blocks = markdown.replaceAll(/^ *```[\s\S]*?^ *```$/gm, '').split(/\n\s*\n/);
  const first = blocks.map((block) => block.trim()).find((block) => block !== '' && !NO_PROSE.test(block) && !STATUS.test(block));
  return shortened(plain(first ?? ''));
}
