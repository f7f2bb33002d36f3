import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Outcome } from '../../../client/src/core/advice.ts';
import { createSender } from '../../../client/src/core/sender.ts';
import { createScriptedClient } from './scriptedClient.ts';

const lost: Outcome = { lost: new TypeError('fetch failed') };
const done: Outcome = { data: { quoteConfirm: { __typename: 'QuoteConfirmPayload' } } };
const found: Outcome = { data: { quote: { id: 'q1' } } };
const failed = (__typename: string, fields: object = {}): Outcome => ({ data: { quoteConfirm: { __typename, ...fields } } });
const rejected = (...extensions: readonly object[]): Outcome => ({
  errors: extensions.map((each) => ({ message: '', extensions: { ...each } })),
});

const busy = rejected({ code: 'OVERLOADED', retry: 'SAFE', retryAfterSeconds: 1 });
const signInDown = rejected({ code: 'SIGN_IN_UNAVAILABLE', retry: 'SAFE' });
const html502: Outcome = { lost: new Error('HTML'), status: 502 };
const html503: Outcome = { lost: new Error('HTML'), status: 503, retryAfterSeconds: 2 };
const json502: Outcome = { status: 502, errors: [{ message: 'Bad Gateway' }] };
const unkeyed = { inputs: null };

// About mutations without a key.
beforeEach(() => {
  vi.spyOn(console, 'warn').mockReturnValue();
});

/** Sends a request whose first attempt has this outcome. Returns the reason for the second attempt, or null if there was none. */
async function findReason(first: Outcome, request: { readonly isQuery?: boolean; readonly inputs?: null }): Promise<string | null> {
  const { send, reasons } = createScriptedClient([first, request.isQuery ? found : done]);
  await send(request);
  return reasons[0] ?? null;
}

