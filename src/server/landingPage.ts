import type { IncomingMessage, ServerResponse } from 'node:http';
import { readManifest } from '../lib/packageRoot.ts';
import { acceptsPage } from './http/accept.ts';
import { HEALTH_PATHS } from './http/health.ts';
import { TOOLS_PATH } from './http/paths.ts';
import type { Config } from './settings/config.ts';

/** Entry points of the server, as the JSON response lists them. Members that this server doesn't serve are absent. */
interface EntryPoints {
  readonly name: string;
  readonly version: string;
  readonly graphql: string;
  readonly graphiql?: string;
  readonly mcp?: string;
  readonly health: { readonly live: string; readonly ready: string };
  readonly documentation: string;
}

function createIndex({ GRAPHIQL, MCP }: Config): EntryPoints {
  const { version, homepage } = readManifest();
  return {
    name: 'Workspace Graph',
    version,
    graphql: '/graphql',
    ...(GRAPHIQL && { graphiql: '/graphql' }),
    ...(MCP && { mcp: TOOLS_PATH }),
    health: HEALTH_PATHS,
    documentation: homepage,
  };
}

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

const renderItem = (href: string, label: string, text: string) => `<li><a href="${href}">${label}</a><span>${text}</span></li>`;

const renderPage = ({ name, version, graphiql, mcp, health, documentation }: EntryPoints): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${name}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>${name} <small>${version}</small></h1>
<p>A GraphQL API for the Workspace Integration API. Send queries to <code>POST /graphql</code> with your API key in
<code>Authorization: Bearer &lt;key&gt;</code>.</p>
<ul>
${[
  graphiql && renderItem(graphiql, 'GraphiQL', 'Explore the schema and run queries in the browser.'),
  renderItem(documentation, 'Documentation', 'Quick start, concepts, client guides, and operations.'),
  renderItem(health.ready, 'Health', 'Whether the server can serve requests, and whether the upstream responds.'),
  mcp && `<li>MCP server<span>Connect agents to <code>${mcp}</code>.</span></li>`,
]
  .filter(Boolean)
  .join('\n')}
</ul>
</body>
</html>
`;

const CONTENT_SECURITY_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Serves `/`: an HTML page if the client prefers HTML, else the same links as JSON. Reads the request's negotiated Accept header. */
export function createLandingPage(config: Config): (request: IncomingMessage, response: ServerResponse) => void {
  const index = createIndex(config);
  const json = Buffer.from(`${JSON.stringify(index, null, 2)}\n`);
  const page = Buffer.from(renderPage(index));
  return ({ headers }, response) => {
    const isPage = acceptsPage(headers.accept ?? null);
    const body = isPage ? page : json;
    response.writeHead(200, {
      'content-type': isPage ? 'text/html; charset=utf-8' : 'application/json; charset=utf-8',
      'content-length': body.length,
      vary: 'Accept',
      ...(isPage && { 'content-security-policy': CONTENT_SECURITY_POLICY }),
    });
    response.end(body);
  };
}
