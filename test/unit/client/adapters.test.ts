import { ApolloClient, ApolloLink, gql, HttpLink, InMemoryCache } from '@apollo/client';
import { Defer20220824Handler } from '@apollo/client/incremental';
import { SetContextLink } from '@apollo/client/link/context';
import { Client, fetchExchange } from '@urql/core';
import { type FetchFunction, Observable, type RequestParameters } from 'relay-runtime';
import { lastValueFrom, of, toArray } from 'rxjs';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { idempotencyLink } from '../../../client/src/apollo/index.ts';
import { learnGraphTime } from '../../../client/src/core/graphTime.ts';
import type { RetryOptions } from '../../../client/src/core/retry.ts';
import { createClient, HttpError, RequestError } from '../../../client/src/fetch/index.ts';
import { createIntent, getGraphErrors, type Intent } from '../../../client/src/index.ts';
import { createFetch } from '../../../client/src/relay/index.ts';
import { idempotencyExchange } from '../../../client/src/urql/index.ts';
import { createFakeTime } from './scriptedClient.ts';
import { createScriptedFetch, type ScriptedResponse } from './scriptedFetch.ts';

const QUERY = gql('query GetQuote { quote { id } }');
const MUTATION = gql('mutation ConfirmQuote($input: QuoteConfirmInput!) { quoteConfirm(input: $input) { __typename } }');
const TEXTS = { query: QUERY.loc?.source.body ?? '', mutation: MUTATION.loc?.source.body ?? '' };
const URL = 'http://graph.test/graphql';

const lost: ScriptedResponse = { error: new TypeError('fetch failed') };
const found: ScriptedResponse = { body: { data: { quote: { __typename: 'Quote', id: 'q1' } } } };
const done: ScriptedResponse = { body: { data: { quoteConfirm: { __typename: 'QuoteConfirmPayload' } } } };
const createRejection = (extensions: object) => ({ errors: [{ message: 'Rejected.', extensions }] });
const unavailable: ScriptedResponse = {
  status: 503,
  type: 'application/json',
  body: createRejection({ code: 'SIGN_IN_UNAVAILABLE', retry: 'SAFE', retryAfterSeconds: 2 }),
};
const html: ScriptedResponse = { status: 503, type: 'text/html', body: '<h1>Service Unavailable</h1>', headers: { 'retry-after': '3' } };
const expired: ScriptedResponse = {
  status: 401,
  body: createRejection({ code: 'UNAUTHENTICATED', reason: 'TOKEN_EXPIRED', retry: 'NEVER' }),
};
const invalid: ScriptedResponse = {
  status: 400,
  type: 'application/json',
  body: createRejection({ code: 'BAD_USER_INPUT', retry: 'NEVER' }),
};

type Data = Readonly<Record<string, unknown>> | null | undefined;

/** A client library with the adapter. Both functions reject if there is no data. */
interface AdaptedClient {
  query(signal?: AbortSignal): Promise<Data>;
  mutate(intent?: Intent, signal?: AbortSignal): Promise<Data>;
}

interface ClientOptions {
  readonly fetch: typeof fetch;
  readonly retry: RetryOptions;
  readonly getToken: () => string;
}

const input = { quoteId: 'q1' };

function startApollo({ fetch, retry, getToken }: ClientOptions): AdaptedClient {
  const authenticate = new SetContextLink(() => ({ headers: { authorization: getToken() } }));
  const client = new ApolloClient({
    cache: new InMemoryCache(),
    link: idempotencyLink(retry)
      .concat(authenticate)
      .concat(new HttpLink({ uri: URL, fetch })),
    devtools: { enabled: false },
  });
  return {
    query: (signal) =>
      new Promise((resolve, reject) => {
        const query = client.watchQuery<NonNullable<Data>>({ query: QUERY, fetchPolicy: 'no-cache', notifyOnNetworkStatusChange: false });
        const subscription = query.subscribe({ next: ({ data, error }) => (error ? reject(error) : resolve(data as Data)) });
        signal?.addEventListener('abort', () => subscription.unsubscribe());
      }),
    mutate: async (intent) => {
      const { data, error } = await client.mutate<NonNullable<Data>>({
        mutation: MUTATION,
        variables: { input },
        errorPolicy: 'all',
        context: { intent },
      });
      if (!data) throw error;
      return data;
    },
  };
}

