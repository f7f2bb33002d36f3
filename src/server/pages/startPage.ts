import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { LOOPBACK_HOSTS } from '../../lib/loopback.ts';
import { PACKAGE_ROOT } from '../../lib/packageRoot.ts';
import { acceptsPage } from '../http/accept.ts';
import { sendError } from '../http/sendError.ts';
import type { Config } from '../settings/config.ts';
import { createExecute, DEMONSTRATIONS, DemonstrationError } from './demonstrations.ts';
import type { DemoSandbox } from './demoSandbox.ts';
import { ICON } from './icon.ts';
import { createLandingPage, escapeHtml, type ServePage, VERSION } from './landingPage.ts';

/** Maximum number of demonstrations that run at the same time, because each call is compared with all of them. Chosen: more than a person has pages open. */
const MAX_RUNNING = 10;

const PREFIX = '/demonstrations/';

const readAsset = (name: string) => readFileSync(new URL(`src/server/pages/start/${name}`, PACKAGE_ROOT), 'utf8');

/** Nothing from other servers, no inline code, and no frames. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  'img-src data:',
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

function renderPage({ GRAPHIQL }: Config, { keys }: DemoSandbox): string {
  const rows = keys.map(({ key, purpose }) => `<tr><th scope="row"><code>${key}</code></th><td>${escapeHtml(purpose)}</td></tr>`);
  const options = keys.map(({ key }) => `<option${key === 'demo-warehouse' ? ' selected' : ''}>${key}</option>`);
  return readAsset('index.html')
    .replace('{{icon}}', () => ICON)
    .replace('{{version}}', () => VERSION)
    .replace('{{hasGraphiql}}', String(GRAPHIQL))
    .replace('{{keys}}', () => rows.join('\n'))
    .replace('{{options}}', () => options.join(''));
}

/**
 * Whether a request comes from the start page itself. A page of another site, or a rebound DNS name, must not start a demonstration with a user's browser, so
 * requests without an origin are rejected, too.
 */
function isFromStartPage({ headers }: IncomingMessage): boolean {
  const { host = '', origin, 'sec-fetch-site': site = 'same-origin' } = headers;
  const own = `http://${host}`;
  return URL.canParse(own) && LOOPBACK_HOSTS.includes(new URL(own).hostname) && origin === own && site === 'same-origin';
}

/** Base URL of the server that received the request. Not from its Host header, which clients can choose. */
function getOwnUrl({ socket }: IncomingMessage): string {
  const { localAddress = '', localPort, localFamily } = socket;
  return `http://${localFamily === 'IPv6' ? `[${localAddress}]` : localAddress}:${localPort}`;
}

/**
 * Serves the page at `/` that demonstrates the graph with the sandbox of this process, and the landing page's paths. Its demonstrations lose responses of calls,
 * so only a server that just this machine can reach should have one.
 */
export function createStartPage(config: Config, sandbox: DemoSandbox): ServePage {
  const assets: ReadonlyMap<string, readonly [type: string, body: string]> = new Map([
    ['/', ['text/html', renderPage(config, sandbox)]],
    ['/start/start.css', ['text/css', readAsset('start.css')]],
    ['/start/start.js', ['text/javascript', readAsset('start.js')]],
  ]);
  const serveLandingPage = createLandingPage(config);
  const productsInUse = new Set<string>();
  let running = 0;

  async function demonstrate(name: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const run = DEMONSTRATIONS.get(name);
    if (!run || request.method !== 'POST') return serveLandingPage(PREFIX + name, request, response);
    if (!isFromStartPage(request)) return sendError(response, 403, 'BAD_REQUEST', 'Only the start page can run demonstrations.');
    if (running >= MAX_RUNNING)
      return sendError(response, 409, 'BAD_REQUEST', `${MAX_RUNNING} demonstrations are running. Retry when one has ended.`);
    running += 1;
    try {
      const requestId = randomUUID();
      const execute = createExecute(`${getOwnUrl(request)}/graphql`, requestId);
      const body = JSON.stringify(await run({ sandbox, execute, requestId, productsInUse }));
      response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' }).end(body);
    } catch (error) {
      if (!(error instanceof DemonstrationError)) throw error;
      sendError(response, 500, 'INTERNAL_SERVER_ERROR', error.message);
    } finally {
      running -= 1;
    }
  }

  return (path, request, response) => {
    if (path.startsWith(PREFIX)) return demonstrate(path.slice(PREFIX.length), request, response);
    const asset = assets.get(path);
    const isPage = path === '/';
    if (!asset || request.method !== 'GET' || (isPage && !acceptsPage(request.headers.accept ?? null)))
      return serveLandingPage(path, request, response);
    const [type, body] = asset;
    response.writeHead(200, {
      'content-type': `${type}; charset=utf-8`,
      'content-length': Buffer.byteLength(body),
      ...(isPage && { vary: 'Accept', 'content-security-policy': CONTENT_SECURITY_POLICY, 'referrer-policy': 'no-referrer' }),
    });
    response.end(body);
  };
}
