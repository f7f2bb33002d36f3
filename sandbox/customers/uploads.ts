import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { failedPrecondition, invalidArgument, notFound, SandboxError } from '../kernel/errors.ts';
import { send } from '../kernel/http.ts';
import type { World } from '../kernel/world.ts';

/** The key for signing links. It's lost when the process exits, so links from before a restart are invalid. */
const SECRET = randomBytes(32);

const createToken = (path: string, expiresAt: string) => createHmac('sha256', SECRET).update(`${path} ${expiresAt}`).digest('base64url');

/** A link to one upload or download. It needs no API key, and expires at `expiresAt` (Unix seconds). */
export function createFileLink(baseUrl: string, kind: 'uploads' | 'downloads', id: string, expiresAt: number): string {
  const path = `/files/${kind}/${id}`;
  return `${baseUrl}${path}?expires=${expiresAt}&token=${createToken(path, String(expiresAt))}`;
}

function checkLink({ pathname, searchParams }: URL, now: number): void {
  const expiresAt = searchParams.get('expires') ?? '';
  const token = Buffer.from(searchParams.get('token') ?? '');
  const wanted = Buffer.from(createToken(pathname, expiresAt));
  if (token.length !== wanted.length || !timingSafeEqual(token, wanted)) {
    throw new SandboxError('permission_denied', 'The token of the link is invalid.');
  }
  if (Number(expiresAt) <= now) throw new SandboxError('permission_denied', 'The link has expired. Request a new one.');
}

interface UploadRow {
  readonly content_type: string;
  readonly size_bytes: number;
  readonly has_arrived: number;
}

async function readBytes(request: IncomingMessage, size: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let arrived = 0;
  // Always reads to the end, because stopping early would close the connection before the error is sent.
  for await (const chunk of request as AsyncIterable<Buffer>) {
    arrived += chunk.length;
    if (arrived <= size) chunks.push(chunk);
  }
  if (arrived !== size) throw invalidArgument(`The upload was declared with ${size} bytes, but ${arrived} were received.`);
  return Buffer.concat(chunks);
}

async function receiveFile({ store }: World, id: string, request: IncomingMessage): Promise<void> {
  if (request.method !== 'PUT') throw invalidArgument(`Method ${request.method} not allowed. Use PUT to upload the bytes.`);
  const upload = store.get<UploadRow>(
    'SELECT content_type, size_bytes, bytes IS NOT NULL OR file_id IS NOT NULL AS has_arrived FROM customer_uploads WHERE id = :id',
    { id },
  );
  if (!upload) throw notFound('upload', id);
  const contentType = request.headers['content-type'] ?? '';
  if (contentType.toLowerCase() !== upload.content_type.toLowerCase()) {
    throw invalidArgument(`Content-Type must be ${upload.content_type}, as declared, but is ${contentType || 'missing'}.`);
  }
  const bytes = upload.has_arrived ? undefined : await readBytes(request, upload.size_bytes);
  // A concurrent request may have completed the upload in the meantime.
  const stored =
    bytes && store.run('UPDATE customer_uploads SET bytes = :bytes WHERE id = :id AND bytes IS NULL AND file_id IS NULL', { id, bytes });
  if (!stored) throw failedPrecondition(`Upload ${id} has already received its bytes. Its link can only be used once.`);
}

interface StoredFile {
  readonly file_name: string;
  readonly content_type: string;
  readonly bytes: Uint8Array;
}

function formatContentDisposition(fileName: string): string {
  const plain = fileName.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const exact = encodeURIComponent(fileName.toWellFormed()).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${exact}`;
}

function sendFile({ store }: World, id: string, request: IncomingMessage, response: ServerResponse): void {
  if (request.method !== 'GET') throw invalidArgument(`Method ${request.method} not allowed. Use GET to download the file.`);
  const file = store.get<StoredFile>('SELECT file_name, content_type, bytes FROM customer_files WHERE id = :id', { id });
  if (!file) throw notFound('file', id);
  response.writeHead(200, {
    'content-type': file.content_type,
    'content-length': file.bytes.length,
    'content-disposition': formatContentDisposition(file.file_name),
    'cache-control': 'private, no-store',
    'x-content-type-options': 'nosniff',
  });
  response.end(file.bytes);
}

/** Uploads and downloads the content of customer files, using the links that the file operations return. */
export async function serveFile(world: World, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://sandbox');
  const [, kind, id] = /^\/files\/(uploads|downloads)\/([\w-]+)$/.exec(url.pathname) ?? [];
  if (!kind || !id) throw new SandboxError('not_found', 'Unknown link.');
  checkLink(url, world.now());
  if (kind === 'downloads') {
    sendFile(world, id, request, response);
    return;
  }
  await receiveFile(world, id, request);
  send(response, { status: 200, body: '{}', headers: {} });
}
