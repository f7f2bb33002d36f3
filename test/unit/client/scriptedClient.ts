import type { Outcome } from '../../../client/src/core/advice.ts';
import type { RetryEvent, RetryOptions } from '../../../client/src/core/retry.ts';
import { createSender } from '../../../client/src/core/sender.ts';

/** Options with a clock that only waits advance. Delays are half of their upper bound. */
export function createFakeTime() {
  const delays: number[] = [];
  const reasons: string[] = [];
  const time = { now: 0 };
  const options = {
    now: () => time.now,
    wait: async (ms: number) => {
      delays.push(ms);
      time.now += ms;
    },
    random: () => 0.5,
    onRetry: ({ reason }: RetryEvent) => reasons.push(reason),
  } satisfies RetryOptions;
  return { options, delays, reasons, time };
}

interface ScriptedRequest {
  readonly isQuery?: boolean;
  readonly inputs?: readonly string[] | null;
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly intent?: { readonly key: string };
  readonly signal?: AbortSignal;
  readonly operationName?: string;
}

/** A sender whose attempts have the given outcomes, in order. The last one repeats. */
export function createScriptedClient(outcomes: readonly (Outcome | Promise<Outcome>)[], more: RetryOptions = {}) {
  const fake = createFakeTime();
  const sent: Readonly<Record<string, unknown>>[] = [];
  const sender = createSender({ ...fake.options, ...more });
  const send = ({ isQuery = false, variables = { input: {} }, ...request }: ScriptedRequest = {}) =>
    sender(
      {
        isQuery,
        operationName: 'ConfirmQuote',
        variables,
        inputs: isQuery ? null : ['input'],
        intent: undefined,
        signal: new AbortController().signal,
        ...request,
      },
      async (keyed) => {
        sent.push(keyed);
        return outcomes[Math.min(sent.length, outcomes.length) - 1] ?? {};
      },
    );
  return { ...fake, sent, send };
}
