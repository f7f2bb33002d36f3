import type { GraphErrorItem } from './client.ts';
import type { FailureFragment } from './gql/graphql.ts';
import type { MutationFailure } from './unwrap.ts';

/** Describes why a mutation failed and what to do next. TypeScript checks that every error type is handled. */
export function describeFailure({ failure, isRepeatable }: MutationFailure): string {
  const again = isRepeatable ? ' It’s safe to retry.' : '';
  switch (failure.__typename) {
    case 'TransitionBlockedError':
      return `The record’s status doesn’t allow this:${formatList(failure.blockers.map(({ message }) => message))}\nFetch it again, because another client may have changed it.`;
    case 'ForbiddenError':
      return failure.missingScopes.length > 0 ? describeMissingScopes(failure.missingScopes) : failure.message;
    case 'RateLimitedError':
      return `The key’s rate limit is exhausted. ${describeWait(failure.retryAfterSeconds)}`;
    case 'OperationInProgressError':
      return `The operation is still in progress. ${describeWait(failure.retryAfterSeconds)}`;
    case 'ValidationError':
      return `The graph rejected the input:${formatList(failure.issues.map(({ path, message }) => `${path.join('.')} ${message}`))}`;
    case 'OutcomeUnknownError':
    case 'VersionConflictError':
    case 'IdempotencyKeyReusedError':
    case 'NotFoundError':
    case 'RejectedError':
      return failure.message;
    default: {
      const newer: Pick<FailureFragment, 'code' | 'message'> = failure satisfies never;
      return `${newer.code}: ${newer.message}${again}`;
    }
  }
}

/** Describes why the graph returned no data, or only part of it, and what to do next. */
export const describeErrors = (errors: readonly GraphErrorItem[]): string => errors.map(describeError).join('\n');

function describeError({ message, extensions }: GraphErrorItem): string {
  switch (extensions?.code) {
    case 'UNAUTHENTICATED':
      return `${message} Set API_KEY to a key of your workspace.`;
    case 'FORBIDDEN':
      return extensions.missingScopes?.length ? describeMissingScopes(extensions.missingScopes) : message;
    case 'RATE_LIMITED':
      return `${message} ${describeWait(extensions.retryAfterSeconds)}`;
    default:
      return message;
  }
}

const formatList = (items: readonly string[]) => items.map((item) => `\n- ${item}`).join('');
const describeMissingScopes = (scopes: readonly string[]) => `The key lacks ${scopes.join(', ')}. Use a key that has it.`;
const describeWait = (seconds: number | null | undefined) => (seconds ? `Try again in ${seconds} seconds.` : 'Try again later.');
