import { once } from 'node:events';
import { createServer, type IncomingMessage, type OutgoingHttpHeader, type OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { LinkedList, type LinkedNode } from '../../lib/linkedList.ts';
import { onClose } from '../../lib/onClose.ts';
import { closeAfter, hasUnboundedBody } from '../../lib/unreadBody.ts';

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
  /** Maximum length of a body that is discarded after an early response, so that its connection can be reused. */
  readonly discardedBytes: number;
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
  // The largest body that any path accepts.
  discardedBytes: 1024 * 1024,
  connections: 10_000,
};

/** Maximum number of connections that wait to be accepted: Node's default for `listen`. */
const BACKLOG = 511;

/** Interval between the informational responses to a client that may have disconnected, in milliseconds. Chosen: few per request, and soon enough to save calls. */
const PROBE_MS = 250;

type Fields = OutgoingHttpHeaders | OutgoingHttpHeader[];

/** A response whose head contains default headers. */
export interface HttpResponse extends ServerResponse {
  /** Names and values of headers, in turn. A header that is set on the response replaces its default. */
  defaultHeaders: readonly string[];
}

/** An open connection. */
interface Connection extends LinkedNode<Connection> {
  readonly socket: Socket;
  /** Number of requests whose responses haven't ended. */
  running: number;
  /** The response to the latest request. */
  latest: ServerResponse | undefined;
  /** Bytes received when the last response ended. If more have been received, a request is being received. */
  bytesHandled: number;
  /** When the last response ended, or when the connection was opened, by `performance.now()`. */
  silentSince: number;
  /** Whether a response has announced the end of the connection because the body of its request may never end. Requests that follow aren't executed. */
  isAbandoned: boolean;
}

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

/**
 * Called when a client has closed its sending side. Most such clients have disconnected, which TCP only reveals when they are sent something. So the others get
 * informational responses until theirs begins, which they ignore and HTTP/1.0 doesn't have. A stream that has begun is aborted instead.
 */
function detectClosed(connection: Connection): void {
  const { latest, socket } = connection;
  if (latest?.headersSent && !latest.writableEnded) return void socket.destroy();
  const send = () => {
    const { latest: waiting, running } = connection;
    const isWaiting = running > 0 && !socket.destroyed && waiting?.headersSent === false && waiting.req.httpVersion === '1.1';
    if (isWaiting) waiting.writeProcessing();
    else clearInterval(timer);
  };
  const timer = setInterval(send, PROBE_MS).unref();
  send();
}

