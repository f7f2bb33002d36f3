const DEFAULT = 'http://127.0.0.1:4000/graphql';

/** The URL that requests are sent to: GRAPH_URL, as printed by `npm start`. Without a path, it's /graphql. Throws for an invalid URL. */
export function graphUrl({ GRAPH_URL }: Readonly<Record<string, string | undefined>>): URL {
  const text = GRAPH_URL || DEFAULT;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    throw new Error(`GRAPH_URL must be the http or https address of a graph, such as ${DEFAULT}, but is ${text}.`);
  if (url.pathname === '/') url.pathname = '/graphql';
  return url;
}
