import { afterEach, describe, expect, it } from 'vitest';
import type { Fault } from '../../../sandbox/kernel/faults.ts';
import { makeKey } from '../../sandbox/makeKey.ts';
import { demoId, post } from '../../sandbox/sandbox.ts';
import { DEPOT } from '../../sandbox/stock.ts';
import { spec } from '../../support/spec.ts';
import { RAW_RECORDS, useTestGraph } from '../../support/testGraph.ts';

const testGraph = useTestGraph({}, undefined, RAW_RECORDS);
afterEach(() => testGraph.sandbox.faults.clear());

/** Runs a document, and answers it with the calls that it took. Nothing of the upstream's insides may be in the answer. */
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

const fault = (operation: string, traits: Omit<Fault, 'operation'>) => testGraph.sandbox.faults.add({ operation, ...traits });

/** The same with an operation whose response doesn't come in time. */
async function runUntilTimeout(operation: string, query: string, variables: object) {
  const held = testGraph.gate.holdResponses(operation);
  const running = run(query, variables);
  await held.arrived;
  held.timeOut();
  return running;
}

const GET = 'Contact/GetContact';
const CONTACT = 'query ($id: ID!) { contact(id: $id) { rawId firstName lastName email createdAt } }';
const contact = () => ({ id: demoId('contact 0') });
const answered = (body: unknown): Omit<Fault, 'operation'> => ({
  status: 200,
  body: typeof body === 'string' ? body : JSON.stringify(body),
});

/** Error text of an upstream that tells of its inside: addresses, API key and stack. */
const INDISCREET = () =>
  `Error: boom at ${testGraph.sandbox.url}/public-api/x with demo-owner\n    at handle (/srv/app/node_modules/router/index.ts:12:7)\n    at sk_live`;

