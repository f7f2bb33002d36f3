import { GraphQLError } from 'graphql';
import type { ErrorCode } from '../../failures/errorCodes.ts';
import { ApiError, UnauthenticatedError } from '../../failures/failures.ts';

/** Logs errors that must not be returned to clients. */
export type OnUnexpected = (error: unknown) => void;

const getLocation = ({ nodes, source, positions, path }: GraphQLError) => ({
  ...(nodes && { nodes }),
  ...(source && { source }),
  ...(positions && { positions }),
  ...(path && { path }),
});

/**
 * The error of a request that isn't well-formed, with its status in any media type: Yoga sends 200 as `application/json` for some, such as one without a query.
 * The cause that Yoga adds to invalid JSON is removed, because it quotes the body.
 */
function toMalformedRequestError(error: GraphQLError): GraphQLError {
  const { originalError, http, ...extensions } = error.extensions;
  if (extensions.code !== ('BAD_REQUEST' satisfies ErrorCode) || (originalError === undefined && !http?.spec)) return error;
  return new GraphQLError(error.message, { ...getLocation(error), extensions: { ...extensions, http: { ...http, spec: false } } });
}

/**
 * The error for an account whose API key the upstream rejects. The reason distinguishes it from a rejected access token, because signing in again wouldn't help.
 */
export function toRefusedKeyError(error: unknown): unknown {
  const isRefusedKey = [...iterateCauses(error)].some((each) => each instanceof UnauthenticatedError);
  if (!isRefusedKey) return error;
  return new GraphQLError('The API key of your account is invalid, expired, or revoked. Contact your workspace administrator.', {
    ...(error instanceof GraphQLError && getLocation(error)),
    extensions: { code: 'UNAUTHENTICATED' satisfies ErrorCode, retry: 'NEVER', reason: 'KEY_REFUSED' },
  });
}

/** An error and its original errors, outermost first. */
function* iterateCauses(error: unknown): Generator<unknown> {
  for (let current = error; current instanceof Error; current = (current as { originalError?: unknown }).originalError) yield current;
}

/**
 * Masks an error for the client. Errors that are meant for clients pass. An error about a stored value that doesn't match its field's type says so. All others
 * become INTERNAL_SERVER_ERROR and are logged. `hidesNames`: whether introspection is disabled.
 */
export const maskError = (error: unknown, onUnexpected: OnUnexpected, hidesNames: boolean): Error => {
  const classified = classify(error, onUnexpected);
  // Suggestions are removed before the message is truncated, because a truncated suggestion wouldn't be recognized.
  classified.message = truncateMessage(hidesNames ? removeSuggestions(classified) : classified);
  return classified;
};

/** A suggestion at the end of a graphql-js message. Values that the message repeats are in quotes, so they don't end with a question mark. */
const SUGGESTION = / Did you mean (?:(?! Did you mean ).)*\?$/s;

/**
 * Removes suggested names, through which validation rules and variable coercion reveal the schema word by word. Suggestions in API errors are preserved: they
 * name data that the key can read, such as fields of the analytics catalog.
 */
export function removeSuggestions<Shown extends Error>(error: Shown): Shown {
  const isApiError = [...iterateCauses(error)].some((each) => each instanceof ApiError);
  if (!isApiError) error.message = error.message.replace(SUGGESTION, '');
  return error;
}

/** Maximum length of a message, in characters. Chosen: graphql-js repeats the whole value of an invalid variable. */
const MAX_MESSAGE = 2_000;

/** Also replaces half characters, because messages quote the start of long values. */
export function truncateMessage({ message }: Error): string {
  return (message.length > MAX_MESSAGE ? `${message.slice(0, MAX_MESSAGE)}…` : message).toWellFormed();
}

function classify(error: unknown, onUnexpected: OnUnexpected): Error {
  const chain = [...iterateCauses(error)];
  const api = chain.find((each) => each instanceof ApiError);
  if (api && error instanceof GraphQLError) return error;
  if (api) return api as ApiError;
  if (error instanceof GraphQLError) {
    const isOwn = chain.every((each) => each instanceof GraphQLError);
    if (isOwn && !error.path) {
      const { code = isBadInput(error) ? 'BAD_USER_INPUT' : 'GRAPHQL_VALIDATION_FAILED', http } = error.extensions;
      if (error.extensions.code && code !== 'OPERATION_RESOLUTION_FAILURE' && !isBadVariable(error)) return toMalformedRequestError(error);
      // With `spec`, Yoga sends 200 if the response is application/json, as for any other error of a well-formed request.
      return new GraphQLError(error.message, {
        ...getLocation(error),
        extensions: { ...error.extensions, code, http: { status: 400, ...(http ?? {}), spec: true } },
      });
    }
    if (isOwn && error.extensions.code) return error;
    if (isOwn && isBadArgument(error))
      return new GraphQLError(error.message, { ...getLocation(error), extensions: { code: 'BAD_USER_INPUT' satisfies ErrorCode } });
    if (isSerializationError(error)) {
      onUnexpected(error);
      return new GraphQLError('The value stored in the Workspace API is invalid for this field’s type.', {
        ...getLocation(error),
        extensions: { code: 'UPSTREAM_INVALID_RESPONSE' satisfies ErrorCode },
      });
    }
  }
  onUnexpected(error);
  const place = error instanceof GraphQLError ? getLocation(error) : {};
  return new GraphQLError('Internal server error. The server log has the cause under the request ID.', {
    ...place,
    extensions: { code: 'INTERNAL_SERVER_ERROR' satisfies ErrorCode },
  });
}

/** A variable has an invalid value. graphql-js sets no code for that. */
const isBadVariable = ({ message }: GraphQLError) => /^Variable "\$\w+" /.test(message);

/**
 * An argument of a field or directive is null, missing, or invalid because of a variable. That is a field error in the specification, and graphql-js sets no
 * code for it either.
 */
const isBadArgument = ({ message }: GraphQLError) =>
  /^Argument "\w+" (has invalid value |of (non-null|required) type .+ (must not be null|was (not )?provided))/.test(message);

const isBadInput = (error: GraphQLError) => isBadVariable(error) || isBadArgument(error);

/** A value can't be represented by its type. Executors set neither a code nor a class for that, so the error is recognized by their messages. */
const isSerializationError = ({ message, path }: GraphQLError) =>
  path !== undefined && /^((Enum )?"?\w+"? cannot represent |Cannot return null for non-nullable |Expected Iterable)/.test(message);
