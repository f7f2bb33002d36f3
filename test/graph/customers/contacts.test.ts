import { describe, expect, it } from 'vitest';
import { toGlobalId } from '../../../src/schema/kit/globalIds.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { spec } from '../../support/spec.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const testGraph = useTestGraph();

const CREATE = `mutation ($input: ContactCreateInput!) {
  contactCreate(input: $input) {
    __typename
    ... on ContactCreatePayload { contact { id rawId firstName lastName email phone } effect }
    ... on ValidationError { issues { path message } }
    ... on ForbiddenError { missingScopes }
    ... on MutationError { code }
  }
}`;

describe('Mutation.contactCreate', () => {
  it('creates a contact that is readable by global and raw ID', async () => {
    const { data } = await testGraph.execute(CREATE, {
      input: { firstName: 'Ada', lastName: 'Adler', phone: '020 555 0100', phoneCountryCode: 'NL' },
    });
    const { contact } = data.contactCreate;
    expect(contact).toMatchObject({ firstName: 'Ada', lastName: 'Adler', email: null, phone: '+31205550100' });
    const read = await testGraph.execute(
      'query ($id: ID!, $raw: ID!) { a: contact(id: $id) { lastName } b: contact(id: $raw) { lastName } }',
      {
        id: contact.id,
        raw: contact.rawId,
      },
    );
    expect(read.data).toEqual({ a: { lastName: 'Adler' }, b: { lastName: 'Adler' } });
  });
});

describe('Query.contacts', () => {
  it('searches contacts by text', async () => {
    const query = '{ contacts(query: "CONTACT12@example") { nodes { rawId email } } }';
    const [{ data }, calls] = await testGraph.recordCalls(() => testGraph.execute(query));
    expect(data.contacts.nodes).toEqual([{ rawId: demoId('contact 12'), email: 'contact12@example.com' }]);
    expect(calls).toEqual(['Contact/ListContacts']);
  });

  it('returns the upstream’s error for an oversized search text', async () => {
    const query = 'query ($query: String!) { contacts(query: $query) { nodes { rawId } } }';
    const [{ errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(query, { query: '🙂'.repeat(10_001) }));
    expect(errors).toMatchObject([
      { message: expect.stringContaining('at most 10000 characters'), extensions: { code: 'BAD_USER_INPUT' } },
    ]);
    expect(calls).toEqual(['Contact/ListContacts']);
  });
});

describe('Query.contact', () => {
  it('fetches a contact once per operation', async () => {
    const rawId = demoId('contact 3');
    const query = `query ($raw: ID!, $global: ID!) {
      a: contact(id: $raw) { lastName } b: contact(id: $global) { email } c: node(id: $global) { ... on Contact { phone } } }`;
    const [{ data }, calls] = await testGraph.recordCalls(() =>
      testGraph.execute(query, { raw: rawId, global: toGlobalId('Contact', rawId) }),
    );
    expect(data).toMatchObject({ b: { email: 'contact3@example.com' }, c: { phone: '+31205000003' } });
    expect(calls).toEqual(['Contact/GetContact']);
  });
});

describe('Mutation.contactUpdate', () => {
  const UPDATE = `mutation ($input: ContactUpdateInput!) {
    contactUpdate(input: $input) {
      __typename
      ... on ContactUpdatePayload { contact { rawId firstName lastName email phone updatedAt } effect }
      ... on ValidationError { issues { path message } }
      ... on NotFoundError { missingId path }
      ... on ForbiddenError { missingScopes }
      ... on MutationError { code }
    }
  }`;
  const update = (input: object, key = 'demo-owner') => testGraph.executeAs(key, UPDATE, { input });

  it('updates specified fields, preserves omitted fields, and clears null fields', spec('4.2.21'), async () => {
    const rawId = demoId('contact 20');
    const input = { contactId: toGlobalId('Contact', rawId), lastName: 'Renamed', email: null };
    const [{ data }, calls] = await testGraph.recordCalls(() => update(input));
    expect(data.contactUpdate).toMatchObject({
      effect: 'DONE',
      contact: {
        rawId,
        firstName: expect.any(String),
        lastName: 'Renamed',
        email: null,
        phone: '+31205000020',
        updatedAt: '2026-03-02T09:00:00Z',
      },
    });
    expect(calls).toEqual(['Contact/UpdateContact']);
    expect(testGraph.sandbox.received.at(-1)?.request).toEqual({ id: rawId, lastName: 'Renamed', email: '' });
  });

  it('clears every nullable field', async () => {
    const { data } = await update({ contactId: demoId('contact 21'), firstName: null, email: null, phone: null });
    expect(data.contactUpdate.contact).toMatchObject({ firstName: null, lastName: expect.any(String), email: null, phone: null });
  });

  it.each([['a blank last name', { lastName: ' ' }, { path: ['lastName'], message: 'must not be blank.' }]])(
    'returns the upstream’s ValidationError for %s',
    async (_case, input, issue) => {
      const [{ data }, calls] = await testGraph.recordCalls(() => update({ contactId: demoId('contact 20'), ...input }));
      expect(data.contactUpdate).toMatchObject({ __typename: 'ValidationError', issues: [issue] });
      expect(calls).toEqual(['Contact/UpdateContact']);
    },
  );

  it.each([
    ['null for the last name', { lastName: null }, { path: ['lastName'], message: 'can’t be cleared. Omit it to leave it unchanged.' }],
    ['an empty first name', { firstName: '' }, { path: ['firstName'], message: 'must not be blank. Send null to clear it.' }],
    ['a country code without a phone number', { phoneCountryCode: 'NL' }, { path: ['phoneCountryCode'] }],
  ])('rejects %s without an upstream call', async (_case, input, issue) => {
    const [{ data }, calls] = await testGraph.recordCalls(() => update({ contactId: demoId('contact 20'), ...input }));
    expect(data.contactUpdate).toMatchObject({ __typename: 'ValidationError', issues: [issue] });
    expect(calls).toEqual([]);
  });
});
