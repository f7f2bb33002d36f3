import { describe, expect, it } from 'vitest';
import { demoId, post } from '../../sandbox/sandbox.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const testGraph = useTestGraph();

const KEYS = ['demo-owner', 'demo-neighbour'] as const;

/** The IDs of all records of a type in a workspace, read from the upstream. */
async function listIds(key: string, operation: string, items: string): Promise<string[]> {
  const { body } = await post(testGraph.sandbox.url, key, operation, { page: 1, pageSize: 100 });
  return body[items].map(({ id }: { id: string }) => id);
}

const DOCUMENT = `query ($own: ID!, $foreign: ID!, $of: [_Any!]!) {
  viewer { workspace { rawId name } }
  contacts(first: 50) { nodes { rawId } }
  customers(first: 50) { nodes { rawId quotes(first: 2) { nodes { customer { rawId title } } } } }
  own: contact(id: $own) { rawId lastName }
  foreign: contact(id: $foreign) { rawId lastName }
  _entities(representations: $of) { ... on Contact { lastName } }
}`;

describe('two concurrent workspaces', () => {
  it('receive no data of each other in sixty interleaved requests', async () => {
    const workspaces = await Promise.all(
      KEYS.map(async (key) => ({
        key,
        contacts: await listIds(key, 'Contact/ListContacts', 'contacts'),
        customers: await listIds(key, 'Customer/SearchCustomers', 'customers'),
      })),
    );
    const [demo, neighbour] = workspaces;
    if (!demo || !neighbour) throw new Error('There are two workspaces.');
    const results = await Promise.all(
      Array.from({ length: 60 }, async (_, index) => {
        const [workspace, other] = index % 2 === 0 ? [demo, neighbour] : [neighbour, demo];
        const foreign = other.contacts[index % 20] ?? '';
        const variables = { own: workspace.contacts[index % 20], foreign, of: [{ __typename: 'Contact', rawId: foreign }] };
        return { workspace, other, variables, result: await testGraph.executeAs(workspace.key, DOCUMENT, variables) };
      }),
    );
    for (const { workspace, other, variables, result } of results) {
      const { data, errors } = result;
      expect(errors).toBeUndefined();
      expect(data.viewer.workspace.name).toBe(workspace === demo ? 'Demo Works' : 'Neighbour Works');
      expect(data.contacts.nodes.every(({ rawId }: { rawId: string }) => workspace.contacts.includes(rawId))).toBe(true);
      expect(data.customers.nodes.every(({ rawId }: { rawId: string }) => workspace.customers.includes(rawId))).toBe(true);
      expect(data.own.rawId).toBe(variables.own);
      expect({ foreign: data.foreign, entities: data._entities }).toEqual({ foreign: null, entities: [null] });
      const text = JSON.stringify(data);
      for (const id of [...other.contacts, ...other.customers]) expect(text.includes(id)).toBe(false);
    }
  });

  it('can use the same idempotency key concurrently', async () => {
    const CREATE = `mutation ($input: ContactCreateInput!) {
      contactCreate(input: $input) { ... on ContactCreatePayload { contact { rawId lastName } effect } }
    }`;
    const input = (key: string) => ({ input: { lastName: `Of ${key}`, idempotencyKey: 'shared' } });
    const created = await Promise.all(KEYS.map((key) => testGraph.executeAs(key, CREATE, input(key))));
    expect(created.map(({ data }) => data.contactCreate)).toEqual(
      KEYS.map((key) => ({ contact: { rawId: expect.any(String), lastName: `Of ${key}` }, effect: 'DONE' })),
    );
    expect(created[0]?.data.contactCreate.contact.rawId).not.toBe(created[1]?.data.contactCreate.contact.rawId);
  });

  it('prevent duplicate writes of two keys that share an idempotency key, without exposing the result', async () => {
    const CREATE = `mutation {
      contactCreate(input: { lastName: "Ours", idempotencyKey: "team" }) {
        __typename
        ... on ContactCreatePayload { contact { rawId } effect }
      }
    }`;
    const { data: first } = await testGraph.executeAs('demo-owner', CREATE);
    expect(first.contactCreate).toMatchObject({ __typename: 'ContactCreatePayload', effect: 'DONE' });
    const [{ data: again }, calls] = await testGraph.recordCalls(() => testGraph.executeAs('demo-sales', CREATE));
    expect([again.contactCreate, calls]).toEqual([{ __typename: 'IdempotencyKeyReusedError' }, []]);
    const { data: denied } = await testGraph.executeAs('demo-reader', CREATE);
    expect(denied.contactCreate).toEqual({ __typename: 'ForbiddenError' });
  });
});

describe('key without a scope', () => {
  it('receives no result of another key’s mutation under the same idempotency key', async () => {
    const COMMENT = `mutation ($id: ID!) {
      customerCommentCreate(input: { customerId: $id, body: "Between us.", idempotencyKey: "secret" }) {
        __typename
        ... on CustomerCommentCreatePayload { comment { body } }
      }
    }`;
    const id = demoId('customer 0');
    const { data } = await testGraph.execute(COMMENT, { id });
    expect(data.customerCommentCreate.comment).toEqual({ body: 'Between us.' });
    const { data: denied } = await testGraph.executeAs('demo-reader', COMMENT, { id });
    expect(denied.customerCommentCreate).toEqual({ __typename: 'ForbiddenError' });
  });
});

describe('request without a valid key', () => {
  const READ = '{ contacts { nodes { id } } }';

  it.each([
    ['no key', null],
    ['an unknown key', 'absent'],
    ['an expired key', 'demo-expired'],
    ['a revoked key', 'demo-revoked'],
  ])('returns UNAUTHENTICATED without a call: %s', async (_name, key) => {
    await testGraph.execute(READ);
    const [{ data, errors }, calls] = await testGraph.recordCalls(() => testGraph.executeAs(key, READ));
    expect(data).toEqual({ contacts: null });
    expect(errors?.map(({ extensions }) => extensions.code)).toEqual(['UNAUTHENTICATED']);
    expect(calls).toEqual([]);
  });
});
