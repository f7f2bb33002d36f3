import type { ServerResponse } from 'node:http';
import type { ErrorCode } from '../../failures/errorCodes.ts';
import { FOREIGN_HOST } from '../../lib/loopback.ts';

/** Responds to a request that reaches neither the graph nor the tools. */
export function sendError(response: ServerResponse, status: number, code: ErrorCode, message: string): void {
  const body = JSON.stringify({ errors: [{ message, extensions: { code } }] });
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(body);
}

/** Responds to a request for a host that the server doesn't serve. */
export const sendForeignHost = (response: ServerResponse): void => sendError(response, 403, 'BAD_REQUEST', FOREIGN_HOST);
