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

/** What a document returns if the upstream responds with status 200 and this body. */
async function read([operation, document]: readonly [operation: string, document: string], body: unknown, status = 200) {
  testGraph.sandbox.faults.add({ operation, status, body: JSON.stringify(body) });
  const [{ data, errors = [] }, calls] = await testGraph.recordCalls(() => testGraph.execute(document));
  return { read: data.read, codes: errors.map(({ extensions }) => extensions.code), messages: errors.map(({ message }) => message), calls };
}

describe('a response with status 200 and none of the expected members', () => {
  const BODIES: readonly (readonly [name: string, body: object])[] = [
    ['a wrapper', { data: { contacts: [{ id: 'a' }], contact: { id: 'a' } } }],
    ['a wrapper with a flag', { success: true, result: [] }],
    ['a login page’s JSON', { message: 'Please log in.' }],
    ['the code of another error model', { code: 'E1234', message: 'No.' }],
    ['an error as text', { error: 'No.' }],
    ['members in another spelling', { Contacts: [], Contact: { id: 'a' } }],
    ['the name of a member that all objects have', { constructor: {}, toString: 'x' }],
  ];

  it.each(BODIES)('is an error for a list: %s', async (_name, body) => {
    expect(await read(LIST, body)).toMatchObject({ read: null, codes: ['UPSTREAM_INVALID_RESPONSE'], calls: [LIST[0]] });
  });

  it.each(BODIES)('is an error for a get: %s', async (_name, body) => {
    expect(await read(GET, body)).toMatchObject({ read: null, codes: ['UPSTREAM_INVALID_RESPONSE'], calls: [GET[0]] });
  });

  it.each(BODIES)('leaves the outcome of a write unknown: %s', async (_name, body) => {
    expect(await read(WRITE, body)).toMatchObject({ read: { __typename: 'OutcomeUnknownError', code: 'OUTCOME_UNKNOWN' }, codes: [] });
  });

  it('names the expected response', async () => {
    const { messages } = await read(LIST, { data: {} });
    expect(messages).toEqual([expect.stringContaining('the body has none of the members of ListContactsResponse')]);
  });

  it('leaves the outcome of a write unknown even if its payload needs nothing of the response', async () => {
    const remove = `mutation { read: memberRemove(input: { memberId: "${demoId('member agent')}", idempotencyKey: "foreign" }) { __typename } }`;
    expect(await read(['Member/RemoveMember', remove], { data: {} })).toMatchObject({ read: { __typename: 'OutcomeUnknownError' } });
  });
});

describe('a response with status 200 and an error code', () => {
  const READ_CODES = [
    ['internal', 'UPSTREAM_UNAVAILABLE'],
    ['unavailable', 'UPSTREAM_UNAVAILABLE'],
    ['permission_denied', 'FORBIDDEN'],
    ['invalid_argument', 'BAD_USER_INPUT'],
    ['failed_precondition', 'REJECTED'],
    ['NOT_FOUND', 'NOT_FOUND'],
  ] as const;

  it.each(READ_CODES)('is that error for a list: %s', async (code, expected) => {
    expect(await read(LIST, { code, message: 'No.' })).toMatchObject({ read: null, codes: [expected] });
  });

  it('is that error in a member `error`, and next to expected members', async () => {
    expect(await read(LIST, { error: { code: 'internal' } })).toMatchObject({ read: null, codes: ['UPSTREAM_UNAVAILABLE'] });
    testGraph.sandbox.faults.clear();
    expect(await read(LIST, { contacts: [], code: 'internal' })).toMatchObject({ read: null, codes: ['UPSTREAM_UNAVAILABLE'] });
  });

  it('is null for a get of a missing record', async () => {
    expect(await read(GET, { code: 'not_found', message: 'No.' })).toMatchObject({ read: null, codes: [], calls: [GET[0]] });
  });

  it.each([
    ['invalid_argument', 'ValidationError'],
    ['permission_denied', 'ForbiddenError'],
    ['already_exists', 'RejectedError'],
    ['internal', 'OutcomeUnknownError'],
  ])('is that error for a write: %s', async (code, typename) => {
    expect(await read(WRITE, { code })).toMatchObject({ read: { __typename: typename }, codes: [] });
  });

  it('says which code, without a message', async () => {
    const { messages } = await read(LIST, { code: 'failed_precondition' });
    expect(messages).toEqual(['The Workspace API rejected the request with code failed_precondition.']);
  });

  it('blocks the key for a rate limit', async () => {
    testGraph.sandbox.faults.add({ operation: LIST[0], status: 200, body: '{"code":"resource_exhausted"}', times: 1 });
    const [{ data, errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(LIST[1]));
    // The graph waits, and repeats the call.
    expect([errors, data.read.nodes.length > 0, calls]).toEqual([undefined, true, [LIST[0], LIST[0]]]);
  });

  it('rejects an invalid key', async () => {
    expect(await read(LIST, { code: 'unauthenticated' })).toMatchObject({ codes: ['UNAUTHENTICATED'] });
  });
});

describe('an empty response', () => {
  it('is an empty list', async () => {
    expect(await read(LIST, {})).toMatchObject({ read: { nodes: [] }, codes: [] });
  });

  it('is an error for a get', async () => {
    expect(await read(GET, {})).toMatchObject({ read: null, codes: ['UPSTREAM_INVALID_RESPONSE'] });
  });

  it('is an error for a download link', async () => {
    const query = `query { customer(id: "${demoId('customer 1')}") { files(first: 1) { nodes { downloadUrl } } } }`;
    testGraph.sandbox.faults.add({ operation: 'Customer/ListCustomerFiles', status: 200, body: '{"files":[{"id":"f"}]}' });
    testGraph.sandbox.faults.add({ operation: 'Customer/GetCustomerFileDownloadLink', status: 200, body: '{}' });
    const { data, errors } = await testGraph.execute(query);
    expect(data.customer.files.nodes).toEqual([{ downloadUrl: null }]);
    expect(errors?.map(({ extensions }) => extensions.code)).toEqual(['UPSTREAM_INVALID_RESPONSE']);
  });
});

describe.each([[true], [false]])('an upstream that sends default values: %s', (sendsDefaults) => {
  const other = useTestGraph({ sendsDefaults });

  it('returns empty lists and missing records without errors', async () => {
    const { data, errors } = await other.execute(`{
      contacts(query: "nobody at all") { nodes { rawId } }
      discounts(filter: { folderId: "no folder" }) { nodes { rawId } }
      contact(id: "nobody") { rawId }
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
