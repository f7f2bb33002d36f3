import { CombinedGraphQLErrors } from '@apollo/client';
import type { FailureFragment, FailurePartsFragment, OrderFailureFragment, RetryAdvice } from './gql/graphql.ts';

/** Why a mutation failed, or why its outcome is unknown. */
export type Failure =
  | FailurePartsFragment
  | OrderFailureFragment
  | FailureFragment
  | { __typename: 'NoAnswer' | 'Refused'; message: string; retry: RetryAdvice };

/** Whether the same mutation can be repeated, which applies it only once. */
export const isRepeatable = ({ retry }: Failure): boolean => retry === 'SAFE' || retry === 'SAME_KEY';

/** Result of a mutation: a success message, or the failure. */
export type MutationResult = string | Failure;

/** A request without a response may have been applied. One with errors in the response wasn't. */
export function toFailure(error: unknown): Failure {
  if (!CombinedGraphQLErrors.is(error))
    return {
      __typename: 'NoAnswer',
      message: 'No response was received, so the change may have been applied. Retrying is safe, because it won’t be applied twice.',
      retry: 'SAME_KEY',
    };
  const isSafe = error.errors.every(({ extensions }) => extensions?.retry === 'SAFE' || extensions?.retry === 'SAME_KEY');
  return { __typename: 'Refused', message: error.errors.map(({ message }) => message).join(' '), retry: isSafe ? 'SAME_KEY' : 'NEVER' };
}
