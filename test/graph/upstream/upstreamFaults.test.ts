import { afterEach, describe, expect, it } from 'vitest';
import type { Fault } from '../../../sandbox/kernel/faults.ts';
import { makeKey } from '../../sandbox/makeKey.ts';
import { demoId, post } from '../../sandbox/sandbox.ts';
import { DEPOT } from '../../sandbox/stock.ts';
import { spec } from '../../support/spec.ts';
import { RAW_RECORDS, useTestGraph } from '../../support/testGraph.ts';

const testGraph = useTestGraph({}, undefined, RAW_RECORDS);
afterEach(() => testGraph.sandbox.faults.clear());

/** Executes a document. Returns the result and its calls, and verifies that the response has no upstream internals. */
async function run(query: string, variables: object = {}, key = 'demo-owner') {
  const before = testGraph.sandbox.received.length;
  const response = await fetch(`${testGraph.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify({ query, variables }),
  });
  const text = await response.text();
  for (const secret of [key, new URL(testGraph.sandbox.url).host, '/public-api/', 'node_modules', '.ts:', 'ECONN', 'undici', 'sk_live']) {
    expect(text).not.toContain(secret);
  }
  const { data, errors = [] } = JSON.parse(text) as { data: never; errors?: { path?: string[]; extensions: Record<string, unknown> }[] };
  const received = testGraph.sandbox.received.slice(before).map(({ operation }) => operation);
  return {
    data: data as Record<string, Record<string, unknown> | null>,
    codes: errors.map(({ extensions }) => extensions.code),
    extensions: errors[0]?.extensions,
    calls: received.filter((operation) => operation !== 'Workspace/Me'),
  };
}

const addFault = (operation: string, traits: Omit<Fault, 'operation'>) => testGraph.sandbox.faults.add({ operation, ...traits });

/** Like `run`, but the response of the operation times out. */
async function runUntilTimeout(operation: string, query: string, variables: object) {
  const held = testGraph.gate.holdResponses(operation);
  const running = run(query, variables);
  await held.arrived;
  held.timeOut();
  return running;
}

const GET = 'Contact/GetContact';
const CONTACT = 'query ($id: ID!) { contact(id: $id) { rawId firstName lastName email createdAt } }';
const getVariables = () => ({ id: demoId('contact 0') });
const respondWith = (body: unknown): Omit<Fault, 'operation'> => ({
  status: 200,
  body: typeof body === 'string' ? body : JSON.stringify(body),
});

/** An error text with upstream internals: URL, API key, and stack. */
const createLeakyError = () =>
  `Error: boom at ${testGraph.sandbox.url}/public-api/x with demo-owner\n    at handle (/srv/app/node_modules/router/index.ts:12:7)\n    at sk_live`;

describe('read', () => {
  it.each([
    ['is not JSON', '<html>Welcome</html>'],
    ['is empty', ''],
    ['is truncated', '{"contact":{"id":"a"'],
    ['is a JSON array', '[]'],
    ['is JSON null', 'null'],
    ['is a JSON string', '"contact"'],
    ['is empty JSON', {}],
    ['has null as the record', { contact: null }],
    ['has a string as the record', { contact: 'Ada' }],
    ['has a list as the record', { contact: [{ id: 'a' }] }],
    ['has a number as the record', { contact: 5 }],
    ['has a record without an ID', { contact: { lastName: 'Adler' } }],
    ['has a record with an ID that isn’t a string', { contact: { id: 5, lastName: 'Adler' } }],
    ['has an object instead of a string', { contact: { id: 'a', lastName: { de: 'Adler' } } }],
    ['has a list instead of a string', { contact: { id: 'a', lastName: ['Adler'] } }],
  ])('fails after one call if the response %s', async (_name, body) => {
    addFault(GET, respondWith(body));
    const { data, codes, calls } = await run(CONTACT, getVariables());
    expect(data.contact?.lastName ?? null).toBeNull();
    expect(codes).toEqual(['UPSTREAM_INVALID_RESPONSE']);
    expect(calls).toEqual([GET]);
  });

  it.each([
    ['an object instead of the list', { contacts: { id: 'a' } }],
    ['a string instead of the list', { contacts: 'a' }],
    ['a row that is null', { contacts: [{ id: 'a' }, null] }],
    ['a row that is a string', { contacts: ['a'] }],
    ['a row without an ID', { contacts: [{ id: 'a' }, { lastName: 'Adler' }] }],
  ])('fails after one call if the response has %s', async (_name, body) => {
    addFault('Contact/ListContacts', respondWith(body));
    const { data, codes, calls } = await run('{ contacts { nodes { id } } }');
    expect(data).toEqual({ contacts: null });
    expect(codes).toEqual(['UPSTREAM_INVALID_RESPONSE']);
    expect(calls).toEqual(['Contact/ListContacts']);
  });

  it('resolves to null for a missing record', async () => {
    expect(await run(CONTACT, { id: 'nobody' })).toMatchObject({ data: { contact: null }, codes: [], calls: [GET] });
  });

  it('fails for a 404 with an HTML page', async () => {
    addFault(GET, { status: 404, body: `<h1>Not found</h1>${createLeakyError()}`, contentType: 'text/html' });
    expect(await run(CONTACT, getVariables())).toMatchObject({
      data: { contact: null },
      codes: ['UPSTREAM_INVALID_RESPONSE'],
      calls: [GET],
    });
  });

  it('fails for a 401 without a body', async () => {
    addFault(GET, { status: 401, body: '' });
    expect(await run(CONTACT, getVariables())).toMatchObject({ data: { contact: null }, codes: ['UNAUTHENTICATED'], calls: [GET] });
  });

  it.each([500, 501, 505])('fails after one call for a %i whose body has internals', async (status) => {
    addFault(GET, { status, body: createLeakyError(), contentType: 'text/plain' });
    expect(await run(CONTACT, getVariables())).toMatchObject({ data: { contact: null }, codes: ['UPSTREAM_UNAVAILABLE'], calls: [GET] });
  });

  it.each([400, 403, 405, 409, 418, 422])('omits the internals of a %i', async (status) => {
    for (const body of [
      createLeakyError(),
      JSON.stringify({ message: createLeakyError() }),
      JSON.stringify({ error: { message: createLeakyError().split('\n')[0] } }),
    ]) {
      addFault(GET, { status, body, times: 1 });
      const { data, codes, calls } = await run(CONTACT, getVariables());
      expect({ data, calls }).toEqual({ data: { contact: null }, calls: [GET] });
      expect(codes).toHaveLength(1);
      expect(codes).not.toContain('INTERNAL_SERVER_ERROR');
    }
  });

  it('has no retry after a 429 with a long Retry-After', async () => {
    addFault(GET, { status: 429, retryAfter: 7 });
    const { codes, extensions, calls } = await run(CONTACT, getVariables(), makeKey(testGraph.sandbox.world));
    expect({ codes, calls }).toEqual({ codes: ['RATE_LIMITED'], calls: [GET] });
    expect(extensions).toMatchObject({ retryAfterSeconds: 7, retry: 'SAFE' });
  });

  it('has two retries after a 429 without Retry-After and reports a default delay', async () => {
    addFault(GET, { status: 429 });
    const { codes, extensions, calls } = await run(CONTACT, getVariables(), makeKey(testGraph.sandbox.world));
    expect({ codes, calls }).toEqual({ codes: ['RATE_LIMITED'], calls: [GET, GET, GET] });
    expect(extensions).toMatchObject({ retryAfterSeconds: 4, retry: 'SAFE' });
  });

  it.each([502, 503, 504])('has at most two retries after a %i', async (status) => {
    addFault(GET, { status, times: 1 });
    expect(await run(CONTACT, getVariables())).toMatchObject({
      data: { contact: { rawId: demoId('contact 0') } },
      codes: [],
      calls: [GET, GET],
    });
    addFault(GET, { status });
    expect(await run(CONTACT, getVariables())).toMatchObject({
      data: { contact: null },
      codes: ['UPSTREAM_UNAVAILABLE'],
      calls: [GET, GET, GET],
    });
  });

  it('has no retry after a 503 with a long Retry-After', async () => {
    addFault(GET, { status: 503, retryAfter: 30 });
    expect(await run(CONTACT, getVariables())).toMatchObject({
      codes: ['UPSTREAM_UNAVAILABLE'],
      extensions: { retryAfterSeconds: 30 },
      calls: [GET],
    });
  });

  it('has at most two retries after a connection error', async () => {
    addFault(GET, { cut: 'before', times: 1 });
    expect(await run(CONTACT, getVariables())).toMatchObject({
      data: { contact: { rawId: demoId('contact 0') } },
      codes: [],
      calls: [GET, GET],
    });
    addFault(GET, { cut: 'after' });
    expect(await run(CONTACT, getVariables())).toMatchObject({
      data: { contact: null },
      codes: ['UPSTREAM_UNAVAILABLE'],
      calls: [GET, GET, GET],
    });
  });

  it('has no retry after a timeout', async () => {
    const { data, codes, extensions, calls } = await runUntilTimeout(GET, CONTACT, getVariables());
    expect({ data, codes, calls }).toEqual({ data: { contact: null }, codes: ['UPSTREAM_TIMEOUT'], calls: [GET] });
    expect(extensions?.retry).toBe('SAFE');
  });

  it('doesn’t affect the other fields if it fails', async () => {
    addFault(GET, { status: 500 });
    const { data, codes } = await run(
      'query ($id: ID!) { contact(id: $id) { lastName } contacts(first: 1) { nodes { __typename } } }',
      getVariables(),
    );
    expect(data).toEqual({ contact: null, contacts: { nodes: [{ __typename: 'Contact' }] } });
    expect(codes).toEqual(['UPSTREAM_UNAVAILABLE']);
  });
});

describe('scope lookup', () => {
  it.each<[string, Omit<Fault, 'operation'>, string]>([
    ['fails', { status: 500 }, 'UPSTREAM_UNAVAILABLE'],
    ['is cut off', { cut: 'before' }, 'UPSTREAM_UNAVAILABLE'],
    ['has a malformed response', { body: 'nonsense' }, 'UPSTREAM_INVALID_RESPONSE'],
    ['is rate-limited', { status: 429, retryAfter: 3 }, 'RATE_LIMITED'],
    ['is rejected for the key', { status: 401, body: '' }, 'UNAUTHENTICATED'],
  ])('fails only its request if it %s', async (_name, traits, code) => {
    const key = makeKey(testGraph.sandbox.world);
    addFault('Workspace/Me', traits);
    expect(await run(CONTACT, getVariables(), key)).toMatchObject({ data: { contact: null }, codes: [code], calls: [] });
    testGraph.sandbox.faults.clear();
    if (code !== 'UNAUTHENTICATED') expect((await run(CONTACT, getVariables(), key)).codes).toEqual([]);
  });

  it('leaves the decision to the upstream if the response has no scopes', async () => {
    const key = makeKey(testGraph.sandbox.world, { scopes: ['me:read'] });
    addFault('Workspace/Me', respondWith({ hello: 'world' }));
    expect(await run(CONTACT, getVariables(), key)).toMatchObject({
      codes: ['FORBIDDEN'],
      extensions: { reason: 'UNDETERMINED' },
      calls: [GET],
    });
  });
});

const CREATE = `mutation ($input: ContactCreateInput!) {
  contactCreate(input: $input) {
    __typename
    ... on MutationError { code retry }
    ... on OutcomeUnknownError { operation startedAt idempotencyKey message }
    ... on RateLimitedError { retryAfterSeconds }
  }
}`;
const CREATED = 'Contact/CreateContact';

const countCreated = (lastName: string) =>
  testGraph.sandbox.world.store.all('SELECT 1 FROM contacts WHERE last_name = :lastName', { lastName }).length;

describe('write without native idempotency', () => {
  it.each<[string, Omit<Fault, 'operation'>, number]>([
    ['with a connection error', { cut: 'before' }, 0],
    ['with a lost response', { cut: 'after' }, 1],
    ['with status 500', { status: 500 }, 0],
    ['with status 503', { status: 503 }, 0],
    ['with a malformed response', { body: 'nonsense' }, 1],
    ['with an array as response', { body: '[]' }, 1],
    ['with an empty response', { body: '{}' }, 1],
  ])('costs one call and has an unknown outcome %s', async (name, traits, created) => {
    addFault(CREATED, traits);
    const input = { lastName: `Lost ${name}`, idempotencyKey: `lost ${name}` };
    const { data, codes, calls } = await run(CREATE, { input });
    expect(data.contactCreate).toEqual({
      __typename: 'OutcomeUnknownError',
      code: 'OUTCOME_UNKNOWN',
      retry: 'SAME_KEY',
      operation: 'contactCreate',
      startedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      idempotencyKey: input.idempotencyKey,
      message: expect.stringContaining('Check the affected record'),
    });
    expect({ codes, calls, created: countCreated(input.lastName) }).toEqual({ codes: [], calls: [CREATED], created });
  });

  it.each(['not_found', 'resource_exhausted', 'invalid_argument'])(
    'has an unknown outcome after a 502, even if its body has the code %s',
    async (code) => {
      addFault(CREATED, { status: 502, body: JSON.stringify({ code, message: 'No.' }) });
      const { data } = await run(CREATE, { input: { lastName: 'Fallen', idempotencyKey: `fallen ${code}` } });
      expect(data.contactCreate).toMatchObject({ __typename: 'OutcomeUnknownError', retry: 'SAME_KEY' });
    },
  );

  it.each<[string, Omit<Fault, 'operation'>]>([
    ['with a lost response', { cut: 'after' }],
    ['with a malformed response', { body: 'nonsense' }],
    ['with an empty response', { body: '{}' }],
    ['with status 500', { status: 500 }],
  ])('has no further call under the same key after an attempt %s', async (name, traits) => {
    addFault(CREATED, { ...traits, times: 1 });
    const input = { lastName: `Again ${name}`, idempotencyKey: `again ${name}` };
    const first = await run(CREATE, { input });
    const again = await run(CREATE, { input });
    expect(again.data.contactCreate).toMatchObject({ __typename: 'OutcomeUnknownError', startedAt: first.data.contactCreate?.startedAt });
    expect(again.calls).toEqual([]);
    expect(countCreated(input.lastName)).toBeLessThanOrEqual(1);
  });

  it('costs one call without a key, too', async () => {
    addFault(CREATED, { cut: 'after' });
    const { data, calls } = await run(CREATE, { input: { lastName: 'Keyless' } });
    expect(data.contactCreate).toMatchObject({ __typename: 'OutcomeUnknownError', idempotencyKey: null });
    expect({ calls, created: countCreated('Keyless') }).toEqual({ calls: [CREATED], created: 1 });
  });

  it('has an unknown outcome after a timeout', spec('7.11'), async () => {
    const { data, calls } = await runUntilTimeout(CREATED, CREATE, { input: { lastName: 'Late' } });
    expect(data.contactCreate).toMatchObject({ __typename: 'OutcomeUnknownError', operation: 'contactCreate' });
    expect(calls).toEqual([CREATED]);
  });

  it.each([
    [429, 'RateLimitedError'],
    [400, 'ValidationError'],
    [404, 'NotFoundError'],
    [403, 'ForbiddenError'],
    [409, 'RejectedError'],
    [418, 'RejectedError'],
  ])('returns after a %i the type %s, and can be retried with its key', async (status, typename) => {
    addFault(CREATED, { status, body: JSON.stringify({ message: 'No.' }), times: 1 });
    const input = { lastName: `Refused ${status}`, idempotencyKey: `refused ${status}` };
    const rejected = await run(CREATE, { input });
    expect(rejected).toMatchObject({ data: { contactCreate: { __typename: typename } }, codes: [], calls: [CREATED] });
    expect(await run(CREATE, { input })).toMatchObject({
      data: { contactCreate: { __typename: 'ContactCreatePayload' } },
      calls: [CREATED],
    });
    expect(countCreated(input.lastName)).toBe(1);
  });

  it.each([
    ['202', { status: 202, body: '{}' }],
    ['204', { status: 204, body: '' }],
    ['302', { status: 302, body: '' }],
    ['408', { status: 408, body: '{}' }],
    ['499', { status: 499, body: '{}' }],
    ['the code canceled', { status: 400, body: JSON.stringify({ code: 'canceled', message: 'Gone.' }) }],
    ['null as the record', { body: JSON.stringify({ contact: null }) }],
    ['a record without an ID', { body: JSON.stringify({ contact: { lastName: 'Half' } }) }],
  ])('has an unknown outcome and isn’t resent under its key after %s', async (name, traits) => {
    addFault(CREATED, { ...traits, times: 1 });
    const input = { lastName: `Half ${name}`, idempotencyKey: `half ${name}` };
    const first = await run(CREATE, { input });
    expect(first).toMatchObject({ data: { contactCreate: { __typename: 'OutcomeUnknownError' } }, codes: [], calls: [CREATED] });
    const again = await run(CREATE, { input });
    expect(again).toMatchObject({ data: { contactCreate: { __typename: 'OutcomeUnknownError' } }, calls: [] });
  });

  it('returns the upstream’s message without URLs and keys', async () => {
    addFault(CREATED, { status: 400, body: JSON.stringify({ message: `No, says ${testGraph.sandbox.url}/x of demo-owner.` }) });
    const { data } = await run('mutation { contactCreate(input: { lastName: "X" }) { ... on ValidationError { message } } }');
    expect(data.contactCreate).toEqual({ message: 'No, says [address] of [key].' });
  });
});

describe('retryable write', () => {
  const RECEIPT = `mutation ($input: InventoryReceiptCreateInput!) {
    inventoryReceiptCreate(input: $input) {
      __typename
      ... on InventoryReceiptCreatePayload { receipt { rawId } }
      ... on OutcomeUnknownError { idempotencyKey retry }
    }
  }`;
  const countReceipts = (reference: string) =>
    testGraph.sandbox.world.store.all('SELECT 1 FROM inventory_receipts WHERE reference = :reference', { reference }).length;

  it.each<[string, Omit<Fault, 'operation'>]>([
    ['a lost response', { cut: 'after', times: 1 }],
    ['a connection error', { cut: 'before', times: 1 }],
    ['a 503', { status: 503, times: 1 }],
  ])('succeeds after a retry with native idempotency and applies once after %s', async (name, traits) => {
    addFault('Inventory/CreateInventoryReceipt', traits);
    const input = { locationId: DEPOT, reference: name, idempotencyKey: name };
    const { data, calls } = await run(RECEIPT, { input });
    expect(data.inventoryReceiptCreate).toEqual({ __typename: 'InventoryReceiptCreatePayload', receipt: { rawId: expect.any(String) } });
    expect(calls).toEqual(['Inventory/CreateInventoryReceipt', 'Inventory/CreateInventoryReceipt']);
    expect(countReceipts(name)).toBe(1);
  });

  it('has an unknown outcome if the retries are lost, too, which the same key resolves', async () => {
    addFault('Inventory/CreateInventoryReceipt', { cut: 'after', times: 3 });
    addFault('Inventory/GetInventoryReceipt', { status: 403 });
    const input = { locationId: DEPOT, reference: 'twice', idempotencyKey: 'twice' };
    const lost = await run(RECEIPT, { input });
    expect(lost.data.inventoryReceiptCreate).toEqual({ __typename: 'OutcomeUnknownError', idempotencyKey: 'twice', retry: 'SAME_KEY' });
    const reconciled = await run(RECEIPT, { input });
    expect(reconciled.data.inventoryReceiptCreate?.__typename).toBe('InventoryReceiptCreatePayload');
    expect(countReceipts('twice')).toBe(1);
  });

  it('has an unknown outcome if the first response is lost and the retry is denied', async () => {
    addFault('Inventory/CreateInventoryReceipt', { cut: 'after', times: 1 });
    addFault('Inventory/CreateInventoryReceipt', { status: 403, times: 1 });
    addFault('Inventory/GetInventoryReceipt', { status: 403 });
    const input = { locationId: DEPOT, reference: 'door', idempotencyKey: 'door' };
    const { data, calls } = await run(RECEIPT, { input });
    expect(data.inventoryReceiptCreate).toEqual({ __typename: 'OutcomeUnknownError', idempotencyKey: 'door', retry: 'SAME_KEY' });
    expect({ calls, created: countReceipts('door') }).toEqual({
      calls: ['Inventory/CreateInventoryReceipt', 'Inventory/CreateInventoryReceipt', 'Inventory/GetInventoryReceipt'],
      created: 1,
    });
  });

  it('has an unknown outcome if the retry finds another version, because the first attempt may have changed it', async () => {
    addFault('Order/CancelOrder', { cut: 'after', times: 1 });
    addFault('Order/CancelOrder', { status: 409, body: JSON.stringify({ code: 'aborted', message: 'Stale.' }), times: 1 });
    const order = testGraph.sandbox.world.store.get<{ id: string; version: number }>(
      'SELECT id, version FROM orders JOIN order_money ON order_id = id WHERE status = 1 AND refundable_minor > 0 AND workspace_id = :workspaceId',
      { workspaceId: demoId('workspace') },
    );
    const CANCEL = 'mutation ($input: OrderCancelInput!) { orderCancel(input: $input) { __typename } }';
    const input = {
      orderId: order?.id,
      expectedVersion: String(order?.version),
      refund: { amount: { minorUnits: '1' } },
      idempotencyKey: 'guarded',
    };
    const { data, calls } = await run(CANCEL, { input });
    expect(data.orderCancel).toEqual({ __typename: 'OutcomeUnknownError' });
    expect(calls.slice(0, 2)).toEqual(['Order/CancelOrder', 'Order/CancelOrder']);
  });

  it('succeeds after a retry and applies once if it settles a state', async () => {
    const { body } = await post(testGraph.sandbox.url, 'demo-owner', 'Quote/CreateQuote', {
      customerId: demoId('customer 0'),
      lineItems: [{ productId: demoId('product 1'), quantity: 1 }],
    });
    const { id } = body.quote;
    addFault('Quote/ConfirmQuote', { cut: 'after', times: 1 });
    const CONFIRM = `mutation ($id: ID!) {
      quoteConfirm(input: { quoteId: $id }) { __typename ... on QuoteConfirmPayload { order { rawId } } }
    }`;
    const { data, calls } = await run(CONFIRM, { id });
    expect(data.quoteConfirm).toEqual({ __typename: 'QuoteConfirmPayload', order: { rawId: expect.any(String) } });
    expect(calls).toEqual(['Quote/GetQuote', 'Quote/ConfirmQuote', 'Quote/ConfirmQuote']);
    expect(testGraph.sandbox.world.store.all('SELECT 1 FROM orders WHERE quote_id = :id', { id })).toHaveLength(1);
  });
});

describe('response of a newer or older upstream version', () => {
  const QUOTE =
    'query ($id: ID!) { quote(id: $id) { status statusText lines { priceType quantity } customer { id } version upstreamRecord } }';

  it('maps unknown enum values to OTHER and returns the original value', async () => {
    addFault(
      'Quote/GetQuote',
      respondWith({
        quote: {
          id: 'q',
          version: '1',
          customerId: 'c',
          currency: 'EUR',
          createdAt: '1',
          status: 'PUBLIC_QUOTE_STATUS_FROZEN',
          lineItems: [{ id: 'l', priceType: 'BI_WEEKLY' }],
        },
      }),
    );
    const { data, codes } = await run(QUOTE, { id: 'q' });
    expect(codes).toEqual([]);
    expect(data.quote).toMatchObject({
      status: 'OTHER',
      statusText: 'PUBLIC_QUOTE_STATUS_FROZEN',
      lines: [{ priceType: 'OTHER', quantity: 0 }],
    });
  });

  it('includes unknown fields in `upstreamRecord`', async () => {
    const quote = { id: 'q', mood: 'sunny', extra: { deep: [1] } };
    addFault('Quote/GetQuote', respondWith({ quote, meta: {} }));
    expect((await run(QUOTE, { id: 'q' })).data.quote?.upstreamRecord).toEqual(quote);
  });

  it('resolves to the same values with and without defaults', async () => {
    const typed = 'query ($id: ID!) { contact(id: $id) { rawId firstName lastName email phone createdAt updatedAt } }';
    const [poor, rich, nulls] = [
      { id: 'c' },
      { id: 'c', firstName: '', lastName: '', email: '', phone: '', createdAt: '0', updatedAt: '0' },
      { id: 'c', firstName: null, lastName: null, email: null, phone: null, createdAt: null, updatedAt: null },
    ];
    const results = [];
    for (const record of [poor, rich, nulls]) {
      addFault(GET, { ...respondWith({ contact: record }), times: 1 });
      results.push(await run(typed, { id: 'c' }));
    }
    expect(results.map(({ codes }) => codes)).toEqual([[], [], []]);
    const empty = { rawId: 'c', firstName: null, lastName: '', email: null, phone: null, createdAt: null, updatedAt: null };
    expect(results.map(({ data }) => data.contact)).toEqual([empty, empty, empty]);
  });

  it('resolves to the same empty list in each form', async () => {
    for (const body of [{}, { contacts: [] }, { contacts: [], page: 1, pageSize: 25, hasMore: false }, { contacts: null }]) {
      addFault('Contact/ListContacts', { ...respondWith(body), times: 1 });
      const { data, codes } = await run('{ contacts { nodes { id } pageInfo { hasNextPage } } }');
      expect({ data, codes }).toEqual({ data: { contacts: { nodes: [], pageInfo: { hasNextPage: false } } }, codes: [] });
    }
  });
});
