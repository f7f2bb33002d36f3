import { describe, expect, it } from 'vitest';
import { demoId, post } from '../../sandbox/sandbox.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const testGraph = useTestGraph();

const KEYS = ['demo-owner', 'demo-neighbour'] as const;

/** Everything that a workspace has of a kind, from the upstream itself. */
async function idsOf(key: string, operation: string, items: string): Promise<string[]> {
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

describe('two workspaces at once', () => {
  it('never see anything of each other, in sixty interleaved requests', async () => {
    const homes = await Promise.all(
      KEYS.map(async (key) => ({
        key,
        contacts: await idsOf(key, 'Contact/ListContacts', 'contacts'),
        customers: await idsOf(key, 'Customer/SearchCustomers', 'customers'),
      })),
    );
    const [demo, neighbour] = homes;
    if (!demo || !neighbour) throw new Error('There are two workspaces.');
    const answers = await Promise.all(
      Array.from({ length: 60 }, async (_, index) => {
        const [home, other] = index % 2 === 0 ? [demo, neighbour] : [neighbour, demo];
        const foreign = other.contacts[index % 20] ?? '';
        const variables = { own: home.contacts[index % 20], foreign, of: [{ __typename: 'Contact', rawId: foreign }] };
        return { home, other, variables, answer: await testGraph.executeAs(home.key, DOCUMENT, variables) };
      }),
    );
    for (const { home, other, variables, answer } of answers) {
      const { data, errors } = answer;
      expect(errors).toBeUndefined();
      expect(data.viewer.workspace.name).toBe(home === demo ? 'Demo Works' : 'Neighbour Works');
      expect(data.contacts.nodes.every(({ rawId }: { rawId: string }) => home.contacts.includes(rawId))).toBe(true);
      expect(data.customers.nodes.every(({ rawId }: { rawId: string }) => home.customers.includes(rawId))).toBe(true);
      expect(data.own.rawId).toBe(variables.own);
      expect({ foreign: data.foreign, entities: data._entities }).toEqual({ foreign: null, entities: [null] });
      const text = JSON.stringify(data);
      for (const id of [...other.contacts, ...other.customers]) expect(text.includes(id)).toBe(false);
    }
  });

  it('may use the same idempotency key at the same time, each for itself', async () => {
    const CREATE = `mutation ($input: ContactCreateInput!) {
      contactCreate(input: $input) { ... on ContactCreatePayload { contact { rawId lastName } effect } }
    }`;
    const input = (key: string) => ({ input: { lastName: `Of ${key}`, idempotencyKey: 'shared' } });
    const made = await Promise.all(KEYS.map((key) => testGraph.executeAs(key, CREATE, input(key))));
    expect(made.map(({ data }) => data.contactCreate)).toEqual(
      KEYS.map((key) => ({ contact: { rawId: expect.any(String), lastName: `Of ${key}` }, effect: 'DONE' })),
    );
    expect(made[0]?.data.contactCreate.contact.rawId).not.toBe(made[1]?.data.contactCreate.contact.rawId);
  });

  it('do not do one thing twice when two keys of a workspace share an idempotency key, and do not show each other what came of it', async () => {
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

describe('a key that may not do something', () => {
  it('does not learn what another key of its workspace did under the same idempotency key', async () => {
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

describe('a request without a good key', () => {
  const READ = '{ contacts { nodes { id } } }';

  it.each([
    ['no key', null],
    ['an unknown key', 'nobody'],
    ['an expired key', 'demo-expired'],
    ['a revoked key', 'demo-revoked'],
  ])('is told so: %s', async (_name, key) => {
    await testGraph.execute(READ);
    const [{ data, errors }, calls] = await testGraph.recordCalls(() => testGraph.executeAs(key, READ));
    expect(data).toEqual({ contacts: null });
    expect(errors?.map(({ extensions }) => extensions.code)).toEqual(['UNAUTHENTICATED']);
    expect(calls).toEqual([]);
  });
});
