import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createGatewayRuntime, type GatewayConfigSupergraph } from '@graphql-hive/gateway-runtime';
import { renderGraphiQL } from '@graphql-yoga/render-graphiql';
import { insertStyle } from '../../src/server/graphiql/graphiql.ts';
import { type ListeningServer, listen } from './listen.ts';

/** The subgraph that receives the callers' API keys. */
export const WORKSPACE = 'workspace';

/** The headers that can contain a key. */
const KEY_HEADERS = ['authorization', 'x-api-key'] as const;

const getKeyHeaders = ({ headers }: Request) => Object.fromEntries(KEY_HEADERS.map((name) => [name, headers.get(name)]));

/** The first document has no variables, because GraphiQL drops the variables of its initial tab. */
const DOCUMENTS = ['customer-loyalty', 'vouchers', 'quote-loyalty'];
const HEADERS = JSON.stringify({ Authorization: 'Bearer demo-owner' }, null, 2);

/** A tab of GraphiQL with a document of this folder and its variables. */
function createTab(name: string) {
  const document = new URL(`${name}.graphql`, import.meta.url);
  const variables = new URL(`${name}.variables.json`, import.meta.url);
  return {
    query: readFileSync(document, 'utf8'),
    headers: HEADERS,
    ...(existsSync(variables) && { variables: readFileSync(variables, 'utf8') }),
  };
}

interface GatewayOptions extends Pick<GatewayConfigSupergraph, 'logging'> {
  /** Defaults to the gateway's JavaScript planner. The Rust planner has binaries for Linux and macOS. */
  readonly planner?: 'rust';
}

/**
 * Serves a supergraph at `/graphql`. Port 0 selects a free port.
 *
 * `upstreamRetry` stays unset, because it would also repeat mutations, and apply one twice if its response was lost. The subgraph itself repeats the upstream
 * calls that can be repeated.
 */
export async function serveGateway(
  supergraph: string,
  port: number,
  { planner, ...options }: GatewayOptions = {},
): Promise<ListeningServer> {
  const gateway = createGatewayRuntime({
    supergraph,
    logging: 'warn',
    ...options,
    ...(planner && { unifiedGraphHandler: (await import('@graphql-hive/router-runtime')).unifiedGraphHandler }),
    // A key grants access to a workspace, so no other service may receive it.
    propagateHeaders: { fromClientToSubgraphs: ({ request, subgraphName }) => (subgraphName === WORKSPACE ? getKeyHeaders(request) : {}) },
    // The landing page and the default GraphiQL load external scripts. This GraphiQL is self-contained.
    landingPage: false,
    graphiql: { title: 'Supergraph', headers: HEADERS, defaultTabs: DOCUMENTS.map(createTab) },
    renderGraphiQL: (graphiql) => insertStyle(renderGraphiQL(graphiql)),
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
