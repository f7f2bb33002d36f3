import { createServer } from 'node:http';
import { createGatewayRuntime, type GatewayConfigSupergraph } from '@graphql-hive/gateway';
import { renderGraphiQL } from '@graphql-yoga/render-graphiql';
import { type Listening, listen } from './listen.ts';

/** The subgraph that callers' keys are for. */
export const WORKSPACE = 'workspace';

/** The headers in which it takes them. */
const KEY_HEADERS = ['authorization', 'x-api-key'] as const;

const keysOf = ({ headers }: Request) => Object.fromEntries(KEY_HEADERS.map((name) => [name, headers.get(name)]));

/** What callers may choose; `unifiedGraphHandler` is the planner, and JavaScript's unless another is given. */
type GatewayOptions = Pick<GatewayConfigSupergraph, 'logging' | 'unifiedGraphHandler'>;

/**
 * Serves a supergraph at `/graphql`. Port 0 takes any free one.
 *
 * `upstreamRetry` stays unset: it would send mutations again too, and one whose answer was lost would happen twice.
 * The subgraph itself knows which of its calls may be repeated, and repeats those.
 */
export async function serveGateway(supergraph: string, port: number, options: GatewayOptions = {}): Promise<Listening> {
  const gateway = createGatewayRuntime({
    supergraph,
    logging: 'warn',
    ...options,
    // A key opens a workspace: no other service is to see it.
    propagateHeaders: { fromClientToSubgraphs: ({ request, subgraphName }) => (subgraphName === WORKSPACE ? keysOf(request) : {}) },
    // The landing page, and GraphiQL as it is, load scripts from elsewhere; this GraphiQL is whole.
    landingPage: false,
    graphiql: { title: 'Supergraph', headers: JSON.stringify({ Authorization: 'Bearer demo-owner' }) },
    renderGraphiQL,
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
