import { createServer, type IncomingMessage, type ServerResponse, request as sendRequest } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { listen } from '../lib/startup.ts';

/** A request that a proxy received. */
export interface ProxiedRequest {
  readonly method: string;
  /** The `operationName` of the body. Null if it has none. */
  readonly operationName: string | null;
  readonly body: string;
  /** Whether the proxy dropped it or its response. */
  readonly isDropped: boolean;
}

/** Which responses a proxy drops. */
export interface DroppedResponse {
  /** The `operationName` of the requests. Default: any POST request. */
  readonly operationName?: string;
  /** Whether to drop the connection before the request reaches the graph, or after the graph has responded. Default: `after`. */
  readonly cut?: 'before' | 'after';
  /** Number of requests that are affected. Default: 1. */
  readonly times?: number;
}

/** An HTTP proxy that can drop responses. */
export interface TestProxy extends AsyncDisposable {
  /** The proxied URL, for the client. */
  readonly url: string;
  /** Requests so far, in order, including those that the browser repeated by itself. */
  readonly requests: readonly ProxiedRequest[];
  /** Drops the responses of the next matching POST requests, by resetting their connections. */
  drop(response?: DroppedResponse): void;
  close(): Promise<void>;
}

/** The `operationName` of a GraphQL request. Null for other bodies. */
function getOperationName(body: string): string | null {
  try {
    const { operationName } = JSON.parse(body) as { readonly operationName?: unknown };
    return typeof operationName === 'string' ? operationName : null;
  } catch {
    return null;
  }
}

/** The responses to drop, with the number of requests that each still applies to. */
class Drops {
  #waiting: readonly Required<DroppedResponse>[] = [];

  add({ operationName = '', cut = 'after', times = 1 }: DroppedResponse): void {
    if (!Number.isInteger(times) || times < 1) throw new RangeError(`times must be a positive integer, but is ${times}.`);
    this.#waiting = [...this.#waiting, { operationName, cut, times }];
  }

  /** When to drop the connection of this request. Null if it's served. */
  useNext(method: string, name: string | null): 'before' | 'after' | null {
    if (method !== 'POST') return null;
    const index = this.#waiting.findIndex(({ operationName }) => operationName === '' || operationName === name);
    const found = this.#waiting[index];
    if (!found) return null;
    const rest = found.times > 1 ? [{ ...found, times: found.times - 1 }] : [];
    this.#waiting = this.#waiting.toSpliced(index, 1, ...rest);
    return found.cut;
  }
}

/** Sends the request to the target, and resolves to its response with the body. */
const forward = ({ method = 'GET', url = '/', headers }: IncomingMessage, body: Buffer, target: URL) =>
  new Promise<{ readonly response: IncomingMessage; readonly body: Buffer }>((resolve, reject) => {
    const { hostname, port, host } = target;
    const request = sendRequest({ hostname, port, method, path: url, headers: { ...headers, host }, agent: false }, (response) => {
      buffer(response).then((content) => resolve({ response, body: content }), reject);
    });
    request.on('error', reject).end(body);
  });

/** Writes the headers and the body unchanged. */
function sendResponse(response: ServerResponse, from: IncomingMessage, body: Buffer): void {
  const { connection: _hop, 'keep-alive': _alive, 'transfer-encoding': _encoding, ...headers } = from.headers;
  response.writeHead(from.statusCode ?? 502, { ...headers, 'content-length': body.length }).end(body);
}

/**
 * Starts a proxy on a free port of 127.0.0.1, between a client and the graph at `target`, to test what a page does if the network drops a response. Responses are
 * buffered, so it doesn't stream.
 */
export async function startProxy(target: string): Promise<TestProxy> {
  const upstream = new URL(target);
  const requests: ProxiedRequest[] = [];
  const drops = new Drops();
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await buffer(request);
    const text = body.toString();
    const { method = 'GET' } = request;
    const operationName = getOperationName(text);
    const cut = drops.useNext(method, operationName);
    requests.push({ method, operationName, body: text, isDropped: cut !== null });
    if (cut === 'before') return void request.socket.resetAndDestroy();
    const forwarded = await forward(request, body, upstream);
    if (cut === 'after') return void request.socket.resetAndDestroy();
    sendResponse(response, forwarded.response, forwarded.body);
  };
  // If the client disconnects, or the graph doesn't respond, the connection is all there is to close.
  const server = createServer((request, response) => void handle(request, response).catch(() => request.socket.destroy()));
  const origin = await listen(server, 0, '127.0.0.1', 'the test proxy');
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return {
    url: `${origin}${upstream.pathname}`,
    requests,
    drop: (response = {}) => drops.add(response),
    close,
    [Symbol.asyncDispose]: close,
  };
}
