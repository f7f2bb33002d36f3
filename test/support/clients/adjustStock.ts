import { ApolloClient, gql, HttpLink, InMemoryCache } from '@apollo/client';
import { Client, fetchExchange } from '@urql/core';
import { print } from 'graphql';
import { type ConcreteRequest, commitMutation, Environment, Network, RecordSource, Store } from 'relay-runtime';
import { cacheConfig, idempotencyLink } from '../../../client/src/apollo/index.ts';
import type { RetryOptions } from '../../../client/src/core/retry.ts';
import { type Intent, MutationFailure, unwrap } from '../../../client/src/index.ts';
import { createFetch } from '../../../client/src/relay/index.ts';
import { idempotencyExchange } from '../../../client/src/urql/index.ts';

// One mutation with each client library. Runs in Node.js and in browsers.

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

export interface Adjustment {
  readonly productId: string;
  readonly locationId: string;
  readonly reason: string;
  readonly change: { readonly quantityDelta: number };
}

export interface ClientSettings {
  readonly url: string;
  readonly retry: RetryOptions;
  /** The compiled mutation, for Relay. */
  readonly artifact: ConcreteRequest;
}

type Execute = (variables: { readonly input: Adjustment }, intent: Intent) => Promise<Result>;

const headers = { authorization: 'Bearer demo-owner' };

const required = (data: Result | null | undefined, error: unknown): Result => {
  if (data) return data;
  throw error;
};

function startApollo({ url, retry }: ClientSettings): Execute {
  const client = new ApolloClient({
    cache: new InMemoryCache(cacheConfig),
    link: idempotencyLink(retry).concat(new HttpLink({ uri: url, headers })),
    devtools: { enabled: false },
  });
  return async (variables, intent) => {
    const { data, error } = await client.mutate<Result>({ mutation: ADJUST, variables, errorPolicy: 'all', context: { intent } });
    return required(data, error);
  };
}

function startUrql({ url, retry }: ClientSettings): Execute {
  const client = new Client({ url, exchanges: [idempotencyExchange(retry), fetchExchange], fetchOptions: { headers } });
  return async (variables, intent) => {
    const { data, error } = await client.mutation<Result>(print(ADJUST), variables, { intent }).toPromise();
    return required(data, error);
  };
}

function startRelay({ url, retry, artifact }: ClientSettings): Execute {
  const network = Network.create(createFetch({ url, headers: () => headers, ...retry }));
  const environment = new Environment({ network, store: new Store(new RecordSource()) });
  return (variables, intent) =>
    new Promise((resolve, reject) => {
      const onCompleted = (data: unknown) => resolve(data as Result);
      commitMutation(environment, { mutation: artifact, variables, cacheConfig: { metadata: { intent } }, onCompleted, onError: reject });
    });
}

const CLIENTS = {
  'Apollo Client with idempotencyLink': startApollo,
  'urql with idempotencyExchange': startUrql,
  'Relay with createFetch': startRelay,
};

export type ClientName = keyof typeof CLIENTS;

export const CLIENT_NAMES = Object.keys(CLIENTS) as ClientName[];

/** Adjusts stock. Resolves to the effect of the payload, and rejects if the mutation fails. */
export type Adjust = (input: Adjustment, intent: Intent) => Promise<string>;

/** Starts a client. Returns a function that adjusts stock with it. */
export function startClient(name: ClientName, settings: ClientSettings): Adjust {
  const execute = CLIENTS[name](settings);
  return async (input, intent) => unwrap((await execute({ input }, intent)).inventoryAdjust).effect;
}

/** Resolves to the effect of an adjustment, to the code and advice of its failure, or to `no response`. */
export async function settleAdjustment(adjusting: Promise<string>): Promise<string> {
  try {
    return await adjusting;
  } catch (error) {
    return error instanceof MutationFailure ? `${error.code} ${error.retry}` : 'no response';
  }
}

/** Options for retries that wait for a function instead of a timer. It gets the reason of the retry. */
export function createRetryOptions(beforeRetry: (reason: string) => Promise<void>): RetryOptions {
  let latest = '';
  return {
    now: () => 0,
    random: () => 0,
    wait: () => beforeRetry(latest),
    onRetry: ({ reason }) => {
      latest = reason;
    },
  };
}
