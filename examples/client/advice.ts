import type { GraphError, GraphErrorItem } from './client.ts';
import type { RetryAdvice } from './gql/graphql.ts';
import { amountOf, type Confirmation } from './quotes.ts';

/** What every failure has, also one that is newer than this program. */
interface MutationFailure {
  readonly code: string;
  readonly message: string;
  readonly retry: RetryAdvice;
}

/** Tells a person what came of confirming a quote, and what to do now. The types see to it that no failure is left out. */
export function tellConfirmation(result: Confirmation): string {
  switch (result.__typename) {
    case 'QuoteConfirmPayload': {
      const { referenceNumber, totalOnce } = result.order;
      return `It is now order ${referenceNumber} over ${amountOf(totalOnce)}.`;
    }
    case 'TransitionBlockedError':
      return `It cannot be confirmed in its present state:${list(result.blockers.map(({ message }) => message))}\nRead it again: somebody may have changed it.`;
    case 'ForbiddenError':
      return result.missingScopes.length > 0 ? askForScopes(result.missingScopes) : result.message;
    case 'OutcomeUnknownError':
      return result.message;
    case 'RateLimitedError':
      return `The key has used up its calls. ${wait(result.retryAfterSeconds)}`;
    case 'ValidationError':
      return `The graph refused the input:${list(result.issues.map(({ path, message }) => `${path.join('.')} ${message}`))}`;
    case 'NotFoundError':
    case 'IdempotencyKeyReusedError':
    case 'OperationInProgressError':
    case 'RejectedError':
      return `${result.message}${again(result)}`;
    default: {
      const newer: MutationFailure = result satisfies never;
      return `${newer.code}: ${newer.message}${again(newer)}`;
    }
  }
}

/** Tells a person why the graph answered nothing, and what to do now. */
export const tellError = ({ errors }: GraphError): string => errors.map(tellItem).join('\n');

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
const again = ({ retry }: Pick<MutationFailure, 'retry'>) => (retry === 'SAFE' || retry === 'SAME_KEY' ? ' Doing it again is safe.' : '');
