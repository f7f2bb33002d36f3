import type { GraphErrorItem } from './client.ts';
import type { FailureFragment } from './gql/graphql.ts';
import type { MutationFailure } from './unwrap.ts';

/** Tells a person why a mutation failed, and what to do now. The types see to it that no failure is left out. */
export function tellFailure({ failure, isRepeatable }: MutationFailure): string {
  const again = isRepeatable ? ' Doing it again is safe.' : '';
  switch (failure.__typename) {
    case 'TransitionBlockedError':
      return `It cannot be done in its present state:${list(failure.blockers.map(({ message }) => message))}\nRead it again: somebody may have changed it.`;
    case 'ForbiddenError':
      return failure.missingScopes.length > 0 ? askForScopes(failure.missingScopes) : failure.message;
    case 'RateLimitedError':
      return `The key has used up its calls. ${wait(failure.retryAfterSeconds)}`;
    case 'OperationInProgressError':
      return `It is still being done. ${wait(failure.retryAfterSeconds)}`;
    case 'ValidationError':
      return `The graph refused the input:${list(failure.issues.map(({ path, message }) => `${path.join('.')} ${message}`))}`;
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

/** Tells a person why the graph answered nothing, or not all, and what to do now. */
export const tellErrors = (errors: readonly GraphErrorItem[]): string => errors.map(tellItem).join('\n');

function tellItem({ message, extensions }: GraphErrorItem): string {
  switch (extensions?.code) {
    case 'UNAUTHENTICATED':
      return `${message} Set API_KEY to a key of your workspace.`;
    case 'FORBIDDEN':
      return extensions.missingScopes?.length ? askForScopes(extensions.missingScopes) : message;
    case 'RATE_LIMITED':
      return `${message} ${wait(extensions.retryAfterSeconds)}`;
    default:
      return message;
  }
}

const list = (items: readonly string[]) => items.map((item) => `\n- ${item}`).join('');
const askForScopes = (scopes: readonly string[]) => `The key lacks ${scopes.join(', ')}. Ask for a key that has it.`;
const wait = (seconds: number | null | undefined) => (seconds ? `Try again in ${seconds} seconds.` : 'Try again later.');
