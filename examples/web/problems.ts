import { CombinedGraphQLErrors, type ErrorLike } from '@apollo/client';
import type { GraphQLFormattedError } from 'graphql';
import { createContext, useState } from 'react';

interface PageProblems {
  /** Messages of the errors, each once. */
  readonly messages: readonly string[];
  readonly isStockForbidden: boolean;
}

const UNREACHABLE = { message: 'Can’t reach the graph. Check that it’s running.' };

const NONE: PageProblems = { messages: [], isStockForbidden: false };

/** Errors of the page's query. */
export const Problems = createContext<PageProblems>(NONE);

function errorsOf(error: ErrorLike | undefined): readonly GraphQLFormattedError[] {
  if (!error) return [];
  return CombinedGraphQLErrors.is(error) ? error.errors : [UNREACHABLE];
}

function withAnswer({ messages, isStockForbidden }: PageProblems, error: ErrorLike | undefined): PageProblems {
  const errors = errorsOf(error);
  const isForbidden = errors.some(({ path, extensions }) => extensions?.code === 'FORBIDDEN' && path?.includes('lines'));
  return {
    messages: [...new Set([...messages.filter((message) => message !== UNREACHABLE.message), ...errors.map(({ message }) => message)])],
    isStockForbidden: isStockForbidden || isForbidden,
  };
}

/** Keeps what went wrong with each answer: Apollo forgets the errors of one as soon as the next changes the cache. */
export function useProblems() {
  const [problems, setProblems] = useState(NONE);
  return { problems, note: (error: ErrorLike | undefined) => setProblems((before) => withAnswer(before, error)) };
}
