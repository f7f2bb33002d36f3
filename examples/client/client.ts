import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { type DocumentNode, print } from 'graphql';

/** Where the graph is, and who asks. */
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

/** The graph answered with errors, without GraphQL, or not at all. */
export class GraphError extends Error {
  override readonly name = 'GraphError';
  readonly errors: readonly GraphErrorItem[];

  constructor(errors: readonly GraphErrorItem[], options?: ErrorOptions) {
    super(errors.map(({ message }) => message).join(' '), options);
    this.errors = errors;
  }
}

interface Answer<Data> {
  readonly data?: Data | null;
  readonly errors?: readonly GraphErrorItem[];
}

/** Data of which any field may be null, since it could not be read. The members of a union are told apart all the same. */
export type Partly<Data> = Data extends readonly (infer Item)[]
  ? readonly Partly<Item>[]
  : Data extends object
    ? { readonly [Name in keyof Data]: Name extends '__typename' ? Data[Name] : Partly<Data[Name]> | null }
    : Data;

/** The answer to a mutation. Whether it was done is told by its result union alone. */
export interface MutationAnswer<Data> {
  readonly data: Partly<Data>;
  /** The fields that could not be read, by their `path`. Empty when the data is whole. */
  readonly errors: readonly GraphErrorItem[];
}

/** Runs a query: its document decides what the variables and the answer are. Answers only what came whole, so null in it is data. */
export async function query<Data, Variables extends object>(
  graph: Graph,
  document: TypedDocumentNode<Data, Variables>,
  variables: Variables,
): Promise<Data> {
  const { data, errors } = await post<Data>(graph, document, variables);
  if (errors) throw new GraphError(errors);
  return data as Data;
}

/**
 * Runs a mutation. Throws GraphError only when it has no result: one that was done has been done, also when a field of its payload could
 * not be read.
 */
export async function mutate<Data extends object, Variables extends object>(
  graph: Graph,
  document: TypedDocumentNode<Data, Variables>,
  variables: Variables,
): Promise<MutationAnswer<Data>> {
  const { data, errors = [] } = await post<Data>(graph, document, variables);
  if (!data || Object.values(data).every((result) => result === null)) throw new GraphError(errors);
  return { data: data as Partly<Data>, errors };
}

/** The answer of the graph: data, errors, or both. */
async function post<Data>({ url, key }: Graph, document: DocumentNode, variables: object): Promise<Answer<Data>> {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'application/graphql-response+json',
    },
    body: JSON.stringify({ query: print(document), variables }),
  }).catch((cause: unknown) => {
    throw new GraphError([{ message: `${url} cannot be reached. Does the graph run there?` }], { cause });
  });
  const answer = await read<Data>(response);
  if (answer.data || answer.errors) return answer;
  throw new GraphError([{ message: `${url} answered neither data nor errors, with HTTP status ${response.status}.` }]);
}

async function read<Data>(response: Response): Promise<Answer<Data>> {
  const text = await response.text();
  try {
    return JSON.parse(text) as Answer<Data>;
  } catch {
    throw new GraphError([{ message: `${response.url} answered no JSON, with HTTP status ${response.status}. Is it a graph?` }]);
  }
}
