import { describe, expect, it } from 'vitest';
import { ALL_SCOPES, makeKey } from '../../sandbox/makeKey.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { createClockAhead } from '../../support/clock.ts';
import { useTestGraph } from '../../support/testGraph.ts';

/** Milliseconds by which the graph's clock is ahead. */
let clockLeadMs = 0;
const testGraph = useTestGraph({}, undefined, { clock: createClockAhead(() => clockLeadMs) });
const setScopes = (key: string, scopes: readonly string[]) =>
  testGraph.sandbox.world.store.run('UPDATE api_keys SET scopes = :scopes WHERE name = :key', { key, scopes: JSON.stringify(scopes) });

const createKeyWithout = (...scopes: string[]) =>
  makeKey(testGraph.sandbox.world, { scopes: ALL_SCOPES.filter((scope) => !scopes.includes(scope)) });

describe('key with a wildcard that the upstream doesn’t accept', () => {
  it.each(['*', 'contact:*'])('receives the upstream’s message: %s', async (wildcard) => {
    const key = makeKey(testGraph.sandbox.world, { scopes: ['me:read', wildcard] });
    const { errors } = await testGraph.executeAs(key, '{ contacts(first: 1) { nodes { __typename } } }');
    expect(errors?.[0]?.message).toBe(
      'The Workspace API denied access: The API key is missing required scopes: contact:read. Use a key that has the required scopes by name (a wildcard may not count) and whose account has permission.',
    );
  });

  it('receives PERMISSION_OR_RESOURCE if it also has the scope by name but its account lacks permission', async () => {
    const scopes = [...ALL_SCOPES, '*'];
    const key = makeKey(testGraph.sandbox.world, { scopes, permissions: [] });
    const { errors } = await testGraph.executeAs(key, '{ customers(first: 1) { nodes { __typename } } }');
    expect(errors?.[0]?.extensions).toMatchObject({ reason: 'PERMISSION_OR_RESOURCE', requiredScopes: ['customer:read'] });
  });
});

describe('error that names a scope', () => {
  const READ = '{ contacts(first: 1) { nodes { __typename } } }';

  it('has the reason UNDETERMINED, although the cached scopes included it', async () => {
    const key = createKeyWithout();
    await testGraph.executeAs(key, READ);
    setScopes(key, ['me:read']);
    const { errors } = await testGraph.executeAs(key, READ);
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'FORBIDDEN', reason: 'UNDETERMINED', missingScopes: [] });
    expect(errors?.[0]?.message).not.toContain('has the required scopes, but');
  });
});

describe('key that doesn’t allow the graph’s IP address', () => {
  const READ = '{ contacts(first: 1) { nodes { __typename } } }';
  const CREATE =
    'mutation { contactCreate(input: { lastName: "Absent", idempotencyKey: "afar" }) { ... on ForbiddenError { reason message } } }';
  const addressMessage = expect.stringMatching(
    /graph’s IP address.*Add that address to the key’s allowlist.*The Workspace API responded: The API key doesn’t allow requests from this IP address\./,
  );

  it('receives an error with the reason ADDRESS without a call', async () => {
    const key = makeKey(testGraph.sandbox.world, { allowedCidrs: ['192.0.2.0/24'] });
    const [{ errors }, calls] = await testGraph.recordCalls(() => testGraph.executeAs(key, READ));
    expect(errors).toMatchObject([{ message: addressMessage, extensions: { code: 'FORBIDDEN', reason: 'ADDRESS', missingScopes: [] } }]);
    const [{ data }, more] = await testGraph.recordCalls(() => testGraph.executeAs(key, CREATE));
    expect(data.contactCreate).toEqual({ reason: 'ADDRESS', message: addressMessage });
    expect([calls, more]).toEqual([[], []]);
  });

  it('causes one lookup per five seconds', async () => {
    const key = makeKey(testGraph.sandbox.world, { allowedCidrs: ['192.0.2.0/24'] });
    const before = testGraph.sandbox.received.length;
    for (let request = 0; request < 5; request += 1) await testGraph.executeAs(key, READ);
    expect(testGraph.sandbox.received.slice(before).map(({ operation }) => operation)).toEqual(['Workspace/Me']);
  });

  it('receives the error if the allowlist changes while its scopes are cached', async () => {
    const key = createKeyWithout();
    await testGraph.executeAs(key, READ);
    testGraph.sandbox.world.store.run('UPDATE api_keys SET allowed_cidrs = :cidrs WHERE name = :key', { key, cidrs: '["192.0.2.0/24"]' });
    const { errors } = await testGraph.executeAs(key, READ);
    expect(errors).toMatchObject([{ message: addressMessage, extensions: { reason: 'ADDRESS' } }]);
  });
});