describe('retry of a request', () => {
  it.each<[name: string, outcome: Outcome, query: string | null, keyed: string | null, withoutKey: string | null]>([
    ['no response', lost, 'NO_RESPONSE', 'NO_RESPONSE', null],
    ['an HTML page with status 502', html502, 'HTTP 502', 'HTTP 502', null],
    ['JSON of a gateway with status 502', json502, 'HTTP 502', 'HTTP 502', null],
    ['an HTML page with status 404', { lost: new Error('HTML'), status: 404 }, null, null, null],
    ['a canceled request', { lost: new DOMException('', 'AbortError') }, null, null, null],
    ['OVERLOADED', busy, 'OVERLOADED', 'OVERLOADED', 'OVERLOADED'],
    ['SIGN_IN_UNAVAILABLE', signInDown, 'SIGN_IN_UNAVAILABLE', 'SIGN_IN_UNAVAILABLE', 'SIGN_IN_UNAVAILABLE'],
    ['an error with SAME_KEY', rejected({ code: 'LATER', retry: 'SAME_KEY' }), 'LATER', 'LATER', null],
    ['an error with NEVER', rejected({ code: 'BAD_USER_INPUT', retry: 'NEVER' }), null, null, null],
    ['an error without advice', rejected({ code: 'INTERNAL_SERVER_ERROR' }), null, null, null],
    ['errors of which one has no advice', rejected({ code: 'OVERLOADED', retry: 'SAFE' }, {}), null, null, null],
  ])('decides about %s', async (_, outcome, query, keyed, withoutKey) => {
    const requests = [{ isQuery: true }, {}, unkeyed];
    expect(await Promise.all(requests.map((request) => findReason(outcome, request)))).toEqual([query, keyed, withoutKey]);
  });

  it.each<[name: string, outcome: Outcome, keyed: string | null, withoutKey: string | null]>([
    ['a payload', done, null, null],
    [
      'a payload with errors',
      { ...done, errors: [{ message: '', path: ['quoteConfirm', 'order'], extensions: { retry: 'SAFE' } }] },
      null,
      null,
    ],
    ['RateLimitedError', failed('RateLimitedError', { retry: 'SAFE', code: 'RATE_LIMITED' }), 'RATE_LIMITED', 'RATE_LIMITED'],
    ['RateLimitedError with only its name', failed('RateLimitedError'), 'RATE_LIMITED', 'RATE_LIMITED'],
    ['OperationInProgressError', failed('OperationInProgressError', { retry: 'SAME_KEY' }), 'OPERATION_IN_PROGRESS', null],
    ['OutcomeUnknownError with SAME_KEY', failed('OutcomeUnknownError', { retry: 'SAME_KEY' }), 'OUTCOME_UNKNOWN', null],
    ['OutcomeUnknownError with only its name', failed('OutcomeUnknownError'), 'OUTCOME_UNKNOWN', null],
    ['OutcomeUnknownError with CHECK_FIRST', failed('OutcomeUnknownError', { retry: 'CHECK_FIRST' }), null, null],
    ['ValidationError', failed('ValidationError', { retry: 'NEVER' }), null, null],
    ['an error type of a later graph with SAFE', failed('LaterError', { retry: 'SAFE' }), 'LaterError', 'LaterError'],
    ['an error type of a later graph with only its name', failed('LaterError'), null, null],
    ['an omitted response', rejected({ code: 'QUERY_TOO_EXPENSIVE', retry: 'CHECK_FIRST' }), null, null],
  ])('decides about %s in a mutation', async (_, outcome, keyed, withoutKey) => {
    expect(await Promise.all([{}, unkeyed].map((request) => findReason(outcome, request)))).toEqual([keyed, withoutKey]);
  });

  it('returns a partial page', async () => {
    const partial = { data: { quote: { id: 'q1' }, order: null }, errors: busy.errors };
    expect(await findReason(partial, { isQuery: true })).toBeNull();
    expect(await findReason({ ...partial, data: { quote: null, order: null } }, { isQuery: true })).toBe('OVERLOADED');
  });

  it('repeats a document of two mutations only with keys if one of them has succeeded', async () => {
    const data = { a: { __typename: 'QuoteConfirmPayload' }, b: { __typename: 'RateLimitedError', retry: 'SAFE' } };
    expect(await findReason({ data }, {})).toBe('RATE_LIMITED');
    expect(await findReason({ data }, unkeyed)).toBeNull();
  });

  it('repeats no document with a mutation that has to be checked first', async () => {
    const data = { a: { __typename: 'LaterError', retry: 'CHECK_FIRST' }, b: { __typename: 'RateLimitedError', retry: 'SAFE' } };
    expect(await findReason({ data }, {})).toBeNull();
  });

  it('sends every attempt with the same key', async () => {
    const { send, sent } = createScriptedClient([lost, html502, done]);
    await expect(send({ intent: { key: 'created:1:k' } })).resolves.toBe(done);
    expect(sent).toEqual(Array(3).fill({ input: { idempotencyKey: 'created:1:k' } }));
  });

  it('returns the last outcome after five attempts, with random delays that double', async () => {
    const { send, sent, delays } = createScriptedClient([lost]);
    await expect(send()).resolves.toBe(lost);
    expect([sent.length, delays]).toEqual([5, [100, 200, 400, 800]]);
  });

  it('waits as long as the graph or the load balancer asks for, plus a random delay', async () => {
    const { send, delays } = createScriptedClient([busy, html503, failed('RateLimitedError', { retryAfterSeconds: 3 }), done]);
    await send();
    expect(delays).toEqual([1000 + 100, 2000 + 200, 3000 + 400]);
  });

  it('returns at once what asks for a longer wait than 20 seconds in total', async () => {
    const hour = failed('RateLimitedError', { retryAfterSeconds: 3600 });
    const { send, sent, delays } = createScriptedClient([failed('RateLimitedError', { retryAfterSeconds: 15 }), busy, hour]);
    await expect(send()).resolves.toBe(hour);
    expect([sent.length, delays]).toEqual([3, [15_100, 1200]]);
  });

  it('counts the duration of attempts', async () => {
    const client = createScriptedClient([lost, lost, done], { now: () => client.sent.length * 15_000 });
    await expect(client.send()).resolves.toBe(lost);
    expect(client.sent).toHaveLength(2);
  });

  it('repeats an unknown outcome once', async () => {
    const unknown = failed('OutcomeUnknownError', { retry: 'SAME_KEY' });
    const { send, reasons } = createScriptedClient([unknown, lost, unknown, done]);
    await expect(send()).resolves.toBe(unknown);
    expect(reasons).toEqual(['OUTCOME_UNKNOWN', 'NO_RESPONSE']);
  });

  it('stops a query that is aborted, and continues a mutation', async () => {
    const controller = new AbortController();
    const onRetry = () => controller.abort(new Error('The page was closed.'));
    const wait = async (_ms: number, signal?: AbortSignal) => signal?.throwIfAborted();
    const outcomes = [lost, done];
    const query = createScriptedClient(outcomes, { onRetry, wait });
    await expect(query.send({ isQuery: true, signal: controller.signal })).rejects.toThrow('The page was closed.');
    const mutation = createScriptedClient(outcomes, { onRetry, wait });
    await expect(mutation.send({ signal: controller.signal })).resolves.toBe(done);
    expect([query.sent.length, mutation.sent.length]).toEqual([1, 2]);
  });
});

