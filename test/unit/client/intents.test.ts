import { webcrypto } from 'node:crypto';
import { parse } from 'graphql';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { learnGraphTime } from '../../../client/src/core/graphTime.ts';
import { findInputsInText, inspectDocument } from '../../../client/src/core/inputs.ts';
import { createIntent, getGraphErrors, IntentExpiredError, IntentReusedError } from '../../../client/src/index.ts';
import { createScriptedClient } from './scriptedClient.ts';

const done = { data: { quoteConfirm: { __typename: 'QuoteConfirmPayload' } } };

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
});

describe('createIntent', () => {
  it('creates a random key, also where `randomUUID` doesn’t exist', () => {
    const keys = [createIntent().key, createIntent().key];
    vi.stubGlobal('crypto', { getRandomValues: (bytes: Uint8Array<ArrayBuffer>) => webcrypto.getRandomValues(bytes) });
    keys.push(createIntent().key);
    expect(new Set(keys).size).toBe(3);
    expect(keys[2]).toMatch(/^created:\d{13}:[0-9a-f]{32}$/);
  });
});

describe('intent', () => {
  it('sends the same request once if it’s sent twice at once', async () => {
    const { send, sent } = createScriptedClient([done]);
    const intent = createIntent();
    await Promise.all([send({ intent, variables: { input: { a: 1, b: 2 } } }), send({ intent, variables: { input: { b: 2, a: 1 } } })]);
    expect(sent).toEqual([{ input: { a: 1, b: 2, idempotencyKey: intent.key } }]);
  });

  it('sends the same key again after a response', async () => {
    const { send, sent } = createScriptedClient([done]);
    const intent = createIntent();
    await send({ intent });
    await send({ intent });
    expect(sent).toEqual(Array(2).fill({ input: { idempotencyKey: intent.key } }));
  });

  it.each([{ variables: { input: { a: 2 } } }, { operationName: 'DiscardQuote' }])(
    'rejects another request before it’s sent: %o',
    async (other) => {
      const { send, sent } = createScriptedClient([done]);
      const intent = createIntent();
      await send({ intent, variables: { input: { a: 1 } } });
      await expect(send({ intent, variables: { input: { a: 1 } }, ...other })).rejects.toThrow(IntentReusedError);
      expect(sent).toHaveLength(1);
    },
  );

  it('creates another key for each call without an intent', async () => {
    const { send, sent } = createScriptedClient([done]);
    await Promise.all([send(), send()]);
    expect(new Set(sent.map((variables) => JSON.stringify(variables))).size).toBe(2);
  });

  it('adds a key to each input, and doesn’t replace keys of the page', async () => {
    const { send, sent } = createScriptedClient([done]);
    const variables = { a: {}, b: { idempotencyKey: 'mine' }, c: {}, first: 10 };
    await send({ intent: { key: 'created:1:k' }, variables, inputs: ['a', 'b', 'c'] });
    expect(sent).toEqual([
      { a: { idempotencyKey: 'created:1:k' }, b: { idempotencyKey: 'mine' }, c: { idempotencyKey: 'created:1:k.2' }, first: 10 },
    ]);
  });

  it('doesn’t change frozen variables', async () => {
    const { send, sent } = createScriptedClient([done]);
    const variables = Object.freeze({ input: Object.freeze({ a: 1 }) });
    await send({ intent: { key: 'created:1:k' }, variables });
    expect([variables, sent]).toEqual([{ input: { a: 1 } }, [{ input: { a: 1, idempotencyKey: 'created:1:k' } }]]);
  });
});

describe('age of an intent', () => {
  it.each(['5f0c1e2a-0000-4000-8000-000000000000', 'form 5', 'created:', 'created:yesterday:5f'])(
    'counts as expired if the stored key is %s, and isn’t sent',
    async (key) => {
      const { send, sent } = createScriptedClient([done]);
      const error = await send({ intent: { key } }).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(IntentExpiredError);
      expect(getGraphErrors(error)).toMatchObject([{ code: 'IDEMPOTENCY_KEY_EXPIRED', retry: 'CHECK_FIRST' }]);
      expect(sent).toEqual([]);
    },
  );

  it('starts at the time of the graph if the clock of the device is wrong by more than a minute', () => {
    vi.useFakeTimers({ toFake: ['Date'], now: 1_700_000_000_000 });
    onTestFinished(() => {
      learnGraphTime(new Headers({ date: new Date().toUTCString() }));
      vi.useRealTimers();
    });
    const getTime = () => Number(createIntent().key.split(':')[1]) - Date.now();
    for (const [offsetMs, expected] of [
      [3_600_000, 3_600_000],
      [-90_000_000, -90_000_000],
      [59_000, 0],
    ] as const) {
      learnGraphTime(new Headers({ date: new Date(Date.now() + offsetMs).toUTCString() }));
      learnGraphTime(new Headers());
      learnGraphTime(undefined);
      expect(getTime()).toBe(expected);
    }
  });
});

describe('mutation without a key', () => {
  it('sends the mutation once, and warns developers once per operation', async () => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue();
    const { send, sent } = createScriptedClient([{ lost: new TypeError('fetch failed') }]);
    for (const operationName of ['Inline', 'Inline', 'OtherInline']) await send({ operationName, inputs: null });
    expect(sent).toHaveLength(3);
    expect(warn.mock.calls.map(([text]) => String(text).split(' ')[0])).toEqual(['Inline', 'OtherInline']);
  });

  it('doesn’t warn in production', async () => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue();
    vi.stubEnv('NODE_ENV', 'production');
    await createScriptedClient([done]).send({ operationName: 'InlineInProduction', inputs: null });
    expect(warn).not.toHaveBeenCalled();
  });

  it('doesn’t change a variable that isn’t an object', async () => {
    vi.spyOn(console, 'warn').mockReturnValue();
    const { send, sent } = createScriptedClient([done]);
    await send({ variables: { input: null } });
    expect(sent).toEqual([{ input: null }]);
  });
});

describe('inputs of a document', () => {
  it.each<[document: string, inputs: readonly string[] | null]>([
    ['mutation M($input: QuoteConfirmInput!) { quoteConfirm(input: $input) { __typename } }', ['input']],
    ['mutation($a: A!, $b: B!) { x: quoteConfirm(input: $a) { __typename } orderCancel(input:$b) { __typename } }', ['a', 'b']],
    ['mutation($id: ID!) { quoteConfirm(input: { quoteId: $id }) { __typename } }', null],
    ['mutation($input: A!) { quoteConfirm(input: $input) { __typename } orderCancel(input: {}) { __typename } }', null],
    ['mutation($input: A!) { a: quoteConfirm(input: $input) { __typename } b: quoteConfirm(input: $input) { __typename } }', null],
    ['mutation { quoteConfirm { __typename } }', null],
  ])('finds the variables in %s', (document, inputs) => {
    expect(inspectDocument(parse(document)).inputs).toEqual(inputs);
    expect(findInputsInText(document)).toEqual(inputs);
  });

  it('finds none if the mutation is in a fragment', () => {
    const document = 'mutation($input: A!) { ...Confirm } fragment Confirm on Mutation { quoteConfirm(input: $input) { __typename } }';
    expect(inspectDocument(parse(document)).inputs).toBeNull();
  });
});
