import type { ErrorLike } from '@apollo/client';
import { type GraphError, getGraphErrors } from '@workspace-graph/client';
import { createContext, useState } from 'react';

interface PageProblems {
  /** Distinct messages of the errors. */
  readonly messages: readonly string[];
  readonly isStockForbidden: boolean;
}

const UNREACHABLE = { message: 'Can’t reach the graph. Check that it’s running.', code: undefined, path: undefined };

const NONE: PageProblems = { messages: [], isStockForbidden: false };

/** Errors of the page's query. */
export const Problems = createContext<PageProblems>(NONE);

function toErrors(error: ErrorLike | undefined): readonly Pick<GraphError, 'message' | 'code' | 'path'>[] {
  if (!error) return [];
  const errors = getGraphErrors(error);
  return errors.length > 0 ? errors : [UNREACHABLE];
}

function addErrors({ messages, isStockForbidden }: PageProblems, error: ErrorLike | undefined): PageProblems {
  const errors = toErrors(error);
  const isForbidden = errors.some(({ code, path }) => code === 'FORBIDDEN' && path?.includes('lines'));
  return {
    messages: [...new Set([...messages.filter((message) => message !== UNREACHABLE.message), ...errors.map(({ message }) => message)])],
    isStockForbidden: isStockForbidden || isForbidden,
  };
}

/** Stores the errors of each response, because Apollo discards them as soon as the next response changes the cache. */
export function useProblems() {
  const [problems, setProblems] = useState(NONE);
  return {
    problems,
    addError: (error: ErrorLike | undefined) => setProblems((before) => addErrors(before, error)),
    clear: () => setProblems(NONE),
  };
}
