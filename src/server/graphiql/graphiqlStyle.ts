/**
 * If GraphiQL starts with several tabs, its tab list retains the offsets of the initial animation: a tab jumps away under the pointer, and the first click on
 * it is lost. Without offsets, the tabs don't move. The tabs also leave too little space for the title, so the tab list scrolls and the title doesn't.
 */
const STYLE = '<style>.graphiql-tab { transform: none !important; } .graphiql-logo { flex-shrink: 0; white-space: nowrap; }</style>';

/** Adds the styles to GraphiQL's page: tabs that accept the first click, and a title on one line. */
export const insertStyle = (page: string): string => page.replace('</head>', () => `${STYLE}</head>`);
