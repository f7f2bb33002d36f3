import { once } from 'node:events';
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isReadCall } from './reads.ts';

/** Calls that the relay holds. */
export interface HeldCalls {
  /** Resolves when this many calls are held. */
  waitForCalls(calls: number): Promise<void>;
  /** Forwards held and later calls, even if the graph that sent them has exited. */
  release(): void;
  /** Drops held calls, and forwards later ones. */
  drop(): void;
}

/** Where calls are held: before they reach the upstream, or after its response. */
type Where = 'before' | 'after';

/** A proxy between a graph and a sandbox that injects network faults. */
export interface Relay {
  readonly url: string;
  /** Holds all writes. Reads pass. */
  holdWrites(where: Where): HeldCalls;
  /** Holds the calls of an operation before they reach the upstream. All others pass. */
  holdCalls(operation: string): HeldCalls;
  /** For this many calls of an operation, sends half of the response body and resets the connection. */
  truncate(operation: string, times: number): void;
  close(): Promise<void>;
}

interface Barrier {
  readonly where: Where;
  readonly holds: (operation: string) => boolean;
  readonly opened: Promise<boolean>;
  readonly arrive: () => void;
}

interface RelayedResponse {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

async function readBody(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function forward(target: string, { url, method, headers }: IncomingMessage, body: Buffer): Promise<RelayedResponse> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(new URL(url ?? '/', target), { method, headers, agent: false }, (response) => {
      readBody(response).then((text) => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }), reject);
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

const parseOperation = ({ url }: IncomingMessage) => url?.replace(/^.*publicapi\.v1\./, '') ?? '';

export async function openRelay(target: string): Promise<Relay> {
  let barrier: Barrier | undefined;
  let truncation = { operation: '', times: 0 };

  /** Whether to forward the call. */
  const pass = async (where: Where, operation: string): Promise<boolean> => {
    if (barrier?.where !== where || !barrier.holds(operation)) return true;
    barrier.arrive();
    return barrier.opened;
  };
  const relay = async (request: IncomingMessage, response: ServerResponse) => {
    const operation = parseOperation(request);
    const body = await readBody(request);
    const reset = () => response.socket?.resetAndDestroy();
    if (!(await pass('before', operation))) return reset();
    const relayed = await forward(target, request, body);
    if (!(await pass('after', operation))) return reset();
    response.writeHead(relayed.status, relayed.headers);
    if (operation !== truncation.operation || truncation.times === 0) return response.end(relayed.body);
    truncation.times -= 1;
    response.write(relayed.body.subarray(0, relayed.body.length / 2), reset);
  };
  const hold = (where: Where, holds: Barrier['holds']): HeldCalls => {
    let arrived = 0;
    const waiting: { readonly calls: number; readonly done: () => void }[] = [];
    const opened = Promise.withResolvers<boolean>();
    const arrive = () => {
      arrived += 1;
      for (const { calls, done } of waiting) if (arrived >= calls) done();
    };
    barrier = { where, holds, opened: opened.promise, arrive };
    const open = (passes: boolean) => {
      barrier = undefined;
      opened.resolve(passes);
    };
    return {
      waitForCalls: (calls) =>
        new Promise((done) => {
          waiting.push({ calls, done });
          if (arrived >= calls) done();
        }),
      release: () => open(true),
      drop: () => open(false),
    };
  };
  const server = createServer((request, response) => {
    // If the upstream resets the connection, also resets the caller's.
    void relay(request, response).catch(() => response.socket?.resetAndDestroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    holdWrites: (where) => hold(where, (operation) => !isReadCall(operation)),
    holdCalls: (held) => hold('before', (operation) => operation === held),
    truncate: (operation, times) => {
      truncation = { operation, times };
    },
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
