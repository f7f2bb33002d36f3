import type { Outcome } from './advice.ts';
import { addKeys, type InputNames, warnWithoutKey } from './inputs.ts';
import { checkAge, createIntent, type Intent, sendOnce, toStableJson } from './intents.ts';
import { createRetrier, type RetryOptions } from './retry.ts';

type Variables = Readonly<Record<string, unknown>>;

interface Request {
  readonly isQuery: boolean;
  readonly operationName: string | undefined;
  readonly variables: Variables;
  /** Stops a query. */
  readonly signal: AbortSignal;
  /** The inputs of a mutation. */
  readonly inputs: InputNames;
  /** The intent of a mutation. Without one, every call is an intent of its own. */
  readonly intent: Intent | undefined;
}

/** Sends requests of any client library. `attempt` sends one, with the variables that it gets. */
export type Sender = <Result extends Outcome>(request: Request, attempt: (variables: Variables) => Promise<Result>) => Promise<Result>;

export function createSender(options: RetryOptions): Sender {
  const retry = createRetrier(options);
  return async ({ isQuery, operationName = 'A mutation', variables, signal, inputs, intent = createIntent() }, attempt) => {
    if (isQuery) return retry(() => attempt(variables), { isQuery, isKeyed: false, signal });
    checkAge(intent);
    const keyed = addKeys(inputs, variables, intent);
    if (!keyed) warnWithoutKey(operationName);
    // Without the signal: a mutation continues when the component that started it unmounts.
    const send = () => retry(() => attempt(keyed ?? variables), { isQuery, isKeyed: keyed !== null });
    return sendOnce(intent, `${operationName} ${toStableJson(variables)}`, send);
  };
}
