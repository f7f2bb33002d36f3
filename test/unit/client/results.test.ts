import { describe, expect, expectTypeOf, it } from 'vitest';
import { getFieldIssues, getGraphErrors, MutationFailure, match, settle, unwrap } from '../../../client/src/index.ts';

interface Conflict {
  readonly __typename: 'VersionConflictError';
  readonly message: string;
  readonly code: string;
  readonly retry: string;
  readonly currentVersion: string | null;
}

interface Invalid {
  readonly __typename: 'ValidationError';
  readonly issues: readonly { readonly path: readonly string[]; readonly code: string }[];
}

interface Payload {
  readonly __typename: 'QuoteConfirmPayload';
  readonly order: { readonly id: string };
}

/** A result union as code generators type it. */
type Result = Payload | Conflict | Invalid;

const payload: Payload = { __typename: 'QuoteConfirmPayload', order: { id: 'o1' } };
const conflict: Conflict = {
  __typename: 'VersionConflictError',
  code: 'VERSION_CONFLICT',
  message: 'Changed.',
  retry: 'NEVER',
  currentVersion: '3',
};
const invalid: Invalid = {
  __typename: 'ValidationError',
  issues: [
    { path: ['lines', '3', 'quantity'], code: 'OUT_OF_RANGE' },
    { path: ['lines', '3', 'quantity'], code: 'NOT_ALLOWED' },
    { path: [], code: 'OTHER' },
  ],
};
const newer = { __typename: 'LaterError' };

const catchError = (action: () => unknown): unknown => {
  try {
    return action();
  } catch (error) {
    return error;
  }
};

const unwrapFailure = (result: { readonly __typename: string }) => catchError(() => unwrap(result)) as MutationFailure;

describe('unwrap', () => {
  it('returns the payload with its type', () => {
    const result = unwrap(payload as Result);
    expectTypeOf(result).toEqualTypeOf<Payload>();
    expect(result).toBe(payload);
  });

  it('throws a failure with its message, code and advice', () => {
    const failure = unwrapFailure(conflict);
    expect(failure).toBeInstanceOf(MutationFailure);
    expect(failure).toMatchObject({ failure: conflict, message: 'Changed.', code: 'VERSION_CONFLICT', retry: 'NEVER' });
  });

  it('throws an error type that the program doesn’t know, and advises to check the record', () => {
    expect(unwrapFailure(newer)).toMatchObject({ code: undefined, retry: 'CHECK_FIRST', message: expect.stringContaining('LaterError') });
  });

  it('throws if there is no result', () => {
    expect(() => unwrap(null as Result | null)).toThrow('The mutation has no result.');
  });
});

