import { describe, expect, it } from 'vitest';
import { spec } from '../../support/spec.ts';
import { demoId, useSandbox } from '../sandbox.ts';

const opened = useSandbox();
const { call, callAs } = opened;

type Kind = 'Document' | 'Photo';

interface Upload {
  readonly id: string;
  readonly url: string;
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly expiresAt: string;
}
interface File {
  readonly id: string;
  readonly kind: string;
  readonly fileName: string;
  readonly createdAt: string;
}

const REPORT = { fileName: 'report.txt', contentType: 'text/plain', sizeBytes: '5' };
const BYTES = 'bytes';

const customer = async (): Promise<string> => (await call('Customer/CreateCustomer', { title: 'Files' })).body.customer.id;
const create = (kind: Kind, request: Record<string, unknown>) => call(`Customer/CreateCustomer${kind}Upload`, { ...REPORT, ...request });
const createUpload = async (request: Record<string, unknown> = {}): Promise<Upload> =>
  (await create('Document', { customerId: await customer(), ...request })).body.upload;
const put = async ({ url, method, headers }: Upload, body: string | Uint8Array<ArrayBuffer> = BYTES, own: Record<string, string> = {}) =>
  (await fetch(url, { method, headers: { ...headers, ...own }, body })).status;
const complete = (uploadId: string, kind: Kind = 'Document') => call(`Customer/CompleteCustomer${kind}Upload`, { uploadId });
const listFiles = async (customerId: string, request = {}): Promise<File[]> =>
  (await call('Customer/ListCustomerFiles', { customerId, ...request })).body.files ?? [];
const link = async (fileId: string): Promise<{ url: string; expiresAt: string }> =>
  (await call('Customer/GetCustomerFileDownloadLink', { fileId })).body;

describe('file upload', () => {
  it.each([
    ['Document', 'report.pdf', 'application/pdf', 'PUBLIC_CUSTOMER_FILE_KIND_DOCUMENT'],
    ['Photo', 'roof.jpg', 'image/jpeg', 'PUBLIC_CUSTOMER_FILE_KIND_PHOTO'],
  ] as const)('creates a file from the content of a %s', async (kind, fileName, contentType, fileKind) => {
    const customerId = await customer();
    const { status, body } = await create(kind, { customerId, fileName, contentType });
    expect({ status, upload: body.upload }).toMatchObject({
      status: 200,
      upload: { method: 'PUT', headers: { 'content-type': contentType } },
    });
    expect(body.upload.url).toMatch(new RegExp(`^${opened.sandbox.url}/files/`));
    expect(await listFiles(customerId)).toEqual([]);
    expect(await put(body.upload)).toBe(200);
    const done = await complete(body.upload.id, kind);
    expect(done).toMatchObject({ status: 200, body: { file: { customerId, kind: fileKind, fileName, contentType, sizeBytes: '5' } } });
    expect(await listFiles(customerId)).toEqual([done.body.file]);
    const { body: timeline } = await call('Customer/ListCustomerTimelineEvents', { customerId });
    expect(timeline.events[0]).toMatchObject({ eventType: 'file_added', entityType: 'file', entityId: done.body.file.id });
  });

  it('stores every byte unchanged', spec('4.2.12'), async () => {
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, index) => index));
    const upload = await createUpload({ sizeBytes: '256', contentType: 'application/octet-stream' });
    await put(upload, bytes);
    const { url } = await link((await complete(upload.id)).body.file.id);
    expect(Buffer.from(await (await fetch(url)).arrayBuffer())).toEqual(bytes);
  });

  it('can’t be completed before the content has arrived', spec('4.2.12'), async () => {
    const upload = await createUpload();
    const { status, body } = await complete(upload.id);
    expect({ status, code: body.code }).toEqual({ status: 409, code: 'failed_precondition' });
    await put(upload);
    expect((await complete(upload.id)).status).toBe(200);
  });

  it('returns the same file when completed twice', async () => {
    const customerId = await customer();
    const upload = await createUpload({ customerId });
    await put(upload);
    const first = await complete(upload.id);
    expect((await complete(upload.id)).body).toEqual(first.body);
    expect(await listFiles(customerId)).toHaveLength(1);
  });

  it('can only be completed with its own kind', spec('4.2.12'), async () => {
    const upload = await createUpload();
    await put(upload);
    expect((await complete(upload.id, 'Photo')).status).toBe(409);
    expect((await complete(upload.id, 'Document')).status).toBe(200);
    expect((await complete(upload.id, 'Photo')).status).toBe(409);
  });

  it('returns not found in other workspaces', async () => {
    const upload = await createUpload();
    await put(upload);
    expect((await callAs('demo-neighbour', 'Customer/CompleteCustomerDocumentUpload', { uploadId: upload.id })).status).toBe(404);
    expect((await complete('no-such-upload')).status).toBe(404);
    expect((await create('Document', { customerId: 'absent' })).status).toBe(404);
  });

  it('rejects files above 10 MiB, and photos that aren’t images', async () => {
    const customerId = await customer();
    expect((await create('Document', { customerId, sizeBytes: String(10 * 1024 * 1024) })).status).toBe(200);
    expect((await create('Document', { customerId, sizeBytes: String(10 * 1024 * 1024 + 1) })).status).toBe(400);
    expect((await create('Document', { customerId, sizeBytes: '0' })).status).toBe(400);
    expect((await create('Photo', { customerId, contentType: 'text/plain' })).status).toBe(400);
  });
});

