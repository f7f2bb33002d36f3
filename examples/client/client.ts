import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { print } from 'graphql';

/** Where the graph is, and who asks. */
export interface Graph {
  readonly url: string;
  readonly key: string;
}

/** One of `errors`: `extensions.code` is for programs, `message` for people. */
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

/** Runs a document: it decides what the variables and the answer are. Answers only what came whole. */
export async function execute<Data, Variables extends object>(
  { url, key }: Graph,
  document: TypedDocumentNode<Data, Variables>,
  variables: Variables,
): Promise<Data> {
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
  const { data, errors } = await read<Data>(response);
  if (errors) throw new GraphError(errors);
  if (!data) throw new GraphError([{ message: `${url} answered neither data nor errors, with HTTP status ${response.status}.` }]);
  return data;
}

async function read<Data>(response: Response): Promise<Answer<Data>> {
  const text = await response.text();
  try {
    return JSON.parse(text) as Answer<Data>;
  } catch {
    throw new GraphError([{ message: `${response.url} answered no JSON, with HTTP status ${response.status}. Is it a graph?` }]);
  }
}