describe('message of a denial', () => {
  const fetchReason = async (message: string) => {
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
  ])('has the reason ADDRESS: %s', async (message) => {
    expect(await fetchReason(message)).toBe('ADDRESS');
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
  ])('has the reason PERMISSION_OR_RESOURCE: %s', async (message) => {
    expect(await fetchReason(message)).toBe('PERMISSION_OR_RESOURCE');
  });
});

const customer = demoId('customer 0');

describe('several required scopes', () => {
  const COMMENT = `mutation ($input: CustomerCommentCreateInput!) {
    customerCommentCreate(input: $input) { __typename ... on ForbiddenError { requiredScopes missingScopes } }
  }`;

  it('appear all in the error if missing', async () => {
    const key = createKeyWithout('customer_comment:create', 'customer_file:read');
    const input = { customerId: customer, body: 'See the drawing.', attachmentIds: ['file'] };
    const [{ data }, calls] = await testGraph.recordCalls(() => testGraph.executeAs(key, COMMENT, { input }));
    const scopes = ['customer_comment:create', 'customer_file:read'];
    expect(data.customerCommentCreate).toEqual({ __typename: 'ForbiddenError', requiredScopes: scopes, missingScopes: scopes });
    expect(calls).toEqual([]);
  });

  it('apply only if the input needs them', async () => {
    const input = { customerId: customer, body: 'Nothing to see.' };
    const { data } = await testGraph.executeAs(createKeyWithout('customer_file:read'), COMMENT, { input });
    expect(data.customerCommentCreate.__typename).toBe('CustomerCommentCreatePayload');
    const denied = await testGraph.executeAs(createKeyWithout('customer_file:read'), COMMENT, {
      input: { ...input, attachmentIds: ['file'] },
    });
    expect(denied.data.customerCommentCreate.missingScopes).toEqual(['customer_file:read']);
  });
});

