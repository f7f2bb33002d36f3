import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A TCP proxy that can drop data without closing connections. */
export interface TcpProxy {
  readonly port: number;
  /** Number of connections opened through the proxy. */
  opened(): number;
  /** Stops forwarding data of open connections. New ones work, as after a failover behind a load balancer. */
  freeze(): void;
  /** Accepts new connections, but forwards no data for them either. */
  blackhole(): void;
  /** Forwards data of new connections again, optionally to another port. */
  restore(target?: number): void;
  close(): Promise<void>;
}

export async function openTcpProxy(port: number): Promise<TcpProxy> {
  let target = port;
  let isBlackhole = false;
  let opened = 0;
  const pairs = new Set<readonly [Socket, Socket | null]>();
  const frozen = new Set<Socket>();
  const forward = (from: Socket, to: Socket) => {
    from.on('data', (chunk) => frozen.has(from) || to.write(chunk));
    from.on('close', () => frozen.has(from) || to.destroy());
    from.on('error', () => {});
  };
  const server = createServer((client) => {
    opened += 1;
    if (isBlackhole) {
      client.on('error', () => {}).resume();
      pairs.add([client, null]);
      return;
    }
    const upstream = connect(target, '127.0.0.1');
    pairs.add([client, upstream]);
    forward(client, upstream);
    forward(upstream, client);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const freeze = () => {
    for (const sockets of pairs) for (const socket of sockets) if (socket) frozen.add(socket);
  };
  return {
    port: (server.address() as AddressInfo).port,
    opened: () => opened,
    freeze,
    blackhole: () => {
      isBlackhole = true;
    },
    restore: (next = target) => {
      target = next;
      isBlackhole = false;
    },
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const sockets of pairs) for (const socket of sockets) socket?.destroy();
      await closed;
    },
  };
}
