import type { ApolloClient, ErrorLike, OperationVariables, TypedDocumentNode } from '@apollo/client';
import { useState } from 'react';
import { getMessages, isForbidden } from './problems.ts';

/** Loads a page of a list into the cache, which appends it. Resolves to the error, unless the first page had it, too. */
export async function loadPage<Variables extends OperationVariables>(
  client: ApolloClient,
  query: TypedDocumentNode<unknown, Variables>,
  variables: NoInfer<Variables>,
): Promise<ErrorLike | undefined> {
  const { data, error } = await client.query<unknown>({ query, variables, fetchPolicy: 'network-only', errorPolicy: 'all' });
  return error && !(data && isForbidden(error)) ? error : undefined;
}

interface LoadMoreProps {
  /** Noun for the items, in the plural. */
  readonly items: string;
  /** Number of items that aren't loaded yet. Null if unknown. */
  readonly remaining?: number | null;
  /** Loads the next page. Resolves to the error if it failed. */
  readonly onLoad: () => Promise<ErrorLike | undefined>;
}

/** Button that loads the next page of a list. If that fails, it says why, and the button tries again. */
export function LoadMore({ items, remaining = null, onLoad }: LoadMoreProps) {
  const [isLoading, setIsLoading] = useState(false);
  const [error, setError] = useState<ErrorLike>();
  const load = async () => {
    if (isLoading) return;
    setIsLoading(true);
    setError(await onLoad().finally(() => setIsLoading(false)));
  };
  return (
    <div className="more">
      <div role="status">{error && <p className="notice failed">{getMessages(error).join(' ')}</p>}</div>
      <p className="buttons">
        <button type="button" className="quiet" onClick={load} aria-busy={isLoading} aria-label={`Load more ${items}`}>
          {isLoading ? 'Loading…' : 'Load more'}
        </button>
        {remaining !== null && <small>{remaining} remaining</small>}
      </p>
    </div>
  );
}
