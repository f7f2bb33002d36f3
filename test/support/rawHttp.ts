import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { connect, type Socket } from 'node:net';

/** A response with its raw body. */
export interface RawResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface RawRequest {
  readonly method?: string;
  readonly path?: string;
  /** A list is sent as several headers of the same name. */
  readonly headers?: Record<string, string | string[]>;
  readonly body?: string | Buffer;
}

/** Sends a request exactly as specified. `fetch` would add `Accept-Encoding` and decode the response. */
export const sendRaw = (url: string, { method = 'GET', path = '/graphql', headers = {}, body }: RawRequest) =>
  new Promise<RawResponse>((resolve, reject) => {
    const request = httpRequest(`${url}${path}`, { method, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }));
    });
    request.on('error', reject);
    request.end(body);
  });

/** A connection for sending raw bytes. */
export interface RawConnection {
  readonly socket: Socket;
  /** Resolves to all received data when the server has closed the connection. */
  readonly ended: Promise<string>;
  /** Resolves to all received data when it matches. */
  waitFor(pattern: RegExp): Promise<string>;
}

export function connectRaw(url: string): RawConnection {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let received = '';
  socket.setEncoding('latin1').on('data', (text: string) => {
    received += text;
  });
  // A server that closes the connection while the client is still sending resets it. The data received until then is still valid.
  socket.on('error', () => {});
  const ended = new Promise<string>((resolve) => socket.once('close', () => resolve(received)));
  const until = (pattern: RegExp) =>
    new Promise<string>((resolve, reject) => {
      const checkReceived = () => {
        if (!pattern.test(received)) return;
        socket.off('data', checkReceived);
        resolve(received);
      };
      socket.on('data', checkReceived);
      void ended.then(() => reject(new Error(`The connection ended before ${pattern} came: ${received}`)));
      checkReceived();
    });
  return { socket, ended, waitFor: until };
}
