import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createGatewayRuntime, type GatewayConfigSupergraph } from '@graphql-hive/gateway-runtime';
import { renderGraphiQL } from '@graphql-yoga/render-graphiql';
import { withStyle } from '../../src/server/graphiql/graphiqlStyle.ts';
import { type Listening, listen } from './listen.ts';

/** The subgraph that callers' keys are for. */
export const WORKSPACE = 'workspace';

/** The headers in which it takes them. */
const KEY_HEADERS = ['authorization', 'x-api-key'] as const;

const keysOf = ({ headers }: Request) => Object.fromEntries(KEY_HEADERS.map((name) => [name, headers.get(name)]));

/** The first one has no variables: GraphiQL forgets those of the tab that it opens on. */
const DOCUMENTS = ['customer-loyalty', 'vouchers', 'quote-loyalty'];
const HEADERS = JSON.stringify({ Authorization: 'Bearer demo-owner' }, null, 2);

/** A tab of GraphiQL that holds one of the documents here, with its variables. */
function tabOf(name: string) {
  const document = new URL(`${name}.graphql`, import.meta.url);
  const variables = new URL(`${name}.variables.json`, import.meta.url);
  return {
    query: readFileSync(document, 'utf8'),
    headers: HEADERS,
    ...(existsSync(variables) && { variables: readFileSync(variables, 'utf8') }),
  };
}

interface GatewayOptions extends Pick<GatewayConfigSupergraph, 'logging'> {
  /** Defaults to the gateway's own planner, in JavaScript. The one in Rust has binaries for Linux and macOS. */
  readonly planner?: 'rust';
}

/**
 * Serves a supergraph at `/graphql`. Port 0 takes any free one.
 *
 * `upstreamRetry` stays unset: it would send mutations again too, and one whose answer was lost would happen twice.
 * The subgraph itself knows which of its calls may be repeated, and repeats those.
 */
export async function serveGateway(supergraph: string, port: number, { planner, ...options }: GatewayOptions = {}): Promise<Listening> {
  const gateway = createGatewayRuntime({
    supergraph,
    logging: 'warn',
    ...options,
    ...(planner && { unifiedGraphHandler: (await import('@graphql-hive/router-runtime')).unifiedGraphHandler }),
    // A key opens a workspace: no other service is to see it.
    propagateHeaders: { fromClientToSubgraphs: ({ request, subgraphName }) => (subgraphName === WORKSPACE ? keysOf(request) : {}) },
    // The landing page, and GraphiQL as it is, load scripts from elsewhere; this GraphiQL is whole.
    landingPage: false,
    graphiql: { title: 'Supergraph', headers: HEADERS, defaultTabs: DOCUMENTS.map(tabOf) },
    renderGraphiQL: (graphiql) => withStyle(renderGraphiQL(graphiql)),
  });
  const server = await listen(createServer(gateway), port);
  return {
    url: server.url,
    close: async () => {
      await server.close();
      await gateway.dispose();
    },
  };
}