describe('a read', () => {
  it.each([
    ['is not JSON', '<html>Welcome</html>'],
    ['is empty', ''],
    ['is cut short', '{"contact":{"id":"a"'],
    ['is a JSON array', '[]'],
    ['is JSON null', 'null'],
    ['is a JSON string', '"contact"'],
    ['is empty JSON', {}],
    ['has null for a record', { contact: null }],
    ['has a string for a record', { contact: 'Ada' }],
    ['has a list for a record', { contact: [{ id: 'a' }] }],
    ['has a number for a record', { contact: 5 }],
    ['has a record without an id', { contact: { lastName: 'Adler' } }],
    ['has a record with an id that is no string', { contact: { id: 5, lastName: 'Adler' } }],
    ['has an object for a text', { contact: { id: 'a', lastName: { de: 'Adler' } } }],
    ['has a list for a text', { contact: { id: 'a', lastName: ['Adler'] } }],
  ])('of which the answer %s is refused, by one call', async (_name, body) => {
    fault(GET, answered(body));
    const { data, codes, calls } = await run(CONTACT, contact());
    expect(data.contact?.lastName ?? null).toBeNull();
    expect(codes).toEqual(['UPSTREAM_INVALID_RESPONSE']);
    expect(calls).toEqual([GET]);
  });

  it.each([
    ['an object for the list', { contacts: { id: 'a' } }],
    ['a string for the list', { contacts: 'a' }],
    ['a row that is null', { contacts: [{ id: 'a' }, null] }],
    ['a row that is a string', { contacts: ['a'] }],
    ['a row without an id', { contacts: [{ id: 'a' }, { lastName: 'Adler' }] }],
  ])('of which the answer has %s is refused, by one call', async (_name, body) => {
    fault('Contact/ListContacts', answered(body));
    const { data, codes, calls } = await run('{ contacts { nodes { id } } }');
    expect(data).toEqual({ contacts: null });
    expect(codes).toEqual(['UPSTREAM_INVALID_RESPONSE']);
    expect(calls).toEqual(['Contact/ListContacts']);
  });

  it('of a record that is not there answers null', async () => {
    expect(await run(CONTACT, { id: 'nobody' })).toMatchObject({ data: { contact: null }, codes: [], calls: [GET] });
  });

  it('that finds a page of HTML with 404 is no missing record', async () => {
    fault(GET, { status: 404, body: `<h1>Not found</h1>${INDISCREET()}`, contentType: 'text/html' });
    expect(await run(CONTACT, contact())).toMatchObject({ data: { contact: null }, codes: ['UPSTREAM_INVALID_RESPONSE'], calls: [GET] });
  });

  it('with 401 and no body is no empty record', async () => {
    fault(GET, { status: 401, body: '' });
    expect(await run(CONTACT, contact())).toMatchObject({ data: { contact: null }, codes: ['UNAUTHENTICATED'], calls: [GET] });
  });

  it.each([500, 501, 505])('that fails with %i and tells its insides is not available, by one call', async (status) => {
    fault(GET, { status, body: INDISCREET(), contentType: 'text/plain' });
    expect(await run(CONTACT, contact())).toMatchObject({ data: { contact: null }, codes: ['UPSTREAM_UNAVAILABLE'], calls: [GET] });
  });

  it.each([400, 403, 405, 409, 418, 422])('that is refused with %i and tells its insides does not pass them on', async (status) => {
    for (const body of [
      INDISCREET(),
      JSON.stringify({ message: INDISCREET() }),
      JSON.stringify({ error: { message: INDISCREET().split('\n')[0] } }),
    ]) {
      fault(GET, { status, body, times: 1 });
      const { data, codes, calls } = await run(CONTACT, contact());
      expect({ data, calls }).toEqual({ data: { contact: null }, calls: [GET] });
      expect(codes).toHaveLength(1);
      expect(codes).not.toContain('INTERNAL_SERVER_ERROR');
    }
  });

  it('with 429 that says to come back later than anybody waits is not sent again', async () => {
    fault(GET, { status: 429, retryAfter: 7 });
    const { codes, extensions, calls } = await run(CONTACT, contact(), makeKey(testGraph.sandbox.world));
    expect({ codes, calls }).toEqual({ codes: ['RATE_LIMITED'], calls: [GET] });
    expect(extensions).toMatchObject({ retryAfterSeconds: 7, retry: 'SAFE' });
  });

  it('with 429 that does not say when to come back is sent again twice, and then says what we guess', async () => {
    fault(GET, { status: 429 });
    const { codes, extensions, calls } = await run(CONTACT, contact(), makeKey(testGraph.sandbox.world));
    expect({ codes, calls }).toEqual({ codes: ['RATE_LIMITED'], calls: [GET, GET, GET] });
    expect(extensions).toMatchObject({ retryAfterSeconds: 4, retry: 'SAFE' });
  });

  it.each([502, 503, 504])('with %i is sent again, twice at most', async (status) => {
    fault(GET, { status, times: 1 });
    expect(await run(CONTACT, contact())).toMatchObject({
      data: { contact: { rawId: demoId('contact 0') } },
      codes: [],
      calls: [GET, GET],
    });
    fault(GET, { status });
    expect(await run(CONTACT, contact())).toMatchObject({
      data: { contact: null },
      codes: ['UPSTREAM_UNAVAILABLE'],
      calls: [GET, GET, GET],
    });
  });

  it('with 503 that says to come back later than anybody waits is not sent again', async () => {
    fault(GET, { status: 503, retryAfter: 30 });
    expect(await run(CONTACT, contact())).toMatchObject({
      codes: ['UPSTREAM_UNAVAILABLE'],
      extensions: { retryAfterSeconds: 30 },
      calls: [GET],
    });
  });

  it('whose connection breaks is sent again, twice at most', async () => {
    fault(GET, { cut: 'before', times: 1 });
    expect(await run(CONTACT, contact())).toMatchObject({
      data: { contact: { rawId: demoId('contact 0') } },
      codes: [],
      calls: [GET, GET],
    });
    fault(GET, { cut: 'after' });
    expect(await run(CONTACT, contact())).toMatchObject({
      data: { contact: null },
      codes: ['UPSTREAM_UNAVAILABLE'],
      calls: [GET, GET, GET],
    });
  });

  it('without an answer in time says so, and is not sent again', async () => {
    const { data, codes, extensions, calls } = await runUntilTimeout(GET, CONTACT, contact());
    expect({ data, codes, calls }).toEqual({ data: { contact: null }, codes: ['UPSTREAM_TIMEOUT'], calls: [GET] });
    expect(extensions?.retry).toBe('SAFE');
  });

  it('that fails leaves the rest of the document answered', async () => {
    fault(GET, { status: 500 });
    const { data, codes } = await run(
      'query ($id: ID!) { contact(id: $id) { lastName } contacts(first: 1) { nodes { __typename } } }',
      contact(),
    );
    expect(data).toEqual({ contact: null, contacts: { nodes: [{ __typename: 'Contact' }] } });
    expect(codes).toEqual(['UPSTREAM_UNAVAILABLE']);
  });
});

