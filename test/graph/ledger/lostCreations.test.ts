import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Fault } from '../../../sandbox/kernel/faults.ts';
import { SqliteLedgerStore } from '../../../src/ledger/sqliteStore.ts';
import { httpTransport } from '../../../src/upstream/transport/http.ts';
import { ALL_SCOPES, makeKey } from '../../sandbox/makeKey.ts';
import { createDemoWorld, post } from '../../sandbox/sandbox.ts';
import { interceptCalls } from '../../support/interceptCalls.ts';
import { createMemoryLedger } from '../../support/memoryLedger.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const OPERATION = 'Customer/CreateCustomer';
const LOOKUP = 'Customer/LookupCustomersByIdentifier';

/** Whether a proxy responds to creations instead of the upstream. */
let isIntercepted = false;
const PAGE = { status: 200, headers: { 'content-type': 'text/html' }, body: '<!doctype html>' };
const store = new SqliteLedgerStore(':memory:');
const testGraph = useTestGraph({ world: createDemoWorld(Date.now) }, undefined, {
  ledger: createMemoryLedger({ store }),
  transport: interceptCalls(async (request, usual) => (isIntercepted && request.path.endsWith(OPERATION) ? PAGE : usual(request))),
});
/** Another process with the same upstream and ledger. */
const otherGraph = useTestGraph({}, undefined, {
  ledger: Object.assign(createMemoryLedger({ store }), { close: async () => {} }),
  transport: () => httpTransport({ url: testGraph.sandbox.url, connections: 32 }),
});
let otherKey = '';
let writeOnlyKey = '';
beforeAll(() => {
  otherKey = makeKey(testGraph.sandbox.world, { scopes: ALL_SCOPES });
  writeOnlyKey = makeKey(testGraph.sandbox.world, { scopes: ALL_SCOPES.filter((scope) => scope !== 'customer:read') });
});
afterEach(() => {
  isIntercepted = false;
  testGraph.sandbox.faults.clear();
});

let inputs = 0;
const newInput = (hasKey = true) => {
  inputs += 1;
  const email = `lost${inputs}@example.com`;
  return { title: 'Lost', email, ...(hasKey && { idempotencyKey: `lost ${inputs}` }) };
};

const CANDIDATES = '... on OutcomeUnknownError { candidates { __typename id rawId ... on Customer { title } } }';
const create = async (input: object, { selection = CANDIDATES, apiKey = 'demo-owner', graph = testGraph } = {}) => {
  const query = `mutation ($input: CustomerCreateInput!) {
    customerCreate(input: $input) {
      __typename
      ... on CustomerCreatePayload { effect customer { rawId } }
      ... on MutationError { message retry }
      ${selection}
    }
  }`;
  const [{ data, errors, cost }, calls] = await testGraph.recordCalls(() => graph.executeAs(apiKey, query, { input }));
  return { result: data.customerCreate, errors, predictedCalls: cost?.predictedCalls, calls };
};
const createDuplicate = async ({ title, email }: ReturnType<typeof newInput>): Promise<string> => {
  const { status, body } = await post(testGraph.sandbox.url, otherKey, OPERATION, { title, email });
  expect(status).toBe(201);
  return body.customer.id;
};
const findIds = ({ email }: { readonly email: string }) =>
  testGraph.sandbox.world.store.all<{ id: string }>('SELECT id FROM customers WHERE email = :email', { email }).map(({ id }) => id);
const loseResponse = (fault: Omit<Fault, 'operation'>) => testGraph.sandbox.faults.add({ operation: OPERATION, times: 1, ...fault });

describe('creation whose success can’t be read', () => {
  it.each([true, false])('returns RECONCILED after one read if a single record matches (key: %s)', async (hasKey) => {
    const input = newInput(hasKey);
    loseResponse({ body: '{"customer": ' });
    const { result, calls } = await create(input);
    expect(result).toMatchObject({ effect: 'RECONCILED', customer: { rawId: findIds(input)[0] } });
    expect(calls).toEqual([OPERATION, LOOKUP]);
  });

  it('stays unknown if several records match, and returns them as candidates', async () => {
    const input = newInput();
    await createDuplicate(input);
    loseResponse({ body: '{"customer": ' });
    const { result } = await create(input);
    expect(result).toMatchObject({ __typename: 'OutcomeUnknownError', candidates: [{}, {}] });
  });

  it('stays unknown on a repeat if the first search failed', async () => {
    const input = newInput();
    loseResponse({ body: '{"customer": ' });
    testGraph.sandbox.faults.add({ operation: LOOKUP, status: 400 });
    expect((await create(input)).result).toMatchObject({ __typename: 'OutcomeUnknownError', candidates: null });
    testGraph.sandbox.faults.clear();
    const [rawId] = findIds(input);
    expect((await create(input)).result).toMatchObject({ __typename: 'OutcomeUnknownError', candidates: [{ rawId }] });
  });

  it('stays unknown if a proxy responds with a page and status 200', async () => {
    const input = newInput();
    const rawId = await createDuplicate(input);
    isIntercepted = true;
    expect((await create(input)).result).toMatchObject({ __typename: 'OutcomeUnknownError', candidates: [{ rawId }] });
    expect(findIds(input)).toHaveLength(1);
  });
});

