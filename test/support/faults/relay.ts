import { once } from 'node:events';
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isReadCall } from './reads.ts';

/** Calls that the relay holds. */
export interface Stopped {
  /** Resolves when this many calls are held. */
  count(calls: number): Promise<void>;
  /** Forwards held and later calls, even if the graph that sent them has exited. */
  release(): void;
  /** Drops held calls, and forwards later ones. */
  drop(): void;
}

/** Where calls are held: before they reach the upstream, or after its response. */
type Where = 'before' | 'after';

/** A proxy between a graph and a sandbox that injects network faults. Reads always pass. */
export interface Relay {
  readonly url: string;
  /** Holds all writes. */
  stop(where: Where): Stopped;
  /** For this many calls of an operation, sends half of the response body and resets the connection. */
  halve(operation: string, times: number): void;
  close(): Promise<void>;
}

interface Barrier {
  readonly where: Where;
  readonly opened: Promise<boolean>;
  readonly arrive: () => void;
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

async function bodyOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function forward(target: string, { url, method, headers }: IncomingMessage, body: Buffer): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(new URL(url ?? '/', target), { method, headers, agent: false }, (response) => {
      bodyOf(response).then((text) => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }), reject);
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

const operationOf = ({ url }: IncomingMessage) => url?.replace(/^.*publicapi\.v1\./, '');

export async function openRelay(target: string): Promise<Relay> {
  let barrier: Barrier | undefined;
  let halved = { operation: '', times: 0 };

  /** Whether to forward the call. */
  const pass = async (where: Where): Promise<boolean> => {
    if (barrier?.where !== where) return true;
    barrier.arrive();
    return barrier.opened;
  };
  const relay = async (request: IncomingMessage, response: ServerResponse) => {
    const operation = operationOf(request);
    const isStoppable = !isReadCall(operation ?? '');
    const body = await bodyOf(request);
    const reset = () => response.socket?.resetAndDestroy();
    if (isStoppable && !(await pass('before'))) return reset();
    const answer = await forward(target, request, body);
    if (isStoppable && !(await pass('after'))) return reset();
    response.writeHead(answer.status, answer.headers);
    if (operation !== halved.operation || halved.times === 0) return response.end(answer.body);
    halved.times -= 1;
    response.write(answer.body.subarray(0, answer.body.length / 2), reset);
  };
  const server = createServer((request, response) => {
    // If the upstream resets the connection, also resets the caller's.
    void relay(request, response).catch(() => response.socket?.resetAndDestroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: (where) => {
      let arrived = 0;
      const waiting: { readonly calls: number; readonly done: () => void }[] = [];
      const opened = Promise.withResolvers<boolean>();
      const arrive = () => {
        arrived += 1;
        for (const { calls, done } of waiting) if (arrived >= calls) done();
      };
      barrier = { where, opened: opened.promise, arrive };
      const open = (passes: boolean) => {
        barrier = undefined;
        opened.resolve(passes);
      };
      return {
        count: (calls) =>
          new Promise((done) => {
            waiting.push({ calls, done });
            if (arrived >= calls) done();
          }),
        release: () => open(true),
        drop: () => open(false),
      };
    },
    halve: (operation, times) => {
      halved = { operation, times };
    },
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
