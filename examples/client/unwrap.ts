import type { FailureFragment } from './gql/graphql.ts';

/** A member of a result union. Documents select its `__typename`. */
interface Member {
  readonly __typename: string;
}

/** The payload of a result union: the only member whose type name ends in `Payload`. */
type PayloadOf<Result> = Extract<Result, { readonly __typename: `${string}Payload` }>;

/**
 * A mutation failed, or its outcome is unknown. The `__typename` of `failure` is the reason. A newer graph can return error types that this program doesn't
 * know, so a `switch` needs a `default`.
 */
export class MutationFailure extends Error {
  override readonly name = 'MutationFailure';
  readonly failure: FailureFragment;

  constructor(failure: FailureFragment) {
    super(failure.message);
    this.failure = failure;
  }

  /** Whether the same request can be repeated with the same key, which applies it only once. */
  get isRepeatable(): boolean {
    return this.failure.retry === 'SAFE' || this.failure.retry === 'SAME_KEY';
  }
}

const isPayload = <Result extends Member>(result: Result): result is PayloadOf<Result> => result.__typename.endsWith('Payload');

/** An error of which the client library returned only the type name, because it doesn't know that the type is a MutationError. */
const createUnknownFailure = ({ __typename }: Member) => ({
  code: 'NEWER_THAN_PROGRAM',
  message: `Unknown error type ${__typename}. Update this program, and check the record before you retry.`,
  retry: 'CHECK_FIRST',
});

/** Returns the payload of a result. Throws MutationFailure for every other member, including unknown types. */
export function unwrap<Result extends Member>(result: Result | null | undefined): PayloadOf<Result> {
  if (!result) throw new Error('The mutation has no result. Check `errors` for the reason first.');
  if (isPayload(result)) return result;
  const failure: object = { ...createUnknownFailure(result), ...result };
  throw new MutationFailure(failure as FailureFragment);
}
