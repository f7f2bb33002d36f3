import type { ErrorLike } from '@apollo/client';
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { getMessages, isRepeatable, type Read, useLastError } from './problems.ts';

interface FailedReadProps {
  readonly error: ErrorLike;
  readonly onRetry: () => void;
  readonly isRetrying: boolean;
}

function FailedRead({ error, onRetry, isRetrying }: FailedReadProps) {
  return (
    <div className="notice failed">
      {getMessages(error).map((message) => (
        <p key={message}>{message}</p>
      ))}
      {isRepeatable(error) && (
        <p className="buttons">
          <button type="button" className="quiet" onClick={onRetry} aria-busy={isRetrying}>
            {isRetrying ? 'Trying again…' : 'Try again'}
          </button>
        </p>
      )}
    </div>
  );
}

/** Animated placeholders of content that is loading. */
export const Skeleton = () => (
  <div className="skeleton" aria-hidden="true">
    <span />
    <span />
    <span />
  </div>
);

interface ReadStatusProps {
  readonly read: Read;
  /** Whether there are placeholders while it's loading. */
  readonly hasSkeleton?: boolean;
  /** Further texts about what was read. */
  readonly children?: ReactNode;
}

/** Status of a query: placeholders while nothing is displayed yet, and the reason of a failure with a button that reads again. */
export function ReadStatus({ read, hasSkeleton = true, children }: ReadStatusProps) {
  const { loading, data, previousData, refetch } = read;
  const error = useLastError(read);
  /** The failure that is being retried. It's displayed until there is a result, so that its button keeps the focus. */
  const [retried, setRetried] = useState<ErrorLike>();
  const element = useRef<HTMLDivElement>(null);
  const displayed = retried ?? error;
  const hasFailed = displayed !== undefined;
  const hadFailed = useRef(hasFailed);
  useLayoutEffect(() => {
    // The button that was clicked no longer exists, so the focus would be lost.
    if (hadFailed.current && !hasFailed && document.activeElement === document.body) element.current?.focus();
    hadFailed.current = hasFailed;
  }, [hasFailed]);
  const retry = async () => {
    if (retried) return;
    setRetried(error);
    await refetch().catch(() => undefined);
    setRetried(undefined);
  };
  const isLoading = hasSkeleton && loading && data === undefined && previousData === undefined && !hasFailed;
  return (
    <>
      <div role="status" tabIndex={-1} ref={element}>
        {isLoading && <p className="visually-hidden">Loading…</p>}
        {displayed && <FailedRead error={displayed} onRetry={() => void retry()} isRetrying={retried !== undefined} />}
        {!isLoading && children}
      </div>
      {isLoading && <Skeleton />}
    </>
  );
}
