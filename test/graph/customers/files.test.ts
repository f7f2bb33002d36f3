import { describe, expect, it } from 'vitest';
import { toGlobalId } from '../../../src/schema/kit/globalIds.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const testGraph = useTestGraph();

const CUSTOMER_ID = demoId('customer 0');

const FAILURES = `
  ... on ValidationError { issues { path message } }
  ... on NotFoundError { missingId path }
  ... on ForbiddenError { missingScopes }
  ... on MutationError { code message }`;

const CREATE = `mutation ($input: CustomerFileUploadCreateInput!) {
  customerFileUploadCreate(input: $input) {
    __typename
    ... on CustomerFileUploadCreatePayload { upload { id rawId url method headers { name value } expiresAt } effect }
    ${FAILURES}
  }
}`;

const COMPLETE = `mutation ($input: CustomerFileUploadCompleteInput!) {
  customerFileUploadComplete(input: $input) {
    __typename
    ... on CustomerFileUploadCompletePayload { file { rawId kind fileName contentType sizeBytes createdAt downloadUrl customer { id } } effect }
    ... on TransitionBlockedError { blockers { code message } }
    ${FAILURES}
  }
}`;

interface Upload {
  readonly id: string;
  readonly rawId: string;
  readonly url: string;
  readonly method: string;
  readonly headers: readonly { readonly name: string; readonly value: string }[];
}

const BYTES = Buffer.from('%PDF-1.7 made for a test');

const createUpload = async (input: object = {}, key = 'demo-owner') => {
  const document = { kind: 'DOCUMENT', fileName: 'offer.pdf', contentType: 'application/pdf', sizeBytes: String(BYTES.length) };
  return (await testGraph.executeAs(key, CREATE, { input: { customerId: CUSTOMER_ID, ...document, ...input } })).data
    .customerFileUploadCreate;
};

const completeUpload = async (input: object) => (await testGraph.execute(COMPLETE, { input })).data.customerFileUploadComplete;

const sendBytes = ({ url, method, headers }: Upload) =>
  fetch(url, { method, headers: Object.fromEntries(headers.map(({ name, value }) => [name, value])), body: BYTES });

const READ = `query ($id: ID!, $filter: CustomerFileFilterInput, $first: Int, $after: String) {
  customer(id: $id) { files(filter: $filter, first: $first, after: $after) {
    nodes { rawId kind fileName sizeBytes customer { rawId } } pageInfo { hasNextPage endCursor } } }
}`;

const list = async (variables: object = {}) => (await testGraph.execute(READ, { id: CUSTOMER_ID, ...variables })).data.customer.files;

describe('file upload', () => {
  it.each([
    ['DOCUMENT', 'application/pdf', 'Customer/CreateCustomerDocumentUpload', 'Customer/CompleteCustomerDocumentUpload'],
    ['PHOTO', 'image/png', 'Customer/CreateCustomerPhotoUpload', 'Customer/CompleteCustomerPhotoUpload'],
  ])('turns a %s into a listed and downloadable file', async (kind, contentType, creating, completing) => {
    const customerId = toGlobalId('Customer', CUSTOMER_ID);
    const [{ upload, effect }, createCalls] = await testGraph.recordCalls(() => createUpload({ customerId, kind, contentType }));
    expect(upload).toMatchObject({
      id: toGlobalId('CustomerFileUpload', `${kind}/${upload.rawId}`),
      method: 'PUT',
      headers: [{ name: 'content-type', value: contentType }],
      expiresAt: '2026-03-02T09:15:00Z',
    });
    expect(effect).toBe('DONE');
    expect((await sendBytes(upload)).status).toBe(200);

    const [{ file }, completeCalls] = await testGraph.recordCalls(() => completeUpload({ uploadId: upload.id }));
    expect(file).toMatchObject({
      kind,
      fileName: 'offer.pdf',
      contentType,
      sizeBytes: String(BYTES.length),
      createdAt: '2026-03-02T09:00:00Z',
      customer: { id: customerId },
    });
    const fetched = await fetch(file.downloadUrl);
    expect(fetched.headers.get('content-type')).toBe(contentType);
    expect(Buffer.from(await fetched.arrayBuffer())).toEqual(BYTES);

    const { nodes } = await list({ first: 1 });
    expect(nodes).toEqual([
      { rawId: file.rawId, kind, fileName: 'offer.pdf', sizeBytes: String(BYTES.length), customer: { rawId: CUSTOMER_ID } },
    ]);
    expect([createCalls, completeCalls]).toEqual([[creating], [completing, 'Customer/GetCustomerFileDownloadLink']]);
  });
});

