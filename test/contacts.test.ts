import { describe, expect, it } from 'vitest';
import { useWorld } from './world.ts';

const world = useWorld();

const CREATE = `mutation ($input: ContactCreateInput!) {
  contactCreate(input: $input) {
    __typename
    ... on ContactCreatePayload { contact { id rawId firstName lastName email phone } replayed }
    ... on ValidationError { issues { path message } }
    ... on ForbiddenError { missingScopes }
    ... on MutationError { code }
  }
}`;

describe('Mutation.contactCreate', () => {
  it('makes a contact that can be read by either id', async () => {
    const { data } = await world.graph(CREATE, {
      input: { firstName: 'Ada', lastName: 'Adler', phone: '020 555 0100', phoneCountry: 'NL' },
    });
    const { contact } = data.contactCreate;
    expect(contact).toMatchObject({ firstName: 'Ada', lastName: 'Adler', email: null, phone: '+31205550100' });
    const read = await world.graph('query ($id: ID!, $raw: ID!) { a: contact(id: $id) { lastName } b: contact(id: $raw) { lastName } }', {
      id: contact.id,
      raw: contact.rawId,
    });
    expect(read.data).toEqual({ a: { lastName: 'Adler' }, b: { lastName: 'Adler' } });
  });

  it('makes one contact however often an idempotency key is repeated', async () => {
    const input = { lastName: 'Once', idempotencyKey: 'contact-once' };
    const [first, firstCalls] = await world.calls(() => world.graph(CREATE, { input }));
    const [again, againCalls] = await world.calls(() => world.graph(CREATE, { input }));
    expect(again.data.contactCreate.contact.id).toBe(first.data.contactCreate.contact.id);
    expect([first.data.contactCreate.replayed, again.data.contactCreate.replayed]).toEqual([false, true]);
    expect([firstCalls, againCalls]).toEqual([['Contact/CreateContact'], []]);
  });

  it('names the input field that breaks a rule, and sends nothing', async () => {
    const [{ data }, calls] = await world.calls(() => world.graph(CREATE, { input: { lastName: 'x'.repeat(201) } }));
    expect(data.contactCreate).toMatchObject({ __typename: 'ValidationError', code: 'BAD_USER_INPUT', issues: [{ path: ['lastName'] }] });
    expect(calls).toEqual([]);
  });

  it('names the missing scope, and sends nothing', async () => {
    const [{ data }, calls] = await world.calls(() => world.graphAs('demo-reader', CREATE, { input: { lastName: 'Nobody' } }));
    expect(data.contactCreate).toEqual({ __typename: 'ForbiddenError', code: 'FORBIDDEN', missingScopes: ['contact:create'] });
    expect(calls).toEqual([]);
  });
});

describe('Query.contacts', () => {
  it('reads each page in one call', async () => {
    const PAGE =
      'query ($after: String) { contacts(first: 10, after: $after) { nodes { id } pageInfo { hasNextPage hasPreviousPage endCursor } } }';
    const [first, calls] = await world.calls(() => world.graph(PAGE));
    const { nodes, pageInfo } = first.data.contacts;
    expect(nodes).toHaveLength(10);
    expect(pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: false });
    const [second, nextCalls] = await world.calls(() => world.graph(PAGE, { after: pageInfo.endCursor }));
    expect(second.data.contacts.pageInfo.hasPreviousPage).toBe(true);
    expect(nodes).not.toContainEqual(second.data.contacts.nodes[0]);
    expect([calls, nextCalls]).toEqual([['Contact/ListContacts'], ['Contact/ListContacts']]);
  });
});
