import { CombinedGraphQLErrors } from '@apollo/client';
import type { FailureFragment, FailurePartsFragment, RetryAdvice } from './gql/graphql.ts';

/** Why an act was not done, or why nobody can tell whether it was. */
export type Failure = FailurePartsFragment | FailureFragment | { __typename: 'NoAnswer' | 'Refused'; message: string; retry: RetryAdvice };

/** Whether the same act can be sent again: it is not done twice. */
export const isRepeatable = ({ retry }: Failure): boolean => retry === 'SAFE' || retry === 'SAME_KEY';

/** Result of an act: a sentence that tells it was done, or the failure. */
export type ActResult = string | Failure;

/** A request that no answer came to may have been carried out all the same; one that was answered with errors was not. */
export function failureOf(error: unknown): Failure {
  if (!CombinedGraphQLErrors.is(error))
    return {
      __typename: 'NoAnswer',
      message: 'No response was received, so the change may have been applied. Retrying is safe, because it won’t be applied twice.',
      retry: 'SAME_KEY',
    };
  const isSafe = error.errors.every(({ extensions }) => extensions?.retry === 'SAFE' || extensions?.retry === 'SAME_KEY');
  return { __typename: 'Refused', message: error.errors.map(({ message }) => message).join(' '), retry: isSafe ? 'SAME_KEY' : 'NEVER' };
}
