import { describe, expect, it } from 'vitest';
import { ALL_SCOPES, makeKey } from '../../sandbox/makeKey.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { clockAhead } from '../../support/clock.ts';
import { useTestGraph } from '../../support/testGraph.ts';

/** Milliseconds by which the graph's clock is ahead. */
let ahead = 0;
const testGraph = useTestGraph({}, undefined, { clock: clockAhead(() => ahead) });
const giveScopes = (key: string, scopes: readonly string[]) =>
  testGraph.sandbox.world.store.run('UPDATE api_keys SET scopes = :scopes WHERE name = :key', { key, scopes: JSON.stringify(scopes) });

const keyWithout = (...scopes: string[]) =>
  makeKey(testGraph.sandbox.world, { scopes: ALL_SCOPES.filter((scope) => !scopes.includes(scope)) });

describe('a key that has a scope by a wildcard only, which the upstream does not count,', () => {
  it.each(['*', 'contact:*'])('hears what the upstream says of it: %s', async (wildcard) => {
    const key = makeKey(testGraph.sandbox.world, { scopes: ['me:read', wildcard] });
    const { errors } = await testGraph.executeAs(key, '{ contacts(first: 1) { nodes { __typename } } }');
    expect(errors?.[0]?.message).toBe(
      'The Workspace API denied access: The API key is missing required scopes: contact:read. Use a key that has the required scopes by name (a wildcard may not count) and whose account has permission.',
    );
  });

  it('is told so when it has the scope word for word, too, and the account may not', async () => {
    const scopes = [...ALL_SCOPES, '*'];
    const key = makeKey(testGraph.sandbox.world, { scopes, permissions: [] });
    const { errors } = await testGraph.executeAs(key, '{ customers(first: 1) { nodes { __typename } } }');
    expect(errors?.[0]?.extensions).toMatchObject({ reason: 'PERMISSION_OR_RESOURCE', requiredScopes: ['customer:read'] });
  });
});

describe('a refusal that names a scope', () => {
  const READ = '{ contacts(first: 1) { nodes { __typename } } }';

  it('is not called one for the account, though the scope was there when it was last asked', async () => {
    const key = keyWithout();
    await testGraph.executeAs(key, READ);
    giveScopes(key, ['me:read']);
    const { errors } = await testGraph.executeAs(key, READ);
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'FORBIDDEN', reason: 'UNDETERMINED', missingScopes: [] });
    expect(errors?.[0]?.message).not.toContain('has the required scopes, but');
  });
});

describe('a key that may not be used from the address of the graph', () => {
  const READ = '{ contacts(first: 1) { nodes { __typename } } }';
  const CREATE =
    'mutation { contactCreate(input: { lastName: "Nobody", idempotencyKey: "afar" }) { ... on ForbiddenError { reason message } } }';
  const told = expect.stringMatching(
    /graph’s IP address.*Add that address to the key’s allowlist.*The Workspace API responded: The API key doesn’t allow requests from this IP address\./,
  );

  it('is told so, and nothing is sent', async () => {
    const key = makeKey(testGraph.sandbox.world, { allowedCidrs: ['192.0.2.0/24'] });
    const [{ errors }, calls] = await testGraph.recordCalls(() => testGraph.executeAs(key, READ));
    expect(errors).toMatchObject([{ message: told, extensions: { code: 'FORBIDDEN', reason: 'ADDRESS', missingScopes: [] } }]);
    const [{ data }, more] = await testGraph.recordCalls(() => testGraph.executeAs(key, CREATE));
    expect(data.contactCreate).toEqual({ reason: 'ADDRESS', message: told });
    expect([calls, more]).toEqual([[], []]);
  });

  it('costs one question at most in five seconds', async () => {
    const key = makeKey(testGraph.sandbox.world, { allowedCidrs: ['192.0.2.0/24'] });
    const before = testGraph.sandbox.received.length;
    for (let request = 0; request < 5; request += 1) await testGraph.executeAs(key, READ);
    expect(testGraph.sandbox.received.slice(before).map(({ operation }) => operation)).toEqual(['Workspace/Me']);
  });

  it('is told so when that changes while its scopes are remembered', async () => {
    const key = keyWithout();
    await testGraph.executeAs(key, READ);
    testGraph.sandbox.world.store.run('UPDATE api_keys SET allowed_cidrs = :cidrs WHERE name = :key', { key, cidrs: '["192.0.2.0/24"]' });
    const { errors } = await testGraph.executeAs(key, READ);
    expect(errors).toMatchObject([{ message: told, extensions: { reason: 'ADDRESS' } }]);
  });
});

