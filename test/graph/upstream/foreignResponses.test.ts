import { afterEach, describe, expect, it } from 'vitest';
import { demoId } from '../../sandbox/sandbox.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const testGraph = useTestGraph();
afterEach(() => testGraph.sandbox.faults.clear());

const LIST = ['Contact/ListContacts', '{ read: contacts { nodes { rawId } } }'] as const;
const GET = ['Contact/GetContact', `{ read: contact(id: "${demoId('contact 0')}") { lastName } }`] as const;
const WRITE = [
  'Contact/CreateContact',
  `mutation { read: contactCreate(input: { lastName: "Foreign" }) {
    __typename ... on MutationError { code retry message } ... on ContactCreatePayload { contact { lastName } } } }`,
] as const;

/** Executes a document while the upstream responds with the body. */
async function read([operation, document]: readonly [operation: string, document: string], body: unknown, status = 200) {
  testGraph.sandbox.faults.add({ operation, status, body: JSON.stringify(body) });
  const [{ data, errors = [] }, calls] = await testGraph.recordCalls(() => testGraph.execute(document));
  return { read: data.read, codes: errors.map(({ extensions }) => extensions.code), messages: errors.map(({ message }) => message), calls };
}

describe('response with status 200 and without expected members', () => {
  const BODIES: readonly (readonly [name: string, body: object])[] = [
    ['a wrapper', { data: { contacts: [{ id: 'a' }], contact: { id: 'a' } } }],
    ['a wrapper with a flag', { success: true, result: [] }],
    ['a login page’s JSON', { message: 'Please log in.' }],
    ['another error format', { code: 'E1234', message: 'No.' }],
    ['an error string', { error: 'No.' }],
    ['members in another spelling', { Contacts: [], Contact: { id: 'a' } }],
    ['inherited property names', { constructor: {}, toString: 'x' }],
  ];

  it.each(BODIES)('causes an error for a list: %s', async (_name, body) => {
    expect(await read(LIST, body)).toMatchObject({ read: null, codes: ['UPSTREAM_INVALID_RESPONSE'], calls: [LIST[0]] });
  });

  it.each(BODIES)('causes an error for a get: %s', async (_name, body) => {
    expect(await read(GET, body)).toMatchObject({ read: null, codes: ['UPSTREAM_INVALID_RESPONSE'], calls: [GET[0]] });
  });

  it.each(BODIES)('causes an unknown outcome for a write: %s', async (_name, body) => {
    expect(await read(WRITE, body)).toMatchObject({ read: { __typename: 'OutcomeUnknownError', code: 'OUTCOME_UNKNOWN' }, codes: [] });
  });

  it('causes an error with the expected response’s name', async () => {
    const { messages } = await read(LIST, { data: {} });
    expect(messages).toEqual([expect.stringContaining('the body has none of the members of ListContactsResponse')]);
  });

  it('causes an unknown outcome for a write whose payload needs nothing of the response', async () => {
    const remove = `mutation { read: memberRemove(input: { memberId: "${demoId('member agent')}", idempotencyKey: "foreign" }) { __typename } }`;
    expect(await read(['Member/RemoveMember', remove], { data: {} })).toMatchObject({ read: { __typename: 'OutcomeUnknownError' } });
  });
});