describe('MutationFailure.is', () => {
  it('compares the code by the type name', () => {
    const failure = unwrapFailure(conflict);
    expect([failure.is('VERSION_CONFLICT'), failure.is('NOT_FOUND'), unwrapFailure(newer).is('VERSION_CONFLICT')]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('narrows the type of the failure, also if it’s called more than once', () => {
    const failure = new MutationFailure<Conflict | Invalid>(conflict);
    if (failure.is('BAD_USER_INPUT')) expectTypeOf(failure.failure).toEqualTypeOf<Invalid>();
    else if (failure.is('VERSION_CONFLICT')) expectTypeOf(failure.failure).toEqualTypeOf<Conflict>();
    const caught = catchError(() => unwrap(conflict as Result));
    const reason =
      caught instanceof MutationFailure &&
      (caught.is('NOT_FOUND') ? caught.code : caught.is('VERSION_CONFLICT') ? caught.code : caught.retry);
    expectTypeOf(reason).not.toBeNever();
    expect(reason).toBe('VERSION_CONFLICT');
  });

  it('knows the code of a type whose code isn’t selected', () => {
    expect(unwrapFailure(invalid).code).toBe('BAD_USER_INPUT');
  });
});

describe('settle', () => {
  it('returns the payload or the failure, each with its type', () => {
    const settled = settle(conflict as Result);
    if (settled.ok) expectTypeOf(settled.payload).toEqualTypeOf<Payload>();
    else expectTypeOf(settled.failure).toEqualTypeOf<Conflict | Invalid>();
    expect(settled).toEqual({ ok: false, failure: conflict, candidates: null });
    expect(settle(payload as Result)).toEqual({ ok: true, payload });
  });

  it('returns the candidates of an unknown outcome', () => {
    const candidates = [{ __typename: 'Quote', id: 'q1', rawId: '1' }];
    expect(settle({ __typename: 'OutcomeUnknownError', candidates })).toMatchObject({ ok: false, candidates });
  });
});

describe('match', () => {
  const handlers = {
    QuoteConfirmPayload: ({ order }: Payload) => order.id,
    VersionConflictError: ({ currentVersion }: Conflict) => currentVersion,
    ValidationError: ({ issues }: Invalid) => `${issues.length} issues`,
    else: ({ __typename }: { readonly __typename: string }) => __typename,
  };

  it('calls the handler of the type, and `else` for a type that the program doesn’t know', () => {
    const results = [payload, conflict, invalid, newer, { __typename: 'toString' }] as readonly Result[];
    const texts = results.map((result) => match(result, handlers));
    expectTypeOf(texts).toEqualTypeOf<(string | null)[]>();
    expect(texts).toEqual(['o1', '3', '3 issues', 'LaterError', 'toString']);
  });

  it('infers the types of inline handlers', () => {
    const text = match(payload as Result, {
      QuoteConfirmPayload: ({ order }) => order.id.length,
      VersionConflictError: ({ currentVersion }) => currentVersion,
      ValidationError: ({ issues }) => issues.length > 0,
      else: () => undefined,
    });
    expectTypeOf(text).toEqualTypeOf<number | string | null | boolean | undefined>();
    expect(text).toBe(2);
  });

  it('doesn’t compile without the handler of a selected type', () => {
    const { ValidationError: _, ...incomplete } = handlers;
    // @ts-expect-error The handler of ValidationError is missing.
    const act = () => match(invalid as Result, incomplete);
    expect(act()).toBe('ValidationError');
  });
});

describe('getFieldIssues', () => {
  it('groups the issues by path', () => {
    const expected = { 'lines.3.quantity': invalid.issues.slice(0, 2), '': invalid.issues.slice(2) };
    expect({ ...getFieldIssues(invalid) }).toEqual(expected);
    expect({ ...getFieldIssues(unwrapFailure(invalid)) }).toEqual(expected);
  });

  it('returns none for other failures', () => {
    expect([conflict, null, new Error('x')].map((failure) => Object.keys(getFieldIssues(failure)))).toEqual([[], [], []]);
  });
});

describe('getGraphErrors', () => {
  const error = { message: 'Busy.', extensions: { code: 'OVERLOADED', retry: 'SAFE', retryAfterSeconds: 1 } };
  const expected = { message: 'Busy.', code: 'OVERLOADED', retry: 'SAFE', retryAfterSeconds: 1 };

  it.each([
    ['a response', { errors: [error] }],
    ['CombinedGraphQLErrors of Apollo Client', { errors: [error], message: '' }],
    ['ServerError of Apollo Client', { bodyText: JSON.stringify({ errors: [error] }), message: '' }],
    ['CombinedError of urql', { graphQLErrors: [error], networkError: undefined }],
    ['an error of Relay', { source: { errors: [error] } }],
  ])('reads the errors of %s', (_, holder) => {
    expect(getGraphErrors(holder)).toMatchObject([expected]);
  });

  it('returns none if the graph didn’t respond', () => {
    const holders = [
      new TypeError('fetch failed'),
      { bodyText: '<h1>Bad Gateway</h1>' },
      { graphQLErrors: [], networkError: {} },
      null,
      'x',
    ];
    expect(holders.map((holder) => getGraphErrors(holder))).toEqual([[], [], [], [], []]);
  });
});
