import { readFileSync } from 'node:fs';
import { ApolloClient, HttpLink, InMemoryCache } from '@apollo/client';
import { Client, fetchExchange } from '@urql/core';
import { cacheExchange } from '@urql/exchange-graphcache';
import { relayPagination } from '@urql/exchange-graphcache/extras';
import { type DocumentNode, Kind, parse, visit } from 'graphql';
import {
  type ConcreteRequest,
  commitMutation,
  createOperationDescriptor,
  Environment,
  fetchQuery,
  Network,
  RecordSource,
  Store,
  type Variables,
} from 'relay-runtime';
import { cacheConfig } from '../../../client/src/apollo/index.ts';
import { graphcacheConfig } from '../../../client/src/urql/index.ts';
import type { useTestGraph } from '../../support/testGraph.ts';
import type { useRelayArtifacts } from './relayArtifacts.ts';

type Data = Readonly<Record<string, unknown>>;

/** A client that displays the stock screen from its cache. */
export interface StockClient {
  /** Fetches the screen. */
  open(variables: Variables): Promise<void>;
  /** The screen from the cache. Null if data is missing. */
  readScreen(): Promise<Data | null>;
  /** Executes the screen's mutation of this name and returns the member of its result union. */
  execute(name: string, input: object): Promise<Data>;
}

const FILE = 'test/interop/clients/relay/stockScreen.ts';

/** The documents of the screen without Relay's directives, each with the fragments that it uses. */
function readDocuments(): ReadonlyMap<string, DocumentNode> {
  const texts = [...readFileSync(FILE, 'utf8').matchAll(/graphql`([^`]*)`/g)].map(([, text = '']) => text);
  const { definitions } = visit(parse(texts.join('\n')), {
    Directive: ({ name }) => (name.value === 'relay' || name.value === 'deleteRecord' ? null : undefined),
  });
  const fragments = definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION);
  const documents = new Map<string, DocumentNode>();
  for (const definition of definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
    const used = new Set<string>();
    visit(definition, { FragmentSpread: ({ name }) => void used.add(name.value) });
    const needed = fragments.filter((each) => each.kind === Kind.FRAGMENT_DEFINITION && used.has(each.name.value));
    documents.set(definition.name?.value ?? '', { kind: Kind.DOCUMENT, definitions: [definition, ...needed] });
  }
  return documents;
}

const documents = readDocuments();

const getDocument = (name: string): DocumentNode => {
  const document = documents.get(name);
  if (!document) throw new Error(`${FILE} has no ${name}.`);
  return document;
};

export const SCREEN = getDocument('stockScreenQuery');

const toOperationName = (mutation: string) => `stockScreen${mutation.charAt(0).toUpperCase()}${mutation.slice(1)}Mutation`;

const getMember = (data: unknown) => Object.values((data ?? {}) as Record<string, Data>).find((member) => typeof member === 'object') ?? {};

interface ClientOptions {
  readonly testGraph: ReturnType<typeof useTestGraph>;
  readonly artifact: ReturnType<typeof useRelayArtifacts>;
}

const HEADERS = { authorization: 'Bearer demo-owner' };

export function startApollo({ testGraph }: ClientOptions): StockClient {
  const client = new ApolloClient({
    cache: new InMemoryCache(cacheConfig),
    link: new HttpLink({ uri: `${testGraph.url}/graphql`, headers: HEADERS }),
    devtools: { enabled: false },
  });
  let variables: Variables = {};
  return {
    open: async (newVariables) => {
      variables = newVariables;
      await client.query({ query: SCREEN, variables });
    },
    readScreen: async () => client.readQuery<Data>({ query: SCREEN, variables }),
    execute: async (name, input) => {
      const { data } = await client.mutate({
        mutation: getDocument(toOperationName(name)),
        variables: { input },
        update: (cache, { data: result }) => {
          const { deletedIdentifierId: id } = getMember(result);
          if (typeof id === 'string') cache.evict({ id: cache.identify({ __typename: 'ProductIdentifier', id }) ?? '' });
        },
      });
      return getMember(data);
    },
  };
}

export function startUrql({ testGraph }: ClientOptions): StockClient {
  const client = new Client({
    url: `${testGraph.url}/graphql`,
    exchanges: [
      cacheExchange({
        ...graphcacheConfig(relayPagination()),
        updates: {
          Mutation: {
            productIdentifierDelete: (result, _args, cache) => {
              const gone = cache.keyOfEntity({ __typename: 'ProductIdentifier', id: String(getMember(result).deletedIdentifierId) });
              for (const { fieldName, arguments: args } of cache.inspectFields('Query')) {
                if (fieldName !== 'product') continue;
                const product = cache.resolve('Query', fieldName, args) as string;
                const identifiers = cache.resolve(product, 'identifiers') as string[];
                cache.link(
                  product,
                  'identifiers',
                  identifiers.filter((key) => key !== gone),
                );
              }
            },
          },
        },
      }),
      fetchExchange,
    ],
    fetchOptions: { headers: HEADERS },
  });
  let variables: Variables = {};
  const query = async (requestPolicy: 'cache-first' | 'cache-only') => {
    const { data, error } = await client.query<Data>(SCREEN, variables, { requestPolicy }).toPromise();
    if (error) throw error;
    return data ?? null;
  };
  return {
    open: async (newVariables) => {
      variables = newVariables;
      await query('cache-first');
    },
    readScreen: () => query('cache-only'),
    execute: async (name, input) => {
      const { data, error } = await client.mutation(getDocument(toOperationName(name)), { input }).toPromise();
      if (error) throw error;
      return getMember(data);
    },
  };
}

export function startRelay({ testGraph, artifact }: ClientOptions): StockClient {
  const network = Network.create(async ({ text }, variables) => {
    const { data, errors } = await testGraph.execute(text ?? '', variables);
    return { data, ...(errors && { errors: [...errors] }) };
  });
  const environment = new Environment({ network, store: new Store(new RecordSource()) });
  let screen: ReturnType<typeof createOperationDescriptor> | undefined;
  return {
    open: async (variables) => {
      const request = await artifact<ConcreteRequest>('stockScreenQuery');
      screen = createOperationDescriptor(request, variables);
      environment.retain(screen);
      await fetchQuery(environment, request, variables).toPromise();
    },
    readScreen: async () => {
      if (!screen) throw new Error('The screen is not open.');
      return environment.lookup(screen.fragment).data as Data;
    },
    execute: async (name, input) => {
      const mutation = await artifact<ConcreteRequest>(toOperationName(name));
      const response = await new Promise((onCompleted, onError) => {
        commitMutation(environment, { mutation, variables: { input }, onCompleted, onError });
      });
      return getMember(response);
    },
  };
}
