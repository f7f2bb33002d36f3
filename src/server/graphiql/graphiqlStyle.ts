/**
 * If GraphiQL starts with several tabs, its tab list retains the offsets of the initial animation: a tab jumps away under the pointer, and the first click on
 * it is lost. Without offsets, the tabs don't move. The tabs also leave too little space for the title, so the tab list scrolls and the title doesn't.
 */
const STYLE = '<style>.graphiql-tab { transform: none !important; } .graphiql-logo { flex-shrink: 0; white-space: nowrap; }</style>';

/** Option of GraphiQL's editors. Its size in pixels leaves too few columns next to the panel: 32 of a window of 1280 pixels. */
const FONT_SIZE = 'fontSize:15,minimap';

/** Adds the styles to GraphiQL's page: tabs that accept the first click, a title on one line, and smaller text in editors. Throws if the page has changed. */
export function insertStyle(page: string): string {
  if (!page.includes(FONT_SIZE))
    throw new Error(
      'GraphiQL’s page has changed, so the font size of its editors can’t be set. Update it in src/server/graphiql/graphiqlStyle.ts.',
    );
  return page.replace(FONT_SIZE, 'fontSize:12,minimap').replace('</head>', () => `${STYLE}</head>`);
}
