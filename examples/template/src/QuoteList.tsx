import { useQuery } from '@apollo/client/react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { DraftQuotes } from './documents.ts';
import { QuoteEditor } from './QuoteEditor.tsx';
import { Status } from './Status.tsx';

/** All draft quotes. Loads the next page when the button at the end of the list becomes visible. */
export function QuoteList() {
  const { data, error, loading, refetch, fetchMore } = useQuery(DraftQuotes, { errorPolicy: 'all' });
  const page = data?.quoteSearch;
  const [opened, setOpened] = useState('');
  const [moreError, setMoreError] = useState<unknown>();
  const button = useRef<HTMLButtonElement>(null);

  const loadMore = () =>
    fetchMore({ variables: { after: page?.pageInfo.endCursor ?? null } }).then(() => setMoreError(undefined), setMoreError);
  const onVisible = useEffectEvent(loadMore);
  // Observed again after each page, because the button can still be visible. Not after an error, which only the user retries.
  const isObserved = !loading && moreError === undefined;
  useEffect(() => {
    if (!isObserved || !button.current) return;
    const observer = new IntersectionObserver((entries) => entries.some(({ isIntersecting }) => isIntersecting) && onVisible());
    observer.observe(button.current);
    return () => observer.disconnect();
  }, [isObserved]);

  return (
    <main>
      {page?.nodes.map(({ id, referenceNumber, title, totalOnce }) => (
        <article key={id}>
          <button type="button" aria-expanded={id === opened} onClick={() => setOpened(id === opened ? '' : id)}>
            <b>{referenceNumber}</b> {title} <span>{totalOnce && `${totalOnce.amount} ${totalOnce.currencyCode}`}</span>
          </button>
          {id === opened && <QuoteEditor id={id} />}
        </article>
      ))}
      {page?.pageInfo.hasNextPage && (
        <button type="button" ref={button} disabled={loading} onClick={loadMore}>
          Load more
        </button>
      )}
      <Status
        text={loading ? 'Loading…' : page?.nodes.length === 0 && 'There are no draft quotes.'}
        error={loading ? undefined : (moreError ?? error)}
        retry={moreError ? loadMore : () => refetch()}
      />
    </main>
  );
}
