// Starts the sandbox, the graph, a loyalty service, and a gateway that serves both as one graph, all on this machine.

import { readSandboxConfig } from '../../sandbox/kernel/config.ts';
import { serveSandbox } from '../../sandbox/serve.ts';
import { getSandboxLedger } from '../../src/cli/sandboxLedger.ts';
import { exitWithError } from '../../src/lib/startup.ts';
import { serveGraph } from '../../src/server/serve.ts';
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

/** Closes the gateway first, because its requests in flight need the other servers. */
async function closeAll(): Promise<void> {
  for (const server of servers) await server.close();
}

async function start(): Promise<void> {
  const sandboxConfig = readSandboxConfig(process.env);
  const sandbox = await trackServer(serveSandbox(sandboxConfig));
  const env = { LOG_LEVEL: 'warn', ...getSandboxLedger(sandboxConfig), ...process.env, UPSTREAM_URL: sandbox.url };
  const graph = await trackServer(serveGraph(env));
  const loyalty = await trackServer(serveLoyalty(Number(process.env.LOYALTY_PORT || 4200)));
  const supergraph = composeSupergraph([
    await readSubgraph(WORKSPACE, `${graph.url}/graphql`),
    await readSubgraph('loyalty', `${loyalty.url}/graphql`),
  ]);
  const gateway = await trackServer(serveGateway(supergraph, Number(process.env.GATEWAY_PORT || 4100)));
  console.log(`Subgraphs: ${graph.url}/graphql and ${loyalty.url}/graphql.`);
  console.log(`The supergraph is on ${gateway.url}/graphql — send the header "Authorization: Bearer demo-owner".`);
}

await start().catch(async (error: unknown) => {
  await closeAll();
  exitWithError(error);
});
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void closeAll());
