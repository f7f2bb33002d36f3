import { ApolloClient, gql, HttpLink, InMemoryCache } from '@apollo/client';
import { Client, fetchExchange } from '@urql/core';
import { print } from 'graphql';
import { type ConcreteRequest, commitMutation, Environment, Network, RecordSource, Store } from 'relay-runtime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cacheConfig, idempotencyLink } from '../../../client/src/apollo/index.ts';
import type { RetryOptions } from '../../../client/src/core/retry.ts';
import { createIntent, type Intent, MutationFailure, unwrap } from '../../../client/src/index.ts';
import { createFetch } from '../../../client/src/relay/index.ts';
import { idempotencyExchange } from '../../../client/src/urql/index.ts';
import { MAIN } from '../../sandbox/stock.ts';
import { type ClientProxy, openClientProxy } from '../../support/faults/clientProxy.ts';
import { useStockGraph } from '../../support/stockGraph.ts';
import { useRelayArtifacts } from './relayArtifacts.ts';
import { refuseWarnings } from './warnings.ts';

const testGraph = useStockGraph();
const artifact = useRelayArtifacts();
refuseWarnings();

const WRITE = 'Inventory/AdjustInventory';

let proxy: ClientProxy;
beforeAll(async () => {
  proxy = await openClientProxy(testGraph.url);
});
afterAll(() => proxy.close());

const ADJUST = gql`
  mutation AdjustStock($input: InventoryAdjustInput!) {
    inventoryAdjust(input: $input) {
      __typename
      ... on InventoryAdjustPayload {
        effect
      }
      ... on MutationError {
        code
        message
        retry
      }
      ... on RateLimitedError {
        retryAfterSeconds
      }
      ... on OperationInProgressError {
        retryAfterSeconds
      }
    }
  }
`;

interface Result {
  readonly inventoryAdjust:
    | { readonly __typename: 'InventoryAdjustPayload'; readonly effect: string }
    | { readonly __typename: 'RejectedError'; readonly code: string; readonly message: string; readonly retry: string };
}

type Execute = (variables: { readonly input: object }, intent: Intent) => Promise<Result>;

const headers = { authorization: 'Bearer demo-owner' };

const required = (data: Result | null | undefined, error: unknown): Result => {
  if (data) return data;
  throw error;
};

function startApollo(retry: RetryOptions): Execute {
  const client = new ApolloClient({
    cache: new InMemoryCache(cacheConfig),
    link: idempotencyLink(retry).concat(new HttpLink({ uri: `${proxy.url}/graphql`, headers })),
    devtools: { enabled: false },
  });
  return async (variables, intent) => {
    const { data, error } = await client.mutate<Result>({ mutation: ADJUST, variables, errorPolicy: 'all', context: { intent } });
    return required(data, error);
  };
}

function startUrql(retry: RetryOptions): Execute {
  const client = new Client({
    url: `${proxy.url}/graphql`,
    exchanges: [idempotencyExchange(retry), fetchExchange],
    fetchOptions: { headers },
  });
  return async (variables, intent) => {
    const { data, error } = await client.mutation<Result>(print(ADJUST), variables, { intent }).toPromise();
    return required(data, error);
  };
}

function startRelay(retry: RetryOptions): Execute {
  const network = Network.create(createFetch({ url: `${proxy.url}/graphql`, headers: () => headers, ...retry }));
  const environment = new Environment({ network, store: new Store(new RecordSource()) });
  return async (variables, intent) => {
    const mutation = await artifact<ConcreteRequest>('adjustStockMutation');
    return new Promise((resolve, reject) => {
      const onCompleted = (data: unknown) => resolve(data as Result);
      commitMutation(environment, { mutation, variables, cacheConfig: { metadata: { intent } }, onCompleted, onError: reject });
    });
  };
}

/** A client with one product in stock. Its retries don't wait. */
async function openScene(start: (retry: RetryOptions) => Execute) {
  const productId = await testGraph.newProduct(9);
  const reasons: string[] = [];
  /** Called when the client would wait. */
  const onWait = { current: async (_reason: string | undefined) => {} };
  const execute = start({
    now: () => 0,
    random: () => 0,
    wait: () => onWait.current(reasons.at(-1)),
    onRetry: ({ reason }) => reasons.push(reason),
  });
  const sentBefore = proxy.received.length;
  const writesBefore = testGraph.gate.sent(WRITE);
  const adjust = async (intent = createIntent(), quantityDelta = 1) => {
    const input = { productId, locationId: MAIN, reason: 'Counted', change: { quantityDelta } };
    try {
      const { inventoryAdjust } = await execute({ input }, intent);
      return unwrap(inventoryAdjust).effect;
    } catch (error) {
      return error instanceof MutationFailure ? `${error.code} ${error.retry}` : 'no response';
    }
  };
  /** Units that were added to the stock, upstream writes, and requests of the client with their keys. */
  const count = async () => {
    const [onHand] = (await testGraph.balance(productId, MAIN)) ?? [];
    const sent = proxy.received.slice(sentBefore);
    const keys = new Set(sent.map((body) => JSON.parse(body).variables.input.idempotencyKey));
    return { added: Number(onHand) - 9, writes: testGraph.gate.sent(WRITE) - writesBefore, sent: sent.length, keys: keys.size };
  };
  return { adjust, count, reasons, onWait };
}

