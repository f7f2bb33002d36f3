import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * Seconds for which browsers can cache the response to a preflight. Chosen: the most that Chromium accepts. Firefox accepts 86,400, and WebKit 600.
 * Source: https://developer.mozilla.org/en-US/docs/Web/HTTP/Reference/Headers/Access-Control-Max-Age
 */
const PREFLIGHT_MAX_AGE_SECONDS = 7_200;

const METHODS = 'GET, POST';

/** Request headers that the response to a preflight depends on. */
const PREFLIGHT_VARY = 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers';

const isPreflight = ({ method, headers }: IncomingMessage): boolean =>
  method === 'OPTIONS' && headers.origin !== undefined && headers['access-control-request-method'] !== undefined;

/**
 * Sets the CORS headers of a response, whichever code path writes it: pages on the listed origins can call the graph and read the request ID, when to retry, and why
 * a credential was refused. Credentials aren't
 * allowed, because API keys are sent in headers. Returns whether the request was a preflight, which is then complete.
 */
export function handleCors(request: IncomingMessage, response: ServerResponse, origins: readonly string[]): boolean {
  if (origins.length === 0) return false;
  const { origin, 'access-control-request-headers': requestHeaders } = request.headers;
  const isAllowed = origin !== undefined && origins.includes(origin);
  const hasPreflight = isPreflight(request);
  // Also without an allowed origin, because a shared cache could return that response to a page on an allowed one.
  response.setHeader('vary', hasPreflight ? PREFLIGHT_VARY : 'Origin');
  if (isAllowed) {
    response.setHeader('access-control-allow-origin', origin);
    response.setHeader('access-control-expose-headers', 'x-request-id, retry-after, www-authenticate, date');
  }
  if (!hasPreflight) return false;
  if (isAllowed) {
    response.setHeader('access-control-allow-methods', METHODS);
    if (requestHeaders !== undefined) response.setHeader('access-control-allow-headers', requestHeaders);
    response.setHeader('access-control-max-age', PREFLIGHT_MAX_AGE_SECONDS);
  }
  // WebKit waits for a body if there's no length.
  response.writeHead(204, { 'content-length': 0 }).end();
  return true;
}
