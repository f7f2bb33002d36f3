import { ApolloClient, ApolloLink, gql, HttpLink, InMemoryCache, type OperationVariables } from '@apollo/client';
import { Defer20220824Handler, GraphQL17Alpha9Handler } from '@apollo/client/incremental';
import { describe, expect, it } from 'vitest';
import { demoId } from '../../sandbox/sandbox.ts';
import { useTestGraph } from '../../support/testGraph.ts';
import { refuseWarnings } from './warnings.ts';

const testGraph = useTestGraph();
refuseWarnings();

const EVENTS = 'Customer/ListCustomerTimelineEvents';
const CUSTOMER = demoId('customer 0');

type Handler = NonNullable<ApolloClient.Options['incrementalHandler']>;

const HANDLERS: Readonly<Record<string, () => Handler>> = {
  // The handler's own types disagree about a property that can be undefined.
  GraphQL17Alpha9Handler: () => new GraphQL17Alpha9Handler() as Handler,
  Defer20220824Handler: () => new Defer20220824Handler(),
};

const DOCUMENTS: Readonly<Record<string, string>> = {
  'a deferred fragment': '{ customer(id: $id) { id title ... @defer { timelineEvents(first: 2) { nodes { id summary } } } } }',
  'two deferred fragments of one object': `{ customer(id: $id) { id ... @defer { title } ... @defer { timelineEvents(first: 2) { nodes { id } } } } }`,
  'a deferred fragment in a deferred one': `{ customer(id: $id) { id ... @defer { title orders(first: 2) { nodes { id ... @defer { referenceNumber cancellationImpact { canCancel } } } } } } }`,
  'fragments of the objects of a list': '{ customer(id: $id) { id orders(first: 2) { nodes { id referenceNumber ...Late @defer } } } }',
  'a deferred fragment of the root': '{ contacts(first: 1) { nodes { id } } ... @defer { customer(id: $id) { id title } } }',
  'a streamed list': '{ customer(id: $id) { id timelineEvents(first: 3) { nodes @stream(initialCount: 1) { id summary } } } }',
};
const FRAGMENT = 'fragment Late on Order { cancellationImpact { canCancel } }';
const createDocument = (text: string) => gql`${`query ($id: ID!) ${text} ${text.includes('...Late') ? FRAGMENT : ''}`}`;

interface SeenHeaders {
  readonly accepts: string[];
  readonly types: string[];
}

function startClient(incrementalHandler: Handler) {
  const seen: SeenHeaders = { accepts: [], types: [] };
  const http = new HttpLink({
    uri: `${testGraph.url}/graphql`,
    headers: { authorization: 'Bearer demo-owner' },
    fetch: async (input, init) => {
      const response = await fetch(input, init);
      seen.accepts.push(new Headers(init?.headers).get('accept') ?? '');
      seen.types.push(response.headers.get('content-type') ?? '');
      return response;
    },
  });
  const client = new ApolloClient({
    cache: new InMemoryCache(),
    link: ApolloLink.from([http]),
    incrementalHandler,
  });
  return { client, seen };
}

/** The results that the client emits, in order. */
async function watch(client: ApolloClient, text: string, variables: OperationVariables = { id: CUSTOMER }) {
  const results: ApolloClient.QueryResult<unknown>[] = [];
  const done = Promise.withResolvers<void>();
  const subscription = client.watchQuery({ query: createDocument(text), variables, errorPolicy: 'all' }).subscribe({
    next: ({ data, error, networkStatus, loading, dataState }) => {
      if (loading) return;
      results.push({ data, ...(error && { error }) } as ApolloClient.QueryResult<unknown>);
      if (dataState === 'complete' || networkStatus === 8) done.resolve();
    },
    error: done.reject,
  });
  await done.promise;
  subscription.unsubscribe();
  return results;
}

describe.each(Object.entries(HANDLERS))('Apollo Client with %s', (name, handler) => {
  it.each(Object.entries(DOCUMENTS))('returns the complete result of %s', async (_title, text) => {
    const { client, seen } = startClient(handler());
    const results = await watch(client, text);
    const { data } = await testGraph.execute(
      `query ($id: ID!) ${text.replaceAll(/@(defer|stream)(\([^)]*\))?/g, '')} ${text.includes('...Late') ? FRAGMENT : ''}`,
      {
        id: CUSTOMER,
      },
    );
    expect(withoutTypes(results.at(-1)?.data)).toEqual(data);
    const [parameter, type] =
      name === 'GraphQL17Alpha9Handler'
        ? ['incrementalSpec=v0.2', 'application/graphql-response+json; charset=utf-8']
        : ['deferSpec=20220824', 'multipart/mixed; boundary="-"; deferSpec=20220824'];
    expect(seen.accepts).toEqual([expect.stringContaining(`multipart/mixed;${parameter}`)]);
    expect(seen.types).toEqual([type]);
  });

  it('reports errors of a deferred fragment', async () => {
    testGraph.sandbox.faults.add({ operation: EVENTS, status: 403, body: '{}' });
    const { client } = startClient(handler());
    const { data, error } = await client.query<unknown>({
      query: createDocument(DOCUMENTS['a deferred fragment'] ?? ''),
      variables: { id: CUSTOMER },
      errorPolicy: 'all',
    });
    testGraph.sandbox.faults.clear();
    expect(withoutTypes(data)).toMatchObject({ customer: { title: expect.any(String), timelineEvents: null } });
    expect(error).toMatchObject({ errors: [{ path: ['customer', 'timelineEvents'], extensions: { code: 'FORBIDDEN' } }] });
  });
});

describe('Apollo Client with Defer20220824Handler', () => {
  it('returns the initial part before the upstream has returned the rest', async () => {
    const held = testGraph.gate.hold(EVENTS);
    const { client } = startClient(new Defer20220824Handler());
    const first = Promise.withResolvers<unknown>();
    const last = Promise.withResolvers<unknown>();
    const subscription = client
      .watchQuery({ query: createDocument(DOCUMENTS['a deferred fragment'] ?? ''), variables: { id: CUSTOMER } })
      .subscribe(({ data, dataState }) => {
        if (dataState === 'streaming') first.resolve(withoutTypes(data));
        if (dataState === 'complete') last.resolve(withoutTypes(data));
      });
    expect(await first.promise).toEqual({ customer: { id: expect.any(String), title: expect.any(String) } });
    held.release();
    expect(await last.promise).toMatchObject({ customer: { timelineEvents: { nodes: [{ id: expect.any(String) }, {}] } } });
    subscription.unsubscribe();
  });
});

/** The data without `__typename`, which the client adds. */
function withoutTypes(data: unknown): unknown {
  return JSON.parse(JSON.stringify(data), (key, value: unknown) => (key === '__typename' ? undefined : value));
}
