const DEFAULT = 'http://127.0.0.1:4000/graphql';

/** The address that requests are posted to: that of GRAPH_URL, as `npm start` prints it. Where that has no path, /graphql is meant. Fails when it is no address. */
export function graphUrl({ GRAPH_URL }: Readonly<Record<string, string | undefined>>): URL {
  const text = GRAPH_URL || DEFAULT;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    throw new Error(`GRAPH_URL must be the http or https address of a graph, such as ${DEFAULT}, but is ${text}.`);
  if (url.pathname === '/') url.pathname = '/graphql';
  return url;
}
