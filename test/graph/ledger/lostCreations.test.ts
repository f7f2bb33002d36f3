import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Fault } from '../../../sandbox/kernel/faults.ts';
import { OutcomeUnknownError } from '../../../src/failures/failures.ts';
import type { LedgerUse } from '../../../src/ledger/ledger.ts';
import { SqliteLedgerStore } from '../../../src/ledger/sqliteStore.ts';
import { isOnlyCandidate } from '../../../src/resolvers/kit/reconcile.ts';
import { CreateCustomer } from '../../../src/upstream/contract/generated/operations.ts';
import { ALL_SCOPES, makeKey } from '../../sandbox/makeKey.ts';
import { createDemoWorld, post } from '../../sandbox/sandbox.ts';
import { interceptCalls } from '../../support/interceptCalls.ts';
import { createMemoryLedger } from '../../support/memoryLedger.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const OPERATION = 'Customer/CreateCustomer';

let duringDelay: () => Promise<unknown> = async () => {};
let delayedMs = 0;
/** Whether a proxy responds to creations instead of the upstream. */
let isIntercepted = false;
const createPage = () => {
  const date = new Date(Date.now() + delayedMs).toUTCString();
  return { status: 200, headers: { 'content-type': 'text/html', date }, body: '<!doctype html>' };
};
const sandbox = {
  // Advances the upstream's clock instead of waiting.
  wait: async (ms: number) => {
    await duringDelay();
    delayedMs += ms;
  },
  world: createDemoWorld(() => Date.now() + delayedMs),
  // The tests take longer than the default window.
  rateLimit: { limit: 1_000_000, windowSeconds: 3_600 },
};
const testGraph = useTestGraph(sandbox, undefined, {
  transport: interceptCalls(async (request, usual) => (isIntercepted && request.path.endsWith(OPERATION) ? createPage() : usual(request))),
});
let otherKey = '';
beforeAll(() => {
  otherKey = makeKey(testGraph.sandbox.world, { scopes: ALL_SCOPES });
});
beforeEach(async () => {
  duringDelay = async () => {};
  // The outcome can be reconciled only if the graph has used the key before.
  await testGraph.execute('{ contacts(first: 1) { nodes { id } } }');
});
afterEach(() => {
  isIntercepted = false;
  testGraph.sandbox.faults.clear();
});

const DELAYS = [0, 300, 1_500];
/** Each delay with and without an idempotency key. */
const CASES = DELAYS.flatMap((latencyMs) => [true, false].map((hasKey) => [latencyMs, hasKey] as const));

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
const createDuplicate = async ({ title, email }: ReturnType<typeof newInput>, apiKey = otherKey): Promise<string> => {
  const { status, body } = await post(testGraph.sandbox.url, apiKey, OPERATION, { title, email });
  expect(status).toBe(201);
  return body.customer.id;
};
const findIds = ({ email }: { readonly email: string }) =>
  testGraph.sandbox.world.store.all<{ id: string }>('SELECT id FROM customers WHERE email = :email', { email }).map(({ id }) => id);
const loseResponse = (fault: Omit<Fault, 'operation'>) => testGraph.sandbox.faults.add({ operation: OPERATION, times: 1, ...fault });

const UNKNOWN = { __typename: 'OutcomeUnknownError', code: 'OUTCOME_UNKNOWN' };

describe('creation whose response is lost after the commit', () => {
  it.each(CASES)('returns RECONCILED after one read at a delay of %i ms (key: %s)', async (latencyMs, hasKey) => {
    const input = newInput(hasKey);
    loseResponse({ cut: 'after', latencyMs });
    const { result, calls } = await create(input);
    expect(result).toMatchObject({ effect: 'RECONCILED', customer: { rawId: findIds(input)[0] } });
    expect([findIds(input).length, calls]).toEqual([1, [OPERATION, 'Customer/LookupCustomersByIdentifier']]);
  });

  it.each(CASES)(
    'stays unknown if another caller created an identical record before, at a delay of %i ms (key: %s)',
    async (latencyMs, hasKey) => {
      const input = newInput(hasKey);
      await createDuplicate(input);
      loseResponse({ cut: 'after', latencyMs });
      expect((await create(input)).result).toMatchObject(UNKNOWN);
      expect(findIds(input)).toHaveLength(2);
    },
  );

  it.each(CASES)(
    'stays unknown if another caller created an identical record after, at a delay of %i ms (key: %s)',
    async (latencyMs, hasKey) => {
      const input = newInput(hasKey);
      loseResponse({ cut: 'after', latencyMs });
      const lookup = testGraph.gate.hold('Customer/LookupCustomersByIdentifier');
      const lost = create(input);
      await lookup.arrived;
      await createDuplicate(input);
      lookup.release();
      expect((await lost).result).toMatchObject(UNKNOWN);
      expect(findIds(input)).toHaveLength(2);
    },
  );

  it('returns RECONCILED for each of several concurrent creations of an API key', async () => {
    const count = 10;
    loseResponse({ cut: 'after', times: count });
    const results = await Promise.all(Array.from({ length: count }, () => create(newInput())));
    expect(results.map(({ result }) => result.effect)).toEqual(Array(count).fill('RECONCILED'));
  });

  it('returns RECONCILED if the success response is malformed', async () => {
    const input = newInput();
    loseResponse({ body: '{"customer": ' });
    expect((await create(input)).result).toMatchObject({ effect: 'RECONCILED', customer: { rawId: findIds(input)[0] } });
  });

  it('stays unknown while another process uses the API key', async () => {
    const apiKey = makeKey(testGraph.sandbox.world, { scopes: ALL_SCOPES });
    await testGraph.executeAs(apiKey, '{ contacts(first: 1) { nodes { id } } }');
    await post(testGraph.sandbox.url, apiKey, 'Contact/ListContacts', {});
    const input = newInput();
    loseResponse({ cut: 'after' });
    expect((await create(input, apiKey)).result).toMatchObject(UNKNOWN);
  });
});

