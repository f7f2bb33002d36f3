import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Fault } from '../../../sandbox/kernel/faults.ts';
import { ALL_SCOPES, makeKey } from '../../sandbox/makeKey.ts';
import { clockAhead } from '../../support/clock.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const ME = 'Workspace/Me';
const CREATED = 'Contact/CreateContact';
/** As long as what a key may do is remembered, in milliseconds. */
const REMEMBERED_MS = 30_000;

let ahead = 0;
const testGraph = useTestGraph({}, undefined, { clock: clockAhead(() => ahead) });
beforeEach(() => {
  ahead += REMEMBERED_MS;
});
afterEach(() => testGraph.sandbox.faults.clear());

const tells = (body: unknown, times?: number) =>
  testGraph.sandbox.faults.add({
    operation: ME,
    status: 200,
    body: typeof body === 'string' ? body : JSON.stringify(body),
    ...(times !== undefined && { times }),
  } satisfies Fault);

const READ = '{ contacts(first: 1) { nodes { __typename } } }';
const CREATE = `mutation ($key: String!) {
  contactCreate(input: { lastName: "Once", idempotencyKey: $key }) {
    __typename
    ... on ContactCreatePayload { effect }
    ... on MutationError { code retry }
    ... on ForbiddenError { reason missingScopes }
  }
}`;

const read = async (key: string) => {
  const [{ errors }, calls] = await testGraph.recordCalls(() => testGraph.executeAs(key, READ));
  return [errors?.[0]?.extensions.code ?? 'answered', calls] as const;
};
/** Outcome of a keyed act, and how often it is sent. */
const act = async (key: string, idempotencyKey: string) => {
  const [{ data, errors }, calls] = await testGraph.recordCalls(() => testGraph.executeAs(key, CREATE, { key: idempotencyKey }));
  return [data?.contactCreate ?? errors?.[0]?.extensions, calls.filter((name) => name === CREATED).length] as const;
};

const EMPTY: readonly (readonly [string, unknown])[] = [
  ['{}', {}],
  ['a workspace of null', { workspace: null }],
  ['an empty workspace', { workspace: {} }],
  ['scopes of null', { scopes: null }],
  ['nothing in all that it has', { workspace: {}, apiKey: { scopes: null }, scopes: [] }],
  ['an empty text', { workspace: { id: '' }, apiKey: null }],
  ['a list', []],
  ['null', 'null'],
  ['a text', '"me"'],
  ['a number', '5'],
  ['nothing', ''],
];

let acts = 0;
const freshAct = () => {
  acts += 1;
  return `act ${acts}`;
};

describe('an answer of Me that tells nothing', () => {
  it.each(EMPTY)('%s: is invalid, nothing is sent, and it is not kept', async (_name, body) => {
    const key = makeKey(testGraph.sandbox.world);
    tells(body);
    expect(await read(key)).toEqual(['UPSTREAM_INVALID_RESPONSE', []]);
    const idempotencyKey = freshAct();
    expect(await act(key, idempotencyKey)).toMatchObject([{ code: 'UPSTREAM_INVALID_RESPONSE', retry: 'SAFE' }, 0]);
    testGraph.sandbox.faults.clear();
    expect(await read(key)).toEqual(['answered', ['Contact/ListContacts']]);
    expect(await act(key, idempotencyKey)).toEqual([{ __typename: 'ContactCreatePayload', effect: 'DONE' }, 1]);
  });

  it.each(EMPTY)('%s: between good ones, does not do an act again', async (_name, body) => {
    const [first, renewed] = [makeKey(testGraph.sandbox.world), makeKey(testGraph.sandbox.world)];
    const idempotencyKey = freshAct();
    await act(first, idempotencyKey);
    await read(renewed);
    ahead += REMEMBERED_MS;
    tells(body, 1);
    expect(await act(renewed, idempotencyKey)).toMatchObject([{ code: 'UPSTREAM_INVALID_RESPONSE' }, 0]);
    expect(await act(renewed, idempotencyKey)).toMatchObject([{ code: 'IDEMPOTENCY_KEY_REUSED' }, 0]);
  });
});

describe('Query.viewer', () => {
  it.each(EMPTY)('is null with a failure when Me answers %s', async (_name, body) => {
    await read('demo-owner');
    tells(body);
    const { data, errors } = await testGraph.execute('{ viewer { workspace { rawId } scopes } }');
    expect([data, errors?.map(({ extensions }) => extensions.code)]).toEqual([{ viewer: null }, ['UPSTREAM_INVALID_RESPONSE']]);
  });
});

/** Answers that tell of the key, and not of its workspace. */
const WITHOUT_WORKSPACE: readonly (readonly [string, unknown])[] = [
  ['none', undefined],
  ['null', null],
  ['an empty one', {}],
  ['one without an id', { name: 'Demo Works' }],
  ['one with an id that is no text', { id: 5 }],
  ['a text', 'Demo Works'],
];
const partial = (workspace: unknown) => ({ workspace, apiKey: { id: 'a key', scopes: ALL_SCOPES } });

