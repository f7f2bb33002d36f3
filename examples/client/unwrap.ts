import type { FailureFragment } from './gql/graphql.ts';

/** Anything that a result union may answer: its document selects `__typename`. */
interface Member {
  readonly __typename: string;
}

/** The payload of a result union. Its type is named after the mutation, and is the only one of the union that ends in `Payload`. */
type PayloadOf<Result> = Extract<Result, { readonly __typename: `${string}Payload` }>;

/**
 * A mutation was not done, or nobody knows whether it was: `failure` tells why, by its `__typename`. That may be one which is newer than the program
 * and is not in the type, so a `switch` needs a `default`.
 */
export class MutationFailure extends Error {
  override readonly name = 'MutationFailure';
  readonly failure: FailureFragment;

  constructor(failure: FailureFragment) {
    super(failure.message);
    this.failure = failure;
  }

  /** Whether the same request can be sent again with the same key: it is not done twice. */
  get isRepeatable(): boolean {
    return this.failure.retry === 'SAFE' || this.failure.retry === 'SAME_KEY';
  }
}

const isPayload = <Result extends Member>(result: Result): result is PayloadOf<Result> => result.__typename.endsWith('Payload');

/** A failure of which a client library left nothing but the name, since it does not know that the type is a MutationError. */
const newerThanProgram = ({ __typename }: Member) => ({
  code: 'NEWER_THAN_PROGRAM',
  message: `The answer is a failure that is newer than this program (${__typename}). Update it, and look before you repeat the act.`,
  retry: 'CHECK_FIRST',
});

/** The payload of a result. Throws MutationFailure for every other member, also for one that is newer than the program. */
export function unwrap<Result extends Member>(result: Result | null | undefined): PayloadOf<Result> {
  if (!result) throw new Error('The graph answered no result. `errors` beside the data tell why: look at them first.');
  if (isPayload(result)) return result;
  const failure: object = { ...newerThanProgram(result), ...result };
  throw new MutationFailure(failure as FailureFragment);
}
