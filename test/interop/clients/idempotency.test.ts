import type { ConcreteRequest } from 'relay-runtime';
import { afterAll, beforeAll } from 'vitest';
import { createRetryOptions, settleAdjustment, startClient } from '../../support/clients/adjustStock.ts';
import { testIdempotency } from '../../support/clients/idempotencyCases.ts';
import { type ClientProxy, openClientProxy } from '../../support/faults/clientProxy.ts';
import { useStockGraph } from '../../support/stockGraph.ts';
import { useRelayArtifacts } from './relayArtifacts.ts';
import { refuseWarnings } from './warnings.ts';

const testGraph = useStockGraph();
const loadArtifact = useRelayArtifacts();
refuseWarnings();

let proxy: ClientProxy;
beforeAll(async () => {
  proxy = await openClientProxy(testGraph.url);
});
afterAll(() => proxy.close());

testIdempotency({
  testGraph,
  getProxy: () => proxy,
  start: async (name, beforeRetry) => {
    const artifact = await loadArtifact<ConcreteRequest>('adjustStockMutation');
    const adjust = startClient(name, { url: `${proxy.url}/graphql`, retry: createRetryOptions(beforeRetry), artifact });
    return (input, intent) => settleAdjustment(adjust(input, intent));
  },
  repeatsRequests: false,
});
