import { describe, expect, it } from 'vitest';
import { toGlobalId } from '../../../src/schema/kit/globalIds.ts';
import { ALL_SCOPES, makeKey } from '../../sandbox/makeKey.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const testGraph = useTestGraph();

const createKeyWith = (...scopes: string[]) => makeKey(testGraph.sandbox.world, { scopes: ['me:read', ...scopes] });
const createKeyWithout = (scope: string) => makeKey(testGraph.sandbox.world, { scopes: ALL_SCOPES.filter((each) => each !== scope) });

/** Request of the last upstream call. */
const findLastRequest = () => testGraph.sandbox.received.at(-1)?.request;

const CREATE = `mutation ($input: CustomerCreateInput!) {
  customerCreate(input: $input) {
    __typename
    ... on CustomerCreatePayload {
      customer { id rawId title referenceNumber customerName email phone expectedCloseAt createdAt updatedAt customFields { name value } }
      effect
    }
    ... on ValidationError { issues { path message } }
    ... on ForbiddenError { reason missingScopes }
    ... on IdempotencyKeyReusedError { firstUsedAt }
    ... on MutationError { code }
  }
}`;

const UPDATE = `mutation ($input: CustomerUpdateInput!) {
  customerUpdate(input: $input) {
    __typename
    ... on CustomerUpdatePayload { customer { rawId title customerName email phone expectedCloseAt } effect }
    ... on ValidationError { issues { path message } }
    ... on NotFoundError { missingId path }
    ... on MutationError { code }
  }
}`;

async function createCustomer(input: object = {}) {
  const { data } = await testGraph.execute(CREATE, { input: { title: 'Test customer', ...input } });
  return data.customerCreate.customer;
}

describe('Query.customer', () => {
  it('lists quotes without fetching the customer or requiring its scope', async () => {
    const key = createKeyWith('quote:read');
    const query = 'query ($id: ID!) { customer(id: $id) { rawId quotes(first: 2) { nodes { id } } } }';
    const [{ data, errors }, calls] = await testGraph.recordCalls(() => testGraph.executeAs(key, query, { id: demoId('customer 0') }));
    expect(errors).toBeUndefined();
    expect(data.customer).toMatchObject({ rawId: demoId('customer 0'), quotes: { nodes: [{}, {}] } });
    expect(calls).toEqual(['Quote/ListQuotes']);
  });

  it('returns what the key can read, and FORBIDDEN with the missing scopes for the rest', async () => {
    const query = 'query ($id: ID!) { customer(id: $id) { title quotes(first: 1) { nodes { id } } } }';
    const { data, errors } = await testGraph.executeAs(createKeyWithout('quote:read'), query, { id: demoId('customer 0') });
    expect(data.customer).toMatchObject({ title: expect.any(String), quotes: null });
    expect(errors).toMatchObject([{ path: ['customer', 'quotes'], extensions: { code: 'FORBIDDEN', missingScopes: ['quote:read'] } }]);
  });

  it('fetches a record once if it is selected as a customer and as a portfolio', async () => {
    const query = `query ($id: ID!, $globalId: ID!) {
      a: customer(id: $id) { title }
      b: portfolio(id: $id) { title customer { phone } }
      c: node(id: $globalId) { __typename ... on Portfolio { title } }
    }`;
    const variables = { id: demoId('portfolio 0'), globalId: toGlobalId('Portfolio', demoId('portfolio 0')) };
    const [{ data }, calls] = await testGraph.recordCalls(() => testGraph.execute(query, variables));
    expect(data.b.title).toBe(data.a.title);
    expect(data.c).toEqual({ __typename: 'Portfolio', title: data.a.title });
    expect(calls).toEqual(['Customer/GetCustomer']);
  });

  it('resolves contact for a portfolio, and to null for a plain customer', async () => {
    const query =
      'query ($portfolio: ID!, $plain: ID!) { a: customer(id: $portfolio) { contact { rawId } } b: customer(id: $plain) { contact { rawId } } }';
    const variables = { portfolio: demoId('portfolio 0'), plain: demoId('customer 1') };
    const [{ data }, calls] = await testGraph.recordCalls(() => testGraph.execute(query, variables));
    expect(data).toEqual({ a: { contact: { rawId: demoId('contact 0') } }, b: { contact: null } });
    expect(calls).toEqual(['Customer/GetCustomer', 'Customer/GetCustomer']);
  });
});

describe('Query.customers', () => {
  const SEARCH = `query ($query: String, $first: Int, $after: String) {
    customers(query: $query, first: $first, after: $after) {
      nodes { rawId title email }
      pageInfo { hasNextPage hasPreviousPage endCursor }
    }
  }`;

  it('searches customers by text in one call', async () => {
    const [{ data }, calls] = await testGraph.recordCalls(() => testGraph.execute(SEARCH, { query: 'customer7@example' }));
    expect(data.customers.nodes).toMatchObject([{ rawId: demoId('customer 7'), email: 'customer7@example.com' }]);
    expect(data.customers.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: false });
    expect(calls).toEqual(['Customer/SearchCustomers']);
  });

  it('reuses its records for lookups by ID', async () => {
    const query = '{ customers(query: "customer0@example") { nodes { title quotes(first: 1) { nodes { customer { title } } } } } }';
    const [{ data }, calls] = await testGraph.recordCalls(() => testGraph.execute(query));
    const [{ title, quotes }] = data.customers.nodes;
    expect(quotes.nodes).toEqual([{ customer: { title } }]);
    expect(calls).toEqual(['Customer/SearchCustomers', 'Quote/ListQuotes']);
  });
});

