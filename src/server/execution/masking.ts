import { GraphQLError } from 'graphql';
import type { ErrorCode } from '../../failures/errorCodes.ts';
import { ApiError } from '../../failures/failures.ts';

/** Tells the log of errors that the caller must not see. */
export type OnUnexpected = (error: unknown) => void;

const at = ({ nodes, source, positions, path }: GraphQLError) => ({
  ...(nodes && { nodes }),
  ...(source && { source }),
  ...(positions && { positions }),
  ...(path && { path }),
});

/**
 * The error of a request that isn't well-formed, with its status in any media type: Yoga sends 200 as `application/json` for some, such as one without a query.
 * The cause that Yoga adds to invalid JSON is removed, because it quotes the body.
 */
function malformed(error: GraphQLError): GraphQLError {
  const { originalError, http, ...extensions } = error.extensions;
  if (extensions.code !== ('BAD_REQUEST' satisfies ErrorCode) || (originalError === undefined && !http?.spec)) return error;
  return new GraphQLError(error.message, { ...at(error), extensions: { ...extensions, http: { ...http, spec: false } } });
}

/** The errors behind an error, outermost first. */
function* chainOf(error: unknown): Generator<unknown> {
  for (let current = error; current instanceof Error; current = (current as { originalError?: unknown }).originalError) yield current;
}

/**
 * Masks an error for its caller. Errors that are meant for callers pass; an error of a stored value that does not fit its field
 * says so; all others become INTERNAL_SERVER_ERROR and go to the log. `hidesNames`: whether introspection is disabled.
 */
export const maskError = (error: unknown, onUnexpected: OnUnexpected, hidesNames: boolean): Error => {
  const shown = told(error, onUnexpected);
  // Before the message is shortened, which could cut a suggestion so that it isn't recognized.
  return shortened(hidesNames ? withoutSuggestions(shown) : shown);
};

/** The suggestion at the end of a message of graphql-js. The values that the message repeats are in quotes, so they don't end with a question mark. */
const SUGGESTION = / Did you mean (?:(?! Did you mean ).)*\?$/s;

/**
 * Removes the names that graphql-js suggests, of which the rules of validation and the coercion of variables repeat the schema word by word. Suggestions in
 * failures of the API name data that the key can read, such as fields of the analytics catalog.
 */
export function withoutSuggestions<Shown extends Error>(error: Shown): Shown {
  const isOfApi = [...chainOf(error)].some((each) => each instanceof ApiError);
  if (!isOfApi) error.message = error.message.replace(SUGGESTION, '');
  return error;
}

/** The longest message, in characters. Ours: graphql-js repeats the whole value of a variable that does not fit. */
const MAX_MESSAGE = 2_000;

function shortened(error: Error): Error {
  if (error.message.length > MAX_MESSAGE) error.message = `${error.message.slice(0, MAX_MESSAGE)}…`;
  return error;
}

function told(error: unknown, onUnexpected: OnUnexpected): Error {
  const chain = [...chainOf(error)];
  const api = chain.find((each) => each instanceof ApiError);
  if (api && error instanceof GraphQLError) return error;
  if (api) return api as ApiError;
  if (error instanceof GraphQLError) {
    const isOwn = chain.every((each) => each instanceof GraphQLError);
    if (isOwn && !error.path) {
      const { code = isBadInput(error) ? 'BAD_USER_INPUT' : 'GRAPHQL_VALIDATION_FAILED', http } = error.extensions;
      if (error.extensions.code && code !== 'OPERATION_RESOLUTION_FAILURE' && !isBadVariable(error)) return malformed(error);
      // `spec` is yoga's word for: 200 where the answer is application/json, as for any other error in a well-formed request.
      return new GraphQLError(error.message, {
        ...at(error),
        extensions: { ...error.extensions, code, http: { status: 400, ...(http ?? {}), spec: true } },
      });
    }
    if (isOwn && error.extensions.code) return error;
    if (isOwn && isBadArgument(error))
      return new GraphQLError(error.message, { ...at(error), extensions: { code: 'BAD_USER_INPUT' satisfies ErrorCode } });
    if (isMisfit(error)) {
      onUnexpected(error);
      return new GraphQLError('The value stored in the Workspace API is invalid for this field’s type.', {
        ...at(error),
        extensions: { code: 'UPSTREAM_INVALID_RESPONSE' satisfies ErrorCode },
      });
    }
  }
  onUnexpected(error);
  const place = error instanceof GraphQLError ? at(error) : {};
  return new GraphQLError('Internal server error. The server log has the cause under the request ID.', {
    ...place,
    extensions: { code: 'INTERNAL_SERVER_ERROR' satisfies ErrorCode },
  });
}

/** The value of a variable does not fit its type: graphql-js gives that no code. */
const isBadVariable = ({ message }: GraphQLError) => /^Variable "\$\w+" /.test(message);

/** An argument of a field or directive is null, missing, or invalid because of a variable: a field error by the specification. graphql-js gives that no code either. */
const isBadArgument = ({ message }: GraphQLError) =>
  /^Argument "\w+" (has invalid value |of (non-null|required) type .+ (must not be null|was (not )?provided))/.test(message);

const isBadInput = (error: GraphQLError) => isBadVariable(error) || isBadArgument(error);

/** No executor gives a code, or a class, to a value that its type cannot show; these are their words for it. */
const isMisfit = ({ message, path }: GraphQLError) =>
  path !== undefined && /^((Enum )?"?\w+"? cannot represent |Cannot return null for non-nullable |Expected Iterable)/.test(message);
