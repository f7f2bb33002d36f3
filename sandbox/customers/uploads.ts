import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { blocked, invalid, notFound, SandboxError } from '../kernel/errors.ts';
import { send } from '../kernel/http.ts';
import type { World } from '../kernel/world.ts';

/** The key that links are signed with. The process takes it along when it ends: whoever holds a link from before a restart asks for a new one. */
const SECRET = randomBytes(32);

const tokenOf = (path: string, expiresAt: string) => createHmac('sha256', SECRET).update(`${path} ${expiresAt}`).digest('base64url');

/** A link that works without a key until `expiresAt` (Unix seconds), and for nothing but this one upload or download. */
export function fileLink(baseUrl: string, kind: 'uploads' | 'downloads', id: string, expiresAt: number): string {
  const path = `/files/${kind}/${id}`;
  return `${baseUrl}${path}?expires=${expiresAt}&token=${tokenOf(path, String(expiresAt))}`;
}

function checkLink({ pathname, searchParams }: URL, now: number): void {
  const expiresAt = searchParams.get('expires') ?? '';
  const token = Buffer.from(searchParams.get('token') ?? '');
  const wanted = Buffer.from(tokenOf(pathname, expiresAt));
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
  // Reads to the end in any case: leaving early would close the connection before the refusal is sent.
  for await (const chunk of request as AsyncIterable<Buffer>) {
    arrived += chunk.length;
    if (arrived <= size) chunks.push(chunk);
  }
  if (arrived !== size) throw invalid(`The upload was declared with ${size} bytes, but ${arrived} were received.`);
  return Buffer.concat(chunks);
}

async function takeBytes({ store }: World, id: string, request: IncomingMessage): Promise<void> {
  if (request.method !== 'PUT') throw invalid(`Method ${request.method} not allowed. Use PUT to upload the bytes.`);
  const upload = store.get<UploadRow>(
    'SELECT content_type, size_bytes, bytes IS NOT NULL OR file_id IS NOT NULL AS has_arrived FROM customer_uploads WHERE id = :id',
    { id },
  );
  if (!upload) throw notFound('upload', id);
  const contentType = request.headers['content-type'] ?? '';
  if (contentType.toLowerCase() !== upload.content_type.toLowerCase()) {
    throw invalid(`Content-Type must be ${upload.content_type}, as declared, but is ${contentType || 'missing'}.`);
  }
  const bytes = upload.has_arrived ? undefined : await readBytes(request, upload.size_bytes);
  // Another request may have been faster while this one was read.
  const stored =
    bytes && store.run('UPDATE customer_uploads SET bytes = :bytes WHERE id = :id AND bytes IS NULL AND file_id IS NULL', { id, bytes });
  if (!stored) throw blocked(`Upload ${id} has already received its bytes. Its link can only be used once.`);
}

interface StoredFile {
  readonly file_name: string;
  readonly content_type: string;
  readonly bytes: Uint8Array;
}

function disposition(fileName: string): string {
  const plain = fileName.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const exact = encodeURIComponent(fileName.toWellFormed()).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${exact}`;
}

function giveBytes({ store }: World, id: string, request: IncomingMessage, response: ServerResponse): void {
  if (request.method !== 'GET') throw invalid(`Method ${request.method} not allowed. Use GET to download the file.`);
  const file = store.get<StoredFile>('SELECT file_name, content_type, bytes FROM customer_files WHERE id = :id', { id });
  if (!file) throw notFound('file', id);
  response.writeHead(200, {
    'content-type': file.content_type,
    'content-length': file.bytes.length,
    'content-disposition': disposition(file.file_name),
    'cache-control': 'private, no-store',
    'x-content-type-options': 'nosniff',
  });
  response.end(file.bytes);
}

/** Takes and gives the bytes of customer files, by the links that the file operations hand out. */
export async function serveFile(world: World, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://sandbox');
  const [, kind, id] = /^\/files\/(uploads|downloads)\/([\w-]+)$/.exec(url.pathname) ?? [];
  if (!kind || !id) throw new SandboxError('not_found', 'Unknown link.');
  checkLink(url, world.now());
  if (kind === 'downloads') {
    giveBytes(world, id, request, response);
    return;
  }
  await takeBytes(world, id, request);
  send(response, { status: 200, body: '{}', headers: {} });
}
