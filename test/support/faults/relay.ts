import { once } from 'node:events';
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isReadCall } from './reads.ts';

/** Calls that have been stopped on their way. */
export interface Stopped {
  /** Fulfilled when so many are there. */
  count(calls: number): Promise<void>;
  /** Lets them go on, and all later ones: to the upstream also when the graph that sent them has died. */
  release(): void;
  /** Loses them, and lets all later ones pass. */
  drop(): void;
}

/** Where calls are stopped: on their way to the upstream, or on the way back, when it has done what it was asked. */
type Where = 'before' | 'after';

/** A proxy between a graph and a sandbox that causes the faults of a network. Reads always pass. */
export interface Relay {
  readonly url: string;
  /** Stops all writes. */
  stop(where: Where): Stopped;
  /** Sends half of the body that an operation is answered, and resets the connection: so many times. */
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

  /** Whether the call may go on. */
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
    // A reset by the upstream resets the caller's connection, too.
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
