import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

const HOST = '127.0.0.1';

/** A server that listens. */
export interface Listening {
  /** Without a path. */
  readonly url: string;
  /** Lets what runs finish. */
  close(): Promise<void>;
}

/** Makes a server listen on this machine only. Port 0 takes any free one. */
export async function listen(server: Server, port: number): Promise<Listening> {
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
