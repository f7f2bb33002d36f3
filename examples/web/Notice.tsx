import { useEffect, useRef } from 'react';
import { type FailureActions, FailureNotice } from './FailureNotice.tsx';
import type { MutationState } from './useMutationState.ts';

interface NoticeProps extends Omit<FailureActions, 'onRepeat'> {
  readonly state: MutationState;
  /** Noun for the record that the mutation was about. */
  readonly subject: string;
}

/** Notice of the last mutation's result. Receives the focus when there is a result, and when the user has chosen an action after a failure. */
export function Notice({ state, ...next }: NoticeProps) {
  const element = useRef<HTMLDivElement>(null);
  const before = useRef(state.at);
  useEffect(() => {
    const isDismissed = state.at === 'rest' && before.current === 'failed';
    if (isDismissed || state.at === 'failed' || state.at === 'done') element.current?.focus();
    before.current = state.at;
  }, [state.at]);
  return (
    <div className={`notice ${state.at}`} aria-live="polite" tabIndex={-1} ref={element}>
      {state.at === 'running' && <p>Sending…</p>}
      {state.at === 'done' && <p>{state.message}</p>}
      {state.at === 'failed' && <FailureNotice failure={state.failure} onRepeat={() => void state.repeat()} {...next} />}
    </div>
  );
}
