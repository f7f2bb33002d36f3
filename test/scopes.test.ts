import { describe, expect, it } from 'vitest';
import { type Coordinate, exposedBy } from '../scripts/exposure.ts';
import { createGraph } from '../src/graph.ts';
import { documentsFor, type ReachingDocument } from './documentFor.ts';
import { ALL_SCOPES, makeKey } from './sandbox/makeKey.ts';
import { demoId } from './sandbox/sandbox.ts';
import { type GraphAnswer, useWorld } from './world.ts';

const { schema: graph } = createGraph();

/** Milliseconds by which the graph's clock is ahead. */
let ahead = 0;
const world = useWorld({}, undefined, { now: () => Date.now() + ahead });
const giveScopes = (key: string, scopes: readonly string[]) =>
  world.sandbox.world.store.run('UPDATE api_keys SET scopes = :scopes WHERE name = :key', { key, scopes: JSON.stringify(scopes) });

/** What reaches an operation that the required arguments alone do not reach, by operation. */
const GIVEN: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'Catalog/SearchProducts': { query: 'x' },
  'Customer/CreateCustomerDocumentUpload': { input: { contentType: 'application/pdf' } },
  'Customer/CreateCustomerPhotoUpload': { input: { kind: 'PHOTO', contentType: 'image/png' } },
  'Customer/CompleteCustomerPhotoUpload': { input: { kind: 'PHOTO' } },
};

type Case = readonly [title: string, document: ReachingDocument, coordinate: Coordinate];

const cases: Case[] = exposedBy(graph).flatMap((coordinate) =>
  documentsFor(coordinate, GIVEN[coordinate.operation.name]).map((document): Case => [document.title, document, coordinate]),
);

const keyWithout = (...scopes: string[]) => makeKey(world.sandbox.world, { scopes: ALL_SCOPES.filter((scope) => !scopes.includes(scope)) });

/** What the answer says of scopes, as a member of a result union or as errors. */
function denials({ data, errors }: GraphAnswer): unknown[] {
  const members = Object.values<{ __typename?: string } | null>(data ?? {}).filter((value) => value?.__typename === 'ForbiddenError');
  const thrown = (errors ?? []).filter(({ extensions }) => extensions.code === 'FORBIDDEN').map(({ extensions }) => extensions);
  return [...members, ...thrown].map((denial) => {
    const { reason, missingScopes } = denial as Record<string, unknown>;
    return { reason, missingScopes };
  });
}

describe('a key with every scope', () => {
  it.each(cases)('reaches %s', async (_title, { query, variables }, { operation }) => {
    if (operation.name === 'Workspace/Me') return expect((await world.graph(query, variables)).data.viewer).not.toBeNull();
    const [answer, calls] = await world.calls(() => world.graph(query, variables));
    expect(calls, JSON.stringify({ query, variables, answer })).toContain(operation.name);
    expect(denials(answer)).toEqual([]);
  });
});

describe('a key that lacks a scope', () => {
  const guarded = cases.flatMap(([title, document, coordinate]) =>
    coordinate.operation.scopes.filter((scope) => scope !== 'me:read').map((scope) => [title, scope, document, coordinate] as const),
  );

  it.each(guarded)('is refused %s without %s, and nothing is sent', async (_title, scope, document, { operation }) => {
    const key = keyWithout(scope);
    const [answer, calls] = await world.calls(() => world.graphAs(key, document.query, document.variables));
    expect(denials(answer), JSON.stringify(answer)).toContainEqual({ reason: 'MISSING_SCOPE', missingScopes: [scope] });
    expect(calls).not.toContain(operation.name);
    if (document.isDirect) expect(calls).toEqual([]);
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
    const [{ data }, calls] = await world.calls(() => world.graphAs(key, COMMENT, { input }));
    const scopes = ['customer_comment:create', 'customer_file:read'];
    expect(data.customerCommentCreate).toEqual({ __typename: 'ForbiddenError', requiredScopes: scopes, missingScopes: scopes });
    expect(calls).toEqual([]);
  });

  it('count only as far as the input needs them', async () => {
    const input = { customerId: customer, body: 'Nothing to see.' };
    const { data } = await world.graphAs(keyWithout('customer_file:read'), COMMENT, { input });
    expect(data.customerCommentCreate.__typename).toBe('CustomerCommentCreatePayload');
    const refused = await world.graphAs(keyWithout('customer_file:read'), COMMENT, { input: { ...input, attachmentIds: ['file'] } });
    expect(refused.data.customerCommentCreate.missingScopes).toEqual(['customer_file:read']);
  });
});

