import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Fault } from '../../../sandbox/kernel/faults.ts';
import { OutcomeUnknownError } from '../../../src/failures/failures.ts';
import type { LedgerUse } from '../../../src/ledger/ledger.ts';
import { SqliteLedgerStore } from '../../../src/ledger/sqliteStore.ts';
import { isOnlyCandidate } from '../../../src/resolvers/kit/reconcile.ts';
import { CreateCustomer } from '../../../src/upstream/contract/generated/operations.ts';
import { ALL_SCOPES, makeKey } from '../../sandbox/makeKey.ts';
import { demoWorld, post } from '../../sandbox/sandbox.ts';
import { interceptCalls } from '../../support/interceptCalls.ts';
import { memoryLedger } from '../../support/memoryLedger.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const OPERATION = 'Customer/CreateCustomer';

let duringDelay: () => Promise<unknown> = async () => {};
let delayedMs = 0;
/** Whether something in front of the upstream responds to creations. */
let isIntercepted = false;
const page = () => {
  const date = new Date(Date.now() + delayedMs).toUTCString();
  return { status: 200, headers: { 'content-type': 'text/html', date }, body: '<!doctype html>' };
};
const sandbox = {
  // The upstream's clock is set forward instead of waiting.
  wait: async (ms: number) => {
    await duringDelay();
    delayedMs += ms;
  },
  world: demoWorld(() => Date.now() + delayedMs),
  // The tests take longer than the usual window.
  rateLimit: { limit: 1_000_000, windowSeconds: 3_600 },
};
const testGraph = useTestGraph(sandbox, undefined, {
  transport: interceptCalls(async (request, usual) => (isIntercepted && request.path.endsWith(OPERATION) ? page() : usual(request))),
});
let otherKey = '';
beforeAll(() => {
  otherKey = makeKey(testGraph.sandbox.world, { scopes: ALL_SCOPES });
});
beforeEach(async () => {
  duringDelay = async () => {};
  // The key has been used before, as it has unless its first request after the start of the graph is lost.
  await testGraph.execute('{ contacts(first: 1) { nodes { id } } }');
});
afterEach(() => {
  isIntercepted = false;
  testGraph.sandbox.faults.clear();
});

const DELAYS = [0, 300, 1_500];
/** With an idempotency key and without. */
const EACH = DELAYS.flatMap((latencyMs) => [true, false].map((hasKey) => [latencyMs, hasKey] as const));

let inputs = 0;
const newInput = (hasKey = true) => {
  inputs += 1;
  const email = `lost${inputs}@example.com`;
  return { title: 'Lost', email, ...(hasKey && { idempotencyKey: `lost ${inputs}` }) };
};
const CREATE = `mutation ($input: CustomerCreateInput!) {
  customerCreate(input: $input) {
    __typename
    ... on CustomerCreatePayload { effect customer { rawId } }
    ... on MutationError { code retry }
  }
}`;
const create = async (input: object, apiKey = 'demo-owner') => {
  const [{ data }, calls] = await testGraph.recordCalls(() => testGraph.executeAs(apiKey, CREATE, { input }));
  return { result: data.customerCreate, calls };
};
const createTwin = async ({ title, email }: ReturnType<typeof newInput>, apiKey = otherKey): Promise<string> => {
  const { status, body } = await post(testGraph.sandbox.url, apiKey, OPERATION, { title, email });
  expect(status).toBe(201);
  return body.customer.id;
};
const idsOf = ({ email }: { readonly email: string }) =>
  testGraph.sandbox.world.store.all<{ id: string }>('SELECT id FROM customers WHERE email = :email', { email }).map(({ id }) => id);
const lose = (traits: Omit<Fault, 'operation'>) => testGraph.sandbox.faults.add({ operation: OPERATION, times: 1, ...traits });

const UNKNOWN = { __typename: 'OutcomeUnknownError', code: 'OUTCOME_UNKNOWN' };

describe('a creation whose response is lost after the commit', () => {
  it.each(EACH)('returns RECONCILED at a delay of %i ms (key: %s), by one read', async (latencyMs, hasKey) => {
    const input = newInput(hasKey);
    lose({ cut: 'after', latencyMs });
    const { result, calls } = await create(input);
    expect(result).toMatchObject({ effect: 'RECONCILED', customer: { rawId: idsOf(input)[0] } });
    expect([idsOf(input).length, calls]).toEqual([1, [OPERATION, 'Customer/LookupCustomersByIdentifier']]);
  });

  it.each(EACH)('stays unknown if another caller created a twin before, at a delay of %i ms (key: %s)', async (latencyMs, hasKey) => {
    const input = newInput(hasKey);
    await createTwin(input);
    lose({ cut: 'after', latencyMs });
    expect((await create(input)).result).toMatchObject(UNKNOWN);
    expect(idsOf(input)).toHaveLength(2);
  });

  it.each(EACH)('stays unknown if another caller created a twin after, at a delay of %i ms (key: %s)', async (latencyMs, hasKey) => {
    const input = newInput(hasKey);
    lose({ cut: 'after', latencyMs });
    const lookup = testGraph.gate.hold('Customer/LookupCustomersByIdentifier');
    const lost = create(input);
    await lookup.arrived;
    await createTwin(input);
    lookup.release();
    expect((await lost).result).toMatchObject(UNKNOWN);
    expect(idsOf(input)).toHaveLength(2);
  });

  it('returns RECONCILED for each of several concurrent ones of an API key', async () => {
    const count = 10;
    lose({ cut: 'after', times: count });
    const results = await Promise.all(Array.from({ length: count }, () => create(newInput())));
    expect(results.map(({ result }) => result.effect)).toEqual(Array(count).fill('RECONCILED'));
  });

  it('returns RECONCILED if the response is a success that can’t be read', async () => {
    const input = newInput();
    lose({ body: '{"customer": ' });
    expect((await create(input)).result).toMatchObject({ effect: 'RECONCILED', customer: { rawId: idsOf(input)[0] } });
  });

  it('stays unknown while another process uses the API key', async () => {
    const apiKey = makeKey(testGraph.sandbox.world, { scopes: ALL_SCOPES });
    await testGraph.executeAs(apiKey, '{ contacts(first: 1) { nodes { id } } }');
    await post(testGraph.sandbox.url, apiKey, 'Contact/ListContacts', {});
    const input = newInput();
    lose({ cut: 'after' });
    expect((await create(input, apiKey)).result).toMatchObject(UNKNOWN);
  });
});