describe('Customer.files', () => {
  it('lists all files or files of one kind in one call without fetching the customer', async () => {
    const [all, calls] = await testGraph.recordCalls(() => list({ first: 100 }));
    const photos = await list({ first: 100, filter: { kind: 'PHOTO' } });
    expect(calls).toEqual(['Customer/ListCustomerFiles']);
    expect(photos.nodes).toEqual(all.nodes.filter(({ kind }: { kind: string }) => kind === 'PHOTO'));
    expect(photos.nodes.map(({ rawId }: { rawId: string }) => rawId)).toContain(demoId('file 2'));
  });
});

describe('CustomerFile.downloadUrl', () => {
  it('costs one call per file', async () => {
    const query = 'query ($id: ID!) { customer(id: $id) { files(first: 3) { nodes { downloadUrl } } } }';
    const [{ data }, calls] = await testGraph.recordCalls(() => testGraph.execute(query, { id: CUSTOMER_ID }));
    const urls = data.customer.files.nodes.map(({ downloadUrl }: { downloadUrl: string }) => downloadUrl);
    expect(new Set(urls).size).toBe(3);
    expect(calls).toEqual(['Customer/ListCustomerFiles', ...Array(3).fill('Customer/GetCustomerFileDownloadLink')]);
  });
});

describe('Mutation.customerFileUploadCreate', () => {
  it('returns IdempotencyKeyReusedError for a key that was used for another kind of file', async () => {
    const input = { idempotencyKey: 'one-kind', contentType: 'image/png' };
    await createUpload(input);
    const [repeat, calls] = await testGraph.recordCalls(() => createUpload({ ...input, kind: 'PHOTO' }));
    expect([repeat.__typename, calls]).toEqual(['IdempotencyKeyReusedError', []]);
  });

  it('creates another upload for each request without an idempotency key', async () => {
    expect((await createUpload()).upload.rawId).not.toBe((await createUpload()).upload.rawId);
  });

  it.each([
    ['a photo that isn’t an image', { kind: 'PHOTO', contentType: 'application/pdf' }, 'contentType'],
    ['an invalid media type', { contentType: 'pdf' }, 'contentType'],
    ['an empty file', { sizeBytes: 0 }, 'sizeBytes'],
  ])('returns the upstream’s ValidationError for %s', async (_case, input, field) => {
    const [result, calls] = await testGraph.recordCalls(() => createUpload(input));
    expect(result).toMatchObject({ __typename: 'ValidationError', issues: [{ path: [field] }] });
    expect(calls).toEqual([`Customer/CreateCustomer${'kind' in input ? 'Photo' : 'Document'}Upload`]);
  });

  it.each([['a blank customer ID', { customerId: '' }, 'customerId']])(
    'rejects %s without an upstream call',
    async (_case, input, field) => {
      const [result, calls] = await testGraph.recordCalls(() => createUpload(input));
      expect(result).toMatchObject({ __typename: 'ValidationError', issues: [{ path: [field] }] });
      expect(calls).toEqual([]);
    },
  );
});

describe('Mutation.customerFileUploadComplete', () => {
  it('returns TransitionBlockedError if the bytes haven’t been received', async () => {
    const { upload } = await createUpload();
    expect(await completeUpload({ uploadId: upload.id })).toMatchObject({
      __typename: 'TransitionBlockedError',
      blockers: [{ code: 'OTHER', message: expect.stringContaining('hasn’t received any bytes') }],
      message: expect.stringContaining('hasn’t received any bytes'),
    });
  });

  it.each([
    ['the raw ID of the upload', async () => (await createUpload()).upload.rawId],
    ['the ID of another type', () => toGlobalId('Customer', CUSTOMER_ID)],
    ['an ID without a kind', async () => toGlobalId('CustomerFileUpload', (await createUpload()).upload.rawId)],
    ['an ID of an unknown kind', () => toGlobalId('CustomerFileUpload', 'FILM/x')],
    ['a blank ID', () => ' '],
  ])('rejects %s without an upstream call', async (_case, getId) => {
    const uploadId = await getId();
    const [result, calls] = await testGraph.recordCalls(() => completeUpload({ uploadId }));
    const message =
      'must be an upload `id` returned by `customerFileUploadCreate`. A `rawId` isn’t accepted because it doesn’t include the kind of file.';
    expect(result).toMatchObject({ __typename: 'ValidationError', issues: [{ path: ['uploadId'], message }] });
    expect(calls).toEqual([]);
  });
});
