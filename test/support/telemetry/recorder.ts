import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen } from '../../../src/lib/startup.ts';

/** A received call. */
export interface WireCall {
  /** For example, `Contact/ListContacts`. */
  readonly operation: string;
  readonly traceparent: string | undefined;
  readonly baggage: string | undefined;
}

/** A proxy in front of an upstream that records trace headers. If the upstream resets a connection, so does the proxy. */
export interface Recorder {
  readonly url: string;
  readonly calls: WireCall[];
  /** Holds calls of an operation. `arrived` resolves when the first one has arrived, and `release` forwards them all. */
  hold(operation: string): { readonly arrived: Promise<void>; release(): void };
  /** Resolves when the next call of an operation has been responded to. */
  answered(operation: string): Promise<void>;
  close(): void;
}

const parseOperation = (path: string) => path.replace(/^.*publicapi\.v1\./, '');

export async function openRecorder(upstream: () => string): Promise<Recorder> {
  const calls: WireCall[] = [];
  const held = new Map<string, { readonly arrive: () => void; readonly released: Promise<void> }>();
  const onResponse = new Map<string, () => void>();
  const server = createServer(async (request, response) => {
    const { authorization = '', traceparent, baggage } = request.headers;
    const operation = parseOperation(request.url ?? '');
    calls.push({ operation, traceparent: traceparent as string | undefined, baggage: baggage as string | undefined });
    const body = await text(request);
    const barrier = held.get(operation);
    barrier?.arrive();
    await barrier?.released;
    const headers = { 'content-type': 'application/json', authorization };
    try {
      const upstreamResponse = await fetch(upstream() + request.url, { method: 'POST', headers, body });
      const forwarded = ['retry-after'].flatMap((name) =>
        upstreamResponse.headers.has(name) ? [[name, String(upstreamResponse.headers.get(name))]] : [],
      );
      const head = { 'content-type': 'application/json', ...Object.fromEntries(forwarded) };
      response.writeHead(upstreamResponse.status, head).end(await upstreamResponse.text(), onResponse.get(operation));
    } catch {
      response.destroy();
    }
  });
  const url = await listen(server, 0, '127.0.0.1', 'port 0');
  return {
    url,
    calls,
    hold: (operation) => {
      const arrived = Promise.withResolvers<void>();
      const released = Promise.withResolvers<void>();
      held.set(operation, { arrive: arrived.resolve, released: released.promise });
      const release = () => {
        held.delete(operation);
        released.resolve();
      };
      return { arrived: arrived.promise, release };
    },
    answered: (operation) => new Promise((resolve) => onResponse.set(operation, resolve)),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
