import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Whether the rest of a request's body hasn't arrived and can exceed `limitBytes`. A chunked body may never end. */
export function hasUnboundedBody({ complete, headers }: IncomingMessage, limitBytes: number): boolean {
  if (complete) return false;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > limitBytes;
}

/** How long the rest of a body is discarded before its connection is closed, in milliseconds. Chosen: long enough for clients that are on the same continent. */
const LINGER_MS = 1_000;

/**
 * Makes a response close its connection, for a request whose body won't be read. Call it before the head is written. What the client still sends is discarded
 * for `LINGER_MS`, because Node would close the socket immediately. This would reset the connection, and a client that is still sending could lose the
 * response.
 */
export function closeAfter(response: ServerResponse, socket: Socket): void {
  response.shouldKeepAlive = false;
  // Node calls this after the last response of a connection.
  socket.destroySoon = () => {
    socket.end();
    const timer = setTimeout(() => socket.destroy(), LINGER_MS);
    socket.once('close', () => clearTimeout(timer));
  };
}