describe.each([
  ['Apollo Client with idempotencyLink', startApollo],
  ['urql with idempotencyExchange', startUrql],
  ['Relay with createFetch', startRelay],
])('%s', (_, start) => {
  it.each([
    ['nothing fails', [], 'DONE', 1],
    ['the response is lost', ['reset after'], 'REPLAYED', 2],
    ['the request is lost', ['reset before'], 'DONE', 2],
    ['a load balancer responds with 502 after the write', ['bad gateway after'], 'REPLAYED', 2],
    ['the response is truncated', ['truncate'], 'REPLAYED', 2],
    ['a load balancer responds with 503 before the write', ['unavailable before'], 'DONE', 2],
    ['the graph is overloaded', ['overloaded before'], 'DONE', 2],
    ['the response is lost three times', ['reset after', 'bad gateway after', 'truncate'], 'REPLAYED', 4],
  ] as const)('applies a mutation once if %s', async (_case, faults, effect, sent) => {
    const { adjust, count } = await openScene(start);
    proxy.inject(...faults);
    expect(await adjust()).toBe(effect);
    expect(await count()).toEqual({ added: 1, writes: 1, sent, keys: 1 });
  });

  it('checks once and returns OUTCOME_UNKNOWN if the graph doesn’t know whether it was applied', async () => {
    const { adjust, count, reasons } = await openScene(start);
    testGraph.sandbox.faults.add({ operation: WRITE, cut: 'after', times: 1 });
    expect(await adjust()).toBe('OUTCOME_UNKNOWN SAME_KEY');
    expect(await count()).toEqual({ added: 1, writes: 1, sent: 2, keys: 1 });
    expect(reasons).toEqual(['OUTCOME_UNKNOWN']);
  });

  it('applies a mutation once if the connection fails while it’s in progress', async () => {
    const { adjust, count, reasons, onWait } = await openScene(start);
    const held = testGraph.gate.hold(WRITE);
    onWait.current = async (reason) => {
      if (reason !== 'OPERATION_IN_PROGRESS') return;
      held.release();
      await held.answered;
    };
    proxy.inject({ resetWhen: held.arrived });
    expect(await adjust()).toBe('REPLAYED');
    expect(await count()).toMatchObject({ added: 1, writes: 1, keys: 1 });
    expect([...new Set(reasons)]).toEqual(['NO_RESPONSE', 'OPERATION_IN_PROGRESS']);
  });

  it('sends an intent once that is executed twice at once', async () => {
    const { adjust, count } = await openScene(start);
    const intent = createIntent();
    expect(await Promise.all([adjust(intent), adjust(intent)])).toEqual(['DONE', 'DONE']);
    expect(await count()).toEqual({ added: 1, writes: 1, sent: 1, keys: 1 });
  });

  it('replays an intent that is executed again after all responses were lost', async () => {
    const { adjust, count } = await openScene(start);
    const intent = createIntent();
    proxy.inject(...Array(5).fill('reset after'));
    expect([await adjust(intent), await adjust(intent)]).toEqual(['no response', 'REPLAYED']);
    expect(await count()).toEqual({ added: 1, writes: 1, sent: 6, keys: 1 });
  });

  it('sends a mutation that the graph rejects once', async () => {
    const { adjust, count } = await openScene(start);
    expect(await adjust(createIntent(), -1_000_000)).toMatch(/ NEVER$/);
    expect(await count()).toMatchObject({ added: 0, sent: 1 });
  });

  it('applies a mutation once after the rate limit', async () => {
    const { adjust, count, reasons, onWait } = await openScene(start);
    testGraph.sandbox.faults.add({ operation: WRITE, status: 429, retryAfter: 1 });
    onWait.current = async () => testGraph.sandbox.faults.clear();
    expect(await adjust()).toBe('DONE');
    expect(await count()).toMatchObject({ added: 1, sent: 2, keys: 1 });
    expect(reasons).toEqual(['RATE_LIMITED']);
  });
});
