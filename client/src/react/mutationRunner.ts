import { getGraphErrors } from '../core/errors.ts';
import { createIntent, type Intent, IntentReusedError, toStableJson } from '../core/intents.ts';
import { MutationFailure } from '../core/results.ts';

/** Executes one attempt of a mutation with the client library of the page. Rejects if it fails, such as with `unwrap`. */
export type ExecuteMutation<Input, Value> = (input: Input, intent: Intent) => Promise<Value>;

/** State of a mutation on a page. */
export type MutationState<Value> =
  | { readonly status: 'idle' | 'pending' }
  | { readonly status: 'succeeded'; readonly value: Value }
  | {
      /** `unknown`: the mutation may have been applied. `failed`: it wasn’t. */
      readonly status: 'failed' | 'unknown';
      readonly error: unknown;
      /** Executes the same intent again, so that it’s applied at most once. */
      readonly retry: () => Promise<MutationState<Value>>;
    };

/** Whether the graph never accepts the key, because the clock of this device was wrong when it was created. */
const isKeyUnusable = (error: unknown) =>
  getGraphErrors(error).some(({ code, retry }) => code === 'IDEMPOTENCY_KEY_EXPIRED' && retry === 'NEVER');

/** Whether a mutation may have been applied although it failed. */
function mayBeApplied(error: unknown): boolean {
  if (error instanceof IntentReusedError) return false;
  if (error instanceof MutationFailure) return error.is('OUTCOME_UNKNOWN') || error.retry === 'CHECK_FIRST';
  const errors = getGraphErrors(error);
  // Without an error of the graph, its response was lost. Errors without advice are those of a server that failed.
  return (
    errors.every(({ code }) => code === undefined) ||
    errors.some(({ retry, code }) => retry === 'CHECK_FIRST' || code === 'INTERNAL_SERVER_ERROR')
  );
}

interface Run<Value> {
  /** The input, as JSON. */
  readonly request: string;
  readonly intent: Intent;
  /** Whether the next run with the same input is another intent. */
  isOver: boolean;
  /** The attempt that is in flight. */
  inFlight?: Promise<MutationState<Value>> | undefined;
}

export interface MutationRunner<Input, Value> {
  readonly subscribe: (listener: () => void) => () => void;
  readonly getState: () => MutationState<Value>;
  /** Replaces the function that executes attempts. */
  readonly setExecute: (execute: ExecuteMutation<Input, Value>) => void;
  readonly run: (input: Input) => Promise<MutationState<Value>>;
  readonly reset: () => void;
}

/** Runs mutations and stores the state of the latest one. Doesn’t depend on components, so mutations continue when one unmounts. */
export function createMutationRunner<Input, Value>(execute: ExecuteMutation<Input, Value>): MutationRunner<Input, Value> {
  const listeners = new Set<() => void>();
  let current = execute;
  let state: MutationState<Value> = { status: 'idle' };
  let latest: Run<Value> | undefined;

  const setState = (next: MutationState<Value>) => {
    state = next;
    for (const listener of listeners) listener();
  };

  async function attempt(input: Input, run: Run<Value>): Promise<MutationState<Value>> {
    try {
      const value = await current(input, run.intent);
      run.isOver = true;
      return { status: 'succeeded', value };
    } catch (error) {
      run.isOver = isKeyUnusable(error);
      return { status: mayBeApplied(error) ? 'unknown' : 'failed', error, retry: () => start(input, run) };
    }
  }

  function start(input: Input, run: Run<Value>): Promise<MutationState<Value>> {
    latest = run;
    run.inFlight ??= attempt(input, run).then((settled) => {
      run.inFlight = undefined;
      if (latest === run) setState(settled);
      return settled;
    });
    setState({ status: 'pending' });
    return run.inFlight;
  }

  return {
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    getState: () => state,
    setExecute: (next) => {
      current = next;
    },
    run: (input) => {
      const request = toStableJson(input) ?? '';
      const isOpen = latest?.request === request && !latest.isOver;
      return start(input, latest && isOpen ? latest : { request, intent: createIntent(), isOver: false });
    },
    reset: () => {
      latest = undefined;
      setState({ status: 'idle' });
    },
  };
}
