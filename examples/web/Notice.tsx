import { useEffect, useRef } from 'react';
import { FailureNotice, type Next } from './FailureNotice.tsx';
import type { ActState } from './useAct.ts';

interface NoticeProps extends Omit<Next, 'onRepeat'> {
  readonly state: ActState;
  /** Noun for the record that the act was about. */
  readonly subject: string;
}

/** Notice of the last act's result. Takes the focus when there is a result to tell, and keeps it when the user takes the way out of a failure. */
export function Notice({ state, ...next }: NoticeProps) {
  const place = useRef<HTMLDivElement>(null);
  const before = useRef(state.at);
  useEffect(() => {
    const isLeft = state.at === 'rest' && before.current === 'failed';
    if (isLeft || state.at === 'failed' || state.at === 'done') place.current?.focus();
    before.current = state.at;
  }, [state.at]);
  return (
    <div className={`notice ${state.at}`} aria-live="polite" tabIndex={-1} ref={place}>
      {state.at === 'running' && <p>Sending…</p>}
      {state.at === 'done' && <p>{state.message}</p>}
      {state.at === 'failed' && <FailureNotice failure={state.failure} onRepeat={() => void state.repeat()} {...next} />}
    </div>
  );
}
