import { request as httpRequest } from 'node:http';

/** A request whose response is not read. */
interface AbandonableRequest {
  /** Closes the connection. */
  disconnect(): Promise<void>;
}

/** Sends a query as `demo-owner` over a separate connection, because `fetch` would open another connection after an abort. */
export function sendAbandonable(url: string, query: string): AbandonableRequest {
  const headers = { 'content-type': 'application/json', authorization: 'Bearer demo-owner' };
  const request = httpRequest(`${url}/graphql`, { method: 'POST', headers, agent: false });
  const closed = new Promise<void>((resolve) => request.once('close', resolve));
  // The error of its own disconnection.
  request.on('error', () => {});
  request.end(JSON.stringify({ query }));
  return {
    disconnect: () => {
      request.destroy();
      return closed;
    },
  };
}