describe('creation that was never applied', () => {
  it.each(CASES)('doesn’t claim the identical record of another API key, at a delay of %i ms (key: %s)', async (latencyMs, hasKey) => {
    const input = newInput(hasKey);
    if (latencyMs === 0) await createDuplicate(input);
    else duringDelay = () => createDuplicate(input);
    loseResponse({ cut: 'before', latencyMs });
    expect((await create(input)).result).toMatchObject(UNKNOWN);
    expect(findIds(input)).toHaveLength(1);
    if (hasKey) expect((await create(input)).result).toMatchObject(UNKNOWN);
  });

  it.each(CASES)('doesn’t claim the identical record of another request, at a delay of %i ms (key: %s)', async (latencyMs, hasKey) => {
    const input = newInput(hasKey);
    const identicalInput = { ...input, ...(hasKey && { idempotencyKey: `identical of ${input.email}` }) };
    loseResponse({ cut: 'before', latencyMs });
    const lookup = testGraph.gate.hold('Customer/LookupCustomersByIdentifier');
    const lost = create(input);
    await lookup.arrived;
    const { result } = await create(identicalInput);
    lookup.release();
    expect(result).toMatchObject({ effect: 'DONE' });
    expect((await lost).result).toMatchObject(UNKNOWN);
    expect(findIds(input)).toEqual([result.customer.rawId]);
    if (hasKey) expect((await create(input)).result).toMatchObject(UNKNOWN);
  });

  it('doesn’t claim an identical record if a proxy responds with a page and status 200', async () => {
    const input = newInput();
    await createDuplicate(input);
    isIntercepted = true;
    expect((await create(input)).result).toMatchObject(UNKNOWN);
    expect(findIds(input)).toHaveLength(1);
  });

  it.each([500, 502, 503, 504])('doesn’t claim an identical record after a response with status %i', async (status) => {
    const input = newInput();
    await createDuplicate(input);
    loseResponse({ status });
    expect((await create(input)).result).toMatchObject(UNKNOWN);
  });
});

describe('equal requests under two keys in two processes', () => {
  const keyHash = 'one key';
  const lost = new OutcomeUnknownError({
    startedAt: new Date(),
    idempotencyKey: null,
    retry: 'SAME_KEY',
    advice: '',
    delivery: { confirmedAt: Date.now(), clockLagMs: 0, settled: Promise.resolve() },
  });
  const createUse = (idempotencyKey: string, name: string, send: () => Promise<object>): LedgerUse<object> => ({
    keyHash,
    callerId: keyHash,
    workspaceId: null,
    operation: CreateCustomer,
    idempotencyKey,
    request: { name },
    isDeduplicatedUpstream: false,
    isCreation: true,
    recheckAccess: async () => {},
    send,
    redact: (response) => response,
    restore: (stored) => stored,
    reconcile: async (_startedAt, evidence) => ((await isOnlyCandidate(evidence)) ? { name } : undefined),
  });
  const throwLost = async () => {
    throw lost;
  };
  const openBoth = () => {
    const store = new SqliteLedgerStore(':memory:');
    return [createMemoryLedger({ store }), createMemoryLedger({ store })] as const;
  };

  it('return RECONCILED if their input differs', async () => {
    const [one, two] = openBoth();
    await two.runOnce(createUse('b', 'another', async () => ({})));
    expect(await one.runOnce(createUse('a', 'one', throwLost))).toMatchObject({ effect: 'RECONCILED' });
  });

  it('both stay unknown if both responses are lost', async () => {
    const [one, two] = openBoth();
    const other = Promise.withResolvers<void>();
    const first = one.runOnce(
      createUse('a', 'identical', async () => {
        await other.promise;
        throw lost;
      }),
    );
    await expect(two.runOnce(createUse('b', 'identical', throwLost))).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' });
    other.resolve();
    await expect(first).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' });
    await expect(one.runOnce(createUse('a', 'identical', throwLost))).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' });
  });

  it.each(['before', 'after'])('stay unknown if the other request succeeds %s', async (order) => {
    const [one, two] = openBoth();
    const succeed = () => two.runOnce(createUse('b', 'identical', async () => ({})));
    if (order === 'before') await succeed();
    const first = one.runOnce(
      createUse('a', 'identical', async () => {
        if (order === 'after') await succeed();
        throw lost;
      }),
    );
    await expect(first).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' });
  });
});

it('adds no call to a creation whose response arrives', async () => {
  const { result, calls } = await create(newInput());
  expect([result.effect, calls]).toEqual(['DONE', [OPERATION]]);
});