describe('an answer of Me that leaves the workspace out', () => {
  it.each(WITHOUT_WORKSPACE)('%s: does not make a workspace unknown that was told before', async (_name, workspace) => {
    const [first, renewed] = [makeKey(testGraph.sandbox.world), makeKey(testGraph.sandbox.world)];
    const idempotencyKey = freshAct();
    await act(first, idempotencyKey);
    await read(renewed);
    ahead += REMEMBERED_MS;
    tells(partial(workspace));
    expect(await act(renewed, idempotencyKey)).toMatchObject([{ code: 'IDEMPOTENCY_KEY_REUSED' }, 0]);
  });

  it.each(WITHOUT_WORKSPACE)('%s: the first one of a renewed key does not do an act again', async (_name, workspace) => {
    const [first, renewed] = [makeKey(testGraph.sandbox.world), makeKey(testGraph.sandbox.world)];
    const idempotencyKey = freshAct();
    await act(first, idempotencyKey);
    tells(partial(workspace));
    // Others are told theirs.
    expect(await act(renewed, idempotencyKey)).toMatchObject([{ code: 'UPSTREAM_INVALID_RESPONSE', retry: 'SAFE' }, 0]);
    // Fields that need no workspace are answered.
    expect(await read(renewed)).toEqual(['answered', ['Contact/ListContacts']]);
    testGraph.sandbox.faults.clear();
    expect(await act(renewed, idempotencyKey)).toMatchObject([{ code: 'IDEMPOTENCY_KEY_REUSED' }, 0]);
  });

  it('is not believed at once: the first one is asked for again', async () => {
    const [first, renewed] = [makeKey(testGraph.sandbox.world), makeKey(testGraph.sandbox.world)];
    const idempotencyKey = freshAct();
    await act(first, idempotencyKey);
    tells(partial(null), 1);
    expect(await act(renewed, idempotencyKey)).toMatchObject([{ code: 'IDEMPOTENCY_KEY_REUSED' }, 0]);
  });

  it('is survived by a failure in between', async () => {
    const [first, renewed] = [makeKey(testGraph.sandbox.world), makeKey(testGraph.sandbox.world)];
    const idempotencyKey = freshAct();
    await act(first, idempotencyKey);
    await read(renewed);
    ahead += REMEMBERED_MS;
    testGraph.sandbox.faults.add({ operation: ME, status: 500, times: 1 });
    expect((await read(renewed))[0]).toBe('UPSTREAM_UNAVAILABLE');
    tells(partial(null));
    expect(await act(renewed, idempotencyKey)).toMatchObject([{ code: 'IDEMPOTENCY_KEY_REUSED' }, 0]);
  });
});

describe('an answer of Me that leaves the scopes out', () => {
  it.each<readonly [string, unknown]>([
    ['none', undefined],
    ['null', null],
    ['a text', 'contact:create'],
    ['no texts', [1, 2]],
  ])('%s: does not make scopes unknown that were told before', async (_name, scopes) => {
    const key = makeKey(testGraph.sandbox.world, { scopes: ALL_SCOPES.filter((scope) => scope !== 'contact:create') });
    const missing = { code: 'FORBIDDEN', reason: 'MISSING_SCOPE', missingScopes: ['contact:create'] };
    expect(await act(key, freshAct())).toMatchObject([missing, 0]);
    ahead += REMEMBERED_MS;
    tells({ workspace: { id: 'a workspace' }, apiKey: { id: 'a key', scopes } });
    expect(await act(key, freshAct())).toMatchObject([missing, 0]);
  });

  it('a refusal to tell does: the key may have been given other scopes', async () => {
    const key = makeKey(testGraph.sandbox.world, { scopes: ['me:read'] });
    expect(await act(key, freshAct())).toMatchObject([{ reason: 'MISSING_SCOPE' }, 0]);
    testGraph.sandbox.world.store.run('UPDATE api_keys SET scopes = :scopes WHERE name = :key', { key, scopes: '["contact:create"]' });
    ahead += REMEMBERED_MS;
    expect(await act(key, freshAct())).toMatchObject([{ __typename: 'ContactCreatePayload' }, 1]);
  });
});

describe('an upstream that never tells a workspace', () => {
  const silent = useTestGraph({}, undefined, { clock: clockAhead(() => ahead) });

  it('is asked twice at first, and is then believed: the key is all that an act is known by', async () => {
    silent.sandbox.faults.add({ operation: ME, status: 200, body: JSON.stringify(partial(null)) });
    const [key, other] = [makeKey(silent.sandbox.world), makeKey(silent.sandbox.world)];
    const questions = () => silent.sandbox.received.filter(({ operation }) => operation === ME).length;
    await silent.executeAs(key, READ);
    expect(questions()).toBe(2);
    const create = async (apiKey: string) => (await silent.executeAs(apiKey, CREATE, { key: 'by key' })).data.contactCreate;
    expect([await create(key), await create(key), await create(other)]).toEqual([
      { __typename: 'ContactCreatePayload', effect: 'DONE' },
      { __typename: 'ContactCreatePayload', effect: 'REPLAYED' },
      { __typename: 'ContactCreatePayload', effect: 'DONE' },
    ]);
    const before = questions();
    ahead += REMEMBERED_MS;
    await silent.executeAs(key, READ);
    expect(questions() - before).toBe(1);
  });
});
