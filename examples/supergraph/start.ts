// Starts a loyalty service, and a gateway that serves it and the graph at GRAPH_URL as one graph.

import { exitWithError } from '../../src/lib/exit.ts';
import { StartError } from '../../src/lib/startup.ts';
import { graphUrl } from '../graphUrl.ts';
import { composeSupergraph, readSubgraph } from './compose.ts';
import { serveGateway, WORKSPACE } from './gateway.ts';
import { serveLoyalty } from './loyalty.ts';

const servers: { close(): Promise<void> }[] = [];

/** Registers a server for closing. */
async function trackServer<Server extends { close(): Promise<void> }>(starting: Promise<Server>): Promise<Server> {
  const server = await starting;
  servers.unshift(server);
  return server;
}

/** Closes the gateway first, because its requests in flight need the loyalty service. */
async function closeAll(): Promise<void> {
  for (const server of servers) await server.close();
}

async function start(): Promise<void> {
  const { href } = graphUrl(process.env);
  const graph = await readSubgraph(WORKSPACE, href).catch((cause: unknown) => {
    throw new StartError(`Reading the schema of the graph at ${href} failed. Run npm start in another terminal, or set GRAPH_URL.`, {
      cause,
    });
  });
  const loyalty = await trackServer(serveLoyalty(Number(process.env.LOYALTY_PORT || 4200)));
  const supergraph = composeSupergraph([graph, await readSubgraph('loyalty', `${loyalty.url}/graphql`)]);
  const gateway = await trackServer(serveGateway(supergraph, Number(process.env.GATEWAY_PORT || 4100)));
  console.log(`Subgraphs: ${href} and ${loyalty.url}/graphql.`);
  console.log(`The supergraph is on ${gateway.url}/graphql — send the header "Authorization: Bearer demo-owner".`);
}

await start().catch(async (error: unknown) => {
  await closeAll();
  exitWithError(error);
});
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void closeAll());
