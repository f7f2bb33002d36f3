import type { IncomingMessage } from 'node:http';

/** Hosts in URLs of this machine. */
export const LOOPBACK_HOSTS: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/** Whether a server that listens on this host can only be reached from this machine. */
export const isLoopback = (host: string): boolean => LOOPBACK_HOSTS.includes(host) || host === '::1';

/**
 * The host name of a Host header in lowercase, without its port. As it was sent: a URL parser also accepts other notations of addresses, such as 127.1, and
 * converts them.
 */
export const getHostName = (host: string): string => host.replace(/:\d*$/, '').toLowerCase();

/** For people who use such a server by another name. */
export const FOREIGN_HOST =
  'This host isn’t allowed, because the server listens only on a loopback address. Use localhost or 127.0.0.1, or let it listen on another address.';

/**
 * Protects a server without authentication, or with public keys, from DNS rebinding: if only this machine can reach it, requests for other hosts are rejected.
 * A page of another site could otherwise read its responses, by giving its own host name the address of this machine. Browsers always send a host. A server that
 * others can reach accepts every host, because its names aren't known. `allowed` contains further host names, in lowercase.
 */
export function createHostCheck(host: string, allowed: readonly string[] = []): (request: IncomingMessage) => boolean {
  if (!isLoopback(host)) return () => true;
  const names = ['', ...LOOPBACK_HOSTS, ...allowed];
  return ({ headers }) => names.includes(getHostName(headers.host ?? ''));
}

/** The listener, which doesn't get requests that `createHostCheck` rejects. */
export function rejectForeignHosts<Request extends IncomingMessage, Response>(
  host: string,
  listener: (request: Request, response: Response) => void,
  reject: (response: Response) => void,
): (request: Request, response: Response) => void {
  const isOwnHost = createHostCheck(host);
  return (request, response) => (isOwnHost(request) ? listener(request, response) : reject(response));
}
