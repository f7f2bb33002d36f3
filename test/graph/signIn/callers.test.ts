import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { createLogger } from '../../../src/server/telemetry/logger.ts';
import { Records } from '../../support/contract/records.ts';
import { RESOURCE, startIdentityProvider } from '../../support/identityProvider.ts';
import { CHANGES } from '../../support/plannedChanges.ts';
import { AssignmentFile, createSignInSettings } from '../../support/signIn.ts';
import { useTestGraph } from '../../support/testGraph.ts';
import { connectTools } from '../../support/toolClient.ts';

const provider = await startIdentityProvider();
afterAll(() => provider.close());
/** Two accounts share an API key. Bob can use some of its scopes, Dora all of them. */
const assignments = new AssignmentFile({
  alice: { key: 'demo-owner' },
  bob: { key: 'demo-owner', scopes: ['me:read', 'customer:read', 'customer_comment:create', 'inventory:move'] },
  dora: { key: 'demo-owner' },
});
const lines: string[] = [];
const logger = createLogger('info', { write: (line: string) => void lines.push(line) });
const testGraph = useTestGraph({}, undefined, {
  logger,
  env: { ...createSignInSettings(provider, assignments), MCP: 'true', MCP_WRITES: 'confirm', READ_CACHE_MS: '60000' },
});
afterEach(() => testGraph.sandbox.faults.clear());

const executeAs = async (subject: string, query: string, variables = {}) =>
  testGraph.executeAs(await provider.issue(subject), query, variables);

const FAILURE = '... on MutationError { code message } ... on ForbiddenError { reason missingScopes }';
const COMMENT = `mutation ($input: CustomerCommentCreateInput!) {
  customerCommentCreate(input: $input) { __typename ... on CustomerCommentCreatePayload { effect comment { body } } ${FAILURE} }
}`;
const MOVE = `mutation ($input: InventoryMoveInput!) {
  inventoryMove(input: $input) { __typename ... on InventoryMovePayload { effect } ${FAILURE} }
}`;
const PRODUCTS = '{ products(first: 1) { nodes { id } } }';

const records = () => new Records({ url: testGraph.sandbox.url, world: testGraph.sandbox.world });
const getCustomerId = async () => (await executeAs('alice', '{ customers(first: 1) { nodes { id } } }')).data.customers.nodes[0].id;

