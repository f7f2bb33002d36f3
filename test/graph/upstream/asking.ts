import { request as httpRequest } from 'node:http';

/** A question whose answer nobody waits for. */
interface Asking {
  /** Closes its connection. */
  leave(): Promise<void>;
}

/** Asks as `demo-owner`, on a connection of its own: `fetch` would open another one when it is cut off. */
export function asking(url: string, query: string): Asking {
  const headers = { 'content-type': 'application/json', authorization: 'Bearer demo-owner' };
  const request = httpRequest(`${url}/graphql`, { method: 'POST', headers, agent: false });
  const closed = new Promise<void>((resolve) => request.once('close', resolve));
  // Its own leaving.
  request.on('error', () => {});
  request.end(JSON.stringify({ query }));
  return {
    leave: () => {
      request.destroy();
      return closed;
    },
  };
}
