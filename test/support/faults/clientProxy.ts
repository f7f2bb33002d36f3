import { once } from 'node:events';
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What happens to one request of a client, before or after the graph has handled it. */
export type ClientFault =
  | 'reset before'
  | 'reset after'
  | 'bad gateway after'
  | 'truncate'
  | 'unavailable before'
  | 'overloaded before'
  /** Resets the connection while the graph handles the request. */
  | { readonly resetWhen: Promise<void> };

/** A proxy between a client and a graph that injects faults, like an unreliable network or load balancer. */
export interface ClientProxy {
  readonly url: string;
  /** Bodies of the requests that clients sent. Excludes those for the page. */
  readonly received: string[];
  /** Applies each fault to one of the next requests, in order. */
  inject(...faults: readonly ClientFault[]): void;
  /** Discards the faults that haven’t been applied. */
  recover(): void;
  close(): Promise<void>;
}

const HTML = { 'content-type': 'text/html', 'retry-after': '1' };

const OVERLOADED = { errors: [{ message: 'Busy.', extensions: { code: 'OVERLOADED', retry: 'SAFE', retryAfterSeconds: 1 } }] };

async function readBody(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function forward(target: string, { url = '/', method, headers }: IncomingMessage, body: Buffer) {
  const sent = httpRequest(new URL(url, target), { method, headers, agent: false });
  sent.end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: response.statusCode ?? 0, headers: response.headers, body: await readBody(response) };
}

/** Opens a proxy. `page` is an HTML page that it serves for GET requests, so that a browser sends its other requests to the same origin. */
export async function openClientProxy(target: string, page?: string): Promise<ClientProxy> {
  const received: string[] = [];
  const faults: ClientFault[] = [];

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
    if (request.method === 'GET' && page !== undefined)
      return response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page);
    const reset = () => response.socket?.destroy();
    const body = await readBody(request);
    received.push(body.toString());
    const fault = faults.shift();
    if (fault === 'reset before') return reset();
    if (fault === 'unavailable before') return response.writeHead(503, HTML).end('<h1>Service Unavailable</h1>');
    if (fault === 'overloaded before')
      return response.writeHead(503, { 'content-type': 'application/json' }).end(JSON.stringify(OVERLOADED));
    if (typeof fault === 'object') void fault.resetWhen.then(reset);
    const forwarded = await forward(target, request, body);
    if (fault === 'reset after') return reset();
    if (fault === 'bad gateway after') return response.writeHead(502, HTML).end('<h1>Bad Gateway</h1>');
    response.writeHead(forwarded.status, { ...forwarded.headers, 'content-length': forwarded.body.length });
    if (fault === 'truncate') return response.write(forwarded.body.subarray(0, forwarded.body.length / 2), reset);
    return response.end(forwarded.body);
  }

  const server = createServer((request, response) => {
    void handle(request, response).catch(() => response.socket?.destroy());
  });
  // A browser only repeats requests that it sent over a connection that it had used before, so idle ones aren’t closed, however slow the machine is.
  server.keepAliveTimeout = 0;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    inject: (...next) => {
      faults.push(...next);
    },
    recover: () => {
      faults.length = 0;
    },
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