describe('OutcomeUnknownError.candidates', () => {
  it.each([true, false])('returns the record that was created (key: %s)', async (hasKey) => {
    const input = newInput(hasKey);
    loseResponse({ cut: 'after' });
    const { result, calls, predictedCalls } = await create(input);
    const [rawId] = findIds(input);
    expect(result).toMatchObject({
      __typename: 'OutcomeUnknownError',
      retry: 'CHECK_FIRST',
      message: expect.stringContaining('a minute after `startedAt`'),
      candidates: [{ __typename: 'Customer', id: expect.any(String), rawId, title: 'Lost' }],
    });
    expect([calls, predictedCalls]).toEqual([[OPERATION, LOOKUP], 2]);
  });

  it.each([500, 502, 503, 504])('returns the record of another caller after status %i, and never claims it', async (status) => {
    const input = newInput();
    const rawId = await createDuplicate(input);
    loseResponse({ status });
    expect((await create(input)).result).toMatchObject({ __typename: 'OutcomeUnknownError', candidates: [{ rawId }] });
  });

  it('costs nothing and adds nothing to the prediction if it isn’t selected', async () => {
    loseResponse({ cut: 'before' });
    const { calls, predictedCalls } = await create(newInput(), { selection: '' });
    expect([calls, predictedCalls]).toEqual([[OPERATION], 1]);
  });

  it('returns nothing if the request never arrived, but an equal record of another caller', async () => {
    const [unmatched, matched] = [newInput(), newInput()];
    const rawId = await createDuplicate(matched);
    loseResponse({ cut: 'before', times: 2 });
    expect((await create(unmatched)).result.candidates).toEqual([]);
    expect((await create(matched)).result.candidates).toMatchObject([{ rawId }]);
  });

  it('searches again for each repeat, which sends nothing', async () => {
    const input = newInput();
    loseResponse({ cut: 'before' });
    await create(input);
    const first = await create(input);
    expect([first.result.candidates, first.calls]).toEqual([[], [LOOKUP]]);
    const rawId = await createDuplicate(input);
    const second = await create(input);
    expect([second.result, second.calls]).toMatchObject([{ retry: 'CHECK_FIRST', candidates: [{ rawId }] }, [LOOKUP]]);
  });

  it('returns the record to a repeat in another process with the same ledger', async () => {
    const input = newInput();
    loseResponse({ cut: 'after' });
    await create(input);
    const { result, calls } = await create(input, { graph: otherGraph });
    expect([result.candidates, calls]).toMatchObject([[{ rawId: findIds(input)[0] }], [LOOKUP]]);
  });

  it('returns only records with the whole input that were created since', async () => {
    const input = newInput();
    const id = await createDuplicate(input);
    testGraph.sandbox.world.store.run('UPDATE customers SET created_at = created_at - 3600 WHERE id = :id', { id });
    await createDuplicate({ ...input, title: 'Other' });
    const rawId = await createDuplicate(input);
    loseResponse({ cut: 'before' });
    expect((await create(input)).result.candidates).toMatchObject([{ rawId }]);
  });

  it('returns at most five records', async () => {
    const input = newInput();
    await Promise.all(Array.from({ length: 6 }, () => createDuplicate(input)));
    loseResponse({ cut: 'before' });
    expect((await create(input)).result.candidates).toHaveLength(5);
  });

  it('returns null without an error if the key can’t read the records', async () => {
    loseResponse({ cut: 'after' });
    const { result, errors } = await create(newInput(), { apiKey: writeOnlyKey });
    expect([result, errors]).toMatchObject([{ __typename: 'OutcomeUnknownError', candidates: null }, undefined]);
  });

  it('returns null without an error if the search fails', async () => {
    loseResponse({ cut: 'after' });
    testGraph.sandbox.faults.add({ operation: LOOKUP, status: 500 });
    const { result, errors } = await create(newInput());
    expect([result, errors]).toMatchObject([{ __typename: 'OutcomeUnknownError', candidates: null }, undefined]);
  });

  it('returns null without a call if the record can’t be searched for', async () => {
    loseResponse({ cut: 'before' });
    const { result, calls } = await create({ title: 'Neither email nor phone' });
    expect([result.candidates, calls]).toEqual([null, [OPERATION]]);
    testGraph.sandbox.faults.add({ operation: 'Contact/CreateContact', cut: 'before' });
    const query = `mutation { contactCreate(input: { lastName: "Lost" }) { ${CANDIDATES} } }`;
    const [contact, contactCalls] = await testGraph.recordCalls(() => testGraph.execute(query));
    expect([contact.data.contactCreate, contact.cost?.predictedCalls, contactCalls]).toEqual([
      { candidates: null },
      1,
      ['Contact/CreateContact'],
    ]);
  });
});

it('returns no record as the result of two requests, in two processes and with any fault', async () => {
  const { email, title } = newInput();
  const faults = [{ cut: 'before' }, { cut: 'after' }, { status: 502 }, { body: '{' }, {}] as const;
  const results = [];
  for (let round = 0; round < 10; round += 1) {
    for (const fault of faults.filter((_fault, index) => (round + index) % 2 === 0)) loseResponse(fault);
    const sent = [testGraph, otherGraph, testGraph].map((graph, index) =>
      create({ email, title, idempotencyKey: `storm ${round} ${index}` }, { graph }),
    );
    results.push(...(await Promise.all(sent)).map(({ result }) => result));
    testGraph.sandbox.faults.clear();
  }
  const rawIds = results.flatMap(({ customer }) => customer?.rawId ?? []);
  expect(new Set(rawIds).size).toBe(rawIds.length);
  expect(findIds({ email })).toEqual(expect.arrayContaining(rawIds));
  const unknown = results.filter(({ __typename }) => __typename === 'OutcomeUnknownError');
  expect([rawIds.length > 0, unknown.length > 0, rawIds.length + unknown.length]).toEqual([true, true, results.length]);
});

it('adds no call to a creation whose response arrives', async () => {
  const { result, calls } = await create(newInput());
  expect([result.effect, calls]).toEqual(['DONE', [OPERATION]]);
});
