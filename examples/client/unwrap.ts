import type { FailureFragment } from './gql/graphql.ts';

/** The members of a result union that are failures: those that the fragment `Failure` is spread in. */
type FailureOf<Result> = Extract<Result, { readonly retry: FailureFragment['retry'] }>;

/** The payload of a result union. */
type PayloadOf<Result> = Exclude<NonNullable<Result>, FailureOf<Result>>;

/** A mutation was not done, or nobody knows whether it was: `failure` tells why, by its `__typename`. */
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

const isFailure = (result: object): result is FailureFragment => 'retry' in result;

/** The payload of a result that selects `...Failure`. Throws MutationFailure for any failure, also for one that is newer than the program. */
export function unwrap<Result extends object>(result: Result | null | undefined): PayloadOf<Result> {
  if (!result) throw new Error('The graph answered no result and no error: it breaks its own promise.');
  if (isFailure(result)) throw new MutationFailure(result);
  return result as PayloadOf<Result>;
}