function startUrql({ fetch, retry, getToken }: ClientOptions): AdaptedClient {
  const fetchOptions = () => ({ headers: { authorization: getToken() } });
  const client = new Client({
    url: URL,
    fetch,
    fetchOptions,
    preferGetMethod: false,
    exchanges: [idempotencyExchange(retry), fetchExchange],
  });
  return {
    query: (signal) =>
      new Promise((resolve, reject) => {
        const { unsubscribe } = client.query(QUERY, {}).subscribe(({ data, error }) => (data ? resolve(data) : reject(error)));
        signal?.addEventListener('abort', unsubscribe);
      }),
    mutate: async (intent) => {
      const { data, error } = await client.mutation(MUTATION, { input }, { intent }).toPromise();
      if (!data) throw error;
      return data;
    },
  };
}

const createRequest = (operationKind: 'query' | 'mutation', more: Partial<RequestParameters> = {}): RequestParameters =>
  ({ operationKind, name: operationKind, text: TEXTS[operationKind], id: null, cacheID: '', metadata: {}, ...more }) as RequestParameters;

function observe(response: ReturnType<FetchFunction>, signal?: AbortSignal): Promise<Data> {
  return new Promise((resolve, reject) => {
    const subscription = Observable.from(response).subscribe({
      next: (result) => ('data' in result && result.data ? resolve(result.data) : reject({ source: result })),
      error: reject,
    });
    signal?.addEventListener('abort', () => subscription.unsubscribe());
  });
}

function startRelay({ fetch, retry, getToken }: ClientOptions): AdaptedClient {
  const send = createFetch({ url: URL, fetch, headers: async () => ({ authorization: getToken() }), ...retry });
  return {
    query: (signal) => observe(send(createRequest('query'), {}, {}), signal),
    mutate: (intent, signal) => observe(send(createRequest('mutation'), { input }, intent ? { metadata: { intent } } : {}), signal),
  };
}

function startFetch({ fetch, retry, getToken }: ClientOptions): AdaptedClient {
  const client = createClient(URL, () => getToken().replace('Bearer ', ''), { fetch, ...retry });
  return {
    query: (signal) => client.query<Data, object>(QUERY, {}, { signal }),
    mutate: async (intent) => (await client.mutate<Data, object>(MUTATION, { input }, { intent })).data,
  };
}

const CLIENTS = [
  ['idempotencyLink of Apollo Client', startApollo],
  ['idempotencyExchange of urql', startUrql],
  ['createFetch of Relay', startRelay],
  ['createClient of /fetch', startFetch],
] as const;

function open(start: (options: ClientOptions) => AdaptedClient, responses: readonly ScriptedResponse[], more: RetryOptions = {}) {
  const script = createScriptedFetch(...responses);
  const fake = createFakeTime();
  const token = { current: 'Bearer first' };
  const client = start({ fetch: script.fetch, retry: { ...fake.options, ...more }, getToken: () => token.current });
  const getKeys = () => script.sent.map(({ body }) => body.variables.input.idempotencyKey);
  return { ...script, ...fake, client, token, getKeys };
}

const catchErrors = (failing: Promise<unknown>) =>
  failing.then(
    () => [],
    (error: unknown) => getGraphErrors(error).map(({ code, reason }) => reason ?? code),
  );

// Libraries log errors that they can’t return to anyone.
beforeEach(() => {
  vi.spyOn(console, 'error').mockReturnValue();
});
afterEach(() => expect(console.error).not.toHaveBeenCalled());

