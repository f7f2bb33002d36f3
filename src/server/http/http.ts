import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { Server as NetServer } from 'node:net';
import { Connections, findConnection } from './connections.ts';
import { HttpResponse } from './response.ts';

/** Limits of connections, so that slow or silent clients don't exhaust the server. Node.js responds with 408 or 431, or closes the connection. */
export interface HttpLimits {
  /** From the first byte of a request to the end of its headers. */
  readonly headersTimeoutMs: number;
  /** From the first byte of a request to its end. */
  readonly requestTimeoutMs: number;
  /** How long a client can leave a buffered response unread. */
  readonly unreadTimeoutMs: number;
  /** How long a connection can be idle between requests. */
  readonly idleTimeoutMs: number;
  /** How long a connection must have been silent before a shutdown can close it: a request may be on its way until then. */
  readonly silenceMs: number;
  /** Interval between checks of the two request timeouts. */
  readonly checkEveryMs: number;
  /** Maximum bytes of a request's headers, including the request line. */
  readonly headersBytes: number;
  readonly connections: number;
}

/** Default limits. All of them are chosen. */
export const HTTP_LIMITS: HttpLimits = {
  headersTimeoutMs: 10_000,
  // The largest body takes this long at 300 kbit/s.
  requestTimeoutMs: 30_000,
  unreadTimeoutMs: 30_000,
  // Load balancers keep connections open for 60 s. The client must be the one to close a connection, otherwise a request can reach a closed one.
  idleTimeoutMs: 65_000,
  // Clients under steady load send requests more often. Other clients only lose a request that crosses the closing of its connection.
  silenceMs: 2_000,
  checkEveryMs: 1_000,
  // Also the default of Node.js. Longer queries are sent with POST.
  headersBytes: 16 * 1024,
  connections: 10_000,
};

export interface HttpServer {
  readonly server: NetServer;
  /** From now on, each response whose head hasn't been written announces that the connection closes after it. */
  announceClose(): void;
  /**
   * Stops listening, and closes each connection after its next response, or once it has been silent for `silenceMs`. Fulfilled when the last connection is
   * closed.
   */
  close(): Promise<void>;
  /** Closes all connections immediately. */
  closeNow(): void;
}

/** An HTTP server that waits for no client indefinitely. */
export function createHttpServer(limits: HttpLimits, listener: (request: IncomingMessage, response: HttpResponse) => void): HttpServer {
  const connections = new Connections(limits.silenceMs);
  const server = createServer(
    {
      headersTimeout: limits.headersTimeoutMs,
      requestTimeout: limits.requestTimeoutMs,
      keepAliveTimeout: limits.idleTimeoutMs,
      connectionsCheckingInterval: limits.checkEveryMs,
      maxHeaderSize: limits.headersBytes,
      // Otherwise, Node.js drops all but the first Host and Authorization headers.
      joinDuplicateHeaders: true,
      ServerResponse: HttpResponse,
    },
    (request, response) => {
      if (!findConnection(request.socket)?.isAbandoned) listener(request, response);
    },
  );
  // A client that has sent everything can close its sending side. It gets its response, after which Node.js closes the connection.
  Object.assign(server, { httpAllowHalfOpen: true });
  server.maxConnections = limits.connections;
  // Node.js silently drops headers beyond a maximum number, possibly including the API key. Their size is limited instead.
  server.maxHeadersCount = 0;
  // Responses that aren't read fill the memory. While no response is buffered, a connection can be silent for as long as its request runs.
  server.setTimeout(limits.unreadTimeoutMs);
  server.on('timeout', (socket) => {
    if (socket.writableLength > 0 || !findConnection(socket)?.running) socket.destroy();
  });
  server.on('connection', (socket) => connections.add(socket));
  return {
    server,
    announceClose: () => {
      connections.isEnding = true;
    },
    close: async () => {
      connections.isEnding = true;
      await connections.waitForAccepts();
      const closed = once(server, 'close');
      // Not the HTTP server's own `close`, which closes idle connections immediately, although a request may be on its way, and which stops the timeouts.
      NetServer.prototype.close.call(server);
      connections.closeSilent();
      await closed;
    },
    closeNow: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
