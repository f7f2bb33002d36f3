import { describe, expect, it } from 'vitest';
import { toGlobalId } from '../../../src/schema/kit/globalIds.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const testGraph = useTestGraph();

const RICH = demoId('customer 0');

const FAILURES = `
  ... on ValidationError { issues { path message } }
  ... on NotFoundError { missingId path }
  ... on ForbiddenError { missingScopes }
  ... on MutationError { code message }`;

const BEGIN = `mutation ($input: CustomerFileUploadCreateInput!) {
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

const begin = async (input: object = {}, key = 'demo-owner') => {
  const document = { kind: 'DOCUMENT', fileName: 'offer.pdf', contentType: 'application/pdf', sizeBytes: String(BYTES.length) };
  return (await testGraph.executeAs(key, BEGIN, { input: { customerId: RICH, ...document, ...input } })).data.customerFileUploadCreate;
};

const complete = async (input: object) => (await testGraph.execute(COMPLETE, { input })).data.customerFileUploadComplete;

const sendBytes = ({ url, method, headers }: Upload) =>
  fetch(url, { method, headers: Object.fromEntries(headers.map(({ name, value }) => [name, value])), body: BYTES });

const READ = `query ($id: ID!, $filter: CustomerFileFilterInput, $first: Int, $after: String) {
  customer(id: $id) { files(filter: $filter, first: $first, after: $after) {
    nodes { rawId kind fileName sizeBytes customer { rawId } } pageInfo { hasNextPage endCursor } } }
}`;

const list = async (variables: object = {}) => (await testGraph.execute(READ, { id: RICH, ...variables })).data.customer.files;

describe('an upload', () => {
  it.each([
    ['DOCUMENT', 'application/pdf', 'Customer/CreateCustomerDocumentUpload', 'Customer/CompleteCustomerDocumentUpload'],
    ['PHOTO', 'image/png', 'Customer/CreateCustomerPhotoUpload', 'Customer/CompleteCustomerPhotoUpload'],
  ])('of a %s goes from its address to a file that is listed and can be fetched', async (kind, contentType, creating, completing) => {
    const customerId = toGlobalId('Customer', RICH);
    const [{ upload, effect }, beginCalls] = await testGraph.recordCalls(() => begin({ customerId, kind, contentType }));
    expect(upload).toMatchObject({
      id: toGlobalId('CustomerFileUpload', `${kind}/${upload.rawId}`),
      method: 'PUT',
      headers: [{ name: 'content-type', value: contentType }],
      expiresAt: '2026-03-02T09:15:00Z',
    });
    expect(effect).toBe('DONE');
    expect((await sendBytes(upload)).status).toBe(200);

    const [{ file }, completeCalls] = await testGraph.recordCalls(() => complete({ uploadId: upload.id }));
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
    expect(nodes).toEqual([{ rawId: file.rawId, kind, fileName: 'offer.pdf', sizeBytes: String(BYTES.length), customer: { rawId: RICH } }]);
    expect([beginCalls, completeCalls]).toEqual([[creating], [completing, 'Customer/GetCustomerFileDownloadLink']]);
  });
});

describe('Customer.files', () => {
  it('lists all files or those of one kind, in one call and without reading the customer', async () => {
    const [all, calls] = await testGraph.recordCalls(() => list({ first: 100 }));
    const photos = await list({ first: 100, filter: { kind: 'PHOTO' } });
    expect(calls).toEqual(['Customer/ListCustomerFiles']);
    expect(photos.nodes).toEqual(all.nodes.filter(({ kind }: { kind: string }) => kind === 'PHOTO'));
    expect(photos.nodes.map(({ rawId }: { rawId: string }) => rawId)).toContain(demoId('file 2'));
  });

  it('takes no cursor from the list of another kind', async () => {
    const { pageInfo } = await list({ first: 1 });
    const [{ errors }, calls] = await testGraph.recordCalls(() =>
      testGraph.execute(READ, { id: RICH, filter: { kind: 'PHOTO' }, after: pageInfo.endCursor }),
    );
    expect(errors).toMatchObject([{ path: ['customer', 'files'], extensions: { code: 'INVALID_CURSOR' } }]);
    expect(calls).toEqual([]);
  });
});

describe('CustomerFile.downloadUrl', () => {
  it('costs one call for each file', async () => {
    const query = 'query ($id: ID!) { customer(id: $id) { files(first: 3) { nodes { downloadUrl } } } }';
    const [{ data }, calls] = await testGraph.recordCalls(() => testGraph.execute(query, { id: RICH }));
    const urls = data.customer.files.nodes.map(({ downloadUrl }: { downloadUrl: string }) => downloadUrl);
    expect(new Set(urls).size).toBe(3);
    expect(calls).toEqual(['Customer/ListCustomerFiles', ...Array(3).fill('Customer/GetCustomerFileDownloadLink')]);
  });
});

describe('Mutation.customerFileUploadCreate', () => {
  it('refuses an idempotency key that was used for a file of another kind', async () => {
    const input = { idempotencyKey: 'one-kind', contentType: 'image/png' };
    await begin(input);
    const [again, calls] = await testGraph.recordCalls(() => begin({ ...input, kind: 'PHOTO' }));
    expect([again.__typename, calls]).toEqual(['IdempotencyKeyReusedError', []]);
  });

  it('begins another upload for every request without a key', async () => {
    expect((await begin()).upload.rawId).not.toBe((await begin()).upload.rawId);
  });

  it.each([
    ['a photo that is no image', { kind: 'PHOTO', contentType: 'application/pdf' }, 'contentType'],
    ['a media type that is none', { contentType: 'pdf' }, 'contentType'],
    ['an empty file', { sizeBytes: 0 }, 'sizeBytes'],
  ])('refuses %s when the upstream has', async (_case, input, field) => {
    const [result, calls] = await testGraph.recordCalls(() => begin(input));
    expect(result).toMatchObject({ __typename: 'ValidationError', issues: [{ path: [field] }] });
    expect(calls).toEqual([`Customer/CreateCustomer${'kind' in input ? 'Photo' : 'Document'}Upload`]);
  });

  it.each([['a blank customer', { customerId: '' }, 'customerId']])('refuses %s, and sends nothing', async (_case, input, field) => {
    const [result, calls] = await testGraph.recordCalls(() => begin(input));
    expect(result).toMatchObject({ __typename: 'ValidationError', issues: [{ path: [field] }] });
    expect(calls).toEqual([]);
  });
});

describe('Mutation.customerFileUploadComplete', () => {
  it('is refused before the bytes have arrived', async () => {
    const { upload } = await begin();
    expect(await complete({ uploadId: upload.id })).toMatchObject({
      __typename: 'TransitionBlockedError',
      blockers: [{ code: 'OTHER', message: expect.stringContaining('hasn’t received any bytes') }],
      message: expect.stringContaining('hasn’t received any bytes'),
    });
  });

  it.each([
    ['the raw id of the upload', async () => (await begin()).upload.rawId],
    ['the id of another type', () => toGlobalId('Customer', RICH)],
    ['an id without a kind', async () => toGlobalId('CustomerFileUpload', (await begin()).upload.rawId)],
    ['an id of a kind that there is none of', () => toGlobalId('CustomerFileUpload', 'FILM/x')],
    ['a blank id', () => ' '],
  ])('asks for the id of the upload instead of %s, and sends nothing', async (_case, idOf) => {
    const uploadId = await idOf();
    const [result, calls] = await testGraph.recordCalls(() => complete({ uploadId }));
    const message =
      'must be an upload `id` returned by `customerFileUploadCreate`. A `rawId` isn’t accepted because it doesn’t include the kind of file.';
    expect(result).toMatchObject({ __typename: 'ValidationError', issues: [{ path: ['uploadId'], message }] });
    expect(calls).toEqual([]);
  });
});
