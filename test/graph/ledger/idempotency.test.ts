import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Fault } from '../../../sandbox/kernel/faults.ts';
import { CreateInventoryReceipt } from '../../../src/upstream/contract/generated/operations.ts';
import { ALL_SCOPES, makeKey } from '../../sandbox/makeKey.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { DEPOT } from '../../sandbox/stock.ts';
import { CONFIRM_QUOTE, createQuoting } from '../../support/quoting.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const testGraph = useTestGraph();
const { createQuote } = createQuoting(testGraph);
// The sandbox's clock stands after the graph's: a record must not look older than the request for it.
beforeAll(() => {
  testGraph.sandbox.now = Math.floor(Date.now() / 1000) + 3_600;
});
afterEach(() => testGraph.sandbox.faults.clear());

const fault = (operation: string, traits: Omit<Fault, 'operation'>) => testGraph.sandbox.faults.add({ operation, ...traits });

const ASK = `query ($operation: String!, $key: String!) {
  idempotentOperation(operation: $operation, idempotencyKey: $key) { operation idempotencyKey state startedAt settledAt expiresAt }
}`;
const ask = async (key: string, operation = 'contactCreate', apiKey = 'demo-owner') => {
  const [{ data, errors }, calls] = await testGraph.recordCalls(() => testGraph.executeAs(apiKey, ASK, { operation, key }));
  expect(calls).toEqual([]);
  return { found: data.idempotentOperation, errors };
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

describe('Query.idempotentOperation', () => {
  it('tells what succeeded, by the name of the mutation that failures tell too', async () => {
    await create('asked');
    const { found } = await ask('asked');
    expect(found).toEqual({
      operation: 'contactCreate',
      idempotencyKey: 'asked',
      state: 'SUCCEEDED',
      startedAt: expect.any(String),
      settledAt: expect.any(String),
      expiresAt: expect.any(String),
    });
    const hours = (Date.parse(found.expiresAt) - Date.parse(found.settledAt)) / 3_600_000;
    expect(hours).toBeCloseTo(24, 1);
    const [unknown] = (await ask('asked', 'Contact/CreateContact')).errors ?? [];
    expect(unknown?.extensions.issues).toMatchObject([{ path: ['operation'], code: 'UNKNOWN_NAME' }]);
    expect((await ask('asked', 'customerCreate')).found).toBeNull();
    expect((await ask('never used')).found).toBeNull();
  });

  it('tells what was refused, and what is unknown', async () => {
    fault('Contact/CreateContact', { status: 409, body: '{}', times: 1 });
    expect(await create('refused')).toMatchObject({ code: 'REJECTED', retry: 'NEVER' });
    expect((await ask('refused')).found.state).toBe('FAILED');
    fault('Contact/CreateContact', { cut: 'after', times: 1 });
    expect(await create('lost')).toMatchObject({ code: 'OUTCOME_UNKNOWN', retry: 'SAME_KEY' });
    const { found } = await ask('lost');
    expect(found.state).toBe('UNKNOWN');
    expect((Date.parse(found.expiresAt) - Date.parse(found.settledAt)) / 86_400_000).toBeCloseTo(7, 2);
  });

  it('tells of operations that the upstream keeps the key of, too', async () => {
    const RECEIPT = `mutation ($input: InventoryReceiptCreateInput!) { inventoryReceiptCreate(input: $input) { __typename } }`;
    await testGraph.execute(RECEIPT, { input: { locationId: DEPOT, idempotencyKey: 'kept upstream' } });
    expect((await ask('kept upstream', 'inventoryReceiptCreate')).found).toMatchObject({ state: 'SUCCEEDED' });
  });

  it('tells other keys of the workspace, and nobody else', async () => {
    await create('of us');
    const colleague = makeKey(testGraph.sandbox.world, { scopes: ALL_SCOPES });
    expect((await ask('of us', 'contactCreate', colleague)).found).toMatchObject({ state: 'SUCCEEDED' });
    expect(await ask('of us', 'contactCreate', 'demo-neighbour')).toEqual({ found: null, errors: undefined });
  });

  it('takes the scopes of the operation, and a name that it knows', async () => {
    await create('of us');
    const [error] = (await ask('of us', 'contactCreate', 'demo-reader')).errors ?? [];
    expect(error?.extensions).toMatchObject({ code: 'FORBIDDEN', retry: 'NEVER', missingScopes: ['contact:create'] });
    const [unknown] = (await ask('of us', 'contactMake')).errors ?? [];
    expect(unknown?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', issues: [{ path: ['operation'] }] });
  });
});

describe('a replayed payload', () => {
  const first = { lastName: 'First', idempotencyKey: 'shown anew' };
  const change = async (id: string, lastName: string) => {
    const input = { contactId: id, lastName };
    await testGraph.execute('mutation ($input: ContactUpdateInput!) { contactUpdate(input: $input) { __typename } }', { input });
  };

  it('shows the record as it is now, and asks for its keys without a call', async () => {
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

describe('a key of what the upstream settles itself', () => {
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
    expect((await ask('confirm once', 'quoteConfirm')).found).toMatchObject({ state: 'SUCCEEDED' });
  });
});

/** A change whose answer is lost, and what is read to find out. */
interface Lost {
  readonly mutation: string;
  readonly operation: string;
  readonly input: () => Promise<object> | object;
  readonly reads: readonly string[];
}

/** A customer with something to clear. */
const newCustomer = async (): Promise<string> => {
  const document =
    'mutation ($input: CustomerCreateInput!) { customerCreate(input: $input) { ... on CustomerCreatePayload { customer { rawId } } } }';
  const input = { title: 'To clear', email: 'to.clear@example.com', phone: '+31205550199' };
  return (await testGraph.execute(document, { input })).data.customerCreate.customer.rawId;
};

const quoteInput = () => ({ customerId: demoId('customer 1'), title: 'Lost', lines: [{ productId: demoId('product 1'), quantity: 3 }] });

const CUSTOMER: Lost = {
  mutation: 'customerCreate',
  operation: 'Customer/CreateCustomer',
  input: () => ({ title: 'Lost', email: `lost${Math.random()}@example.com`, idempotencyKey: `c${Math.random()}` }),
  reads: ['Customer/LookupCustomersByIdentifier'],
};

const CLEARED: Lost = {
  mutation: 'customerUpdate',
  operation: 'Customer/PatchCustomer',
  input: async () => ({ customerId: await newCustomer(), email: null, phone: null }),
  reads: ['Customer/GetCustomer'],
};

const QUOTE: Lost = { mutation: 'quoteCreate', operation: 'Quote/CreateQuote', input: quoteInput, reads: ['Quote/ListQuotes'] };

const run = async ({ mutation, operation }: Lost, input: object) => {
  const title = mutation.charAt(0).toUpperCase() + mutation.slice(1);
  const document = `mutation ($input: ${title}Input!) {
    ${mutation}(input: $input) { __typename ... on ${title}Payload { effect } ... on MutationError { message code retry } }
  }`;
  const [{ data }, calls] = await testGraph.recordCalls(() => testGraph.execute(document, { input }));
  return { answer: data[mutation], calls: calls.filter((name, index) => name !== operation || index > 0), sent: calls[0] === operation };
};

describe('an answer that was lost', () => {
  it('of values that were cleared is found out by reading', async () => {
    const input = await CLEARED.input();
    fault(CLEARED.operation, { cut: 'after', times: 1 });
    expect(await run(CLEARED, input)).toMatchObject({ answer: { effect: 'RECONCILED' }, calls: CLEARED.reads, sent: true });
  });

  it('is found out by reading when the same key comes again, and replayed from then on', async () => {
    const input = { title: 'Later', email: 'later@example.com', idempotencyKey: 'later' };
    fault(CUSTOMER.operation, { cut: 'after', times: 1 });
    fault('Customer/LookupCustomersByIdentifier', { body: '{"customers": []}', times: 1 });
    expect((await run(CUSTOMER, input)).answer).toMatchObject({ code: 'OUTCOME_UNKNOWN', retry: 'SAME_KEY' });
    expect(await run(CUSTOMER, input)).toMatchObject({ answer: { effect: 'RECONCILED' }, calls: CUSTOMER.reads, sent: false });
    expect(await run(CUSTOMER, input)).toMatchObject({ answer: { effect: 'REPLAYED' }, calls: [], sent: false });
    expect(testGraph.sandbox.world.store.all("SELECT 1 FROM customers WHERE email = 'later@example.com'", {})).toHaveLength(1);
  });

  it('is not taken for found when two records could be it', async () => {
    const input = quoteInput();
    await testGraph.execute('mutation ($input: QuoteCreateInput!) { quoteCreate(input: $input) { __typename } }', {
      input: { ...input, title: 'Twin' },
    });
    fault(QUOTE.operation, { cut: 'after', times: 1 });
    const { answer } = await run(QUOTE, { ...input, title: 'Twin' });
    expect(answer).toMatchObject({ code: 'OUTCOME_UNKNOWN', retry: 'CHECK_FIRST' });
  });

  it('is not taken for found when its key made another record before', async () => {
    const operation = 'Inventory/CreateInventoryReceipt';
    const idempotencyKey = 'used without the graph';
    const made = await fetch(`${testGraph.sandbox.url}${CreateInventoryReceipt.path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer demo-owner' },
      body: JSON.stringify({ locationId: DEPOT, reference: 'first', idempotencyKey }),
    });
    expect(made.status).toBe(200);
    fault(operation, { cut: 'before', times: 1 });
    const { data } = await testGraph.execute(
      'mutation ($input: InventoryReceiptCreateInput!) { inventoryReceiptCreate(input: $input) { __typename } }',
      { input: { locationId: DEPOT, reference: 'second', idempotencyKey } },
    );
    expect(data.inventoryReceiptCreate.__typename).toBe('OutcomeUnknownError');
  });

  it('of a confirmation is found out by asking for the order', async () => {
    const { rawId } = await createQuote({ customerId: demoId('customer 3') });
    fault('Quote/ConfirmQuote', { cut: 'after' });
    const { data } = await testGraph.execute(CONFIRM_QUOTE, { input: { quoteId: rawId } });
    expect(data.quoteConfirm).toMatchObject({ __typename: 'QuoteConfirmPayload' });
    expect(testGraph.sandbox.world.store.all('SELECT 1 FROM orders WHERE quote_id = :rawId', { rawId })).toHaveLength(1);
  });
});

describe('the advice on sending again', () => {
  it.each([
    ['a rule', { status: 400, body: '{}' }, 'BAD_USER_INPUT', 'NEVER'],
    ['the calls of the key', { status: 429 }, 'RATE_LIMITED', 'SAFE'],
    ['a state', { status: 409, body: '{}' }, 'REJECTED', 'NEVER'],
  ] as const)('after %s is told with the failure', async (name, traits, code, retry) => {
    fault('Contact/CreateContact', traits);
    expect(await create(`advice on ${name}`)).toMatchObject({ code, retry });
  });

  it('is told with the errors of queries', async () => {
    const { errors } = await testGraph.execute('{ contacts(first: -1) { nodes { id } } }');
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', retry: 'NEVER' });
  });
});
