import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { FOREIGN_HOST } from '../../src/lib/loopback.ts';
import { closeAfter, hasUnboundedBody } from '../../src/lib/unreadBody.ts';
import { invalidArgument, SandboxError } from './errors.ts';

/** Maximum size of a request body, in bytes. Chosen. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;

/** An HTTP response. */
export interface HttpResponse {
  readonly status: number;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A lenient decoder would replace invalid bytes with U+FFFD. */
const UTF_8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Doesn't use `for await`, which would close the connection of a request with a too large body before it's rejected. */
const readChunks = (request: IncomingMessage) =>
  new Promise<Buffer>((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= MAX_BODY_BYTES) chunks.push(chunk);
      else reject(new SandboxError('invalid_argument', `The body must be at most ${MAX_BODY_BYTES} bytes.`));
    });
    request.on('end', () => resolve(Buffer.concat(chunks)));
    request.on('error', reject);
  });

/** Reads the body as text. Throws if it's too large or isn't UTF-8. */
export async function readBody(request: IncomingMessage): Promise<string> {
  const bytes = await readChunks(request);
  try {
    return UTF_8.decode(bytes);
  } catch {
    throw invalidArgument('The body must be UTF-8, but contains invalid bytes.');
  }
}

/** Sends JSON, unless `headers` specifies another content type. */
export function send(response: ServerResponse, { status, body, headers }: HttpResponse): void {
  const { req: request } = response;
  if (hasUnboundedBody(request, MAX_BODY_BYTES)) closeAfter(response, request.socket);
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), ...headers });
  response.end(body);
}

/** Responds to a request for a host that the server doesn't serve. */
export const sendForeignHost = (response: ServerResponse): void =>
  send(response, toErrorResponse(new SandboxError('permission_denied', FOREIGN_HOST)));

/** Creates the response for a thrown value. Unexpected errors are logged, and clients get no details of them. */
export function toErrorResponse(error: unknown, headers: HttpResponse['headers'] = {}): HttpResponse {
  if (error instanceof SandboxError) {
    return { status: error.status, body: JSON.stringify({ code: error.code, message: error.message, details: [] }), headers };
  }
  console.error(error);
  return {
    status: 500,
    body: JSON.stringify({ code: 'internal', message: 'Internal error in the sandbox. See its log for details.', details: [] }),
    headers,
  };
}

/** Throws if the headers declare a content type other than JSON, or a charset other than UTF-8. */
export function requireJson({ headers }: IncomingMessage): void {
  const contentType = headers['content-type'] ?? '';
  if (!/^application\/json\s*(;|$)/i.test(contentType)) throw invalidArgument('Content-Type must be application/json.');
  const charset = /;\s*charset\s*=\s*"?([^";\s]*)/i.exec(contentType)?.[1];
  if (charset !== undefined && !/^utf-?8$/i.test(charset)) throw invalidArgument(`Charset ${charset} is not supported. Use UTF-8.`);
}

/** Stops accepting connections, and closes open ones. */
export const stop = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
