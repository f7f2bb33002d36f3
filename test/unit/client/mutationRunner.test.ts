import { describe, expect, it } from 'vitest';
import { type Intent, IntentReusedError, MutationFailure } from '../../../client/src/index.ts';
import { createMutationRunner } from '../../../client/src/react/mutationRunner.ts';

/** A runner whose attempts fail with the given errors, in order, and then succeed. */
function openRunner(...failures: readonly unknown[]) {
  const sent: Intent[] = [];
  const held: (() => void)[] = [];
  const hold = { isHeld: false };
  const runner = createMutationRunner(async (input: { readonly quantity: number }, intent: Intent) => {
    const attempt = sent.push(intent) - 1;
    if (hold.isHeld) await new Promise<void>((resolve) => held.push(resolve));
    if (attempt < failures.length) throw failures[attempt];
    return input.quantity;
  });
  const statuses: string[] = [];
  runner.subscribe(() => statuses.push(runner.getState().status));
  /** Keys of the attempts, numbered in order of their first use. */
  const getKeys = () => {
    const distinct = [...new Set(sent.map(({ key }) => key))];
    return sent.map(({ key }) => distinct.indexOf(key));
  };
  return { ...runner, statuses, getKeys, hold, release: () => held.shift()?.() };
}

const lost = new TypeError('fetch failed');
const invalid = new MutationFailure({ __typename: 'ValidationError', code: 'BAD_USER_INPUT', message: '', retry: 'NEVER' });

describe('mutation of a page', () => {
  it('has the states pending and succeeded, and a new intent after that', async () => {
    const { run, getState, statuses, getKeys } = openRunner();
    expect(getState()).toEqual({ status: 'idle' });
    expect(await run({ quantity: 1 })).toEqual({ status: 'succeeded', value: 1 });
    await run({ quantity: 1 });
    expect(statuses).toEqual(['pending', 'succeeded', 'pending', 'succeeded']);
    expect(getKeys()).toEqual([0, 1]);
  });

  it('sends a double click once', async () => {
    const { run, getKeys } = openRunner();
    const states = await Promise.all([run({ quantity: 1 }), run({ quantity: 1 })]);
    expect([states.map(({ status }) => status), getKeys()]).toEqual([['succeeded', 'succeeded'], [0]]);
  });

  it('retries the same intent, by `retry` and by the same input', async () => {
    const { run, getKeys } = openRunner(lost, lost);
    const state = await run({ quantity: 1 });
    if (!('retry' in state)) throw new Error('Expected a failure.');
    expect((await state.retry()).status).toBe('unknown');
    expect(await run({ quantity: 1 })).toEqual({ status: 'succeeded', value: 1 });
    expect(getKeys()).toEqual([0, 0, 0]);
  });

  it('creates another intent for another input', async () => {
    const { run, getKeys } = openRunner(invalid);
    await run({ quantity: 0 });
    await run({ quantity: 1 });
    expect(getKeys()).toEqual([0, 1]);
  });

  it.each<[status: string, description: string, error: unknown]>([
    ['unknown', 'no response', lost],
    ['unknown', 'OUTCOME_UNKNOWN', new MutationFailure({ __typename: 'OutcomeUnknownError', retry: 'SAME_KEY' })],
    ['unknown', 'CHECK_FIRST', new MutationFailure({ __typename: 'LaterError', retry: 'CHECK_FIRST' })],
    ['unknown', 'INTERNAL_SERVER_ERROR', { errors: [{ message: '', extensions: { code: 'INTERNAL_SERVER_ERROR' } }] }],
    ['unknown', 'an error of a gateway', { errors: [{ message: 'Bad Gateway' }] }],
    ['failed', 'ValidationError', invalid],
    ['failed', 'OVERLOADED', { errors: [{ message: '', extensions: { code: 'OVERLOADED', retry: 'SAFE' } }] }],
    ['failed', 'a reused intent', new IntentReusedError()],
  ])('has the state %s after %s', async (status, _, error) => {
    const { run, getState } = openRunner(error);
    expect(await run({ quantity: 1 })).toMatchObject({ status, error });
    expect(getState().status).toBe(status);
  });

  it('ignores the result of an earlier run', async () => {
    const { run, getState, hold, release } = openRunner();
    hold.isHeld = true;
    const first = run({ quantity: 1 });
    hold.isHeld = false;
    await run({ quantity: 2 });
    release();
    expect(await first).toEqual({ status: 'succeeded', value: 1 });
    expect(getState()).toEqual({ status: 'succeeded', value: 2 });
  });

  it('ignores the result after a reset', async () => {
    const { run, reset, getState, hold, release } = openRunner();
    hold.isHeld = true;
    const pending = run({ quantity: 1 });
    reset();
    release();
    await pending;
    expect(getState()).toEqual({ status: 'idle' });
  });

  it('retries an expired intent until it’s reset, and replaces one that a wrong clock created', async () => {
    const createError = (retry: string) => ({ errors: [{ message: '', extensions: { code: 'IDEMPOTENCY_KEY_EXPIRED', retry } }] });
    const { run, reset, getKeys } = openRunner(createError('CHECK_FIRST'), createError('CHECK_FIRST'), createError('NEVER'));
    expect((await run({ quantity: 1 })).status).toBe('unknown');
    expect((await run({ quantity: 1 })).status).toBe('unknown');
    reset();
    expect((await run({ quantity: 1 })).status).toBe('failed');
    expect((await run({ quantity: 1 })).status).toBe('succeeded');
    expect(getKeys()).toEqual([0, 0, 1, 2]);
  });
});