describe('document with fields that the key can’t read', () => {
  it('resolves the other fields', async () => {
    const { data, errors } = await testGraph.executeAs(
      createKeyWithout('quote:read', 'catalog:read'),
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

  it('executes the other mutations', async () => {
    const { data, errors } = await testGraph.executeAs(
      createKeyWithout('contact:create'),
      `mutation ($id: ID!) {
        contactCreate(input: { lastName: "Absent" }) { __typename }
        customerUpdate(input: { customerId: $id, title: "Renamed" }) { ... on CustomerUpdatePayload { customer { title } } }
      }`,
      { id: customer },
    );
    expect(data).toEqual({ contactCreate: { __typename: 'ForbiddenError' }, customerUpdate: { customer: { title: 'Renamed' } } });
    expect(errors).toBeUndefined();
  });
});

describe('key without me:read', () => {
  const READ = '{ contacts(first: 1) { nodes { __typename } } }';

  it('can call the upstream', async () => {
    const [{ data }, calls] = await testGraph.recordCalls(() => testGraph.executeAs(createKeyWithout('me:read'), READ));
    expect(data.contacts.nodes).toHaveLength(1);
    expect(calls).toEqual(['Contact/ListContacts']);
  });

  it('receives UNDETERMINED without missing scopes if the upstream denies access', async () => {
    const key = createKeyWithout('me:read', 'contact:read', 'contact:create');
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
      'mutation { contactCreate(input: { lastName: "Absent" }) { ... on ForbiddenError { reason requiredScopes missingScopes } } }',
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
  ])('receives a message that doesn’t contradict the upstream’s: %s', async (message, expected) => {
    const body = JSON.stringify({ code: 'permission_denied', ...(message !== undefined && { message }) });
    testGraph.sandbox.faults.add({ operation: 'Contact/ListContacts', status: 403, body });
    const { errors } = await testGraph.executeAs(createKeyWithout('me:read'), READ);
    testGraph.sandbox.faults.clear();
    expect(errors).toMatchObject([{ message: `${expected} ${ADVICE}`, extensions: { reason: 'UNDETERMINED', missingScopes: [] } }]);
  });

  it('receives a message without a scope if none is documented', async () => {
    testGraph.sandbox.faults.add({
      operation: 'Workspace/GetCompanyProfile',
      status: 403,
      body: '{"code":"permission_denied","message":"No."}',
    });
    const { errors } = await testGraph.executeAs(createKeyWithout('me:read'), '{ companyProfile { legalName } }');
    testGraph.sandbox.faults.clear();
    expect(errors).toMatchObject([
      {
        message: 'The Workspace API denied access: No. The required scope isn’t documented, so ask an administrator of the workspace.',
        extensions: { reason: 'UNDETERMINED', requiredScopes: [], missingScopes: [] },
      },
    ]);
  });
});

describe('key with the scopes whose account lacks permission', () => {
  it('receives PERMISSION_OR_RESOURCE', async () => {
    const READ = 'query ($id: ID!) { customer(id: $id) { orders { nodes { id } } } }';
    const { data, errors } = await testGraph.executeAs('demo-restricted', READ, { id: customer });
    expect(data).toEqual({ customer: { orders: null } });
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'FORBIDDEN', reason: 'PERMISSION_OR_RESOURCE', missingScopes: [] });
  });
});

describe('operation without documented scopes', () => {
  it('reaches the upstream, whose denial has the reason UNDETERMINED', async () => {
    const [denied, calls] = await testGraph.recordCalls(() =>
      testGraph.executeAs(makeKey(testGraph.sandbox.world, { scopes: ['contact:read'] }), '{ companyProfile { legalName } }'),
    );
    expect(denied.errors?.[0]?.extensions).toMatchObject({ code: 'FORBIDDEN', reason: 'UNDETERMINED' });
    expect(calls).toEqual(['Workspace/GetCompanyProfile']);
  });
});

describe('scope', () => {
  const READ = '{ contacts(first: 1) { nodes { __typename } } }';
  const isAllowed = async (key: string) => (await testGraph.executeAs(key, READ)).data.contacts !== null;

  it('applies on the next request after it was added', async () => {
    const key = createKeyWithout('contact:read');
    expect(await isAllowed(key)).toBe(false);
    setScopes(key, ALL_SCOPES);
    clockLeadMs += 5_000;
    expect(await isAllowed(key)).toBe(true);
  });

  it('causes one lookup per five seconds while it is missing', async () => {
    const key = createKeyWithout('contact:read');
    const before = testGraph.sandbox.received.length;
    for (let request = 0; request < 5; request += 1) expect(await isAllowed(key)).toBe(false);
    expect(testGraph.sandbox.received.slice(before).map(({ operation }) => operation)).toEqual(['Workspace/Me']);
  });

  it('expires within half a minute after it was removed', async () => {
    const key = createKeyWithout();
    expect(await isAllowed(key)).toBe(true);
    setScopes(key, ['me:read']);
    clockLeadMs += 30_000;
    const [{ errors }, calls] = await testGraph.recordCalls(() => testGraph.executeAs(key, READ));
    expect(errors?.[0]?.extensions).toMatchObject({ reason: 'MISSING_SCOPE', missingScopes: ['contact:read'] });
    expect(calls).toEqual([]);
  });

  it('expires at once after it was removed if the clock was set back', async () => {
    const key = createKeyWithout();
    expect(await isAllowed(key)).toBe(true);
    setScopes(key, ['me:read']);
    clockLeadMs -= 3_600_000;
    const [{ errors }, calls] = await testGraph.recordCalls(() => testGraph.executeAs(key, READ));
    clockLeadMs += 3_600_000;
    expect([errors?.[0]?.extensions.reason, calls]).toEqual(['MISSING_SCOPE', []]);
  });
});
