import { useEffect, useState, useSyncExternalStore } from 'react';
import { createMutationRunner, type ExecuteMutation, type MutationState } from './mutationRunner.ts';

export interface IdempotentMutation<Input, Value> {
  /**
   * Runs the mutation. Resolves to its final state, and never rejects. The same input belongs to the same intent until it succeeds, so that a second click isn’t
   * sent, and a later one is applied at most once.
   */
  readonly run: (input: Input) => Promise<MutationState<Value>>;
  readonly state: MutationState<Value>;
  /** Returns to `idle`. A mutation that is pending continues, and its result is ignored. */
  readonly reset: () => void;
}

/**
 * Runs a mutation once per intent. `execute` sends one attempt with any client library, which must get the intent: in `context.intent` of Apollo Client and
 * urql, or `cacheConfig.metadata.intent` of Relay. It rejects if the mutation fails, such as with `unwrap`. A mutation continues when the component unmounts.
 */
export function useIdempotentMutation<Input, Value>(execute: ExecuteMutation<Input, Value>): IdempotentMutation<Input, Value> {
  const [runner] = useState(() => createMutationRunner(execute));
  useEffect(() => runner.setExecute(execute));
  const state = useSyncExternalStore(runner.subscribe, runner.getState, runner.getState);
  return { run: runner.run, state, reset: runner.reset };
}
