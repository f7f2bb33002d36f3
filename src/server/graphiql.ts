import { renderGraphiQL } from '@graphql-yoga/render-graphiql';
import type { GraphiQLOptions } from 'graphql-yoga';
import { readExamples } from './examples.ts';

/**
 * With several tabs from the start, GraphiQL's tab list holds on to the offsets of its first animation: a tab then jumps away under the
 * pointer, and the first click on it is lost. Without offsets tabs stay where they are.
 */
const STYLE = '<style>.graphiql-tab { transform: none !important; }</style>';

/** The page, whole: it loads nothing from elsewhere. */
export const renderPage = (options?: GraphiQLOptions): string => renderGraphiQL(options).replace('</head>', `${STYLE}</head>`);

/** GraphiQL that opens on the examples, each in a tab with its variables and a place for the key. */
export function graphiqlOptions(key: string): GraphiQLOptions {
  const headers = JSON.stringify({ Authorization: `Bearer ${key}` }, null, 2);
  return {
    title: 'Workspace Graph',
    headers,
    defaultTabs: readExamples().map(({ query, variables }) => ({ query, headers, ...(variables && { variables }) })),
    defaultEditorToolsVisibility: 'headers',
    // The key is not persisted: it would lie readable in the browser's storage.
    shouldPersistHeaders: false,
  };
}
