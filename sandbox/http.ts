import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SandboxError } from './errors.ts';

/** The largest body of a call, in bytes. Ours. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;

/** What goes back to the client. */
export interface Reply {
  readonly status: number;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The whole body as text; a refusal when it is too large. */
export async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  // Reads to the end in any case: leaving early would close the connection before the refusal is sent.
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= MAX_BODY_BYTES) chunks.push(chunk);
    else chunks.length = 0;
  }
  if (size > MAX_BODY_BYTES) {
    throw new SandboxError('invalid_argument', `The body must be at most ${MAX_BODY_BYTES} bytes, but has ${size}.`);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** JSON, unless the headers say otherwise. */
export function send(response: ServerResponse, { status, body, headers }: Reply): void {
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), ...headers });
  response.end(body);
}

/** The reply for something that was thrown. What is not a refusal goes to the log, and says nothing to the client. */
export function refusal(error: unknown, headers: Reply['headers'] = {}): Reply {
  if (error instanceof SandboxError) {
    return { status: error.status, body: JSON.stringify({ code: error.code, message: error.message, details: [] }), headers };
  }
  console.error(error);
  return {
    status: 500,
    body: JSON.stringify({ code: 'internal', message: 'The sandbox failed; its log says why.', details: [] }),
    headers,
  };
}

/** Whether the body is said to be JSON. */
export const isJson = ({ headers }: IncomingMessage): boolean => /^application\/json\s*(;|$)/i.test(headers['content-type'] ?? '');

/** Starts listening; answers the base URL. Port 0 takes any free one. */
export const listen = (server: Server, port: number, host: string): Promise<string> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      const authority = host.includes(':') ? `[${host}]` : host;
      resolve(`http://${authority}:${(server.address() as AddressInfo).port}`);
    });
  });

/** Stops accepting, and ends open connections. */
export const stop = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
