import type { IdempotentMutation } from '@workspace-graph/client/react';
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { type Conflict, FailureNotice, isBlocked } from './FailureNotice.tsx';

/** A mutation that succeeds with a message for the user. */
export type Change = Pick<IdempotentMutation<never, string>, 'state' | 'reset'>;

/** Whether a mutation is pending, or its failure isn't dismissed yet. */
export const isActive = ({ state: { status } }: Change): boolean => status !== 'idle' && status !== 'succeeded';

/** Whether a mutation is pending, or may have been applied. A form whose input was refused can be corrected at once. */
export const isUndecided = ({ state: { status } }: Change): boolean => status === 'pending' || status === 'unknown';

interface NoticeProps {
  readonly mutation: Change;
  /** Noun for the record that the mutation was about. */
  readonly subject: string;
  /** Reloads the record. Resolves to whether that succeeded. */
  readonly onReload: () => Promise<boolean>;
  /** Whether to offer this if the status of a record blocks the mutation. The response usually contains the current record. */
  readonly reloadsBlocked?: boolean;
  /** Explains that another caller has changed the record, and offers what to do. Undefined for records without versions. */
  readonly renderConflict?: (conflict: Conflict) => ReactNode;
}

/** Notice of the last mutation's result. Receives the focus when there is a result, and when the user has chosen an action after a failure. */
export function Notice({ mutation: { state, reset }, subject, onReload, reloadsBlocked = false, renderConflict }: NoticeProps) {
  const { status } = state;
  const hasFailed = status === 'failed' || status === 'unknown';
  const [reloaded, setReloaded] = useState<'' | 'Reloaded.' | 'Couldn’t reload. Try again.'>('');
  const element = useRef<HTMLDivElement>(null);
  const hadFailed = useRef(hasFailed);
  useLayoutEffect(() => {
    // The button that was clicked no longer exists. The focus may already have moved on to what the user has chosen.
    const isDismissed = status === 'idle' && hadFailed.current && document.activeElement === document.body;
    if (isDismissed || hasFailed || status === 'succeeded') element.current?.focus();
    hadFailed.current = hasFailed;
    if (status === 'pending') setReloaded('');
  }, [status, hasFailed]);
  const reload = async () => {
    const isReloaded = await onReload().catch(() => false);
    if (isReloaded) reset();
    setReloaded(isReloaded ? 'Reloaded.' : 'Couldn’t reload. Try again.');
  };
  return (
    <div className={`notice ${hasFailed ? 'failed' : status}`} aria-live="polite" tabIndex={-1} ref={element}>
      {status === 'pending' && <p>Sending…</p>}
      {status === 'succeeded' && <p>{state.value}</p>}
      {hasFailed && (
        <FailureNotice
          error={state.error}
          subject={subject}
          onRetry={() => void state.retry()}
          onReload={isBlocked(state.error) && !reloadsBlocked ? undefined : () => void reload()}
          renderConflict={renderConflict}
          onDismiss={reset}
        />
      )}
      {(hasFailed || status === 'idle') && reloaded && <p>{reloaded}</p>}
    </div>
  );
}