describe.each(CLIENTS)('%s', (_, start) => {
  it('retries lost responses with the key of the intent', async () => {
    const { client, getKeys, delays } = open(start, [lost, html, unavailable, done]);
    const intent = createIntent();
    expect(await client.mutate(intent)).toMatchObject({ quoteConfirm: { __typename: 'QuoteConfirmPayload' } });
    expect(getKeys()).toEqual(Array(4).fill(intent.key));
    expect(delays).toEqual([100, 3200, 2400]);
  });

  it('fails with IDEMPOTENCY_KEY_EXPIRED for an intent that the graph has forgotten, or whose age isn’t known', async () => {
    const rejection = createRejection({ code: 'IDEMPOTENCY_KEY_EXPIRED', retry: 'CHECK_FIRST' });
    const { client, sent } = open(start, [{ body: { data: null, ...rejection } }]);
    expect(await catchErrors(client.mutate(createIntent()))).toEqual(['IDEMPOTENCY_KEY_EXPIRED']);
    expect(await catchErrors(client.mutate({ key: 'stored' }))).toEqual(['IDEMPOTENCY_KEY_EXPIRED']);
    expect(sent).toHaveLength(1);
  });

  it('learns the time of the graph from responses', async () => {
    onTestFinished(() => learnGraphTime(new Headers({ date: new Date().toUTCString() })));
    const date = new Date(Date.now() + 7_200_000).toUTCString();
    const { client } = open(start, [{ ...found, headers: { date } }]);
    await client.query();
    expect(Number(createIntent().key.split(':')[1]) - Date.now()).toBeGreaterThan(7_100_000);
  });

  it('retries truncated responses', async () => {
    const { client, sent } = open(start, [{ body: '{"data":{"quoteCon' }, done]);
    await client.mutate();
    expect(sent).toHaveLength(2);
  });

  it('retries queries, without a key', async () => {
    const { client, sent } = open(start, [lost, html, unavailable, found]);
    expect(await client.query()).toMatchObject({ quote: { id: 'q1' } });
    expect(sent.map(({ body }) => JSON.stringify(body.variables ?? {}))).toEqual(Array(4).fill('{}'));
  });

  it('returns rejections unchanged', async () => {
    const { client, sent } = open(start, [invalid, invalid]);
    expect(await catchErrors(client.mutate())).toEqual(['BAD_USER_INPUT']);
    expect(await catchErrors(client.query())).toEqual(['BAD_USER_INPUT']);
    expect(sent).toHaveLength(2);
  });

  it('sends concurrent calls of one intent once', async () => {
    const { client, sent } = open(start, [done]);
    const intent = createIntent();
    const results = await Promise.all([client.mutate(intent), client.mutate(intent)]);
    expect([results[0], sent.length]).toEqual([results[1], 1]);
  });

  it('renews an expired token once for all requests, and sends the new one', async () => {
    const renew = vi.fn(async () => {
      token.current = 'Bearer second';
    });
    const { client, sent, token } = open(start, [expired, expired, done, done], { renew });
    await Promise.all([client.mutate(), client.mutate()]);
    expect(sent.map(({ authorization }) => authorization)).toEqual(['Bearer first', 'Bearer first', 'Bearer second', 'Bearer second']);
    expect(renew).toHaveBeenCalledOnce();
  });

  it('returns TOKEN_EXPIRED if the token can’t be renewed', async () => {
    const { client } = open(start, [expired], { renew: () => Promise.reject(new Error('The provider is down.')) });
    expect(await catchErrors(client.mutate())).toEqual(['TOKEN_EXPIRED']);
  });

  it('aborts the request of a query without observers', async () => {
    const { client, sent, waitForRequests } = open(start, []);
    const controller = new AbortController();
    // Some libraries ignore the result, others reject.
    client.query(controller.signal).catch(() => {});
    await waitForRequests(1);
    controller.abort();
    await vi.waitFor(() => expect(sent[0]?.signal?.aborted).toBe(true));
  });

  it('stops waiting for the next attempt of a query without observers', async () => {
    const waits = Promise.withResolvers<AbortSignal | undefined>();
    const wait = (_ms: number, signal?: AbortSignal) => {
      waits.resolve(signal);
      return new Promise<void>((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
    };
    const { client, sent } = open(start, [lost, found], { wait });
    const controller = new AbortController();
    client.query(controller.signal).catch(() => {});
    const signal = await waits.promise;
    controller.abort();
    expect([signal?.aborted, sent.length]).toEqual([true, 1]);
  });
});

describe('mutation whose component unmounts', () => {
  const holdRetry = () => {
    const released = Promise.withResolvers<void>();
    return { wait: () => released.promise, release: released.resolve };
  };

  it('continues in Relay', async () => {
    const { wait, release } = holdRetry();
    const { client, sent, waitForRequests } = open(startRelay, [lost, done], { wait });
    const controller = new AbortController();
    void client.mutate(createIntent(), controller.signal);
    await waitForRequests(1);
    controller.abort();
    release();
    await waitForRequests(2);
    expect(sent.map(({ signal }) => signal)).toEqual([null, null]);
  });

  it('continues in Apollo Client', async () => {
    const { wait, release } = holdRetry();
    const { fetch, waitForRequests, options } = { ...createScriptedFetch(lost, done), ...createFakeTime() };
    const link = idempotencyLink({ ...options, wait }).concat(new HttpLink({ uri: URL, fetch }));
    const client = new ApolloClient({ cache: new InMemoryCache(), link, devtools: { enabled: false } });
    const subscription = ApolloLink.execute(link, { query: MUTATION, variables: { input } }, { client }).subscribe({});
    await waitForRequests(1);
    subscription.unsubscribe();
    release();
    await expect(waitForRequests(2)).resolves.toBeUndefined();
  });
});

describe('createClient', () => {
  const errors = [{ message: 'Not readable.', path: ['quote', 'title'], extensions: { code: 'FORBIDDEN', retry: 'NEVER' } }];
  const connect = (...responses: ScriptedResponse[]) => {
    const { fetch, sent } = createScriptedFetch(...responses);
    return { client: createClient(URL, 'demo-owner', { fetch, ...createFakeTime().options }), sent };
  };

  it('rejects a query if a field has an error, with the data of the others', async () => {
    const data = { quote: { id: 'q1', title: null } };
    const { client } = connect({ body: { data, errors } });
    const failure = await client.query(QUERY).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(RequestError);
    expect(failure).toMatchObject({ message: 'Not readable.', data, errors: [{ code: 'FORBIDDEN', path: ['quote', 'title'] }] });
  });

  it('resolves to a payload of a mutation and the errors of its fields', async () => {
    const data = { quoteConfirm: { __typename: 'QuoteConfirmPayload', order: null } };
    const { client, sent } = connect({ body: { data, errors } });
    expect(await client.mutate(MUTATION, { input })).toMatchObject({ data, errors: [{ code: 'FORBIDDEN' }] });
    expect(sent[0]).toMatchObject({ authorization: 'Bearer demo-owner', body: { operationName: 'ConfirmQuote' } });
  });

  it('rejects a mutation without a result, and a response that isn’t the graph’s', async () => {
    const { client } = connect(
      { body: { data: { quoteConfirm: null }, errors } },
      { status: 404, type: 'text/html', body: '<h1>Not Found</h1>' },
    );
    await expect(client.mutate(MUTATION, { input })).rejects.toThrow(RequestError);
    await expect(client.query(QUERY)).rejects.toThrow(new HttpError(404));
  });

  it('sends no mutation as a query, which would be repeated without a key', async () => {
    const { client, sent } = connect();
    await expect(client.query(MUTATION, { input })).rejects.toThrow('query needs a document with a query, but this one has a mutation.');
    await expect(client.mutate(gql('subscription { quoteChanged { id } }'))).rejects.toThrow('but this one has a subscription.');
    expect(sent).toEqual([]);
  });
});

describe('incremental delivery', () => {
  const DEFERRED = gql('query GetQuote { quote { id ... @defer { title } } }');
  const parts = [
    { data: { quote: { __typename: 'Quote', id: 'q1' } }, hasNext: true },
    { incremental: [{ path: ['quote'], data: { title: 'T' } }], hasNext: false },
  ];
  const incremental: ScriptedResponse = {
    type: 'multipart/mixed; boundary="-"; deferSpec=20220824',
    body: `${parts.map((part) => `\r\n---\r\ncontent-type: application/json\r\n\r\n${JSON.stringify(part)}`).join('')}\r\n-----\r\n`,
  };

  it('returns all parts of a response in Apollo Client, after a retry', async () => {
    const { fetch, options } = { ...createScriptedFetch(lost, incremental), ...createFakeTime() };
    const link = idempotencyLink(options).concat(new HttpLink({ uri: URL, fetch }));
    const incrementalHandler = new Defer20220824Handler();
    const client = new ApolloClient({ cache: new InMemoryCache(), link, incrementalHandler, devtools: { enabled: false } });
    const results: unknown[] = [];
    const { promise, resolve } = Promise.withResolvers<void>();
    const execution = ApolloLink.execute(link, { query: DEFERRED }, { client });
    execution.subscribe({ next: (result) => results.push(result), complete: resolve });
    await promise;
    expect(results).toMatchObject(parts);
  });

  it('returns all parts of a response in urql, after a retry', async () => {
    const { fetch, options } = { ...createScriptedFetch(lost, incremental), ...createFakeTime() };
    const client = new Client({ url: URL, fetch, preferGetMethod: false, exchanges: [idempotencyExchange(options), fetchExchange] });
    const results: unknown[] = [];
    const { promise, resolve } = Promise.withResolvers<void>();
    client.query(DEFERRED, {}).subscribe(({ data, hasNext }) => {
      results.push({ data, hasNext });
      if (!hasNext) resolve();
    });
    await promise;
    const quote = { __typename: 'Quote', id: 'q1' };
    expect(results).toEqual([
      { data: { quote }, hasNext: true },
      { data: { quote: { ...quote, title: 'T' } }, hasNext: false },
    ]);
  });
});

describe('subscription', () => {
  it('passes through idempotencyLink unchanged', async () => {
    const query = gql('subscription { quoteChanged { id } }');
    const results = [{ data: { quoteChanged: { id: 'q1' } } }, { data: { quoteChanged: { id: 'q2' } } }];
    const link = idempotencyLink().concat(new ApolloLink(() => of(...results)));
    const client = new ApolloClient({ cache: new InMemoryCache(), link, devtools: { enabled: false } });
    const received = await lastValueFrom(ApolloLink.execute(link, { query }, { client }).pipe(toArray()));
    expect(received).toEqual(results);
  });
});

describe('persisted mutation in Relay', () => {
  beforeEach(() => {
    vi.spyOn(console, 'warn').mockReturnValue();
  });

  const send = async (variables: Readonly<Record<string, unknown>>, getInputVariables?: () => readonly string[] | null) => {
    const { fetch, sent } = createScriptedFetch(done);
    const request = createRequest('mutation', { id: 'hash', text: null });
    const execute = createFetch({ url: URL, fetch, ...(getInputVariables && { getInputVariables }) });
    await observe(execute(request, variables, { metadata: { intent: { key: 'created:1:k' } } }));
    return sent[0]?.body;
  };

  it('sends its ID, and the key in the variable `input`', async () => {
    expect(await send({ input, first: 10 })).toEqual({
      documentId: 'hash',
      operationName: 'mutation',
      variables: { input: { ...input, idempotencyKey: 'created:1:k' }, first: 10 },
    });
  });

  it('sends no key if another variable is an object, unless the page names the inputs', async () => {
    const variables = { input, other: {} };
    expect((await send(variables)).variables).toEqual(variables);
    expect((await send(variables, () => ['input', 'other'])).variables).toEqual({
      input: { ...input, idempotencyKey: 'created:1:k' },
      other: { idempotencyKey: 'created:1:k.1' },
    });
  });
});
