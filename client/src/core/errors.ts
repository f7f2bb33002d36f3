import { MutationFailure, type RetryAdvice } from './results.ts';

/** An entry of `errors` in a response. */
export interface ResponseError {
  readonly message: string;
  readonly path?: readonly (string | number)[] | undefined;
  readonly extensions?: Readonly<Record<string, unknown>> | undefined;
}

/** An error of a response, with the extensions that clients act on. */
export interface GraphError {
  readonly message: string;
  /** Undefined for errors of gateways. */
  readonly code: string | undefined;
  /** Refines `code`, such as `TOKEN_EXPIRED` for `UNAUTHENTICATED`. */
  readonly reason: string | undefined;
  /** The field that failed. Undefined if nothing was executed. */
  readonly path: readonly (string | number)[] | undefined;
  readonly retry: RetryAdvice | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly extensions: Readonly<Record<string, unknown>>;
}

/** Where client libraries put the errors of a response: in the error itself (Apollo, urql), its source (Relay), or its unparsed body (Apollo). urql wraps errors of this package. */
interface ErrorHolder {
  readonly errors?: unknown;
  readonly graphQLErrors?: unknown;
  readonly source?: ErrorHolder;
  readonly networkError?: ErrorHolder;
  readonly bodyText?: unknown;
}

/** Parses JSON. Undefined for anything else, such as an HTML page of a load balancer. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function findErrors(error: unknown): readonly ResponseError[] {
  if (typeof error !== 'object' || error === null) return [];
  const { errors, graphQLErrors, source, networkError, bodyText }: ErrorHolder = error;
  if (typeof bodyText === 'string') return findErrors(parseJson(bodyText));
  const found = errors ?? graphQLErrors;
  return Array.isArray(found) && found.length > 0 ? found : findErrors(source ?? networkError);
}

const toGraphError = ({ message, path, extensions = {} }: ResponseError): GraphError => {
  const { code, reason, retry, retryAfterSeconds } = extensions as Partial<GraphError>;
  return { message, code, reason, path, retry, retryAfterSeconds, extensions };
};

/**
 * Returns the errors of a response from an error of Apollo Client, urql, or Relay, or from the response itself. Empty if the graph didn’t respond, such as
 * after a network error.
 */
export const getGraphErrors = (error: unknown): readonly GraphError[] => findErrors(error).map(toGraphError);

/** A violated rule: the fields of `ValidationIssue` that the document selects. */
export interface FieldIssue {
  readonly path: readonly string[];
  readonly code?: string;
  readonly limit?: number | null;
  readonly message?: string;
}

/**
 * Returns the issues of a ValidationError by the path of the input value, such as `lines.3.quantity`. Issues of the input as a whole have an empty path.
 * Empty for other failures. Accepts a failure, a MutationFailure, and the extensions of an error.
 */
export function getFieldIssues(failure: unknown): Readonly<Partial<Record<string, readonly FieldIssue[]>>> {
  const { issues = [] } = ((failure instanceof MutationFailure ? failure.failure : failure) ?? {}) as {
    readonly issues?: readonly FieldIssue[];
  };
  return Object.groupBy(issues, ({ path }) => path.join('.'));
}
