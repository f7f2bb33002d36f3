import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Fault } from '../../../sandbox/kernel/faults.ts';
import { ALL_SCOPES, makeKey } from '../../sandbox/makeKey.ts';
import { createClockAhead } from '../../support/clock.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const ME = 'Workspace/Me';
const CREATED = 'Contact/CreateContact';
/** How long the workspace and scopes of a key are cached, in milliseconds. */
const CACHE_MS = 30_000;

let clockOffset = 0;
const testGraph = useTestGraph({}, undefined, { clock: createClockAhead(() => clockOffset) });
beforeEach(() => {
  clockOffset += CACHE_MS;
});
afterEach(() => testGraph.sandbox.faults.clear());

const respondWith = (body: unknown, times?: number) =>
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
/** Result of a mutation with an idempotency key, and how often it was sent. */
const createContact = async (key: string, idempotencyKey: string) => {
  const [{ data, errors }, calls] = await testGraph.recordCalls(() => testGraph.executeAs(key, CREATE, { key: idempotencyKey }));
  return [data?.contactCreate ?? errors?.[0]?.extensions, calls.filter((name) => name === CREATED).length] as const;
};

const EMPTY_RESPONSES: readonly (readonly [string, unknown])[] = [
  ['{}', {}],
  ['a null workspace', { workspace: null }],
  ['an empty workspace', { workspace: {} }],
  ['null scopes', { scopes: null }],
  ['empty members', { workspace: {}, apiKey: { scopes: null }, scopes: [] }],
  ['an empty workspace ID', { workspace: { id: '' }, apiKey: null }],
  ['a list', []],
  ['null', 'null'],
  ['a string', '"me"'],
  ['a number', '5'],
  ['an empty body', ''],
];

let keyCount = 0;
const createIdempotencyKey = () => {
  keyCount += 1;
  return `act ${keyCount}`;
};

describe('empty Me response', () => {
  it.each(EMPTY_RESPONSES)('returns UPSTREAM_INVALID_RESPONSE for %s, sends nothing, and doesn’t cache it', async (_name, body) => {
    const key = makeKey(testGraph.sandbox.world);
    respondWith(body);
    expect(await read(key)).toEqual(['UPSTREAM_INVALID_RESPONSE', []]);
    const idempotencyKey = createIdempotencyKey();
    expect(await createContact(key, idempotencyKey)).toMatchObject([{ code: 'UPSTREAM_INVALID_RESPONSE', retry: 'SAFE' }, 0]);
    testGraph.sandbox.faults.clear();
    expect(await read(key)).toEqual(['answered', ['Contact/ListContacts']]);
    expect(await createContact(key, idempotencyKey)).toEqual([{ __typename: 'ContactCreatePayload', effect: 'DONE' }, 1]);
  });

  it.each(EMPTY_RESPONSES)('doesn’t repeat a mutation after %s between valid responses', async (_name, body) => {
    const [first, renewed] = [makeKey(testGraph.sandbox.world), makeKey(testGraph.sandbox.world)];
    const idempotencyKey = createIdempotencyKey();
    await createContact(first, idempotencyKey);
    await read(renewed);
    clockOffset += CACHE_MS;
    respondWith(body, 1);
    expect(await createContact(renewed, idempotencyKey)).toMatchObject([{ code: 'UPSTREAM_INVALID_RESPONSE' }, 0]);
    expect(await createContact(renewed, idempotencyKey)).toMatchObject([{ code: 'IDEMPOTENCY_KEY_REUSED' }, 0]);
  });
});

describe('Query.viewer', () => {
  it.each(EMPTY_RESPONSES)('returns UPSTREAM_INVALID_RESPONSE if Me returns %s', async (_name, body) => {
    await read('demo-owner');
    respondWith(body);
    const { data, errors } = await testGraph.execute('{ viewer { workspace { rawId } scopes } }');
    expect([data, errors?.map(({ extensions }) => extensions.code)]).toEqual([{ viewer: null }, ['UPSTREAM_INVALID_RESPONSE']]);
  });
});

/** Responses with the key but without its workspace. */
const WITHOUT_WORKSPACE: readonly (readonly [string, unknown])[] = [
  ['no workspace', undefined],
  ['null', null],
  ['an empty workspace', {}],
  ['a workspace without an ID', { name: 'Demo Works' }],
  ['a workspace with a numeric ID', { id: 5 }],
  ['a string', 'Demo Works'],
];
const createResponse = (workspace: unknown) => ({ workspace, apiKey: { id: 'a key', scopes: ALL_SCOPES } });

