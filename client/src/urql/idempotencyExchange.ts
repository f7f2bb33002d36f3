import { type Exchange, makeErrorResult, makeOperation, type Operation, type OperationResult } from '@urql/core';
import { filter, make, makeSubject, merge, mergeMap, pipe, share, subscribe, takeUntil, takeWhile } from 'wonka';
import type { Outcome } from '../core/advice.ts';
import { learnGraphTime } from '../core/graphTime.ts';
import { inspectDocument } from '../core/inputs.ts';
import type { Intent } from '../core/intents.ts';
import { createReplay, type Replay } from '../core/replay.ts';
import type { RetryOptions } from '../core/retry.ts';
import { createSender } from '../core/sender.ts';

declare module '@urql/core' {
  interface OperationContext {
    /** The intent of a mutation. Pass the same one to try again. Without one, every call is an intent of its own. */
    intent?: Intent | undefined;
    /** Identifies the results of one attempt. Set by `idempotencyExchange`. */
    attempt?: symbol;
  }
}

interface UrqlOutcome extends Outcome {
  readonly results: Replay<OperationResult>;
}

function toOutcome({ data, error }: OperationResult): Outcome {
  const response: Response | undefined = error?.response;
  const retryAfterSeconds = Number(response?.headers?.get('retry-after')) || undefined;
  return { data, errors: error?.graphQLErrors, lost: error?.networkError, status: response?.status, retryAfterSeconds };
}

const isRetried = ({ kind }: Operation) => kind === 'query' || kind === 'mutation';

/**
 * Creates an exchange that adds idempotency keys to mutations, and retries requests by the advice of the graph. Place it after the cache, and before exchanges
 * that authenticate or send requests.
 */
export const idempotencyExchange =
  (options: RetryOptions = {}): Exchange =>
  ({ forward }) =>
  (operations$) => {
    const send = createSender(options);
    const shared$ = pipe(operations$, share);
    // An exchange can call `forward` only once. So attempts go through a subject, and their results are found by a symbol in their context.
    const attempts = makeSubject<Operation>();
    const passed$ = pipe(
      shared$,
      filter((operation) => !isRetried(operation)),
    );
    const results$ = pipe(merge([passed$, attempts.source]), forward, share);

    const attempt = (operation: Operation, variables: Operation['variables']) =>
      new Promise<UrqlOutcome>((resolve) => {
        const id = Symbol('attempt');
        const results = createReplay<OperationResult>();
        pipe(
          results$,
          filter((result) => result.operation.context.attempt === id),
          takeWhile(({ hasNext }) => hasNext, true),
          subscribe((result) => {
            results.next(result);
            if (!result.hasNext) results.complete();
            resolve({ ...toOutcome(result), results });
          }),
        );
        // Results of urql don’t contain headers.
        const send: typeof fetch = async (...request) => {
          const response = await (operation.context.fetch ?? fetch)(...request);
          learnGraphTime(response.headers);
          return response;
        };
        attempts.next({ ...makeOperation(operation.kind, operation, { ...operation.context, attempt: id, fetch: send }), variables });
      });

    const run = (operation: Operation) => {
      const isQuery = operation.kind === 'query';
      const { intent } = operation.context;
      return make<OperationResult>(({ next, complete }) => {
        const controller = new AbortController();
        const { signal } = controller;
        const observer = {
          next: (result: OperationResult) => next({ ...result, operation }),
          error: (error: unknown) => {
            next(makeErrorResult(operation, error as Error));
            complete();
          },
          complete,
        };
        const request = { isQuery, ...inspectDocument(operation.query), variables: operation.variables ?? {}, intent, signal };
        send(request, (variables) => attempt(operation, variables)).then(
          ({ results }) => signal.addEventListener('abort', results.subscribe(observer)),
          observer.error,
        );
        return () => controller.abort();
      });
    };

    const retried$ = pipe(
      shared$,
      filter(isRetried),
      mergeMap((operation) => {
        const isTornDown = ({ kind, key }: Operation) => operation.kind === 'query' && kind === 'teardown' && key === operation.key;
        return pipe(run(operation), takeUntil(pipe(shared$, filter(isTornDown))));
      }),
    );
    const other$ = pipe(
      results$,
      filter(({ operation }) => operation.context.attempt === undefined),
    );
    return merge([retried$, other$]);
  };