describe('Query.customersByIdentifier', () => {
  const LOOK_UP = 'query ($by: CustomerByInput!) { customersByIdentifier(by: $by) { rawId } }';

  it('finds a customer by each kind of identifier in one call each', async () => {
    const created = await createCustomer({
      email: 'look@example.com',
      phone: '+31205559001',
      customFields: [{ name: 'meter_number', value: { text: 'M-look-up' } }],
    });
    const identifiers = [
      { email: 'LOOK@example.com' },
      { phone: '+31 20 555 9001' },
      { referenceNumber: created.referenceNumber },
      { other: 'M-look-up' },
    ];
    for (const by of identifiers) {
      const [{ data }, calls] = await testGraph.recordCalls(() => testGraph.execute(LOOK_UP, { by }));
      expect(data.customersByIdentifier, JSON.stringify(by)).toEqual([{ rawId: created.rawId }]);
      expect(calls).toEqual(['Customer/LookupCustomersByIdentifier']);
    }
  });

  it('returns an empty list for an unknown identifier', async () => {
    expect((await testGraph.execute(LOOK_UP, { by: { email: 'absent@example.com' } })).data).toEqual({ customersByIdentifier: [] });
  });

  it.each([
    ['two identifiers', { email: 'a@example.com', phone: '+31205559001' }, 'Exactly one key must be specified'],
    ['no identifier', {}, 'Exactly one key must be specified'],
    ['a null identifier', { email: null }, 'Field "email" must be non-null'],
  ])('rejects %s without an upstream call', async (_case, by, reason) => {
    const [{ errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(LOOK_UP, { by }));
    expect(errors?.map(({ message }) => message).join()).toContain(reason);
    expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }]);
    expect(calls).toEqual([]);
  });

  it.each(['email', 'phone', 'referenceNumber', 'other'])('rejects a blank %s without an upstream call', async (name) => {
    const [{ data, errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(LOOK_UP, { by: { [name]: ' ' } }));
    expect(data).toEqual({ customersByIdentifier: null });
    expect(errors).toMatchObject([{ message: `by.${name} must not be blank.`, extensions: { code: 'BAD_USER_INPUT' } }]);
    expect(calls).toEqual([]);
  });
});

describe('Mutation.customerCreate', () => {
  it('creates a customer with a local phone number, a country code, and custom fields', async () => {
    const input = {
      title: 'Roof',
      customerName: 'Ada Adler',
      email: 'ada@example.com',
      phone: '020 555 0177',
      phoneCountryCode: 'NL',
      expectedCloseAt: '2026-06-01T10:00:00+02:00',
      customFields: [
        { name: 'budget', value: { money: { minorUnits: 25000 } } },
        { name: 'undefined_field', value: { json: { deep: [1] } } },
        { name: 'meter_number', value: null },
      ],
    };
    const [{ data }, calls] = await testGraph.recordCalls(() => testGraph.execute(CREATE, { input }));
    expect(data.customerCreate).toMatchObject({
      __typename: 'CustomerCreatePayload',
      effect: 'DONE',
      customer: {
        title: 'Roof',
        customerName: 'Ada Adler',
        email: 'ada@example.com',
        phone: '+31205550177',
        expectedCloseAt: '2026-06-01T08:00:00Z',
        createdAt: '2026-03-02T09:00:00Z',
        customFields: [
          { name: 'budget', value: '25000' },
          { name: 'undefined_field', value: '{"deep":[1]}' },
        ],
      },
    });
    expect(calls).toEqual(['Customer/CreateCustomer']);
  });

  it('returns the upstream’s validation errors', async () => {
    const local = await testGraph.execute(CREATE, { input: { title: 'Local', phone: '020 555 0100' } });
    expect(local.data.customerCreate).toMatchObject({ __typename: 'ValidationError', issues: [{ path: ['phone'] }] });
    expect(local.data.customerCreate.issues[0].message).toContain('phone_country');
    const nameless = await testGraph.execute(CREATE, { input: { email: 'x@example.com' } });
    expect(nameless.data.customerCreate).toMatchObject({ __typename: 'ValidationError', code: 'BAD_USER_INPUT' });
  });

  it('distinguishes a missing permission of the account from a missing scope', async () => {
    const { data } = await testGraph.executeAs('demo-restricted', CREATE, { input: { title: 'Absent' } });
    expect(data.customerCreate).toMatchObject({ __typename: 'ForbiddenError', reason: 'PERMISSION_OR_RESOURCE', missingScopes: [] });
  });

  it('returns the created record to a key that can create but not read, and rejects a later lookup', async () => {
    const [created, calls] = await testGraph.recordCalls(() =>
      testGraph.executeAs('demo-creator', CREATE, { input: { title: 'Written blind' } }),
    );
    const { customer } = created.data.customerCreate;
    expect(customer).toMatchObject({ title: 'Written blind', referenceNumber: expect.stringMatching(/^C-/) });
    expect(calls).toEqual(['Customer/CreateCustomer']);
    const read = await testGraph.executeAs('demo-creator', 'query ($id: ID!) { node(id: $id) { ... on Customer { title } } }', {
      id: customer.id,
    });
    expect(read.data).toEqual({ node: null });
    expect(read.errors).toMatchObject([{ path: ['node'], extensions: { code: 'FORBIDDEN', requiredScopes: ['customer:read'] } }]);
  });
});

