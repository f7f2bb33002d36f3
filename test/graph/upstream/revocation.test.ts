import { afterEach, describe, expect, it } from 'vitest';
import { ALL_SCOPES, makeKey } from '../../sandbox/makeKey.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const ME = 'Workspace/Me';
const testGraph = useTestGraph();
const caching = useTestGraph({}, undefined, { env: { READ_CACHE_MS: '60000' } });
afterEach(() => {
  testGraph.sandbox.faults.clear();
  caching.sandbox.faults.clear();
});

type Environment = typeof testGraph;

const revoke = (key: string, { sandbox }: Environment = testGraph) =>
  sandbox.world.store.run('UPDATE api_keys SET revoked_at = :now WHERE name = :key', { key, now: sandbox.now });
const setScopes = (key: string, scopes: readonly string[]) =>
  testGraph.sandbox.world.store.run('UPDATE api_keys SET scopes = :scopes WHERE name = :key', { key, scopes: JSON.stringify(scopes) });

const CREATE = `mutation ($key: String!, $lastName: String!) {
  contactCreate(input: { lastName: $lastName, idempotencyKey: $key }) {
    __typename
    ... on ContactCreatePayload { effect contact { lastName } }
    ... on MutationError { code }
  }
}`;
const OPERATION_QUERY = 'query ($key: String!) { idempotentOperation(operation: "contactCreate", idempotencyKey: $key) { state } }';

const create = async (apiKey: string, key: string, lastName = 'Once') => {
  const { data, errors } = await testGraph.executeAs(apiKey, CREATE, { key, lastName });
  return data?.contactCreate ?? errors?.[0]?.extensions;
};
const find = async (apiKey: string, key: string) => {
  const { data, errors } = await testGraph.executeAs(apiKey, OPERATION_QUERY, { key });
  return data?.idempotentOperation ?? errors?.[0]?.extensions;
};

/** Counts the calls of `Me` and lists all others. */
const recordCalls = async <Result>(execute: () => Promise<Result>) => {
  const before = testGraph.sandbox.received.length;
  const result = await execute();
  const calls = testGraph.sandbox.received.slice(before).map(({ operation }) => operation);
  return { result, lookups: calls.filter((name) => name === ME).length, others: calls.filter((name) => name !== ME) };
};

describe('revoked key', () => {
  it('receives no data from the ledger', async () => {
    const key = makeKey(testGraph.sandbox.world);
    await create(key, 'done');
    testGraph.sandbox.faults.add({ operation: 'Contact/CreateContact', cut: 'before', times: 1 });
    await create(key, 'unknown');
    revoke(key);
    const rejected = { code: 'UNAUTHENTICATED' };
    expect([
      await find(key, 'done'),
      await find(key, 'never used'),
      await create(key, 'done'),
      await create(key, 'done', 'Another input'),
      await create(key, 'unknown'),
    ]).toMatchObject([rejected, rejected, rejected, rejected, rejected]);
  });

  it('receives no OperationInProgressError of its mutation', async () => {
    const key = makeKey(testGraph.sandbox.world);
    const held = testGraph.gate.hold('Contact/CreateContact');
    const running = create(key, 'running');
    await held.arrived;
    revoke(key);
    expect(await create(key, 'running')).toMatchObject({ code: 'UNAUTHENTICATED' });
    held.release();
    await running;
  });

  it('can’t repeat a write with native idempotency', async () => {
    const key = makeKey(testGraph.sandbox.world);
    const RECEIPT = 'mutation ($input: InventoryReceiptCreateInput!) { inventoryReceiptCreate(input: $input) { __typename } }';
    const input = { locationId: demoId('location 0'), idempotencyKey: 'kept upstream' };
    await testGraph.executeAs(key, RECEIPT, { input });
    revoke(key);
    const { result, others } = await recordCalls(() => testGraph.executeAs(key, RECEIPT, { input }));
    expect([result.errors?.[0]?.extensions.code, others]).toEqual(['UNAUTHENTICATED', []]);
  });

  it('receives no cached data after any call returned 401', async () => {
    const key = makeKey(caching.sandbox.world);
    const READ = '{ contacts(first: 1) { nodes { lastName } } }';
    const OTHER = '{ customers(first: 1) { nodes { title } } }';
    const getCode = async (query: string) => (await caching.executeAs(key, query)).errors?.[0]?.extensions.code ?? 'answered';
    expect(await getCode(READ)).toBe('answered');
    revoke(key, caching);
    // The response is cached, and the upstream hasn't been called.
    expect(await getCode(READ)).toBe('answered');
    expect([await getCode(OTHER), await getCode(READ)]).toEqual(['UNAUTHENTICATED', 'UNAUTHENTICATED']);
  });

  it('doesn’t invalidate the cached data of other keys', async () => {
    const [key, other] = [makeKey(caching.sandbox.world), makeKey(caching.sandbox.world)];
    const READ = '{ contacts(first: 1) { nodes { lastName } } }';
    await caching.executeAs(other, READ);
    revoke(key, caching);
    await caching.executeAs(key, READ);
    expect((await caching.recordCalls(() => caching.executeAs(other, READ)))[1]).toEqual([]);
  });

  it('remains rejected after a lookup that started before another call returned 401', async () => {
    const key = makeKey(testGraph.sandbox.world);
    const READ = '{ contacts(first: 1) { nodes { lastName } } }';
    await create(key, 'known');
    // The lookup's response was sent before the revocation and arrives after another call is rejected.
    const held = testGraph.gate.holdResponses(ME);
    const pending = find(key, 'known');
    await held.arrived;
    revoke(key);
    const rejected = await testGraph.executeAs(key, READ);
    expect(rejected.errors?.[0]?.extensions.code).toBe('UNAUTHENTICATED');
    held.release();
    await pending;
    const { result, others } = await recordCalls(() => testGraph.executeAs(key, READ));
    expect([result.errors?.[0]?.extensions.code, others]).toEqual(['UNAUTHENTICATED', []]);
  });
});

