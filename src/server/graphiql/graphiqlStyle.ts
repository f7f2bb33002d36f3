/**
 * With several tabs from the start, GraphiQL's tab list holds on to the offsets of its first animation: a tab then jumps away under the
 * pointer, and the first click on it is lost. Without offsets tabs stay where they are. They also leave the title no room for its line:
 * the list of tabs scrolls, the title does not.
 */
const STYLE = '<style>.graphiql-tab { transform: none !important; } .graphiql-logo { flex-shrink: 0; white-space: nowrap; }</style>';

/** GraphiQL's page with tabs that take the first click, and a title on one line. */
export const withStyle = (page: string): string => page.replace('</head>', () => `${STYLE}</head>`);