describe('Mutation.customerUpdate', () => {
  it('updates specified fields, preserves omitted fields, and clears null fields', async () => {
    const created = await createCustomer({ customerName: 'Before', email: 'before@example.com', phone: '+31205550111' });
    const input = { customerId: created.id, customerName: 'After', email: null, expectedCloseAt: '2026-06-01T10:00:00Z' };
    const [{ data }, calls] = await testGraph.recordCalls(() => testGraph.execute(UPDATE, { input }));
    expect(data.customerUpdate.customer).toEqual({
      rawId: created.rawId,
      title: 'Test customer',
      customerName: 'After',
      email: null,
      phone: '+31205550111',
      expectedCloseAt: '2026-06-01T10:00:00Z',
    });
    expect(calls).toEqual(['Customer/PatchCustomer']);
    expect(findLastRequest()).toEqual({ id: created.rawId, customerName: 'After', email: '', expectedCloseDate: '1780308000' });
  });

  it('clears every nullable field, and a phone number with its country code', async () => {
    const created = await createCustomer({ customerName: 'Stays', email: 'gone@example.com', phone: '+31205550112' });
    const cleared = { title: null, email: null, phone: null, phoneCountryCode: null };
    const { data } = await testGraph.execute(UPDATE, { input: { customerId: created.id, ...cleared } });
    expect(data.customerUpdate.customer).toMatchObject({ title: null, customerName: 'Stays', email: null, phone: null });
    expect(findLastRequest()).toEqual({ id: created.rawId, title: '', email: '', phone: '' });
    const renamed = await testGraph.execute(UPDATE, { input: { customerId: created.id, title: 'Named', customerName: null } });
    expect(renamed.data.customerUpdate.customer).toMatchObject({ title: 'Named', customerName: null });
  });

  it('ignores a null country code with an international number', async () => {
    const created = await createCustomer();
    await testGraph.execute(UPDATE, { input: { customerId: created.id, phone: '+31205550113', phoneCountryCode: null } });
    expect(findLastRequest()).toEqual({ id: created.rawId, phone: '+31205550113' });
  });

  const CANNOT = 'can’t be cleared. Omit it to leave it unchanged.';
  const BLANK = 'must not be blank. Send null to clear it.';
  it.each([
    ['a null expected close date', { expectedCloseAt: null }, [{ path: ['expectedCloseAt'], message: CANNOT }]],
    ['a null country code without a phone number', { phoneCountryCode: null }, [{ path: ['phoneCountryCode'], message: CANNOT }]],
    [
      'a country code without a phone number',
      { phoneCountryCode: 'NL' },
      [{ path: ['phoneCountryCode'], message: 'requires `phone`. On its own it has no effect.' }],
    ],
    ['empty text', { title: '' }, [{ path: ['title'], message: BLANK }]],
    ['blank text', { email: ' ' }, [{ path: ['email'], message: BLANK }]],
  ])('rejects %s without an upstream call', async (_case, input, issues) => {
    const [{ data }, calls] = await testGraph.recordCalls(() => testGraph.execute(UPDATE, { input: { customerId: 'c', ...input } }));
    expect(data.customerUpdate).toEqual({ __typename: 'ValidationError', code: 'BAD_USER_INPUT', issues });
    expect(calls).toEqual([]);
  });

  it('exposes the update to later fields of the same operation', async () => {
    const { rawId } = await createCustomer();
    const document = `mutation ($id: ID!) {
      a: customerUpdate(input: { customerId: $id, title: "A" }) { ... on CustomerUpdatePayload { customer { quotes(first: 1) { nodes { id } } title } } }
      b: customerUpdate(input: { customerId: $id, email: "b@example.com" }) { ... on CustomerUpdatePayload { customer { title email } } }
    }`;
    const [{ data }, calls] = await testGraph.recordCalls(() => testGraph.execute(document, { id: rawId }));
    expect(data.b.customer).toEqual({ title: 'A', email: 'b@example.com' });
    expect(calls).toEqual(['Customer/PatchCustomer', 'Quote/ListQuotes', 'Customer/PatchCustomer']);
  });
});