describe('upload link', () => {
  it('works once', async () => {
    const upload = await createUpload();
    expect(await put(upload)).toBe(200);
    expect(await put(upload, 'other')).toBe(409);
    const { url } = await link((await complete(upload.id)).body.file.id);
    expect(await put(upload)).toBe(409);
    expect(await (await fetch(url)).text()).toBe(BYTES);
  });

  it('stores the content that is complete first, if two requests are concurrent', async () => {
    const upload = await createUpload();
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    // `fetch` requires `duplex` for a streamed body, but its type doesn't declare it.
    const growing = { method: 'PUT', headers: upload.headers, body: readable, duplex: 'half' };
    const slow = fetch(upload.url, growing);
    const writer = writable.getWriter();
    await writer.write(Buffer.from('slo'));
    // Completing a second upload gives the server time to start the slow one.
    expect(await put(await createUpload())).toBe(200);
    expect(await put(upload)).toBe(200);
    await writer.write(Buffer.from('ow'));
    await writer.close();
    expect((await slow).status).toBe(409);
    const { url } = await link((await complete(upload.id)).body.file.id);
    expect(await (await fetch(url)).text()).toBe(BYTES);
  });

  it('accepts exactly the announced number of bytes, and remains usable after an error', async () => {
    const upload = await createUpload();
    expect(await put(upload, 'byte')).toBe(400);
    expect(await put(upload, 'bytes!')).toBe(400);
    expect((await complete(upload.id)).status).toBe(409);
    expect(await put(upload)).toBe(200);
  });

  it('accepts only the announced content type', async () => {
    const upload = await createUpload();
    expect(await put(upload, BYTES, { 'content-type': 'text/html' })).toBe(400);
    expect((await complete(upload.id)).status).toBe(409);
  });

  it('rejects a wrong token, another expiry, and the token of another upload', async () => {
    const [upload, other] = [await createUpload(), await createUpload()];
    const { searchParams } = new URL(other.url);
    const withParameter = (name: string, value: string) => {
      const url = new URL(upload.url);
      url.searchParams.set(name, value);
      return { ...upload, url: url.href };
    };
    expect(await put(withParameter('token', 'wrong'))).toBe(403);
    expect(await put(withParameter('token', searchParams.get('token') ?? ''))).toBe(403);
    expect(await put(withParameter('expires', '9999999999'))).toBe(403);
    expect(await put({ ...upload, url: upload.url.split('?')[0] ?? '' })).toBe(403);
    expect((await complete(upload.id)).status).toBe(409);
    expect(await put(upload)).toBe(200);
  });

  it('accepts only PUT', async () => {
    const upload = await createUpload();
    expect(await put({ ...upload, method: 'POST' })).toBe(400);
    expect((await fetch(upload.url)).status).toBe(400);
  });

  it('expires after 15 minutes, but content that arrived in time can be completed later', async () => {
    const [slow, quick] = [await createUpload(), await createUpload()];
    expect(Number(slow.expiresAt)).toBe(opened.sandbox.now + 900);
    await put(quick);
    opened.sandbox.now += 900;
    expect(await put(slow)).toBe(403);
    expect((await complete(slow.id)).status).toBe(409);
    expect((await complete(quick.id)).status).toBe(200);
  });
});