describe('default wait', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  const send = (signal: AbortSignal) => {
    const attempt = vi.fn(async () => (attempt.mock.calls.length < 2 ? lost : found));
    const request = { isQuery: true, operationName: undefined, variables: {}, inputs: null, intent: undefined, signal };
    return { attempt, result: createSender({ random: () => 1 })(request, attempt) };
  };

  it('lasts until the delay is over', async () => {
    const { attempt, result } = send(new AbortController().signal);
    await vi.advanceTimersByTimeAsync(199);
    expect(attempt).toHaveBeenCalledOnce();
    await vi.advanceTimersByTimeAsync(1);
    await expect(result).resolves.toBe(found);
  });

  it('ends when a query is aborted', async () => {
    const controller = new AbortController();
    const { attempt, result } = send(controller.signal);
    const rejected = expect(result).rejects.toThrow('The page was closed.');
    await vi.advanceTimersByTimeAsync(100);
    controller.abort(new Error('The page was closed.'));
    await rejected;
    expect([attempt.mock.calls.length, vi.getTimerCount()]).toEqual([1, 0]);
  });
});

describe('expired access token', () => {
  const expired = rejected({ code: 'UNAUTHENTICATED', reason: 'TOKEN_EXPIRED' });

  const createRenewingClient = (outcomes: Parameters<typeof createScriptedClient>[0]) => {
    let renewals = 0;
    const renew = async () => {
      renewals += 1;
    };
    return { client: createScriptedClient(outcomes, { renew }), getRenewals: () => renewals };
  };

  it('renews the token once for all requests that wait for it', async () => {
    const { client, getRenewals } = createRenewingClient([expired, expired, expired, done]);
    await expect(Promise.all([client.send(), client.send({ inputs: null }), client.send({ isQuery: true })])).resolves.toEqual([
      done,
      done,
      done,
    ]);
    expect([client.sent.length, getRenewals(), client.delays]).toEqual([6, 1, []]);
  });

  it('doesn’t renew the token again for a request that was sent with the previous one', async () => {
    const late = Promise.withResolvers<Outcome>();
    const { client, getRenewals } = createRenewingClient([late.promise, expired, done]);
    const first = client.send();
    await client.send();
    late.resolve(expired);
    await expect(first).resolves.toBe(done);
    expect([client.sent.length, getRenewals()]).toEqual([4, 1]);
  });

  it('returns the error if the next token is rejected as well', async () => {
    const { client, getRenewals } = createRenewingClient([expired]);
    await expect(client.send()).resolves.toBe(expired);
    expect([client.sent.length, getRenewals()]).toEqual([2, 1]);
  });

  it('returns the error if the token can’t be renewed, and the next request tries again', async () => {
    let renewals = 0;
    const renew = async () => {
      renewals += 1;
      if (renewals === 1) throw new Error('The provider is down.');
    };
    const { send, sent } = createScriptedClient([expired, expired, done], { renew });
    await expect(send()).resolves.toBe(expired);
    await expect(send()).resolves.toBe(done);
    expect([sent.length, renewals]).toEqual([3, 2]);
  });

  it.each(['TOKEN_INVALID', 'TOKEN_REVOKED'])('doesn’t renew the token after %s', async (reason) => {
    const { client, getRenewals } = createRenewingClient([rejected({ code: 'UNAUTHENTICATED', reason })]);
    await client.send();
    expect([client.sent.length, getRenewals()]).toEqual([1, 0]);
  });
});
