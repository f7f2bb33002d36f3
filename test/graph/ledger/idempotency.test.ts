import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Fault } from '../../../sandbox/kernel/faults.ts';
import { openLedger } from '../../../src/server/openLedger.ts';
import { readConfig } from '../../../src/server/settings/config.ts';
import { CreateInventoryReceipt } from '../../../src/upstream/contract/generated/operations.ts';
import { ALL_SCOPES, makeKey } from '../../sandbox/makeKey.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { DEPOT } from '../../sandbox/stock.ts';
import { CONFIRM_QUOTE, createQuoting } from '../../support/quoting.ts';
import { runLog } from '../../support/runLog.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const testGraph = useTestGraph();
const { createQuote } = createQuoting(testGraph);
// The sandbox's clock is ahead of the graph's: a record must not seem older than its request.
beforeAll(() => {
  testGraph.sandbox.now = Math.floor(Date.now() / 1000) + 3_600;
});
afterEach(() => testGraph.sandbox.faults.clear());

const addFault = (operation: string, fault: Omit<Fault, 'operation'>) => testGraph.sandbox.faults.add({ operation, ...fault });

const OPERATION_QUERY = `query ($operation: String!, $key: String!) {
  idempotentOperation(operation: $operation, idempotencyKey: $key) { operation idempotencyKey state startedAt settledAt expiresAt }
}`;
const findOperation = async (key: string, operation = 'contactCreate', apiKey = 'demo-owner') => {
  const [{ data, errors }, calls] = await testGraph.recordCalls(() => testGraph.executeAs(apiKey, OPERATION_QUERY, { operation, key }));
  expect(calls).toEqual([]);
  return { record: data.idempotentOperation, errors };
};

const CREATE = `mutation ($input: ContactCreateInput!) {
  contactCreate(input: $input) {
    __typename
    ... on ContactCreatePayload { contact { rawId lastName } effect }
    ... on MutationError { code retry }
  }
}`;
const create = async (key: string, lastName = 'Adler') =>
  (await testGraph.execute(CREATE, { input: { lastName, idempotencyKey: key } })).data.contactCreate;

describe('Query.idempotencyKeyStorage', () => {
  it('returns how long keys are stored, and whether they survive a restart', async () => {
    const [{ data }, calls] = await testGraph.recordCalls(() =>
      testGraph.execute('{ idempotencyKeyStorage { isDurable storageId retentionHours unknownRetentionHours } }'),
    );
    const folder = mkdtempSync(join(tmpdir(), 'ledger-'));
    const config = readConfig({ UPSTREAM_URL: testGraph.sandbox.url, LEDGER_URL: `file:${folder}/ledger.sqlite` });
    const ledger = await openLedger(config, undefined, runLog());
    onTestFinished(() => ledger.close());
    const storageId = expect.stringMatching(/^[\w-]{43}$/);
    expect([data.idempotencyKeyStorage, calls]).toEqual([
      { isDurable: false, storageId, retentionHours: 24, unknownRetentionHours: 168 },
      [],
    ]);
    expect(ledger.isDurable).toBe(true);
  });
});