describe('the question what a key may do', () => {
  it.each<[string, Omit<Fault, 'operation'>, string]>([
    ['fails', { status: 500 }, 'UPSTREAM_UNAVAILABLE'],
    ['is cut off', { cut: 'before' }, 'UPSTREAM_UNAVAILABLE'],
    ['is answered with nonsense', { body: 'nonsense' }, 'UPSTREAM_INVALID_RESPONSE'],
    ['is refused for want of calls', { status: 429, retryAfter: 3 }, 'RATE_LIMITED'],
    ['is refused for the key', { status: 401, body: '' }, 'UNAUTHENTICATED'],
  ])('fails the request when it %s, and only this one', async (_name, traits, code) => {
    const key = makeKey(testGraph.sandbox.world);
    fault('Workspace/Me', traits);
    expect(await run(CONTACT, contact(), key)).toMatchObject({ data: { contact: null }, codes: [code], calls: [] });
    testGraph.sandbox.faults.clear();
    if (code !== 'UNAUTHENTICATED') expect((await run(CONTACT, contact(), key)).codes).toEqual([]);
  });

  it('leaves the decision to the upstream when the answer does not tell', async () => {
    const key = makeKey(testGraph.sandbox.world, { scopes: ['me:read'] });
    fault('Workspace/Me', answered({ hello: 'world' }));
    expect(await run(CONTACT, contact(), key)).toMatchObject({
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

const effects = (lastName: string) =>
  testGraph.sandbox.world.store.all('SELECT 1 FROM contacts WHERE last_name = :lastName', { lastName }).length;

describe('a change that the upstream does not recognise a repeat of', () => {
  it.each<[string, Omit<Fault, 'operation'>, number]>([
    ['whose connection breaks', { cut: 'before' }, 0],
    ['whose answer is lost', { cut: 'after' }, 1],
    ['that fails with 500', { status: 500 }, 0],
    ['that fails with 503', { status: 503 }, 0],
    ['that is answered with nonsense', { body: 'nonsense' }, 1],
    ['that is answered with an array', { body: '[]' }, 1],
    ['that is answered with nothing', { body: '{}' }, 1],
  ])('%s is sent once, and its outcome unknown', async (name, traits, made) => {
    fault(CREATED, traits);
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
    expect({ codes, calls, made: effects(input.lastName) }).toEqual({ codes: [], calls: [CREATED], made });
  });

  it.each(['not_found', 'resource_exhausted', 'invalid_argument'])(
    'that falls over is of unknown outcome, although its body says %s',
    async (code) => {
      fault(CREATED, { status: 502, body: JSON.stringify({ code, message: 'No.' }) });
      const { data } = await run(CREATE, { input: { lastName: 'Fallen', idempotencyKey: `fallen ${code}` } });
      expect(data.contactCreate).toMatchObject({ __typename: 'OutcomeUnknownError', retry: 'SAME_KEY' });
    },
  );

  it.each<[string, Omit<Fault, 'operation'>]>([
    ['whose answer was lost', { cut: 'after' }],
    ['that was answered with nonsense', { body: 'nonsense' }],
    ['that was answered with nothing', { body: '{}' }],
    ['that failed with 500', { status: 500 }],
  ])('%s stays unknown under the same key, and is not sent again', async (name, traits) => {
    fault(CREATED, { ...traits, times: 1 });
    const input = { lastName: `Again ${name}`, idempotencyKey: `again ${name}` };
    const first = await run(CREATE, { input });
    const again = await run(CREATE, { input });
    expect(again.data.contactCreate).toMatchObject({ __typename: 'OutcomeUnknownError', startedAt: first.data.contactCreate?.startedAt });
    expect(again.calls).toEqual([]);
    expect(effects(input.lastName)).toBeLessThanOrEqual(1);
  });

  it('is sent once without a key, too', async () => {
    fault(CREATED, { cut: 'after' });
    const { data, calls } = await run(CREATE, { input: { lastName: 'Keyless' } });
    expect(data.contactCreate).toMatchObject({ __typename: 'OutcomeUnknownError', idempotencyKey: null });
    expect({ calls, made: effects('Keyless') }).toEqual({ calls: [CREATED], made: 1 });
  });

  it('that gets no answer in time is of unknown outcome', spec('7.11'), async () => {
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
  ])('that is refused with %i answers %s, and may be sent again under its key', async (status, typename) => {
    fault(CREATED, { status, body: JSON.stringify({ message: 'No.' }), times: 1 });
    const input = { lastName: `Refused ${status}`, idempotencyKey: `refused ${status}` };
    const refused = await run(CREATE, { input });
    expect(refused).toMatchObject({ data: { contactCreate: { __typename: typename } }, codes: [], calls: [CREATED] });
    expect(await run(CREATE, { input })).toMatchObject({
      data: { contactCreate: { __typename: 'ContactCreatePayload' } },
      calls: [CREATED],
    });
    expect(effects(input.lastName)).toBe(1);
  });

  it.each([
    ['202', { status: 202, body: '{}' }],
    ['204', { status: 204, body: '' }],
    ['302', { status: 302, body: '' }],
    ['408', { status: 408, body: '{}' }],
    ['499', { status: 499, body: '{}' }],
    ['the code canceled', { status: 400, body: JSON.stringify({ code: 'canceled', message: 'Gone.' }) }],
    ['null for its record', { body: JSON.stringify({ contact: null }) }],
    ['a record without an id', { body: JSON.stringify({ contact: { lastName: 'Half' } }) }],
  ])('that is answered with %s is of unknown outcome, and not sent again under its key', async (name, traits) => {
    fault(CREATED, { ...traits, times: 1 });
    const input = { lastName: `Half ${name}`, idempotencyKey: `half ${name}` };
    const first = await run(CREATE, { input });
    expect(first).toMatchObject({ data: { contactCreate: { __typename: 'OutcomeUnknownError' } }, codes: [], calls: [CREATED] });
    const again = await run(CREATE, { input });
    expect(again).toMatchObject({ data: { contactCreate: { __typename: 'OutcomeUnknownError' } }, calls: [] });
  });

  it('passes on what the upstream says, but neither addresses nor keys', async () => {
    fault(CREATED, { status: 400, body: JSON.stringify({ message: `No, says ${testGraph.sandbox.url}/x of demo-owner.` }) });
    const { data } = await run('mutation { contactCreate(input: { lastName: "X" }) { ... on ValidationError { message } } }');
    expect(data.contactCreate).toEqual({ message: 'No, says [address] of [key].' });
  });
});

describe('a change that may be repeated', () => {
  const RECEIPT = `mutation ($input: InventoryReceiptCreateInput!) {
    inventoryReceiptCreate(input: $input) {
      __typename
      ... on InventoryReceiptCreatePayload { receipt { rawId } }
      ... on OutcomeUnknownError { idempotencyKey retry }
    }
  }`;
  const receipts = (reference: string) =>
    testGraph.sandbox.world.store.all('SELECT 1 FROM inventory_receipts WHERE reference = :reference', { reference }).length;

  it.each<[string, Omit<Fault, 'operation'>]>([
    ['whose answer is lost', { cut: 'after', times: 1 }],
    ['whose connection breaks', { cut: 'before', times: 1 }],
    ['that meets 503', { status: 503, times: 1 }],
  ])('since the upstream knows its key, and %s, is sent again and takes effect once', async (name, traits) => {
    fault('Inventory/CreateInventoryReceipt', traits);
    const input = { locationId: DEPOT, reference: name, idempotencyKey: name };
    const { data, calls } = await run(RECEIPT, { input });
    expect(data.inventoryReceiptCreate).toEqual({ __typename: 'InventoryReceiptCreatePayload', receipt: { rawId: expect.any(String) } });
    expect(calls).toEqual(['Inventory/CreateInventoryReceipt', 'Inventory/CreateInventoryReceipt']);
    expect(receipts(name)).toBe(1);
  });

  it('is of unknown outcome when the repeats are lost too, and the same key finds out', async () => {
    fault('Inventory/CreateInventoryReceipt', { cut: 'after', times: 3 });
    fault('Inventory/GetInventoryReceipt', { status: 403 });
    const input = { locationId: DEPOT, reference: 'twice', idempotencyKey: 'twice' };
    const lost = await run(RECEIPT, { input });
    expect(lost.data.inventoryReceiptCreate).toEqual({ __typename: 'OutcomeUnknownError', idempotencyKey: 'twice', retry: 'SAME_KEY' });
    const found = await run(RECEIPT, { input });
    expect(found.data.inventoryReceiptCreate?.__typename).toBe('InventoryReceiptCreatePayload');
    expect(receipts('twice')).toBe(1);
  });

  it('is of unknown outcome when the first answer is lost and the repeat is turned away at the door', async () => {
    fault('Inventory/CreateInventoryReceipt', { cut: 'after', times: 1 });
    fault('Inventory/CreateInventoryReceipt', { status: 403, times: 1 });
    fault('Inventory/GetInventoryReceipt', { status: 403 });
    const input = { locationId: DEPOT, reference: 'door', idempotencyKey: 'door' };
    const { data, calls } = await run(RECEIPT, { input });
    expect(data.inventoryReceiptCreate).toEqual({ __typename: 'OutcomeUnknownError', idempotencyKey: 'door', retry: 'SAME_KEY' });
    expect({ calls, made: receipts('door') }).toEqual({
      calls: ['Inventory/CreateInventoryReceipt', 'Inventory/CreateInventoryReceipt', 'Inventory/GetInventoryReceipt'],
      made: 1,
    });
  });

  it('that a version guards is of unknown outcome when the repeat finds another version: the first attempt may have made it', async () => {
    fault('Order/CancelOrder', { cut: 'after', times: 1 });
    fault('Order/CancelOrder', { status: 409, body: JSON.stringify({ code: 'aborted', message: 'Stale.' }), times: 1 });
    const paid = testGraph.sandbox.world.store.get<{ id: string; version: number }>(
      'SELECT id, version FROM orders JOIN order_money ON order_id = id WHERE status = 1 AND refundable_minor > 0 AND workspace_id = :workspaceId',
      { workspaceId: demoId('workspace') },
    );
    const CANCEL = 'mutation ($input: OrderCancelInput!) { orderCancel(input: $input) { __typename } }';
    const input = {
      orderId: paid?.id,
      expectedVersion: String(paid?.version),
      refund: { amount: { minorUnits: '1' } },
      idempotencyKey: 'guarded',
    };
    const { data, calls } = await run(CANCEL, { input });
    expect(data.orderCancel).toEqual({ __typename: 'OutcomeUnknownError' });
    expect(calls.slice(0, 2)).toEqual(['Order/CancelOrder', 'Order/CancelOrder']);
  });

  it('since it settles a state is sent again, and takes effect once', async () => {
    const { body } = await post(testGraph.sandbox.url, 'demo-owner', 'Quote/CreateQuote', {
      customerId: demoId('customer 0'),
      lineItems: [{ productId: demoId('product 1'), quantity: 1 }],
    });
    const { id } = body.quote;
    fault('Quote/ConfirmQuote', { cut: 'after', times: 1 });
    const CONFIRM = `mutation ($id: ID!) {
      quoteConfirm(input: { quoteId: $id }) { __typename ... on QuoteConfirmPayload { order { rawId } } }
    }`;
    const { data, calls } = await run(CONFIRM, { id });
    expect(data.quoteConfirm).toEqual({ __typename: 'QuoteConfirmPayload', order: { rawId: expect.any(String) } });
    expect(calls).toEqual(['Quote/GetQuote', 'Quote/ConfirmQuote', 'Quote/ConfirmQuote']);
    expect(testGraph.sandbox.world.store.all('SELECT 1 FROM orders WHERE quote_id = :id', { id })).toHaveLength(1);
  });
});

describe('an answer that is newer or poorer than the contract', () => {
  const QUOTE =
    'query ($id: ID!) { quote(id: $id) { status statusText lines { priceType quantity } customer { id } version upstreamRecord } }';

  it('with states that nobody knows yet is read as OTHER, and keeps the word', async () => {
    fault(
      'Quote/GetQuote',
      answered({
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

  it('with members that nobody knows yet shows them in `upstreamRecord`', async () => {
    const quote = { id: 'q', mood: 'sunny', extra: { deep: [1] } };
    fault('Quote/GetQuote', answered({ quote, meta: {} }));
    expect((await run(QUOTE, { id: 'q' })).data.quote?.upstreamRecord).toEqual(quote);
  });

  it('answers the same whether it has its defaults or not', async () => {
    const typed = 'query ($id: ID!) { contact(id: $id) { rawId firstName lastName email phone createdAt updatedAt } }';
    const [poor, rich, nulls] = [
      { id: 'c' },
      { id: 'c', firstName: '', lastName: '', email: '', phone: '', createdAt: '0', updatedAt: '0' },
      { id: 'c', firstName: null, lastName: null, email: null, phone: null, createdAt: null, updatedAt: null },
    ];
    const answers = [];
    for (const record of [poor, rich, nulls]) {
      fault(GET, { ...answered({ contact: record }), times: 1 });
      answers.push(await run(typed, { id: 'c' }));
    }
    expect(answers.map(({ codes }) => codes)).toEqual([[], [], []]);
    const empty = { rawId: 'c', firstName: null, lastName: '', email: null, phone: null, createdAt: null, updatedAt: null };
    expect(answers.map(({ data }) => data.contact)).toEqual([empty, empty, empty]);
  });

  it('with an empty list answers the same whether it says so or not', async () => {
    for (const body of [{}, { contacts: [] }, { contacts: [], page: 1, pageSize: 25, hasMore: false }, { contacts: null }]) {
      fault('Contact/ListContacts', { ...answered(body), times: 1 });
      const { data, codes } = await run('{ contacts { nodes { id } pageInfo { hasNextPage } } }');
      expect({ data, codes }).toEqual({ data: { contacts: { nodes: [], pageInfo: { hasNextPage: false } } }, codes: [] });
    }
  });
});