describe('a creation that was never applied', () => {
  it.each(EACH)('doesn’t claim the twin of another API key, at a delay of %i ms (key: %s)', async (latencyMs, hasKey) => {
    const input = newInput(hasKey);
    if (latencyMs === 0) await createTwin(input);
    else duringDelay = () => createTwin(input);
    lose({ cut: 'before', latencyMs });
    expect((await create(input)).result).toMatchObject(UNKNOWN);
    expect(idsOf(input)).toHaveLength(1);
    if (hasKey) expect((await create(input)).result).toMatchObject(UNKNOWN);
  });

  it.each(EACH)('doesn’t claim the twin of another request, at a delay of %i ms (key: %s)', async (latencyMs, hasKey) => {
    const input = newInput(hasKey);
    const twin = { ...input, ...(hasKey && { idempotencyKey: `twin of ${input.email}` }) };
    lose({ cut: 'before', latencyMs });
    const lookup = testGraph.gate.hold('Customer/LookupCustomersByIdentifier');
    const lost = create(input);
    await lookup.arrived;
    const { result } = await create(twin);
    lookup.release();
    expect(result).toMatchObject({ effect: 'DONE' });
    expect((await lost).result).toMatchObject(UNKNOWN);
    expect(idsOf(input)).toEqual([result.customer.rawId]);
    if (hasKey) expect((await create(input)).result).toMatchObject(UNKNOWN);
  });

  it('doesn’t claim a twin after a page with status 200 from something else than the upstream', async () => {
    const input = newInput();
    await createTwin(input);
    isIntercepted = true;
    expect((await create(input)).result).toMatchObject(UNKNOWN);
    expect(idsOf(input)).toHaveLength(1);
  });

  it.each([500, 502, 503, 504])('doesn’t claim a twin after a response with status %i', async (status) => {
    const input = newInput();
    await createTwin(input);
    lose({ status });
    expect((await create(input)).result).toMatchObject(UNKNOWN);
  });
});

describe('equal requests under two keys, in two processes', () => {
  const apiKey = 'one key';
  const lost = new OutcomeUnknownError({
    startedAt: new Date(),
    idempotencyKey: null,
    retry: 'SAME_KEY',
    advice: '',
    delivery: { confirmedAt: Date.now(), clockLagMs: 0, settled: Promise.resolve() },
  });
  const useOf = (idempotencyKey: string, name: string, send: () => Promise<object>): LedgerUse<object> => ({
    apiKey,
    workspaceId: null,
    operation: CreateCustomer,
    idempotencyKey,
    request: { name },
    isDeduplicatedUpstream: false,
    isCreation: true,
    recheckAccess: async () => {},
    send,
    redact: (answer) => answer,
    restore: (stored) => stored,
    reconcile: async (_startedAt, evidence) => ((await isOnlyCandidate(evidence)) ? { name } : undefined),
  });
  const loseIt = async () => {
    throw lost;
  };
  const openBoth = () => {
    const store = new SqliteLedgerStore(':memory:');
    return [memoryLedger({ store }), memoryLedger({ store })] as const;
  };

  it('are reconciled if their input differs', async () => {
    const [one, two] = openBoth();
    await two.runOnce(useOf('b', 'another', async () => ({})));
    expect(await one.runOnce(useOf('a', 'one', loseIt))).toMatchObject({ effect: 'RECONCILED' });
  });

  it('both stay unknown if both are lost', async () => {
    const [one, two] = openBoth();
    const other = Promise.withResolvers<void>();
    const first = one.runOnce(
      useOf('a', 'twin', async () => {
        await other.promise;
        throw lost;
      }),
    );
    await expect(two.runOnce(useOf('b', 'twin', loseIt))).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' });
    other.resolve();
    await expect(first).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' });
    await expect(one.runOnce(useOf('a', 'twin', loseIt))).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' });
  });

  it.each(['before', 'after'])('leave the lost one unknown if the other succeeds %s', async (order) => {
    const [one, two] = openBoth();
    const succeed = () => two.runOnce(useOf('b', 'twin', async () => ({})));
    if (order === 'before') await succeed();
    const first = one.runOnce(
      useOf('a', 'twin', async () => {
        if (order === 'after') await succeed();
        throw lost;
      }),
    );
    await expect(first).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' });
  });
});

it('costs a creation no other call', async () => {
  const { result, calls } = await create(newInput());
  expect([result.effect, calls]).toEqual(['DONE', [OPERATION]]);
});