describe('the words of a refusal', () => {
  const reasonOf = async (message: string) => {
    testGraph.sandbox.faults.add({
      operation: 'Contact/ListContacts',
      status: 403,
      body: JSON.stringify({ code: 'permission_denied', message }),
    });
    const { errors } = await testGraph.execute('{ contacts(first: 1) { nodes { __typename } } }');
    testGraph.sandbox.faults.clear();
    expect(errors?.[0]?.message).toContain(message);
    return errors?.[0]?.extensions.reason;
  };

  it.each([
    'The API key may not be used from this address.',
    'This key cannot be used from your network.',
    'IP address not allowed',
    'Access from IP 203.0.113.7 is forbidden.',
    'Access from IP 2001:db8::7 is forbidden.',
    'Your IP is not on the list.',
    'The IP is not allowed.',
    'Request blocked by IP allowlist',
    'The address is outside of the allowed CIDR ranges of the key.',
  ])('may be about the address of the caller: %s', async (message) => {
    expect(await reasonOf(message)).toBe('ADDRESS');
  });

  it.each([
    'You may not change the email address of this contact.',
    'Mail may not be sent from this address.',
    'Goods may not be shipped from this address.',
    'The address of this location may not be used.',
    "The client's address belongs to another team.",
    'The key account may not order from this address.',
    'The key contact of this customer is hidden. It was imported from this address book.',
    'Products of class IP67 are hidden, and so are those of IP 67.',
    'The account may not do this.',
    'Shipping is not allowed to this address.',
  ])('may be about another one: %s', async (message) => {
    expect(await reasonOf(message)).toBe('PERMISSION_OR_RESOURCE');
  });
});

const customer = demoId('customer 0');

describe('several scopes at once', () => {
  const COMMENT = `mutation ($input: CustomerCommentCreateInput!) {
    customerCommentCreate(input: $input) { __typename ... on ForbiddenError { requiredScopes missingScopes } }
  }`;

  it('are all named when they are missing', async () => {
    const key = keyWithout('customer_comment:create', 'customer_file:read');
    const input = { customerId: customer, body: 'See the drawing.', attachmentIds: ['file'] };
    const [{ data }, calls] = await testGraph.recordCalls(() => testGraph.executeAs(key, COMMENT, { input }));
    const scopes = ['customer_comment:create', 'customer_file:read'];
    expect(data.customerCommentCreate).toEqual({ __typename: 'ForbiddenError', requiredScopes: scopes, missingScopes: scopes });
    expect(calls).toEqual([]);
  });

  it('count only as far as the input needs them', async () => {
    const input = { customerId: customer, body: 'Nothing to see.' };
    const { data } = await testGraph.executeAs(keyWithout('customer_file:read'), COMMENT, { input });
    expect(data.customerCommentCreate.__typename).toBe('CustomerCommentCreatePayload');
    const refused = await testGraph.executeAs(keyWithout('customer_file:read'), COMMENT, { input: { ...input, attachmentIds: ['file'] } });
    expect(refused.data.customerCommentCreate.missingScopes).toEqual(['customer_file:read']);
  });
});

describe('a document of which a key may ask only a part', () => {
  it('is answered in that part', async () => {
    const { data, errors } = await testGraph.executeAs(
      keyWithout('quote:read', 'catalog:read'),
      `query ($id: ID!) {
        customer(id: $id) { title quotes { nodes { id } } orders(first: 1) { pageInfo { hasPreviousPage } } }
        products { nodes { id } }
        contacts(first: 1) { nodes { __typename } }
      }`,
      { id: customer },
    );
    expect(data).toEqual({
      customer: { title: expect.any(String), quotes: null, orders: { pageInfo: { hasPreviousPage: false } } },
      products: null,
      contacts: { nodes: [{ __typename: 'Contact' }] },
    });
    expect(errors?.map(({ path, extensions }) => [path, extensions.missingScopes])).toEqual(
      expect.arrayContaining([
        [['customer', 'quotes'], ['quote:read']],
        [['products'], ['catalog:read']],
      ]),
    );
  });

  it('keeps the other mutations of the document', async () => {
    const { data, errors } = await testGraph.executeAs(
      keyWithout('contact:create'),
      `mutation ($id: ID!) {
        contactCreate(input: { lastName: "Nobody" }) { __typename }
        customerUpdate(input: { customerId: $id, title: "Renamed" }) { ... on CustomerUpdatePayload { customer { title } } }
      }`,
      { id: customer },
    );
    expect(data).toEqual({ contactCreate: { __typename: 'ForbiddenError' }, customerUpdate: { customer: { title: 'Renamed' } } });
    expect(errors).toBeUndefined();
  });
});

