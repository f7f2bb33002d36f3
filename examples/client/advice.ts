import { type MutationFailure, match } from '../../client/src/index.ts';
import type { GraphErrorItem } from './client.ts';
import type { FailureFragment } from './gql/graphql.ts';

/** Describes why a mutation failed and what to do next. TypeScript checks that every error type is handled. */
export function describeFailure(error: MutationFailure): string {
  const { code, message, retry } = error;
  const describe = () => message;
  // All documents of this program select the same fields of failures.
  return match(error.failure as FailureFragment, {
    TransitionBlockedError: ({ blockers }) =>
      `The record’s status doesn’t allow this:${formatList(blockers.map((blocker) => blocker.message))}\nFetch it again, because another client may have changed it.`,
    ForbiddenError: ({ missingScopes }) => (missingScopes.length > 0 ? describeMissingScopes(missingScopes) : message),
    RateLimitedError: ({ retryAfterSeconds }) => `The key’s rate limit is exhausted. ${describeWait(retryAfterSeconds)}`,
    OperationInProgressError: ({ retryAfterSeconds }) => `The operation is still in progress. ${describeWait(retryAfterSeconds)}`,
    ValidationError: ({ issues }) =>
      `The graph rejected the input:${formatList(issues.map((issue) => `${issue.path.join('.')} ${issue.message}`))}`,
    OutcomeUnknownError: describe,
    VersionConflictError: describe,
    IdempotencyKeyReusedError: describe,
    NotFoundError: describe,
    RejectedError: describe,
    else: () => `${code ? `${code}: ` : ''}${message}${retry === 'SAFE' || retry === 'SAME_KEY' ? ' It’s safe to retry.' : ''}`,
  });
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
