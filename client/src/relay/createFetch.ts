import { type FetchFunction, type GraphQLResponse, Observable, type RequestParameters, type Variables } from 'relay-runtime';
import type { Outcome } from '../core/advice.ts';
import { parseJson } from '../core/errors.ts';
import { learnGraphTime } from '../core/graphTime.ts';
import { findInputsInText, type InputNames } from '../core/inputs.ts';
import type { Intent } from '../core/intents.ts';
import type { RetryOptions } from '../core/retry.ts';
import { createSender } from '../core/sender.ts';

export interface FetchOptions extends RetryOptions {
  readonly url: string;
  /** Returns the headers of an attempt, such as `authorization`. Called for each attempt, so that a renewed token is sent. */
  readonly headers?: () => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>;
  /** Defaults to the global `fetch`. */
  readonly fetch?: typeof fetch;
  /**
   * Names of the variables that contain the inputs of a persisted mutation, whose text isn't known here. Null if an input is inline. Defaults to the variable
   * `input` if no other variable is an object.
   */
  readonly getInputVariables?: (request: RequestParameters, variables: Variables) => readonly string[] | null;
}

/** The graph didn't respond, but something in between did, such as a load balancer. */
export class HttpError extends Error {
  override readonly name = 'HttpError';
  readonly status: number;

  constructor(status: number) {
    super(`The server responded with HTTP status ${status} instead of a GraphQL response.`);
    this.status = status;
  }
}

/** The variable `input`, if it's the only object. With another object, it's unclear which of them are inputs. */
function guessInputVariables(_request: RequestParameters, variables: Variables): InputNames {
  const objects = Object.keys(variables).filter((name) => typeof variables[name] === 'object' && variables[name] !== null);
  return objects.length === 1 && objects[0] === 'input' ? objects : null;
}

async function toOutcome(response: Response): Promise<Outcome> {
  const { status, headers } = response;
  learnGraphTime(headers);
  const retryAfterSeconds = Number(headers.get('retry-after')) || undefined;
  // As text, because the headers would be lost with an error of `json()`.
  const body = parseJson(await response.text());
  const isGraphQL = typeof body === 'object' && body !== null && ('data' in body || 'errors' in body);
  return { ...(isGraphQL ? (body as Outcome) : { lost: new HttpError(status) }), status, retryAfterSeconds };
}

/**
 * Creates a fetch function for Relay's `Network.create` that adds idempotency keys to mutations, and retries requests by the advice of the graph. Pass the
 * intent of a mutation in `cacheConfig.metadata.intent`. Without one, every call is an intent of its own.
 */
export function createFetch(options: FetchOptions): FetchFunction {
  const { url, headers: getHeaders = () => ({}), getInputVariables = guessInputVariables } = options;
  const send = createSender(options);

  async function attempt({ id, text, name }: RequestParameters, variables: Variables, signal: AbortSignal | null): Promise<Outcome> {
    const headers = { 'content-type': 'application/json', accept: 'application/graphql-response+json', ...(await getHeaders()) };
    const body = JSON.stringify({ ...(id ? { documentId: id } : { query: text }), operationName: name, variables });
    try {
      return await toOutcome(await (options.fetch ?? fetch)(url, { method: 'POST', headers, body, signal }));
    } catch (error) {
      return { lost: error };
    }
  }

  return (request, variables, { metadata }) => {
    const isQuery = request.operationKind === 'query';
    const inputs = request.text ? findInputsInText(request.text) : getInputVariables(request, variables);
    const intent = metadata?.intent as Intent | undefined;
    return Observable.create<GraphQLResponse>((sink) => {
      const controller = new AbortController();
      const { signal } = controller;
      // Relay logs errors that occur after an observer has unsubscribed.
      const fail = (error: unknown) => sink.closed || sink.error(error as Error);
      send({ isQuery, operationName: request.name, variables, inputs, intent, signal }, (keyed) =>
        attempt(request, keyed, isQuery ? signal : null),
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