describe('a key whose scopes the upstream does not tell', () => {
  const READ = '{ contacts(first: 1) { nodes { __typename } } }';

  it('is let through to the upstream', async () => {
    const [{ data }, calls] = await testGraph.recordCalls(() => testGraph.executeAs(keyWithout('me:read'), READ));
    expect(data.contacts.nodes).toHaveLength(1);
    expect(calls).toEqual(['Contact/ListContacts']);
  });

  it('is told that it cannot be told why the upstream refuses', async () => {
    const key = keyWithout('me:read', 'contact:read', 'contact:create');
    const [{ data, errors }, calls] = await testGraph.recordCalls(() => testGraph.executeAs(key, READ));
    expect(data).toEqual({ contacts: null });
    expect(errors?.[0]?.extensions).toMatchObject({
      code: 'FORBIDDEN',
      reason: 'UNDETERMINED',
      requiredScopes: ['contact:read'],
      missingScopes: [],
    });
    expect(calls).toEqual(['Contact/ListContacts']);
    const created = await testGraph.executeAs(
      key,
      'mutation { contactCreate(input: { lastName: "Nobody" }) { ... on ForbiddenError { reason requiredScopes missingScopes } } }',
    );
    expect(created.data.contactCreate).toEqual({ reason: 'UNDETERMINED', requiredScopes: ['contact:create'], missingScopes: [] });
  });

  const ADVICE = 'Use a key that has the required scopes by name (a wildcard may not count) and whose account has permission.';
  it.each([
    [
      'The API key is missing required scopes: contact:read.',
      'The Workspace API denied access: The API key is missing required scopes: contact:read.',
    ],
    ['contact:read required', 'The Workspace API denied access: contact:read required.'],
    ['No!', 'The Workspace API denied access: No!'],
    [undefined, 'The Workspace API denied access without giving a reason: a scope, a permission, or access to the record can be missing.'],
  ])('gets a message that doesn’t contradict the upstream’s: %s', async (message, expected) => {
    const body = JSON.stringify({ code: 'permission_denied', ...(message !== undefined && { message }) });
    testGraph.sandbox.faults.add({ operation: 'Contact/ListContacts', status: 403, body });
    const { errors } = await testGraph.executeAs(keyWithout('me:read'), READ);
    testGraph.sandbox.faults.clear();
    expect(errors).toMatchObject([{ message: `${expected} ${ADVICE}`, extensions: { reason: 'UNDETERMINED', missingScopes: [] } }]);
  });

  it('gets a message without a scope if none is documented', async () => {
    testGraph.sandbox.faults.add({
      operation: 'Workspace/GetCompanyProfile',
      status: 403,
      body: '{"code":"permission_denied","message":"No."}',
    });
    const { errors } = await testGraph.executeAs(keyWithout('me:read'), '{ companyProfile { legalName } }');
    testGraph.sandbox.faults.clear();
    expect(errors).toMatchObject([
      {
        message: 'The Workspace API denied access: No. The required scope isn’t documented, so ask an administrator of the workspace.',
        extensions: { reason: 'UNDETERMINED', requiredScopes: [], missingScopes: [] },
      },
    ]);
  });
});

describe('a key that has the scopes, and whose account may not', () => {
  it('is told so', async () => {
    const READ = 'query ($id: ID!) { customer(id: $id) { orders { nodes { id } } } }';
    const { data, errors } = await testGraph.executeAs('demo-restricted', READ, { id: customer });
    expect(data).toEqual({ customer: { orders: null } });
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'FORBIDDEN', reason: 'PERMISSION_OR_RESOURCE', missingScopes: [] });
  });
});

describe('an operation that the upstream names no scope for', () => {
  it('is left to the upstream, whose refusal is not explained', async () => {
    const [refused, calls] = await testGraph.recordCalls(() =>
      testGraph.executeAs(makeKey(testGraph.sandbox.world, { scopes: ['contact:read'] }), '{ companyProfile { legalName } }'),
    );
    expect(refused.errors?.[0]?.extensions).toMatchObject({ code: 'FORBIDDEN', reason: 'UNDETERMINED' });
    expect(calls).toEqual(['Workspace/GetCompanyProfile']);
  });
});

describe('a scope', () => {
  const READ = '{ contacts(first: 1) { nodes { __typename } } }';
  const isAllowed = async (key: string) => (await testGraph.executeAs(key, READ)).data.contacts !== null;

  it('that is given later is seen at the next request', async () => {
    const key = keyWithout('contact:read');
    expect(await isAllowed(key)).toBe(false);
    giveScopes(key, ALL_SCOPES);
    ahead += 5_000;
    expect(await isAllowed(key)).toBe(true);
  });

  it('that is given later costs one question at most in five seconds', async () => {
    const key = keyWithout('contact:read');
    const before = testGraph.sandbox.received.length;
    for (let request = 0; request < 5; request += 1) expect(await isAllowed(key)).toBe(false);
    expect(testGraph.sandbox.received.slice(before).map(({ operation }) => operation)).toEqual(['Workspace/Me']);
  });

  it('that is taken away is missed within half a minute', async () => {
    const key = keyWithout();
    expect(await isAllowed(key)).toBe(true);
    giveScopes(key, ['me:read']);
    ahead += 30_000;
    const [{ errors }, calls] = await testGraph.recordCalls(() => testGraph.executeAs(key, READ));
    expect(errors?.[0]?.extensions).toMatchObject({ reason: 'MISSING_SCOPE', missingScopes: ['contact:read'] });
    expect(calls).toEqual([]);
  });

  it('that is taken away is missed at once after the clock was set back', async () => {
    const key = keyWithout();
    expect(await isAllowed(key)).toBe(true);
    giveScopes(key, ['me:read']);
    ahead -= 3_600_000;
    const [{ errors }, calls] = await testGraph.recordCalls(() => testGraph.executeAs(key, READ));
    ahead += 3_600_000;
    expect([errors?.[0]?.extensions.reason, calls]).toEqual(['MISSING_SCOPE', []]);
  });
});
