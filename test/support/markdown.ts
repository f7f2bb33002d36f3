/** A fenced code block of a page. */
export interface CodeBlock {
  /** Location of the opening fence, such as `docs/clients/lists.md:30`. */
  readonly place: string;
  /** For example, `graphql`. Empty for diagrams and grammars. */
  readonly language: string;
  readonly text: string;
  /** Why the block isn't checked, from `unchecked="…"` after the language. */
  readonly unchecked: string | undefined;
  /** The example whose response this is, from `response="…"` after the language. */
  readonly exampleName: string | undefined;
  /** Whether only whitespace separates it from the previous block. */
  readonly isAttached: boolean;
}

const FENCE = /^([ \t]*)```([^\n`]*)\n([\s\S]*?)^\1```[ \t]*$/gm;

const getInfoAttribute = (info: string, name: string): string | undefined => new RegExp(`\\b${name}="([^"]+)"`).exec(info)?.[1];

/** Fenced code blocks of a page in order, without the indentation of their fences. */
export function listCodeBlocks(page: string, file: string): CodeBlock[] {
  let end = 0;
  return [...page.matchAll(FENCE)].map(({ 0: whole, 1: indent = '', 2: info = '', 3: text = '', index }) => {
    const isAttached = end > 0 && page.slice(end, index).trim() === '';
    end = index + whole.length;
    return {
      place: `${file}:${page.slice(0, index).split('\n').length}`,
      language: info.trim().split(' ')[0] ?? '',
      text: text.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
      unchecked: getInfoAttribute(info, 'unchecked'),
      exampleName: getInfoAttribute(info, 'response'),
      isAttached,
    };
  });
}

/** The page without its fenced code blocks. */
export const removeCodeBlocks = (page: string): string => page.replaceAll(FENCE, '');

/** Targets of a page's links and images. */
export const listLinks = (page: string): string[] =>
  [
    ...removeCodeBlocks(page)
      .replaceAll(/`[^`\n]*`/g, 'code')
      .matchAll(/\]\(([^)\s]+)\)/g),
  ].map(([, target]) => target ?? '');

/** Inline code of a page. */
export const listInlineCode = (page: string): string[] =>
  [...removeCodeBlocks(page).matchAll(/`([^`\n]+)`/g)].map(([, code]) => code ?? '');

/** Anchors of the headings, generated like GitHub does: in lower case, with hyphens, and numbered if they repeat. */
export function listAnchors(page: string): ReadonlySet<string> {
  const taken = new Map<string, number>();
  const anchors = [...removeCodeBlocks(page).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => {
    const slug = heading
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-');
    const times = taken.get(slug) ?? 0;
    taken.set(slug, times + 1);
    return times === 0 ? slug : `${slug}-${times}`;
  });
  return new Set(anchors);
}