describe('Customer/ListCustomerFiles', () => {
  it('lists files, newest first, optionally of one kind', spec('4.2.13'), async () => {
    opened.requiresDemoData();
    const customerId = demoId('customer 0');
    const files = await listFiles(customerId);
    expect(files.length).toBeGreaterThan(3);
    const times = files.map(({ createdAt }) => Number(createdAt));
    expect(times).toEqual(times.toSorted((one, other) => other - one));
    const kind = 'PUBLIC_CUSTOMER_FILE_KIND_PHOTO';
    const photos = files.filter((file) => file.kind === kind);
    expect(photos.length).toBeGreaterThan(0);
    expect(photos.length).toBeLessThan(files.length);
    expect(await listFiles(customerId, { kind })).toEqual(photos);
  });

  it('paginates without gaps', async () => {
    const customerId = demoId('customer 0');
    const whole = await listFiles(customerId);
    const pages = await Promise.all([1, 2, 3].map((page) => listFiles(customerId, { page, pageSize: 2 })));
    expect(pages.flat()).toEqual(whole.slice(0, 6));
    const { body } = await call('Customer/ListCustomerFiles', { customerId, pageSize: 2 });
    expect(body).toMatchObject({ page: 1, pageSize: 2, hasMore: true });
  });

  it('returns not found for customers of another workspace', async () => {
    expect((await callAs('demo-neighbour', 'Customer/ListCustomerFiles', { customerId: demoId('customer 0') })).status).toBe(404);
  });
});

describe('Customer/GetCustomerFileDownloadLink', () => {
  it('returns a link that works without a key, and returns an attachment with the file’s type', spec('4.2.14'), async () => {
    const { url } = await link(demoId('file 0'));
    const response = await fetch(url);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/plain');
    expect(response.headers.get('content-disposition')).toContain('attachment; filename="visit-report-0.txt"');
    expect(await response.text()).toContain('Visit report 0');
  });

  it('returns a link that expires after five minutes', async () => {
    const { url, expiresAt } = await link(demoId('file 0'));
    expect(Number(expiresAt)).toBe(opened.sandbox.now + 300);
    opened.sandbox.now += 299;
    expect((await fetch(url)).status).toBe(200);
    opened.sandbox.now += 1;
    expect((await fetch(url)).status).toBe(403);
  });

  it('returns a link that only reads this file', async () => {
    const { url } = await link(demoId('file 0'));
    expect((await fetch(url.replace(demoId('file 0'), demoId('file 1')))).status).toBe(403);
    expect((await fetch(`${url}x`)).status).toBe(403);
    expect((await fetch(url, { method: 'PUT', body: 'x' })).status).toBe(400);
    expect((await fetch(`${opened.sandbox.url}/files/other/x`)).status).toBe(404);
  });

  it('escapes file names in the header', async () => {
    const fileName = 'a"b\\c\r\nx-evil: 1 (é’)%.txt';
    const upload = await createUpload({ fileName });
    await put(upload);
    const { file } = (await complete(upload.id)).body;
    expect(file.fileName).toBe(fileName);
    const response = await fetch((await link(file.id)).url);
    expect(response.headers.get('x-evil')).toBe(null);
    expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="[^"\\]*"; filename\*=/);
    const exact = /filename\*=UTF-8''(\S+)$/.exec(response.headers.get('content-disposition') ?? '')?.[1];
    expect(decodeURIComponent(exact ?? '')).toBe(fileName);
  });

  it('returns not found for unknown files and those of another workspace', async () => {
    expect((await call('Customer/GetCustomerFileDownloadLink', { fileId: 'no-such-file' })).status).toBe(404);
    expect((await callAs('demo-neighbour', 'Customer/GetCustomerFileDownloadLink', { fileId: demoId('file 0') })).status).toBe(404);
  });
});
