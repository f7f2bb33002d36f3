import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

const HOST = '127.0.0.1';

/** A listening server. */
export interface ListeningServer {
  /** URL without a path. */
  readonly url: string;
  /** Closes the server after requests in flight have finished. */
  close(): Promise<void>;
}

/** Starts a server on loopback. Port 0 selects a free port. */
export async function listen(server: Server, port: number): Promise<ListeningServer> {
  server.listen(port, HOST);
  await once(server, 'listening');
  return {
    url: `http://${HOST}:${(server.address() as AddressInfo).port}`,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeIdleConnections();
      await closed;
    },
  };
}
