import type { IncomingMessage, ServerResponse } from 'node:http';
import { readManifest } from '../../lib/packageRoot.ts';
import { acceptsPage } from '../http/accept.ts';
import { HEALTH_PATHS } from '../http/health.ts';
import { TOOLS_PATH } from '../http/paths.ts';
import { sendError } from '../http/sendError.ts';
import type { Config } from '../settings/config.ts';
import { ICON } from './icon.ts';

/** Entry points of the server, as the JSON response lists them. Members that this server doesn't serve are absent. */
interface EntryPoints {
  readonly name: string;
  readonly version: string;
  readonly graphql: string;
  readonly graphiql?: string;
  readonly mcp?: string;
  readonly health: { readonly live: string; readonly ready: string };
  /** Absent if no website has it. */
  readonly documentation?: string;
}

/** Serves a path that is neither the API's nor a health check's. Reads the request's negotiated Accept header. */
export type ServePage = (path: string, request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

const { version, homepage } = readManifest();

/** Version of the package, which the pages display. */
export const VERSION = version;

/** Owner of the repository in `package.json` until it has one. Its URLs lead nowhere. */
const PLACEHOLDER = '/your-org/';

function createIndex({ GRAPHIQL, MCP }: Config): EntryPoints {
  return {
    name: 'Workspace Graph',
    version: VERSION,
    graphql: '/graphql',
    ...(GRAPHIQL && { graphiql: '/graphql' }),
    ...(MCP && { mcp: TOOLS_PATH }),
    health: HEALTH_PATHS,
    ...(!homepage.includes(PLACEHOLDER) && { documentation: homepage }),
  };
}

/** Escapes text for HTML, outside of tags. */
export const escapeHtml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

const STYLE = `
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
  body { max-width: 40rem; margin: 0 auto; padding: 3rem 1.25rem; }
  h1 { margin: 0; line-height: 1.2; }
  small { color: color-mix(in srgb, currentColor 70%, transparent); font-weight: normal; font-size: 1rem; }
  ul { padding: 0; list-style: none; }
  li { padding: .75rem 0; border-bottom: 1px solid color-mix(in srgb, currentColor 15%, transparent); }
  li > span { display: block; color: color-mix(in srgb, currentColor 70%, transparent); }
  code { overflow-wrap: anywhere; }
`;

const renderPage = (title: string, body: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="${ICON}">
<style>${STYLE}</style>
</head>
<body>
${body}
</body>
</html>
`;

const renderItem = (href: string, label: string, text: string) => `<li><a href="${href}">${label}</a><span>${text}</span></li>`;

const DOCUMENTATION = 'Quick start, concepts, client guides, and operations';

const renderIndex = ({ name, version, graphiql, mcp, health, documentation }: EntryPoints): string =>
  renderPage(
    name,
    `<main>
<h1>${name} <small>${version}</small></h1>
<p>A GraphQL API for the Workspace Integration API. Send queries to <code>POST /graphql</code> with your API key in
<code>Authorization: Bearer &lt;key&gt;</code>.</p>
<ul>
${[
  graphiql && renderItem(graphiql, 'GraphiQL', 'Explore the schema and run queries in the browser.'),
  documentation
    ? renderItem(documentation, 'Documentation', `${DOCUMENTATION}.`)
    : `<li>Documentation<span>${DOCUMENTATION}, in the folder <code>docs</code> of this server’s package. Start with
<code>docs/quick-start.md</code>.</span></li>`,
  renderItem(health.ready, 'Health', 'Whether the server can serve requests, and whether the upstream responds.'),
  mcp && `<li>MCP server<span>Connect agents to <code>${mcp}</code>.</span></li>`,
]
  .filter(Boolean)
  .join('\n')}
</ul>
</main>`,
  );

const UNKNOWN_PATH = renderPage(
  'Page not found',
  `<main>
<h1>Page not found</h1>
<p>This server has no such path. <a href="/">Its entry points</a> are at <code>/</code>.</p>
</main>`,
);

const CONTENT_SECURITY_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

function sendPage(response: ServerResponse, status: number, page: string): void {
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'content-length': Buffer.byteLength(page),
    vary: 'Accept',
    'content-security-policy': CONTENT_SECURITY_POLICY,
  });
  response.end(page);
}

function sendMethodNotAllowed(response: ServerResponse): void {
  response.setHeader('allow', 'GET, HEAD');
  sendError(response, 405, 'BAD_REQUEST', 'Method not allowed. Use GET here, or send GraphQL requests to /graphql.');
}

/** Serves `/`, which lists the entry points, and unknown paths: HTML if the client prefers it, as browsers do, else JSON. */
export function createLandingPage(config: Config): ServePage {
  const index = createIndex(config);
  const json = Buffer.from(`${JSON.stringify(index, null, 2)}\n`);
  const page = renderIndex(index);
  return (path, { headers, method }, response) => {
    const isPage = acceptsPage(headers.accept ?? null);
    if (path !== '/') {
      const message = 'Unknown path. Send GraphQL requests to /graphql, or open / for a list of entry points.';
      return isPage ? sendPage(response, 404, UNKNOWN_PATH) : sendError(response, 404, 'BAD_REQUEST', message);
    }
    if (method !== 'GET') return sendMethodNotAllowed(response);
    if (isPage) return sendPage(response, 200, page);
    response.writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'content-length': json.length, vary: 'Accept' });
    response.end(json);
  };
}
