/** A fenced block of a page. */
export interface CodeBlock {
  /** `docs/clients.md:140`: the line of its fence. */
  readonly place: string;
  /** Such as `graphql`; empty for a drawing or a grammar. */
  readonly language: string;
  readonly text: string;
  /** The reason why it is not checked, as `unchecked="…"` behind the language says it. */
  readonly unchecked: string | undefined;
  /** The example that it is an answer to, as `answers="…"` behind the language says it. */
  readonly answers: string | undefined;
  /** Whether nothing but white space stands between it and the block before it. */
  readonly isAttached: boolean;
}

const FENCE = /^([ \t]*)```([^\n`]*)\n([\s\S]*?)^\1```[ \t]*$/gm;

const marked = (info: string, name: string): string | undefined => new RegExp(`\\b${name}="([^"]+)"`).exec(info)?.[1];

/** The fenced blocks of a page, in order, without the indentation of their fences. */
export function codeBlocks(page: string, file: string): CodeBlock[] {
  let end = 0;
  return [...page.matchAll(FENCE)].map(({ 0: whole, 1: indent = '', 2: info = '', 3: text = '', index }) => {
    const isAttached = end > 0 && page.slice(end, index).trim() === '';
    end = index + whole.length;
    return {
      place: `${file}:${page.slice(0, index).split('\n').length}`,
      language: info.trim().split(' ')[0] ?? '',
      text: text.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
      unchecked: marked(info, 'unchecked'),
      answers: marked(info, 'answers'),
      isAttached,
    };
  });
}

/** The page without its fenced blocks: what is left is read as text. */
export const proseOf = (page: string): string => page.replaceAll(FENCE, '');

/** The targets of the links and pictures of a page. */
export const linksOf = (page: string): string[] =>
  [
    ...proseOf(page)
      .replaceAll(/`[^`\n]*`/g, 'code')
      .matchAll(/\]\(([^)\s]+)\)/g),
  ].map(([, target]) => target ?? '');

/** Texts of inline code. */
export const inlineCodeOf = (page: string): string[] => [...proseOf(page).matchAll(/`([^`\n]+)`/g)].map(([, code]) => code ?? '');

/** The anchors of the headings, as GitHub makes them: small letters and hyphens, and a number behind those that come again. */
export function anchorsOf(page: string): ReadonlySet<string> {
  const taken = new Map<string, number>();
  const anchors = [...proseOf(page).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => {
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