describe('a document of which a key may ask only a part', () => {
  it('is answered in that part', async () => {
    const { data, errors } = await world.graphAs(
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
    const { data, errors } = await world.graphAs(
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
    const [{ data }, calls] = await world.calls(() => world.graphAs(keyWithout('me:read'), READ));
    expect(data.contacts.nodes).toHaveLength(1);
    expect(calls).toEqual(['Contact/ListContacts']);
  });

  it('is told that it cannot be told why the upstream refuses', async () => {
    const key = keyWithout('me:read', 'contact:read', 'contact:create');
    const [{ data, errors }, calls] = await world.calls(() => world.graphAs(key, READ));
    expect(data).toEqual({ contacts: null });
    expect(errors?.[0]?.extensions).toMatchObject({
      code: 'FORBIDDEN',
      reason: 'UNDETERMINED',
      requiredScopes: ['contact:read'],
      missingScopes: [],
    });
    expect(calls).toEqual(['Contact/ListContacts']);
    const created = await world.graphAs(
      key,
      'mutation { contactCreate(input: { lastName: "Nobody" }) { ... on ForbiddenError { reason requiredScopes missingScopes } } }',
    );
    expect(created.data.contactCreate).toEqual({ reason: 'UNDETERMINED', requiredScopes: ['contact:create'], missingScopes: [] });
  });
});

describe('a key that has the scopes, and whose account may not', () => {
  it('is told so', async () => {
    const READ = 'query ($id: ID!) { customer(id: $id) { orders { nodes { id } } } }';
    const { data, errors } = await world.graphAs('demo-restricted', READ, { id: customer });
    expect(data).toEqual({ customer: { orders: null } });
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'FORBIDDEN', reason: 'PERMISSION_OR_RESOURCE', missingScopes: [] });
  });
});

describe('an operation that the upstream names no scope for', () => {
  it('is left to the upstream, whose refusal is not explained', async () => {
    const [refused, calls] = await world.calls(() =>
      world.graphAs(makeKey(world.sandbox.world, { scopes: ['contact:read'] }), '{ companyProfile { legalName } }'),
    );
    expect(refused.errors?.[0]?.extensions).toMatchObject({ code: 'FORBIDDEN', reason: 'UNDETERMINED' });
    expect(calls).toEqual(['Workspace/GetCompanyProfile']);
  });
});

describe('a scope', () => {
  const READ = '{ contacts(first: 1) { nodes { __typename } } }';
  const isAllowed = async (key: string) => (await world.graphAs(key, READ)).data.contacts !== null;

  it('that is given later is seen at the next request', async () => {
    const key = keyWithout('contact:read');
    expect(await isAllowed(key)).toBe(false);
    giveScopes(key, ALL_SCOPES);
    ahead += 5_000;
    expect(await isAllowed(key)).toBe(true);
  });

  it('that is given later costs one question at most in five seconds', async () => {
    const key = keyWithout('contact:read');
    const before = world.sandbox.received.length;
    for (let request = 0; request < 5; request += 1) expect(await isAllowed(key)).toBe(false);
    expect(world.sandbox.received.slice(before).map(({ operation }) => operation)).toEqual(['Workspace/Me']);
  });

  it('that is taken away is missed within half a minute', async () => {
    const key = keyWithout();
    expect(await isAllowed(key)).toBe(true);
    giveScopes(key, ['me:read']);
    ahead += 30_000;
    const [{ errors }, calls] = await world.calls(() => world.graphAs(key, READ));
    expect(errors?.[0]?.extensions).toMatchObject({ reason: 'MISSING_SCOPE', missingScopes: ['contact:read'] });
    expect(calls).toEqual([]);
  });

  it('that is taken away is missed at once after the clock was set back', async () => {
    const key = keyWithout();
    expect(await isAllowed(key)).toBe(true);
    giveScopes(key, ['me:read']);
    ahead -= 3_600_000;
    const [{ errors }, calls] = await world.calls(() => world.graphAs(key, READ));
    ahead += 3_600_000;
    expect([errors?.[0]?.extensions.reason, calls]).toEqual(['MISSING_SCOPE', []]);
  });
});
