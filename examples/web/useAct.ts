import { useState } from 'react';
import { type ActResult, type Failure, failureOf } from './failure.ts';

export type ActState =
  | { readonly at: 'rest' | 'running' }
  | { readonly at: 'done'; readonly message: string }
  | { readonly at: 'failed'; readonly failure: Failure; readonly repeat: () => Promise<void> };

/** Runs one act at a time, and holds on to a failed one: `repeat` sends the very same act, with the key that it was made with. */
export function useAct(onDone: () => void = () => undefined) {
  const [state, setState] = useState<ActState>({ at: 'rest' });
  async function run(act: () => Promise<ActResult>): Promise<void> {
    setState({ at: 'running' });
    const result = await act().catch(failureOf);
    if (typeof result === 'string') onDone();
    setState(typeof result === 'string' ? { at: 'done', message: result } : { at: 'failed', failure: result, repeat: () => run(act) });
  }
  return { state, run, close: () => setState({ at: 'rest' }) };
}