describe('removed scope', () => {
  it('fails at once where the ledger would return a result', async () => {
    const key = makeKey(testGraph.sandbox.world);
    await create(key, 'before');
    setScopes(
      key,
      ALL_SCOPES.filter((scope) => scope !== 'contact:create'),
    );
    expect([await create(key, 'before'), await find(key, 'before')]).toMatchObject([
      { __typename: 'ForbiddenError' },
      { code: 'FORBIDDEN', missingScopes: ['contact:create'] },
    ]);
  });
});

describe('ledger result', () => {
  it('costs one lookup of the key’s scopes, except for the first execution', async () => {
    const key = makeKey(testGraph.sandbox.world);
    await testGraph.executeAs(key, '{ contacts(first: 1) { nodes { lastName } } }');
    const first = await recordCalls(() => create(key, 'counted'));
    const again = await recordCalls(() => create(key, 'counted'));
    const found = await recordCalls(() => find(key, 'counted'));
    expect([first, again, found]).toMatchObject([
      { lookups: 0, others: ['Contact/CreateContact'] },
      { result: { effect: 'REPLAYED' }, lookups: 1, others: ['Contact/GetContact'] },
      { result: { state: 'SUCCEEDED' }, lookups: 1, others: [] },
    ]);
  });

  it('costs one lookup for concurrent reads', async () => {
    const key = makeKey(testGraph.sandbox.world);
    await create(key, 'many');
    const held = testGraph.gate.hold(ME);
    const sent = testGraph.gate.sent(ME);
    const fields = Array.from(
      { length: 20 },
      (_, index) => `a${index}: idempotentOperation(operation: "contactCreate", idempotencyKey: "many") { state }`,
    );
    const pending = testGraph.executeAs(key, `{ ${fields.join(' ')} }`);
    await held.arrived;
    held.release();
    expect(Object.values((await pending).data)).toEqual(fields.map(() => ({ state: 'SUCCEEDED' })));
    expect(testGraph.gate.sent(ME) - sent).toBe(1);
  });

  it('remains unavailable while the upstream is unavailable', async () => {
    const key = makeKey(testGraph.sandbox.world);
    await create(key, 'down');
    testGraph.sandbox.faults.add({ operation: ME, status: 500 });
    expect([await create(key, 'down'), await find(key, 'down')]).toMatchObject([
      { code: 'UPSTREAM_UNAVAILABLE' },
      { code: 'UPSTREAM_UNAVAILABLE' },
    ]);
  });
});
