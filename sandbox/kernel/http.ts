import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { closeAfter, hasUnboundedBody } from '../../src/lib/unreadBody.ts';
import { invalid, SandboxError } from './errors.ts';

/** The largest body of a call, in bytes. Ours. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;

/** The answer to an HTTP request. */
export interface Reply {
  readonly status: number;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A lenient decoder would put U+FFFD in the place of what it cannot read. */
const UTF_8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Not `for await`, which would close the connection of a body that is too large before it's refused. */
const bytesOf = (request: IncomingMessage) =>
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

/** The whole body as text; a refusal when it is too large, or not UTF-8. */
export async function readBody(request: IncomingMessage): Promise<string> {
  const bytes = await bytesOf(request);
  try {
    return UTF_8.decode(bytes);
  } catch {
    throw invalid('The body must be UTF-8, but contains invalid bytes.');
  }
}

/** JSON, unless the headers say otherwise. */
export function send(response: ServerResponse, { status, body, headers }: Reply): void {
  const { req: request } = response;
  if (hasUnboundedBody(request, MAX_BODY_BYTES)) closeAfter(response, request.socket);
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), ...headers });
  response.end(body);
}

/** The reply for something that was thrown. All but refusals go to the log, and say nothing to the client. */
export function refusal(error: unknown, headers: Reply['headers'] = {}): Reply {
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

/** Refuses a body that is said to be something else than JSON, or to be in another character set than JSON's. */
export function requireJson({ headers }: IncomingMessage): void {
  const contentType = headers['content-type'] ?? '';
  if (!/^application\/json\s*(;|$)/i.test(contentType)) throw invalid('Content-Type must be application/json.');
  const charset = /;\s*charset\s*=\s*"?([^";\s]*)/i.exec(contentType)?.[1];
  if (charset !== undefined && !/^utf-?8$/i.test(charset)) throw invalid(`Charset ${charset} is not supported. Use UTF-8.`);
}

/** Stops accepting, and ends open connections. */
export const stop = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
