import { FAILURE_TYPES } from '../generated/failureTypes.gen.ts';

/** A member of a result union. Documents select its `__typename`. */
export interface Member {
  readonly __typename: string;
}

/** The payload of a result union: the only member whose type name ends in `Payload`. */
export type PayloadOf<Result> = Extract<Result, { readonly __typename: `${string}Payload` }>;

/** The error types of a result union. */
export type FailureOf<Result> = Exclude<Result, null | undefined | { readonly __typename: `${string}Payload` }>;

/** A record that a mutation with an unknown outcome may have created. Another request may have created it instead. */
export interface Candidate extends Member {
  readonly id: string;
  readonly rawId: string;
}

/** Whether and how a failed request can be retried. */
export type RetryAdvice = 'NEVER' | 'SAFE' | 'SAME_KEY' | 'CHECK_FIRST';

type FailureTypes = typeof FAILURE_TYPES;

/** Codes of the errors in result unions. */
export type FailureCode = keyof FailureTypes;

const CODES = Object.keys(FAILURE_TYPES) as FailureCode[];

/** Adds the fields that most documents select, as optional fields. */
interface CommonFields extends Member {
  readonly code?: string;
  readonly message?: string;
  readonly retry?: string;
  readonly candidates?: readonly Candidate[] | null;
}

/**
 * A mutation failed, or its outcome is unknown. `failure` has the fields that the document selects, and its `__typename` is the reason. A newer graph can
 * return error types that this program doesn’t know.
 */
export class MutationFailure<Failure extends Member = Member> extends Error {
  override readonly name = 'MutationFailure';
  readonly failure: Failure;
  /** Undefined for types that this program doesn’t know, if the document doesn’t select it. */
  readonly code: string | undefined;
  /** `CHECK_FIRST` if the document doesn’t select it. */
  readonly retry: RetryAdvice;

  constructor(failure: Failure) {
    const { __typename, code, message, retry }: CommonFields = failure;
    super(message ?? `${__typename}: check the record before you retry.`);
    this.failure = failure;
    this.code = code ?? CODES.find((known) => FAILURE_TYPES[known] === __typename);
    this.retry = (retry as RetryAdvice | undefined) ?? 'CHECK_FIRST';
  }

  /** Whether the failure has the type with this code. Also narrows the type of `failure`. */
  is<Code extends FailureCode>(
    code: Code,
  ): this is MutationFailure<Extract<Failure, { readonly __typename: FailureTypes[Code] }>> & { readonly code: Code } {
    return this.failure.__typename === FAILURE_TYPES[code];
  }
}

const isPayload = <Result extends Member>(result: Result): result is PayloadOf<Result> => result.__typename.endsWith('Payload');

function requireResult<Result extends Member>(result: Result | null | undefined): Result {
  if (result) return result;
  throw new Error('The mutation has no result. Check its errors first.');
}

/** Returns the payload of a result. Throws MutationFailure for every other member, including types that this program doesn’t know. */
export function unwrap<Result extends Member>(result: Result | null | undefined): PayloadOf<Result> {
  const member = requireResult(result);
  if (isPayload(member)) return member;
  throw new MutationFailure(member);
}

/** A result as a value, for pages that display failures next to their fields. */
export type Settled<Result extends Member> =
  | { readonly ok: true; readonly payload: PayloadOf<Result> }
  | { readonly ok: false; readonly failure: FailureOf<Result>; readonly candidates: readonly Candidate[] | null };

/**
 * Returns the payload or the failure of a result, without throwing. `candidates`: records to compare with the input if the outcome is unknown. Null if none can be
 * searched for, or if the document doesn’t select them. Throws only if there is no result.
 */
export function settle<Result extends Member>(result: Result | null | undefined): Settled<Result> {
  const member = requireResult(result);
  if (isPayload(member)) return { ok: true, payload: member };
  const { candidates = null }: CommonFields = member;
  return { ok: false, failure: member as unknown as FailureOf<Result>, candidates };
}

/** A handler for each selected member, and `else` for types that this program doesn’t know. */
export type Handlers<Result extends Member> = {
  readonly [Name in Result['__typename']]: (member: Extract<Result, { readonly __typename: Name }>) => unknown;
} & { readonly else: (member: Member) => unknown };

/** Calls the handler of the result’s type, and returns what it returns. Doesn’t compile if the handler of a selected member is missing. */
export function match<Result extends Member, Chosen extends Handlers<Result>>(
  result: Result | null | undefined,
  handlers: Chosen,
): ReturnType<Chosen[keyof Chosen]> {
  const member = requireResult(result);
  const byName = handlers as unknown as Readonly<Record<string, (member: Member) => ReturnType<Chosen[keyof Chosen]>>>;
  const handle = Object.hasOwn(byName, member.__typename) ? byName[member.__typename] : byName.else;
  return (handle as (member: Member) => ReturnType<Chosen[keyof Chosen]>)(member);
}
