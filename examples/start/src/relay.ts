import { createFetch, missingFieldHandlers } from '@workspace-graph/client/relay';
import { Environment, Network, RecordSource, Store } from 'relay-runtime';

export const createEnvironment = (url: string, key: string) =>
  new Environment({
    network: Network.create(createFetch({ url, headers: () => ({ authorization: `Bearer ${key}` }) })),
    store: new Store(new RecordSource()),
    missingFieldHandlers,
  });
