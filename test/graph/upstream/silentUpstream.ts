import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An upstream that says nothing of what a key may do, and answers no call. */
export interface SilentUpstream {
  readonly url: string;
  /** Fulfilled with the call that arrives next, or has arrived and was not asked for yet. */
  next(): Promise<Arrived>;
  /** Connections that were opened to it so far. */
  opened(): number;
  close(): Promise<void>;
}

/** An answer of Me that tells no scopes. */
export const ME = { workspace: { id: 'a workspace' }, apiKey: { id: 'a key' } };

export interface Arrived {
  /** Fulfilled when its connection is closed. */
  readonly closed: Promise<void>;
  /** Answers it after all: that there is no such record. */
  answer(): void;
}

export async function openSilentUpstream(): Promise<SilentUpstream> {
  const arrived: Arrived[] = [];
  const wanted: ((call: Arrived) => void)[] = [];
  const server = createServer((request, response) => {
    if (request.url?.endsWith('Workspace/Me')) {
      response.end(JSON.stringify(ME));
      return;
    }
    const call = {
      closed: new Promise<void>((resolve) => response.once('close', resolve)),
      answer: () => void response.writeHead(404).end(),
    };
    const want = wanted.shift();
    if (want) want(call);
    else arrived.push(call);
  });
  let opened = 0;
  server.on('connection', () => {
    opened += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    opened: () => opened,
    next: () => {
      const call = arrived.shift();
      return call ? Promise.resolve(call) : new Promise((resolve) => wanted.push(resolve));
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