describe('accounts that share an API key', () => {
  it('don’t receive each other’s stored responses', async () => {
    const input = { customerId: await getCustomerId(), body: 'For Alice', idempotencyKey: 'shared comment' };
    const [first, calls] = await testGraph.recordCalls(() => executeAs('alice', COMMENT, { input }));
    expect(first.data.customerCommentCreate).toMatchObject({ effect: 'DONE', comment: { body: 'For Alice' } });
    expect(calls).toHaveLength(1);
    for (const other of ['bob', 'dora']) {
      const [repeat, repeatCalls] = await testGraph.recordCalls(() => executeAs(other, COMMENT, { input }));
      expect(repeat.data.customerCommentCreate).toMatchObject({
        code: 'IDEMPOTENCY_KEY_REUSED',
        message: expect.stringContaining('by another account'),
      });
      expect(repeatCalls).toEqual([]);
    }
    const [own, ownCalls] = await testGraph.recordCalls(() => executeAs('alice', COMMENT, { input }));
    // A replay reads its records again.
    expect([own.data.customerCommentCreate.effect, ownCalls]).toEqual(['REPLAYED', ['Customer/ListCustomerComments']]);
  });

  it('don’t receive each other’s responses from the upstream, which can’t distinguish them', async () => {
    const { input } = await createMove('shared move');
    expect((await executeAs('alice', MOVE, { input })).data.inventoryMove).toMatchObject({ effect: 'DONE' });
    const [repeat, calls] = await testGraph.recordCalls(() => executeAs('bob', MOVE, { input }));
    expect(repeat.data.inventoryMove).toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
    expect(repeat.data.inventoryMove.message).toContain('by another account');
    expect(calls).toEqual([]);
    expect((await executeAs('alice', MOVE, { input })).data.inventoryMove).toMatchObject({ effect: 'REPLAYED' });
    // The API key itself is another caller, too.
    const byKey = await testGraph.execute(MOVE, { input });
    expect(byKey.data.inventoryMove).toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
  });

  it('don’t repeat each other’s mutations whose outcome is unknown', async () => {
    const { input, countMovements } = await createMove('lost move');
    testGraph.sandbox.faults.add({ operation: 'Inventory/MoveInventory', cut: 'after', times: 10 });
    expect((await executeAs('alice', MOVE, { input })).data.inventoryMove).toMatchObject({ code: 'OUTCOME_UNKNOWN' });
    testGraph.sandbox.faults.clear();
    const after = countMovements();
    expect((await executeAs('bob', MOVE, { input })).data.inventoryMove).toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
    expect((await executeAs('alice', MOVE, { input })).data.inventoryMove).toMatchObject({ __typename: 'InventoryMovePayload' });
    expect(countMovements()).toBe(after);
  });

  it('share only those reads in flight and in the cache that each of them has the scopes for', async () => {
    const held = testGraph.gate.hold('Catalog/ListProducts');
    const allowed = executeAs('alice', PRODUCTS);
    await held.arrived;
    const denied = await executeAs('bob', PRODUCTS);
    held.release();
    expect((await allowed).data.products.nodes).toHaveLength(1);
    const [cached, calls] = await testGraph.recordCalls(() => executeAs('dora', PRODUCTS));
    expect([cached.data, calls]).toEqual([(await allowed).data, []]);
    for (const { data, errors } of [denied, await executeAs('bob', PRODUCTS)]) {
      expect(data?.products ?? null).toBeNull();
      expect(errors?.[0]?.extensions).toMatchObject({ code: 'FORBIDDEN', reason: 'ACCOUNT_SCOPE' });
    }
  });

  it('can’t confirm each other’s plans', async () => {
    const connect = async (subject: string) =>
      connectTools(testGraph.url, await provider.issue(subject, { claims: { aud: `${RESOURCE}/mcp` } }));
    const [alice, dora] = [await connect('alice'), await connect('dora')];
    const change = CHANGES.find(({ tool }) => tool === 'inventory_move');
    const args = (await change?.args(records())) ?? {};
    const { body } = await alice.call('svc_inventory_move', args);
    const [stolen, calls] = await testGraph.recordCalls(() =>
      dora.call('svc_inventory_move', { ...args, confirmation: body.confirmation }),
    );
    expect([stolen.isError, calls]).toEqual([true, []]);
    expect(stolen.text).toContain('belongs to another API key or account');
    expect((await alice.call('svc_inventory_move', { ...args, confirmation: body.confirmation })).isError).toBe(false);
    await Promise.all([alice.close(), dora.close()]);
  });

  it('share the quota of the key', async () => {
    const remaining = async (subject: string) => (await executeAs(subject, '{ customer(id: "1") { title } }')).cost?.quota?.remaining ?? 0;
    const before = await remaining('alice');
    expect(await remaining('bob')).toBe(before - 1);
  });

  it('differ in the log by a hash, without their names', async () => {
    lines.length = 0;
    for (const subject of ['alice', 'dora']) await executeAs(subject, '{ __typename }');
    await testGraph.execute('{ __typename }');
    const logged = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request');
    const accounts = logged.map(({ account }) => account);
    expect(accounts).toEqual([expect.stringMatching(/^[\w-]{8}$/), expect.stringMatching(/^[\w-]{8}$/), undefined]);
    expect(accounts[0]).not.toBe(accounts[1]);
    expect(lines.join('')).not.toMatch(/alice|dora/);
  });
});

/** The input of a stock movement, and a function that counts the movements in the upstream. */
async function createMove(idempotencyKey: string) {
  const change = CHANGES.find(({ tool }) => tool === 'inventory_move');
  const { destinationLocationId, ...line } = (await change?.args(records())) ?? {};
  const { store } = testGraph.sandbox.world;
  const countMovements = () =>
    store.get<{ readonly count: number }>('SELECT count(DISTINCT operation_id) AS count FROM inventory_movements')?.count;
  return { input: { destinationLocationId, lines: [line], idempotencyKey }, countMovements };
}
