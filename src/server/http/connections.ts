import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { LinkedList, type LinkedNode } from '../../lib/linkedList.ts';

/** Maximum number of connections that wait to be accepted: Node's default for `listen`. */
const BACKLOG = 511;

/** Interval between the informational responses to a client that may have disconnected, in milliseconds. Chosen: few per request, and soon enough to save calls. */
const PROBE_MS = 250;

/** Stored with the socket. In a WeakMap, everything that old entries refer to would survive each minor garbage collection. */
const CONNECTION = Symbol('connection');

/** An open connection. */
export class Connection implements LinkedNode<Connection> {
  readonly all: Connections;
  readonly socket: Socket;
  /** Number of requests whose responses haven't ended. */
  running = 0;
  /** The response to the latest request. */
  latest: ServerResponse | undefined;
  /** Bytes received when the last response ended. If more have been received, a request is being received. */
  bytesHandled = 0;
  /** When the last response ended, or when the connection was opened, by `performance.now()`. */
  silentSince = performance.now();
  /** Whether a response has announced the end of the connection because the body of its request may never end. Requests that follow aren't executed. */
  isAbandoned = false;
  previous: Connection | undefined;
  next: Connection | undefined;

  constructor(all: Connections, socket: Socket) {
    this.all = all;
    this.socket = socket;
  }

  onRequest(response: ServerResponse): void {
    this.running += 1;
    this.latest = response;
  }

  onResponseClosed(): void {
    this.running -= 1;
    this.bytesHandled = this.socket.bytesRead;
    this.silentSince = performance.now();
    this.all.onSilent();
  }

  /**
   * Called when the client has closed its sending side. Most such clients have disconnected, which TCP only reveals when they are sent something. So the others get
   * informational responses until theirs begins, which they ignore and HTTP/1.0 doesn't have. A stream that has begun is aborted instead.
   */
  onSendingSideClosed(): void {
    const { latest, socket } = this;
    if (latest?.headersSent && !latest.writableEnded) return void socket.destroy();
    const send = () => {
      const { latest: waiting, running } = this;
      const isWaiting = running > 0 && !socket.destroyed && waiting?.headersSent === false && waiting.req.httpVersion === '1.1';
      if (isWaiting) waiting.writeProcessing();
      else clearInterval(timer);
    };
    const timer = setInterval(send, PROBE_MS).unref();
    send();
  }
}

/** The connection of a socket. Undefined if a server of this process didn't open it. */
export const findConnection = (socket: Socket & { [CONNECTION]?: Connection }): Connection | undefined => socket[CONNECTION];

/** The open connections of a server, and how they end when it closes. */
export class Connections {
  readonly #silenceMs: number;
  readonly #open = new LinkedList<Connection>();
  #opened = 0;
  #isClosing = false;
  #isCheckScheduled = false;
  /** Whether the responses to the latest requests announce the end of their connections. */
  isEnding = false;

  /** `silenceMs`: how long a connection must have been silent before it can be closed. */
  constructor(silenceMs: number) {
    this.#silenceMs = silenceMs;
  }

  add(socket: Socket & { [CONNECTION]?: Connection }): void {
    this.#opened += 1;
    const connection = new Connection(this, socket);
    this.#open.add(connection);
    socket[CONNECTION] = connection;
    socket.once('end', () => connection.onSendingSideClosed());
    socket.once('close', () => this.#open.remove(connection));
  }

  /** Called when a connection has become silent. */
  onSilent(): void {
    if (this.#isClosing) this.#scheduleCheck(this.#silenceMs);
  }

  /**
   * Resolves when the connections that were waiting have been accepted, because closing the port resets those that wait, with their requests. A turn of the event loop accepts one, so
   * a turn without one is the end. Under steady load there is no such turn, but connections are accepted in their order.
   */
  async waitForAccepts(): Promise<void> {
    const last = this.#opened + BACKLOG;
    // A signal is handled as an event of the poll phase, and that turn ends without polling again.
    await nextTurn();
    let before: number;
    do {
      before = this.#opened;
      await nextTurn();
    } while (this.#opened > before && this.#opened < last);
  }

  /** From now on, closes each connection once it has been silent for long enough. */
  closeSilent(): void {
    this.#isClosing = true;
    this.#scheduleCheck(0);
  }

  /** After the next poll phase, so that a request that has reached this machine is read first. */
  #scheduleCheck(ms: number): void {
    if (!this.#isCheckScheduled) setTimeout(() => setImmediate(() => this.#check()), ms);
    this.#isCheckScheduled = true;
  }

  #check(): void {
    this.#isCheckScheduled = false;
    const now = performance.now();
    let nextAt = Number.POSITIVE_INFINITY;
    for (const { socket, running, bytesHandled, silentSince } of this.#open) {
      // Its request gets a response, or Node's timeouts close the connection.
      if (running > 0 || socket.bytesRead > bytesHandled) continue;
      const endsAt = silentSince + this.#silenceMs;
      if (endsAt <= now) socket.destroy();
      else nextAt = Math.min(nextAt, endsAt);
    }
    if (nextAt < Number.POSITIVE_INFINITY) this.#scheduleCheck(nextAt - now);
  }
}