/** An HTTP server that waits for no client indefinitely. */
export function createHttpServer(limits: HttpLimits, listener: (request: IncomingMessage, response: HttpResponse) => void): HttpServer {
  const connections = new LinkedList<Connection>();
  const bySocket = new WeakMap<Socket, Connection>();
  /** A request has no socket anymore once a stream of its body has been canceled. */
  const byResponse = new WeakMap<ServerResponse, Connection>();
  let isEnding = false;
  let isClosing = false;
  let isWaiting = false;
  let opened = 0;

  /**
   * Resolves when the connections that were waiting have been accepted, because closing the port resets those that wait, with their requests. A turn of the event loop accepts one, so
   * a turn without one is the end. Under steady load there is no such turn, but connections are accepted in their order.
   */
  const waitForAccepts = async () => {
    const last = opened + BACKLOG;
    // A signal is handled as an event of the poll phase, and that turn ends without polling again.
    await nextTurn();
    let before: number;
    do {
      before = opened;
      await nextTurn();
    } while (opened > before && opened < last);
  };

  /** Closes the connections that have been silent for long enough, and schedules the next check. */
  const closeSilent = () => {
    isWaiting = false;
    const now = performance.now();
    let nextAt = Number.POSITIVE_INFINITY;
    for (const { socket, running, bytesHandled, silentSince } of connections) {
      // Its request gets a response, or Node's timeouts close the connection.
      if (running > 0 || socket.bytesRead > bytesHandled) continue;
      const endsAt = silentSince + limits.silenceMs;
      if (endsAt <= now) socket.destroy();
      else nextAt = Math.min(nextAt, endsAt);
    }
    if (nextAt < Number.POSITIVE_INFINITY) scheduleCloseSilent(nextAt - now);
  };
  // After the next poll phase, so that a request that has reached this machine is read first.
  const scheduleCloseSilent = (ms: number) => {
    if (!isWaiting) setTimeout(() => setImmediate(closeSilent), ms);
    isWaiting = true;
  };

  /** Created for each request, including those that Node.js responds to itself. */
  class TrackedResponse extends ServerResponse {
    defaultHeaders: readonly string[] = [];

    constructor(request: IncomingMessage, options?: object) {
      // @ts-expect-error Node.js passes options that its types don't have.
      super(request, options);
      const { socket } = request;
      const connection = bySocket.get(socket);
      if (!connection) return;
      byResponse.set(this, connection);
      connection.running += 1;
      connection.latest = this;
      onClose(this, () => {
        connection.running -= 1;
        connection.bytesHandled = socket.bytesRead;
        connection.silentSince = performance.now();
        if (isClosing) scheduleCloseSilent(limits.silenceMs);
      });
    }

    /** Called for each response head. If requests are pipelined, the last response ends the connection. */
    override writeHead(status: number, reason?: string | Fields, fields?: Fields): this {
      const connection = byResponse.get(this);
      if (isEnding && connection?.latest === this) this.shouldKeepAlive = false;
      if (connection && hasUnboundedBody(this.req, limits.discardedBytes)) {
        connection.isAbandoned = true;
        closeAfter(this, connection.socket);
      }
      return typeof reason === 'string'
        ? super.writeHead(status, reason, this.#withDefaults(fields))
        : super.writeHead(status, this.#withDefaults(reason ?? fields));
    }

    /** Adds the default headers. Node.js writes a flat list without looking at each header, unless `setHeader` was called. */
    #withDefaults(fields: Fields | undefined): Fields | undefined {
      const { defaultHeaders } = this;
      if (Array.isArray(fields) && this.getHeaderNames().length === 0) return [...fields, ...defaultHeaders];
      for (let index = 0; index < defaultHeaders.length; index += 2) {
        const [name = '', value = ''] = defaultHeaders.slice(index, index + 2);
        if (!this.hasHeader(name)) this.setHeader(name, value);
      }
      return fields;
    }
  }

  const server = createServer(
    {
      headersTimeout: limits.headersTimeoutMs,
      requestTimeout: limits.requestTimeoutMs,
      keepAliveTimeout: limits.idleTimeoutMs,
      connectionsCheckingInterval: limits.checkEveryMs,
      maxHeaderSize: limits.headersBytes,
      // Otherwise, Node.js drops all but the first Host and Authorization headers.
      joinDuplicateHeaders: true,
      ServerResponse: TrackedResponse,
    },
    (request, response) => {
      if (!bySocket.get(request.socket)?.isAbandoned) listener(request, response);
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
    if (socket.writableLength > 0 || !bySocket.get(socket)?.running) socket.destroy();
  });
  server.on('connection', (socket) => {
    opened += 1;
    const connection: Connection = {
      socket,
      running: 0,
      latest: undefined,
      bytesHandled: 0,
      silentSince: performance.now(),
      isAbandoned: false,
      previous: undefined,
      next: undefined,
    };
    connections.add(connection);
    bySocket.set(socket, connection);
    socket.once('end', () => detectClosed(connection));
    socket.once('close', () => connections.remove(connection));
  });
  return {
    server,
    announceClose: () => {
      isEnding = true;
    },
    close: async () => {
      isEnding = true;
      await waitForAccepts();
      isClosing = true;
      const closed = once(server, 'close');
      // Not the HTTP server's own `close`, which closes idle connections immediately, although a request may be on its way, and which stops the timeouts.
      NetServer.prototype.close.call(server);
      scheduleCloseSilent(0);
      await closed;
    },
    closeNow: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
