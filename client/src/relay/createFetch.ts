import { type FetchFunction, type GraphQLResponse, Observable, type RequestParameters, type Variables } from 'relay-runtime';
import { findInputsInText, type InputNames } from '../core/inputs.ts';
import type { Intent } from '../core/intents.ts';
import { type PostOptions, post } from '../core/post.ts';
import type { RetryOptions } from '../core/retry.ts';
import { createSender } from '../core/sender.ts';

export interface FetchOptions extends PostOptions, RetryOptions {
  /**
   * Names of the variables that contain the inputs of a persisted mutation, whose text isn't known here. Null if an input is inline. Defaults to the variable
   * `input` if no other variable is an object.
   */
  readonly getInputVariables?: (request: RequestParameters, variables: Variables) => readonly string[] | null;
}

/** The variable `input`, if it's the only object. With another object, it's unclear which of them are inputs. */
function guessInputVariables(_request: RequestParameters, variables: Variables): InputNames {
  const objects = Object.keys(variables).filter((name) => typeof variables[name] === 'object' && variables[name] !== null);
  return objects.length === 1 && objects[0] === 'input' ? objects : null;
}

/**
 * Creates a fetch function for Relay's `Network.create` that adds idempotency keys to mutations, and retries requests by the advice of the graph. Pass the
 * intent of a mutation in `cacheConfig.metadata.intent`. Without one, every call is an intent of its own.
 */
export function createFetch(options: FetchOptions): FetchFunction {
  const { getInputVariables = guessInputVariables } = options;
  const send = createSender(options);

  return (request, variables, { metadata }) => {
    const isQuery = request.operationKind === 'query';
    const inputs = request.text ? findInputsInText(request.text) : getInputVariables(request, variables);
    const intent = metadata?.intent as Intent | undefined;
    return Observable.create<GraphQLResponse>((sink) => {
      const controller = new AbortController();
      const { signal } = controller;
      // Relay logs errors that occur after an observer has unsubscribed.
      const fail = (error: unknown) => sink.closed || sink.error(error as Error);
      const { id, text, name: operationName } = request;
      const document = id ? { documentId: id } : { query: text };
      send({ isQuery, operationName, variables, inputs, intent, signal }, (keyed) =>
        post(options, { ...document, operationName, variables: keyed }, isQuery ? signal : null),
      ).then(({ lost, data, errors }) => {
        if (lost !== undefined) return fail(lost);
        // Relay reports a response without data as an error with `source.errors`.
        sink.next({ data: data ?? null, errors } as GraphQLResponse);
        sink.complete();
      }, fail);
      return () => controller.abort();
    });
  };
}
