import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An upstream that returns no scopes for a key and doesn't respond to other calls. */
export interface SilentUpstream {
  readonly url: string;
  /** Resolves to the next call that hasn't been returned yet. */
  next(): Promise<ReceivedCall>;
  /** Number of connections opened so far. */
  countConnections(): number;
  close(): Promise<void>;
}

/** A `Me` response without scopes. */
export const ME = { workspace: { id: 'a workspace' }, apiKey: { id: 'a key' } };

export interface ReceivedCall {
  /** Resolves when its connection is closed. */
  readonly closed: Promise<void>;
  /** Responds to the call with 404. */
  respond(): void;
}

export async function openSilentUpstream(): Promise<SilentUpstream> {
  const unclaimed: ReceivedCall[] = [];
  const waiting: ((call: ReceivedCall) => void)[] = [];
  const server = createServer((request, response) => {
    if (request.url?.endsWith('Workspace/Me')) {
      response.end(JSON.stringify(ME));
      return;
    }
    const call = {
      closed: new Promise<void>((resolve) => response.once('close', resolve)),
      respond: () => void response.writeHead(404).end(),
    };
    const resolveNext = waiting.shift();
    if (resolveNext) resolveNext(call);
    else unclaimed.push(call);
  });
  let opened = 0;
  server.on('connection', () => {
    opened += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    countConnections: () => opened,
    next: () => {
      const call = unclaimed.shift();
      return call ? Promise.resolve(call) : new Promise((resolve) => waiting.push(resolve));
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
