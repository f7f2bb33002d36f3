import { useState } from 'react';
import { type Failure, type MutationResult, toFailure } from './failure.ts';

export type MutationState =
  | { readonly at: 'rest' | 'running' }
  | { readonly at: 'done'; readonly message: string }
  | { readonly at: 'failed'; readonly failure: Failure; readonly repeat: () => Promise<void> };

/** Runs one mutation at a time. Keeps a failed one, so that `repeat` sends it again with the same key. */
export function useMutationState(onDone: () => void = () => undefined) {
  const [state, setState] = useState<MutationState>({ at: 'rest' });
  async function run(mutation: () => Promise<MutationResult>): Promise<void> {
    setState({ at: 'running' });
    const result = await mutation().catch(toFailure);
    if (typeof result === 'string') onDone();
    setState(typeof result === 'string' ? { at: 'done', message: result } : { at: 'failed', failure: result, repeat: () => run(mutation) });
  }
  return { state, run, close: () => setState({ at: 'rest' }) };
}