describe('response with status 200 and an error code', () => {
  const READ_CODES = [
    ['internal', 'UPSTREAM_UNAVAILABLE'],
    ['unavailable', 'UPSTREAM_UNAVAILABLE'],
    ['permission_denied', 'FORBIDDEN'],
    ['invalid_argument', 'BAD_USER_INPUT'],
    ['failed_precondition', 'REJECTED'],
    ['NOT_FOUND', 'NOT_FOUND'],
  ] as const;

  it.each(READ_CODES)('causes that error for a list: %s', async (code, expected) => {
    expect(await read(LIST, { code, message: 'No.' })).toMatchObject({ read: null, codes: [expected] });
  });

  it('causes that error if the code is in `error` or next to expected members', async () => {
    expect(await read(LIST, { error: { code: 'internal' } })).toMatchObject({ read: null, codes: ['UPSTREAM_UNAVAILABLE'] });
    testGraph.sandbox.faults.clear();
    expect(await read(LIST, { contacts: [], code: 'internal' })).toMatchObject({ read: null, codes: ['UPSTREAM_UNAVAILABLE'] });
  });

  it('resolves to null for a get of a missing record', async () => {
    expect(await read(GET, { code: 'not_found', message: 'No.' })).toMatchObject({ read: null, codes: [], calls: [GET[0]] });
  });

  it.each([
    ['invalid_argument', 'ValidationError'],
    ['permission_denied', 'ForbiddenError'],
    ['already_exists', 'RejectedError'],
    ['internal', 'OutcomeUnknownError'],
  ])('causes that error for a write: %s', async (code, typename) => {
    expect(await read(WRITE, { code })).toMatchObject({ read: { __typename: typename }, codes: [] });
  });

  it('causes an error with the code if it has no message', async () => {
    const { messages } = await read(LIST, { code: 'failed_precondition' });
    expect(messages).toEqual(['The Workspace API rejected the request with code failed_precondition.']);
  });

  it('blocks the key if it is a rate limit', async () => {
    testGraph.sandbox.faults.add({ operation: LIST[0], status: 200, body: '{"code":"resource_exhausted"}', times: 1 });
    const [{ data, errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(LIST[1]));
    // The graph waits and retries.
    expect([errors, data.read.nodes.length > 0, calls]).toEqual([undefined, true, [LIST[0], LIST[0]]]);
  });

  it('causes UNAUTHENTICATED for an invalid key', async () => {
    expect(await read(LIST, { code: 'unauthenticated' })).toMatchObject({ codes: ['UNAUTHENTICATED'] });
  });
});

describe('empty response', () => {
  it('resolves to an empty list', async () => {
    expect(await read(LIST, {})).toMatchObject({ read: { nodes: [] }, codes: [] });
  });

  it('causes an error for a get', async () => {
    expect(await read(GET, {})).toMatchObject({ read: null, codes: ['UPSTREAM_INVALID_RESPONSE'] });
  });

  it('causes an error for a download link', async () => {
    const query = `query { customer(id: "${demoId('customer 1')}") { files(first: 1) { nodes { downloadUrl } } } }`;
    testGraph.sandbox.faults.add({ operation: 'Customer/ListCustomerFiles', status: 200, body: '{"files":[{"id":"f"}]}' });
    testGraph.sandbox.faults.add({ operation: 'Customer/GetCustomerFileDownloadLink', status: 200, body: '{}' });
    const { data, errors } = await testGraph.execute(query);
    expect(data.customer.files.nodes).toEqual([{ downloadUrl: null }]);
    expect(errors?.map(({ extensions }) => extensions.code)).toEqual(['UPSTREAM_INVALID_RESPONSE']);
  });
});

describe.each([[true], [false]])('upstream that sends default values: %s', (sendsDefaults) => {
  const other = useTestGraph({ sendsDefaults });

  it('causes empty lists and missing records without errors', async () => {
    const { data, errors } = await other.execute(`{
      contacts(query: "no such contact") { nodes { rawId } }
      discounts(filter: { folderId: "no folder" }) { nodes { rawId } }
      contact(id: "absent") { rawId }
      inventoryReceipt(by: { id: "nothing" }) { rawId }
      productIdentifier(value: "nothing") { rawId }
      customersByIdentifier(by: { referenceNumber: "none" }) { rawId }
      product(id: "${demoId('product 0')}") { identifiers { rawId } }
      analyticsCatalog { entities { name } }
    }`);
    expect(errors).toBeUndefined();
    expect(data).toMatchObject({
      contacts: { nodes: [] },
      discounts: { nodes: [] },
      contact: null,
      inventoryReceipt: null,
      productIdentifier: null,
      customersByIdentifier: [],
    });
  });
});
