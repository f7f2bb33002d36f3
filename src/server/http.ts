import { createServer, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { Chain, type Linked } from '../upstream/chain.ts';

/** What a connection may take, so that slow or silent callers do not use up the server. Node answers 408 or 431, or closes. */
export interface HttpLimits {
  /** From the first byte of a request to the last of its headers. */
  readonly headersTimeoutMs: number;
  /** From the first byte of a request to its last. */
  readonly requestTimeoutMs: number;
  /** How long a caller may read nothing of an answer that waits for it. */
  readonly unreadTimeoutMs: number;
  /** How long a connection may be idle between two requests. */
  readonly idleTimeoutMs: number;
  /** How often the two timeouts of a request are looked at. */
  readonly checkEveryMs: number;
  /** Of one request, the line with its address included. */
  readonly headersBytes: number;
  readonly connections: number;
}

/** All ours. */
export const HTTP_LIMITS: HttpLimits = {
  headersTimeoutMs: 10_000,
  // The largest body, over a line of 300 kbit/s.
  requestTimeoutMs: 30_000,
  unreadTimeoutMs: 30_000,
  // Load balancers keep connections for 60 s: who sends must be the first to close, or requests meet a closed door.
  idleTimeoutMs: 65_000,
  checkEveryMs: 1_000,
  // Node's default too. Longer queries come by POST.
  headersBytes: 16 * 1024,
  connections: 10_000,
};

/** One that is open. */
interface Connection extends Linked<Connection> {
  readonly socket: Socket;
}

export interface HttpServer {
  readonly server: Server;
  /** Closes the connections over which nothing is asked or answered. */
  closeIdle(): void;
}

/** An HTTP server that does not wait for ever. */
export function createHttpServer(limits: HttpLimits, listener: RequestListener): HttpServer {
  const server = createServer(
    {
      headersTimeout: limits.headersTimeoutMs,
      requestTimeout: limits.requestTimeoutMs,
      keepAliveTimeout: limits.idleTimeoutMs,
      connectionsCheckingInterval: limits.checkEveryMs,
      maxHeaderSize: limits.headersBytes,
    },
    listener,
  );
  server.maxConnections = limits.connections;
  // Node drops headers that are past a number without a word, and one of them may be the key. Their bytes are bounded.
  server.maxHeadersCount = 0;
  // Answers that nobody reads fill the memory. While nothing waits to be read, a connection may be silent for as long as its request runs.
  server.setTimeout(limits.unreadTimeoutMs);
  server.on('request', ({ socket }, response) => response.on('timeout', () => socket.writableLength > 0 && socket.destroy()));
  const connections = new Chain<Connection>();
  server.on('connection', (socket) => {
    const connection: Connection = { socket, previous: undefined, next: undefined };
    connections.add(connection);
    socket.once('close', () => connections.remove(connection));
  });
  return {
    server,
    closeIdle: () => {
      server.closeIdleConnections();
      // Browsers and balancers open connections in advance. Node waits for their first headers, and does not call them idle.
      for (const { socket } of connections) if (socket.bytesRead === 0) socket.destroy();
    },
  };
}
