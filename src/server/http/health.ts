import type { ServerResponse } from 'node:http';
import type { Upstream } from '../../upstream/client.ts';
import type { Overload } from '../execution/overload.ts';

function sendHealth(response: ServerResponse, status: number, body: object): void {
  const text = JSON.stringify(body);
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': text.length }).end(text);
}

/**
 * Answers whether the process lives, and whether it can serve: that takes the upstream, room for one more request, and that it does not
 * close. Callers that ask while the upstream is being asked get the same answer: health is no way to use up a quota.
 */
export function createHealth(
  upstream: Upstream,
  overload: Overload,
  isClosing: () => boolean,
): (path: string, response: ServerResponse) => Promise<void> {
  let probing: Promise<boolean> | undefined;
  const reach = () => {
    probing ??= upstream
      .probe()
      .then(
        () => true,
        () => false,
      )
      .finally(() => {
        probing = undefined;
      });
    return probing;
  };
  return async (path, response) => {
    if (path === '/health/live') return sendHealth(response, 200, { status: 'ok' });
    // Balancers are to send elsewhere from the first moment on, while this process still answers.
    if (isClosing()) return sendHealth(response, 503, { status: 'unavailable', reason: 'The server is shutting down.' });
    if (overload.problem()) return sendHealth(response, 503, { status: 'unavailable', reason: 'The server is overloaded.' });
    if (await reach()) return sendHealth(response, 200, { status: 'ok' });
    sendHealth(response, 503, { status: 'unavailable', reason: 'The upstream is unreachable.' });
  };
}
