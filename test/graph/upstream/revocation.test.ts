import { afterEach, describe, expect, it } from 'vitest';
import { ALL_SCOPES, makeKey } from '../../sandbox/makeKey.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const ME = 'Workspace/Me';
const testGraph = useTestGraph();
const keeping = useTestGraph({}, undefined, { env: { READ_CACHE_MS: '60000' } });
afterEach(() => {
  testGraph.sandbox.faults.clear();
  keeping.sandbox.faults.clear();
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
const ASK = 'query ($key: String!) { idempotentOperation(operation: "contactCreate", idempotencyKey: $key) { state } }';

const create = async (apiKey: string, key: string, lastName = 'Once') => {
  const { data, errors } = await testGraph.executeAs(apiKey, CREATE, { key, lastName });
  return data?.contactCreate ?? errors?.[0]?.extensions;
};
const find = async (apiKey: string, key: string) => {
  const { data, errors } = await testGraph.executeAs(apiKey, ASK, { key });
  return data?.idempotentOperation ?? errors?.[0]?.extensions;
};

/** Calls to `Me`, and all others. */
const callsOf = async <Result>(act: () => Promise<Result>) => {
  const before = testGraph.sandbox.received.length;
  const result = await act();
  const calls = testGraph.sandbox.received.slice(before).map(({ operation }) => operation);
  return { result, questions: calls.filter((name) => name === ME).length, others: calls.filter((name) => name !== ME) };
};

describe('a key that was revoked', () => {
  it('is told nothing from the ledger from then on', async () => {
    const key = makeKey(testGraph.sandbox.world);
    await create(key, 'done');
    testGraph.sandbox.faults.add({ operation: 'Contact/CreateContact', cut: 'before', times: 1 });
    await create(key, 'unknown');
    revoke(key);
    const refused = { code: 'UNAUTHENTICATED' };
    expect([
      await find(key, 'done'),
      await find(key, 'never used'),
      await create(key, 'done'),
      await create(key, 'done', 'Another input'),
      await create(key, 'unknown'),
    ]).toMatchObject([refused, refused, refused, refused, refused]);
  });

  it('is not told that an act of it still runs', async () => {
    const key = makeKey(testGraph.sandbox.world);
    const held = testGraph.gate.hold('Contact/CreateContact');
    const running = create(key, 'running');
    await held.arrived;
    revoke(key);
    expect(await create(key, 'running')).toMatchObject({ code: 'UNAUTHENTICATED' });
    held.release();
    await running;
  });

  it('does not have an act sent that the upstream de-duplicates and that was done before', async () => {
    const key = makeKey(testGraph.sandbox.world);
    const RECEIPT = 'mutation ($input: InventoryReceiptCreateInput!) { inventoryReceiptCreate(input: $input) { __typename } }';
    const input = { locationId: demoId('location 0'), idempotencyKey: 'kept upstream' };
    await testGraph.executeAs(key, RECEIPT, { input });
    revoke(key);
    const { result, others } = await callsOf(() => testGraph.executeAs(key, RECEIPT, { input }));
    expect([result.errors?.[0]?.extensions.code, others]).toEqual(['UNAUTHENTICATED', []]);
  });

  it('is not served from what is remembered once any call was answered 401', async () => {
    const key = makeKey(keeping.sandbox.world);
    const READ = '{ contacts(first: 1) { nodes { lastName } } }';
    const OTHER = '{ customers(first: 1) { nodes { title } } }';
    const codeOf = async (query: string) => (await keeping.executeAs(key, query)).errors?.[0]?.extensions.code ?? 'answered';
    expect(await codeOf(READ)).toBe('answered');
    revoke(key, keeping);
    // The answer is kept, and nobody has asked the upstream.
    expect(await codeOf(READ)).toBe('answered');
    expect([await codeOf(OTHER), await codeOf(READ)]).toEqual(['UNAUTHENTICATED', 'UNAUTHENTICATED']);
  });

  it('leaves what is kept for other keys alone', async () => {
    const [key, other] = [makeKey(keeping.sandbox.world), makeKey(keeping.sandbox.world)];
    const READ = '{ contacts(first: 1) { nodes { lastName } } }';
    await keeping.executeAs(other, READ);
    revoke(key, keeping);
    await keeping.executeAs(key, READ);
    expect((await keeping.recordCalls(() => keeping.executeAs(other, READ)))[1]).toEqual([]);
  });

  it('is not remembered by a question that was under way when a call was answered 401', async () => {
    const key = makeKey(testGraph.sandbox.world);
    const READ = '{ contacts(first: 1) { nodes { lastName } } }';
    await create(key, 'known');
    // Answered before the key is revoked, and on its way back when another call is refused.
    const held = testGraph.gate.holdResponses(ME);
    const asking = find(key, 'known');
    await held.arrived;
    revoke(key);
    const refused = await testGraph.executeAs(key, READ);
    expect(refused.errors?.[0]?.extensions.code).toBe('UNAUTHENTICATED');
    held.release();
    await asking;
    const { result, others } = await callsOf(() => testGraph.executeAs(key, READ));
    expect([result.errors?.[0]?.extensions.code, others]).toEqual(['UNAUTHENTICATED', []]);
  });
});

describe('a scope that was taken away', () => {
  it('is missed at once where the ledger would tell', async () => {
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

describe('what the ledger tells', () => {
  it('costs one question what the key may do, and a first act none', async () => {
    const key = makeKey(testGraph.sandbox.world);
    await testGraph.executeAs(key, '{ contacts(first: 1) { nodes { lastName } } }');
    const first = await callsOf(() => create(key, 'counted'));
    const again = await callsOf(() => create(key, 'counted'));
    const found = await callsOf(() => find(key, 'counted'));
    expect([first, again, found]).toMatchObject([
      { questions: 0, others: ['Contact/CreateContact'] },
      { result: { effect: 'REPLAYED' }, questions: 1, others: ['Contact/GetContact'] },
      { result: { state: 'SUCCEEDED' }, questions: 1, others: [] },
    ]);
  });

  it('is asked for once by many at a time', async () => {
    const key = makeKey(testGraph.sandbox.world);
    await create(key, 'many');
    const held = testGraph.gate.hold(ME);
    const sent = testGraph.gate.sent(ME);
    const fields = Array.from(
      { length: 20 },
      (_, index) => `a${index}: idempotentOperation(operation: "contactCreate", idempotencyKey: "many") { state }`,
    );
    const asking = testGraph.executeAs(key, `{ ${fields.join(' ')} }`);
    await held.arrived;
    held.release();
    expect(Object.values((await asking).data)).toEqual(fields.map(() => ({ state: 'SUCCEEDED' })));
    expect(testGraph.gate.sent(ME) - sent).toBe(1);
  });

  it('is not told while the upstream cannot be asked', async () => {
    const key = makeKey(testGraph.sandbox.world);
    await create(key, 'down');
    testGraph.sandbox.faults.add({ operation: ME, status: 500 });
    expect([await create(key, 'down'), await find(key, 'down')]).toMatchObject([
      { code: 'UPSTREAM_UNAVAILABLE' },
      { code: 'UPSTREAM_UNAVAILABLE' },
    ]);
  });
});
