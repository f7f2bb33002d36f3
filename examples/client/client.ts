import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { type DocumentNode, print } from 'graphql';

/** The URL of the graph, and the API key. */
export interface Graph {
  readonly url: string;
  readonly key: string;
}

/** An entry of `errors`: `extensions.code` is for programs, `message` for people. */
export interface GraphErrorItem {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly extensions?: { readonly code?: string; readonly missingScopes?: readonly string[]; readonly retryAfterSeconds?: number | null };
}

/** The graph returned errors or a response that isn't GraphQL, or couldn't be reached. */
export class GraphError extends Error {
  override readonly name = 'GraphError';
  readonly errors: readonly GraphErrorItem[];

  constructor(errors: readonly GraphErrorItem[], options?: ErrorOptions) {
    super(errors.map(({ message }) => message).join(' '), options);
    this.errors = errors;
  }
}

interface GraphqlResponse<Data> {
  readonly data?: Data | null;
  readonly errors?: readonly GraphErrorItem[];
}

/** Data in which every field can be null because of an error. Members of a union can still be distinguished. */
export type PartialData<Data> = Data extends readonly (infer Item)[]
  ? readonly PartialData<Item>[]
  : Data extends object
    ? { readonly [Name in keyof Data]: Name extends '__typename' ? Data[Name] : PartialData<Data[Name]> | null }
    : Data;

/** The response to a mutation. Only its result union shows whether the mutation was applied. */
export interface MutationResponse<Data> {
  readonly data: PartialData<Data>;
  /** Errors of the fields that couldn't be read, with their `path`. Empty if the data is complete. */
  readonly errors: readonly GraphErrorItem[];
}

/** Runs a query. The document determines the types of the variables and the data. Returns only complete data, in which null is a value. */
export async function query<Data, Variables extends object>(
  graph: Graph,
  document: TypedDocumentNode<Data, Variables>,
  variables: Variables,
): Promise<Data> {
  const { data, errors } = await sendRequest<Data>(graph, document, variables);
  if (errors) throw new GraphError(errors);
  return data as Data;
}

/** Runs a mutation. Throws GraphError only if there is no result, because a mutation can succeed even if a field of its payload couldn't be read. */
export async function mutate<Data extends object, Variables extends object>(
  graph: Graph,
  document: TypedDocumentNode<Data, Variables>,
  variables: Variables,
): Promise<MutationResponse<Data>> {
  const { data, errors = [] } = await sendRequest<Data>(graph, document, variables);
  if (!data || Object.values(data).every((result) => result === null)) throw new GraphError(errors);
  return { data: data as PartialData<Data>, errors };
}

/** Sends a request. Returns data, errors, or both. */
async function sendRequest<Data>({ url, key }: Graph, document: DocumentNode, variables: object): Promise<GraphqlResponse<Data>> {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'application/graphql-response+json',
    },
    body: JSON.stringify({ query: print(document), variables }),
  }).catch((cause: unknown) => {
    throw new GraphError([{ message: `Can’t connect to ${url}. Check that the graph is running.` }], { cause });
  });
  const body = await parseResponse<Data>(response);
  if (body.data || body.errors) return body;
  throw new GraphError([{ message: `${url} returned neither data nor errors, with HTTP status ${response.status}.` }]);
}

async function parseResponse<Data>(response: Response): Promise<GraphqlResponse<Data>> {
  const text = await response.text();
  try {
    return JSON.parse(text) as GraphqlResponse<Data>;
  } catch {
    throw new GraphError([
      { message: `${response.url} didn’t return JSON, with HTTP status ${response.status}. Check that it is a GraphQL endpoint.` },
    ]);
  }
}
