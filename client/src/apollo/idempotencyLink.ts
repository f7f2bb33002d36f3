import { ApolloLink, CombinedGraphQLErrors, Observable, ServerError, ServerParseError } from '@apollo/client';
import type { Outcome } from '../core/advice.ts';
import { parseJson } from '../core/errors.ts';
import { learnGraphTime } from '../core/graphTime.ts';
import { inspectDocument } from '../core/inputs.ts';
import type { Intent } from '../core/intents.ts';
import { createReplay, type Replay } from '../core/replay.ts';
import type { RetryOptions } from '../core/retry.ts';
import { createSender } from '../core/sender.ts';

declare module '@apollo/client' {
  interface DefaultContext {
    /** The intent of a mutation. Pass the same one to try again. Without one, every call is an intent of its own. */
    intent?: Intent | undefined;
  }
}

interface ApolloOutcome extends Outcome {
  readonly results: Replay<ApolloLink.Result>;
}

const toOutcome = ({ data, errors }: Pick<Outcome, 'data' | 'errors'>): Outcome => ({ data, errors });

/** Apollo Client throws responses with other statuses than 2xx and another media type than `application/graphql-response+json`, also those of the graph. */
function toFailedOutcome(error: unknown): Outcome {
  if (CombinedGraphQLErrors.is(error)) return toOutcome(error as Outcome);
  if (!ServerError.is(error) && !ServerParseError.is(error)) return { lost: error };
  const { statusCode: status, bodyText, response } = error;
  const { data, errors } = (parseJson(bodyText) ?? {}) as Outcome;
  const retryAfterSeconds = Number(response.headers.get('retry-after')) || undefined;
  return { data, errors, status, retryAfterSeconds, lost: Array.isArray(errors) ? undefined : error };
}

/** Subscribes to the following links. Resolves with the first result, by which the attempt is judged. */
function attempt(source: Observable<ApolloLink.Result>, signal: AbortSignal | undefined): Promise<ApolloOutcome> {
  return new Promise((resolve) => {
    const results = createReplay<ApolloLink.Result>();
    const subscription = source.subscribe({
      next: (result) => {
        results.next(result);
        resolve({ ...toOutcome(result as Outcome), results });
      },
      error: (error: unknown) => {
        results.error(error);
        resolve({ ...toFailedOutcome(error), results });
      },
      complete: () => {
        results.complete();
        resolve({ results });
      },
    });
    signal?.addEventListener('abort', () => subscription.unsubscribe());
  });
}

/**
 * Creates a link that adds idempotency keys to mutations, and retries requests by the advice of the graph. Place it before links that authenticate or send
 * requests, so that every attempt passes through them.
 */
export function idempotencyLink(options: RetryOptions = {}): ApolloLink {
  const send = createSender(options);
  return new ApolloLink((operation, forward) => {
    const { operationType, query, variables } = operation;
    if (operationType === 'subscription') return forward(operation);
    const isQuery = operationType === 'query';
    const { intent } = operation.getContext();
    return new Observable((observer) => {
      const controller = new AbortController();
      const { signal } = controller;
      send({ isQuery, ...inspectDocument(query), variables, intent, signal }, (keyed) => {
        operation.variables = keyed;
        return attempt(forward(operation), isQuery ? signal : undefined).finally(() =>
          learnGraphTime(operation.getContext().response?.headers),
        );
      }).then(
        ({ results }) => signal.addEventListener('abort', results.subscribe(observer)),
        (error: unknown) => observer.error(error),
      );
      return () => controller.abort();
    });
  });
}