describe('Me response without a workspace', () => {
  it.each(WITHOUT_WORKSPACE)('preserves a known workspace after %s', async (_name, workspace) => {
    const [first, renewed] = [makeKey(testGraph.sandbox.world), makeKey(testGraph.sandbox.world)];
    const idempotencyKey = createIdempotencyKey();
    await createContact(first, idempotencyKey);
    await read(renewed);
    clockOffset += CACHE_MS;
    respondWith(createResponse(workspace));
    expect(await createContact(renewed, idempotencyKey)).toMatchObject([{ code: 'IDEMPOTENCY_KEY_REUSED' }, 0]);
  });

  it.each(WITHOUT_WORKSPACE)('doesn’t repeat a mutation of a renewed key whose first response has %s', async (_name, workspace) => {
    const [first, renewed] = [makeKey(testGraph.sandbox.world), makeKey(testGraph.sandbox.world)];
    const idempotencyKey = createIdempotencyKey();
    await createContact(first, idempotencyKey);
    respondWith(createResponse(workspace));
    // The upstream has returned a workspace to another key.
    expect(await createContact(renewed, idempotencyKey)).toMatchObject([{ code: 'UPSTREAM_INVALID_RESPONSE', retry: 'SAFE' }, 0]);
    // Fields that need no workspace still resolve.
    expect(await read(renewed)).toEqual(['answered', ['Contact/ListContacts']]);
    testGraph.sandbox.faults.clear();
    expect(await createContact(renewed, idempotencyKey)).toMatchObject([{ code: 'IDEMPOTENCY_KEY_REUSED' }, 0]);
  });

  it('requests Me again before it accepts the first response', async () => {
    const [first, renewed] = [makeKey(testGraph.sandbox.world), makeKey(testGraph.sandbox.world)];
    const idempotencyKey = createIdempotencyKey();
    await createContact(first, idempotencyKey);
    respondWith(createResponse(null), 1);
    expect(await createContact(renewed, idempotencyKey)).toMatchObject([{ code: 'IDEMPOTENCY_KEY_REUSED' }, 0]);
  });

  it('preserves a known workspace after a failure in between', async () => {
    const [first, renewed] = [makeKey(testGraph.sandbox.world), makeKey(testGraph.sandbox.world)];
    const idempotencyKey = createIdempotencyKey();
    await createContact(first, idempotencyKey);
    await read(renewed);
    clockOffset += CACHE_MS;
    testGraph.sandbox.faults.add({ operation: ME, status: 500, times: 1 });
    expect((await read(renewed))[0]).toBe('UPSTREAM_UNAVAILABLE');
    respondWith(createResponse(null));
    expect(await createContact(renewed, idempotencyKey)).toMatchObject([{ code: 'IDEMPOTENCY_KEY_REUSED' }, 0]);
  });
});

describe('Me response without scopes', () => {
  it.each<readonly [string, unknown]>([
    ['no scopes', undefined],
    ['null', null],
    ['a string', 'contact:create'],
    ['a list of numbers', [1, 2]],
  ])('preserves known scopes after %s', async (_name, scopes) => {
    const key = makeKey(testGraph.sandbox.world, { scopes: ALL_SCOPES.filter((scope) => scope !== 'contact:create') });
    const missing = { code: 'FORBIDDEN', reason: 'MISSING_SCOPE', missingScopes: ['contact:create'] };
    expect(await createContact(key, createIdempotencyKey())).toMatchObject([missing, 0]);
    clockOffset += CACHE_MS;
    respondWith({ workspace: { id: 'a workspace' }, apiKey: { id: 'a key', scopes } });
    expect(await createContact(key, createIdempotencyKey())).toMatchObject([missing, 0]);
  });

  it('discards known scopes if Me is forbidden, because the key may have other scopes now', async () => {
    const key = makeKey(testGraph.sandbox.world, { scopes: ['me:read'] });
    expect(await createContact(key, createIdempotencyKey())).toMatchObject([{ reason: 'MISSING_SCOPE' }, 0]);
    testGraph.sandbox.world.store.run('UPDATE api_keys SET scopes = :scopes WHERE name = :key', { key, scopes: '["contact:create"]' });
    clockOffset += CACHE_MS;
    expect(await createContact(key, createIdempotencyKey())).toMatchObject([{ __typename: 'ContactCreatePayload' }, 1]);
  });
});

describe('upstream that never returns a workspace', () => {
  const silentGraph = useTestGraph({}, undefined, { clock: createClockAhead(() => clockOffset) });

  it('requests Me twice at first, then identifies mutations by API key', async () => {
    silentGraph.sandbox.faults.add({ operation: ME, status: 200, body: JSON.stringify(createResponse(null)) });
    const [key, other] = [makeKey(silentGraph.sandbox.world), makeKey(silentGraph.sandbox.world)];
    const countMeCalls = () => silentGraph.sandbox.received.filter(({ operation }) => operation === ME).length;
    await silentGraph.executeAs(key, READ);
    expect(countMeCalls()).toBe(2);
    const create = async (apiKey: string) => (await silentGraph.executeAs(apiKey, CREATE, { key: 'by key' })).data.contactCreate;
    expect([await create(key), await create(key), await create(other)]).toEqual([
      { __typename: 'ContactCreatePayload', effect: 'DONE' },
      { __typename: 'ContactCreatePayload', effect: 'REPLAYED' },
      { __typename: 'ContactCreatePayload', effect: 'DONE' },
    ]);
    const before = countMeCalls();
    clockOffset += CACHE_MS;
    await silentGraph.executeAs(key, READ);
    expect(countMeCalls() - before).toBe(1);
  });
});