describe('Query.idempotentOperation', () => {
  it('returns the state SUCCEEDED by the name of the mutation', async () => {
    await create('asked');
    const { record } = await findOperation('asked');
    expect(record).toEqual({
      operation: 'contactCreate',
      idempotencyKey: 'asked',
      state: 'SUCCEEDED',
      startedAt: expect.any(String),
      settledAt: expect.any(String),
      expiresAt: expect.any(String),
    });
    const hours = (Date.parse(record.expiresAt) - Date.parse(record.settledAt)) / 3_600_000;
    expect(hours).toBeCloseTo(24, 1);
    const [unknown] = (await findOperation('asked', 'Contact/CreateContact')).errors ?? [];
    expect(unknown?.extensions.issues).toMatchObject([{ path: ['operation'], code: 'UNKNOWN_NAME' }]);
    expect((await findOperation('asked', 'customerCreate')).record).toBeNull();
    expect((await findOperation('never used')).record).toBeNull();
  });

  it('returns the states FAILED and UNKNOWN', async () => {
    addFault('Contact/CreateContact', { status: 409, body: '{}', times: 1 });
    expect(await create('refused')).toMatchObject({ code: 'REJECTED', retry: 'NEVER' });
    expect((await findOperation('refused')).record.state).toBe('FAILED');
    addFault('Contact/CreateContact', { cut: 'after', times: 1 });
    expect(await create('lost')).toMatchObject({ code: 'OUTCOME_UNKNOWN', retry: 'SAME_KEY' });
    const { record } = await findOperation('lost');
    expect(record.state).toBe('UNKNOWN');
    expect((Date.parse(record.expiresAt) - Date.parse(record.settledAt)) / 86_400_000).toBeCloseTo(7, 2);
  });

  it('returns the state of operations with native idempotency, too', async () => {
    const RECEIPT = `mutation ($input: InventoryReceiptCreateInput!) { inventoryReceiptCreate(input: $input) { __typename } }`;
    await testGraph.execute(RECEIPT, { input: { locationId: DEPOT, idempotencyKey: 'kept upstream' } });
    expect((await findOperation('kept upstream', 'inventoryReceiptCreate')).record).toMatchObject({ state: 'SUCCEEDED' });
  });

  it('returns the state to other keys of the workspace, but not of others', async () => {
    await create('of us');
    const colleague = makeKey(testGraph.sandbox.world, { scopes: ALL_SCOPES });
    expect((await findOperation('of us', 'contactCreate', colleague)).record).toMatchObject({ state: 'SUCCEEDED' });
    expect(await findOperation('of us', 'contactCreate', 'demo-neighbour')).toEqual({ record: null, errors: undefined });
  });

  it('requires the scopes of the operation and a known name', async () => {
    await create('of us');
    const [error] = (await findOperation('of us', 'contactCreate', 'demo-reader')).errors ?? [];
    expect(error?.extensions).toMatchObject({ code: 'FORBIDDEN', retry: 'NEVER', missingScopes: ['contact:create'] });
    const [unknown] = (await findOperation('of us', 'contactMake')).errors ?? [];
    expect(unknown?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', issues: [{ path: ['operation'] }] });
  });
});

describe('replayed payload', () => {
  const first = { lastName: 'First', idempotencyKey: 'current record' };
  const change = async (id: string, lastName: string) => {
    const input = { contactId: id, lastName };
    await testGraph.execute('mutation ($input: ContactUpdateInput!) { contactUpdate(input: $input) { __typename } }', { input });
  };

  it('returns the current record, or only its ID without a call', async () => {
    const { contact } = await create(first.idempotencyKey, first.lastName);
    await change(contact.rawId, 'Second');
    const [again, calls] = await testGraph.recordCalls(() => create(first.idempotencyKey, first.lastName));
    expect(again).toEqual({
      __typename: 'ContactCreatePayload',
      contact: { rawId: contact.rawId, lastName: 'Second' },
      effect: 'REPLAYED',
    });
    expect(calls).toEqual(['Contact/GetContact']);
    const KEYS = CREATE.replace('rawId lastName', 'rawId');
    const [keys, keyCalls] = await testGraph.recordCalls(() => testGraph.execute(KEYS, { input: first }));
    expect([keys.data.contactCreate.contact, keyCalls]).toEqual([{ rawId: contact.rawId }, []]);
  });
});

describe('idempotency key that the upstream handles itself', () => {
  it('returns the current records to a repeat, changes nothing for another key, and rejects other input', async () => {
    const [one, other] = [await createQuote(), await createQuote()];
    const confirm = async (quoteId: string, idempotencyKey = 'confirm once') =>
      (await testGraph.execute(CONFIRM_QUOTE, { input: { quoteId, idempotencyKey } })).data.quoteConfirm;
    const first = await confirm(one.rawId);
    expect(first).toMatchObject({ effect: 'DONE', quote: { status: 'CONFIRMED' } });
    const [again, calls] = await testGraph.recordCalls(() => confirm(one.rawId));
    expect(again).toEqual({ ...first, effect: 'REPLAYED' });
    expect(calls.toSorted()).toEqual(['Order/GetOrder', 'Quote/GetQuote']);
    expect(await confirm(one.rawId, 'another key')).toEqual({ ...first, effect: 'UNCHANGED' });
    expect(await confirm(other.rawId)).toMatchObject({ __typename: 'IdempotencyKeyReusedError' });
    expect((await findOperation('confirm once', 'quoteConfirm')).record).toMatchObject({ state: 'SUCCEEDED' });
  });
});

/** A mutation whose response is lost, and the reads that reconcile it. */
interface LostMutation {
  readonly mutation: string;
  readonly operation: string;
  readonly input: () => Promise<object> | object;
  readonly reads: readonly string[];
}

/** Creates a customer with values to clear. Returns its ID. */
const newCustomer = async (): Promise<string> => {
  const document =
    'mutation ($input: CustomerCreateInput!) { customerCreate(input: $input) { ... on CustomerCreatePayload { customer { rawId } } } }';
  const input = { title: 'To clear', email: 'to.clear@example.com', phone: '+31205550199' };
  return (await testGraph.execute(document, { input })).data.customerCreate.customer.rawId;
};

const CLEARED: LostMutation = {
  mutation: 'customerUpdate',
  operation: 'Customer/PatchCustomer',
  input: async () => ({ customerId: await newCustomer(), email: null, phone: null }),
  reads: ['Customer/GetCustomer'],
};

const execute = async ({ mutation, operation }: LostMutation, input: object) => {
  const title = mutation.charAt(0).toUpperCase() + mutation.slice(1);
  const document = `mutation ($input: ${title}Input!) {
    ${mutation}(input: $input) { __typename ... on ${title}Payload { effect } ... on MutationError { message code retry } }
  }`;
  const [{ data }, calls] = await testGraph.recordCalls(() => testGraph.execute(document, { input }));
  return { result: data[mutation], calls: calls.filter((name, index) => name !== operation || index > 0), sent: calls[0] === operation };
};

describe('lost response', () => {
  it('returns RECONCILED for cleared values', async () => {
    const input = await CLEARED.input();
    addFault(CLEARED.operation, { cut: 'after', times: 1 });
    expect(await execute(CLEARED, input)).toMatchObject({ result: { effect: 'RECONCILED' }, calls: CLEARED.reads, sent: true });
  });

  it('returns RECONCILED on a retry with the same key and REPLAYED from then on', async () => {
    const input = { ...(await CLEARED.input()), idempotencyKey: 'later' };
    addFault(CLEARED.operation, { cut: 'after', times: 1 });
    addFault('Customer/GetCustomer', { status: 400, times: 1 });
    expect((await execute(CLEARED, input)).result).toMatchObject({ code: 'OUTCOME_UNKNOWN', retry: 'SAME_KEY' });
    expect(await execute(CLEARED, input)).toMatchObject({ result: { effect: 'RECONCILED' }, calls: CLEARED.reads, sent: false });
    expect(await execute(CLEARED, input)).toMatchObject({ result: { effect: 'REPLAYED' }, calls: [], sent: false });
  });

  it('remains unknown if the key created another record before', async () => {
    const operation = 'Inventory/CreateInventoryReceipt';
    const idempotencyKey = 'used without the graph';
    const response = await fetch(`${testGraph.sandbox.url}${CreateInventoryReceipt.path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer demo-owner' },
      body: JSON.stringify({ locationId: DEPOT, reference: 'first', idempotencyKey }),
    });
    expect(response.status).toBe(200);
    addFault(operation, { cut: 'before', times: 1 });
    const { data } = await testGraph.execute(
      'mutation ($input: InventoryReceiptCreateInput!) { inventoryReceiptCreate(input: $input) { __typename } }',
      { input: { locationId: DEPOT, reference: 'second', idempotencyKey } },
    );
    expect(data.inventoryReceiptCreate.__typename).toBe('OutcomeUnknownError');
  });

  it('returns RECONCILED for a confirmation after reading the order', async () => {
    const { rawId } = await createQuote({ customerId: demoId('customer 3') });
    addFault('Quote/ConfirmQuote', { cut: 'after' });
    const { data } = await testGraph.execute(CONFIRM_QUOTE, { input: { quoteId: rawId } });
    expect(data.quoteConfirm).toMatchObject({ __typename: 'QuoteConfirmPayload' });
    expect(testGraph.sandbox.world.store.all('SELECT 1 FROM orders WHERE quote_id = :rawId', { rawId })).toHaveLength(1);
  });
});

describe('retry advice', () => {
  it.each([
    ['an invalid argument', { status: 400, body: '{}' }, 'BAD_USER_INPUT', 'NEVER'],
    ['rate limiting', { status: 429 }, 'RATE_LIMITED', 'SAFE'],
    ['a conflicting state', { status: 409, body: '{}' }, 'REJECTED', 'NEVER'],
  ] as const)('accompanies the error after %s', async (name, fault, code, retry) => {
    addFault('Contact/CreateContact', fault);
    expect(await create(`advice on ${name}`)).toMatchObject({ code, retry });
  });

  it('accompanies the errors of queries', async () => {
    const { errors } = await testGraph.execute('{ contacts(first: -1) { nodes { id } } }');
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', retry: 'NEVER' });
  });
});
