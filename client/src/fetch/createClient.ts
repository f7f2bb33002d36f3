import { type DocumentNode, Kind, print } from 'graphql';
import type { Outcome } from '../core/advice.ts';
import { type GraphError, getGraphErrors } from '../core/errors.ts';
import { inspectDocument } from '../core/inputs.ts';
import type { Intent } from '../core/intents.ts';
import { type PostOptions, post } from '../core/post.ts';
import type { RetryOptions } from '../core/retry.ts';
import { createSender } from '../core/sender.ts';

/** A document with the types of its data and variables, such as those of GraphQL Code Generator’s client preset. */
export interface TypedDocument<Data, Variables> extends DocumentNode {
  /** Only for the types. */
  readonly __apiType?: (variables: Variables) => Data;
}

/** How requests are sent and retried. */
export type ClientOptions = RetryOptions & Pick<PostOptions, 'fetch'>;

interface QueryOptions {
  /** Stops the query. */
  readonly signal?: AbortSignal | undefined;
}

interface MutationOptions {
  /** Pass the same intent to try again. Without one, every call is an intent of its own. */
  readonly intent?: Intent | undefined;
}

/** The arguments after a document. Variables can be omitted if it has none. */
type Rest<Variables, Options> =
  Record<never, never> extends Variables ? [variables?: Variables, options?: Options] : [variables: Variables, options?: Options];

/** The result of a mutation. Only its result union shows whether it was applied. */
export interface MutationResult<Data> {
  readonly data: Data;
  /** Errors of fields that couldn’t be read, which are null. Empty if the data is complete. */
  readonly errors: readonly GraphError[];
}

/** Sends requests to a graph, with retries by its advice. Rejects with RequestError, HttpError, or the error of `fetch` if no attempt gets data. */
export interface Client {
  /** Sends a query, and resolves to its data. Rejects if any field has an error. */
  query<Data, Variables>(document: TypedDocument<Data, Variables>, ...rest: Rest<Variables, QueryOptions>): Promise<Data>;
  /** Sends a mutation with an idempotency key. Resolves also if a field of the payload has an error, because the mutation was applied regardless. */
  mutate<Data, Variables>(
    document: TypedDocument<Data, Variables>,
    ...rest: Rest<Variables, MutationOptions>
  ): Promise<MutationResult<Data>>;
}

/** The response has errors, and for mutations no result. */
export class RequestError extends Error {
  override readonly name = 'RequestError';
  readonly errors: readonly GraphError[];
  /** What the graph returned for the other fields. */
  readonly data: unknown;

  constructor({ data, errors }: Outcome) {
    const found = getGraphErrors({ errors });
    super(found.map(({ message }) => message).join(' ') || 'The response has neither data nor errors.');
    this.errors = found;
    this.data = data;
  }
}

/** The methods, by the type of operation that they send. */
const METHODS = { query: 'query', mutation: 'mutate' } as const;

/** A mutation that is sent as a query would be repeated without an idempotency key. */
function requireType({ definitions }: DocumentNode, type: keyof typeof METHODS): void {
  const found = definitions.find((definition) => definition.kind === Kind.OPERATION_DEFINITION);
  if (found?.operation !== type)
    throw new TypeError(
      `${METHODS[type]} needs a document with a ${type}, but this one has ${found ? `a ${found.operation}` : 'no operation'}.`,
    );
}

/**
 * Creates a client for scripts and servers, which have no cache. `key` is an API key or an access token, or a function that returns one and is called for each
 * attempt, so that a renewed token is sent.
 */
export function createClient(url: string, key: string | (() => string | Promise<string>), options: ClientOptions = {}): Client {
  const getKey = typeof key === 'string' ? () => key : key;
  const headers = async () => ({ authorization: `Bearer ${await getKey()}` });
  const target: PostOptions = { url, headers, ...(options.fetch && { fetch: options.fetch }) };
  const send = createSender(options);

  async function request(
    type: keyof typeof METHODS,
    document: DocumentNode,
    variables: unknown,
    { signal = new AbortController().signal, intent }: QueryOptions & MutationOptions = {},
  ): Promise<Outcome> {
    requireType(document, type);
    const isQuery = type === 'query';
    const { operationName, inputs } = inspectDocument(document);
    const query = print(document);
    const outcome = await send({ isQuery, operationName, variables: { ...(variables as object) }, inputs, intent, signal }, (keyed) =>
      post(target, { query, operationName, variables: keyed }, isQuery ? signal : null),
    );
    if (outcome.lost !== undefined) throw outcome.lost;
    return outcome;
  }

  return {
    query: async <Data>(document: DocumentNode, variables?: unknown, options?: QueryOptions) => {
      const outcome = await request('query', document, variables, options);
      if (!outcome.data || outcome.errors?.length) throw new RequestError(outcome);
      return outcome.data as Data;
    },
    mutate: async <Data>(document: DocumentNode, variables?: unknown, options?: MutationOptions) => {
      const outcome = await request('mutation', document, variables, options);
      if (!Object.values(outcome.data ?? {}).some((result) => result !== null)) throw new RequestError(outcome);
      return { data: outcome.data as Data, errors: getGraphErrors({ errors: outcome.errors }) };
    },
  };
}
