import type { IncomingMessage, ServerResponse } from 'node:http';
import { sendError } from './sendError.ts';

/** The characters of a host with an optional port. Source: RFC 3986, section 3.2.2. */
const HOST = /^(?:\[[\da-f:.]+\]|[\w.~!$&'()*+,;=%-]+)(?::\d*)?$/i;
/** A request target in absolute form: its scheme, host, and path. */
const ABSOLUTE_FORM = /^([a-z][a-z\d+.-]*):\/\/([^/?]*)(.*)$/i;

/** The last valid host. Clients of a server rarely use several. */
let lastHost = 'localhost';

function isHost(host: string): boolean {
  if (host === lastHost) return true;
  if (!HOST.test(host) || !URL.canParse(`http://${host}`)) return false;
  lastHost = host;
  return true;
}

/** Whether a request is for the options of the server as a whole. Source: RFC 9112, section 3.2.4. */
export const isServerTarget = ({ method, url }: IncomingMessage): boolean => url === '*' && method === 'OPTIONS';

/** Responds to a request for the options of the server as a whole. */
export const sendServerOptions = (response: ServerResponse): void =>
  void response.writeHead(204, { allow: 'GET, HEAD, POST, OPTIONS', 'content-length': 0 }).end();

/**
 * Replaces a URL as the request target, which proxies send, by its path, and the Host header by the host of the URL, as RFC 9112 requires in section 3.2.2. Returns
 * whether the target and the Host header are valid. Several Host headers aren't: Node.js joins them by a comma and a space.
 */
export function normalizeTarget(request: IncomingMessage): boolean {
  const { headers, url = '/' } = request;
  // Node.js rejects requests without the header, except for HTTP/1.0, which doesn't require it. It's empty if the client doesn't know the host.
  const isValid = !headers.host || isHost(headers.host);
  if (url.startsWith('/') || isServerTarget(request)) return isValid;
  const [, scheme = '', host = '', path = ''] = ABSOLUTE_FORM.exec(url) ?? [];
  headers.host = host;
  // Also if the URL is invalid, because the log contains the path, and a URL can contain a password.
  request.url = path.startsWith('/') ? path : `/${path}`;
  return isValid && /^https?$/i.test(scheme) && isHost(host);
}

export const sendInvalidTarget = (response: ServerResponse): void =>
  sendError(
    response,
    400,
    'BAD_REQUEST',
    'Invalid request URL or Host header. Send a path or an HTTP URL, and one Host header with a host name.',
  );
