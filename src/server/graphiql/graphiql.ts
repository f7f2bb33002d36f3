import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { type GraphQLField, type GraphQLObjectType, type GraphQLSchema, isObjectType } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { Graph } from '../../graph.ts';
import { getFieldWeight } from '../../schema/cost/cost.ts';
import { ASSUMED } from '../../schema/kit/fieldAnnotations.ts';
import { getCoordinateRequirements } from '../../schema/scopeRequirements.ts';
import { getDeclaredTags } from '../../subgraph/directives.ts';
import { acceptsPage } from '../http/accept.ts';
import { chooseCoding } from '../http/compression.ts';
import { insertPanel, listExamples } from './panel.ts';

const formatScopes = (scopes: readonly string[]) => scopes.map((scope) => `\`${scope}\``).join(', ');

function describeField(schema: GraphQLSchema, type: GraphQLObjectType, field: GraphQLField<unknown, unknown>): string {
  const { scopes = [], conditional = [], isUnknown = false } = getCoordinateRequirements(schema, `${type.name}.${field.name}`) ?? {};
  const calls = getFieldWeight(type, field);
  return [
    scopes.length > 0 ? `Requires ${formatScopes(scopes)}.` : '',
    ...conditional.map(({ scope, field: given }) => `Also requires ${formatScopes([scope])} if \`${given}\` is set.`),
    isUnknown ? 'The required scope isn’t documented upstream.' : '',
    calls > 0 ? `Costs ${calls} upstream ${calls === 1 ? 'call' : 'calls'}.` : '',
    getDeclaredTags(field).includes(ASSUMED) ? 'Its shape isn’t documented upstream.' : '',
  ]
    .filter(Boolean)
    .join(' ');
}

/** Markdown lines with the scopes, the upstream calls and the provenance of fields, by coordinate. Fields without any are absent. */
export function collectFieldFacts(schema: GraphQLSchema): Readonly<Record<string, string>> {
  const types = Object.values(schema.getTypeMap()).filter(
    (type) => isObjectType(type) && !type.name.startsWith('_'),
  ) as GraphQLObjectType[];
  const facts = types.flatMap((type) =>
    Object.values(type.getFields()).map((field) => [`${type.name}.${field.name}`, describeField(schema, type, field)] as const),
  );
  return Object.fromEntries(facts.filter(([, fact]) => fact !== ''));
}

/**
 * If GraphiQL starts with several tabs, its tab list retains the offsets of the initial animation: a tab jumps away under the pointer, and the first click on
 * it is lost. Without offsets, the tabs don't move. The tabs also leave too little space for the title, so the tab list scrolls and the title doesn't.
 */
const STYLE = '<style>.graphiql-tab { transform: none !important; } .graphiql-logo { flex-shrink: 0; white-space: nowrap; }</style>';

/** Option of GraphiQL's editors. Its size in pixels leaves too few columns next to the panel: 32 of a window of 1280 pixels. */
const FONT_SIZE = 'fontSize:15,minimap';

/** Adds the styles to GraphiQL's page: tabs that accept the first click, a title on one line, and smaller text in editors. Throws if the page has changed. */
export function insertStyle(page: string): string {
  if (!page.includes(FONT_SIZE))
    throw new Error(
      'GraphiQL’s page has changed, so the font size of its editors can’t be set. Update it in src/server/graphiql/graphiqlStyle.ts.',
    );
  return page.replace(FONT_SIZE, 'fontSize:12,minimap').replace('</head>', () => `${STYLE}</head>`);
}

/** Options of the page. */
export interface GraphiqlPageOptions {
  /** Initial API key of the page. Empty for none. */
  readonly key: string;
  readonly schema: GraphQLSchema;
  /** Whether introspection is enabled. If it isn't, the page must not expose the schema either. */
  readonly exposesSchema: boolean;
  /** Converts an example to the names of the served schema. */
  readonly rename: Graph['rename'];
}

/** Renders GraphiQL with the first example, and a panel that lists the others. Loads nothing from other servers. */
async function renderPage({ key, schema, exposesSchema, rename }: GraphiqlPageOptions): Promise<string> {
  // 9 MB of text, so it's only loaded when it's needed.
  const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql');
  const examples = listExamples(schema, rename);
  const page = renderGraphiQL({
    title: 'Workspace Graph',
    defaultTabs: examples.slice(0, 1).map(({ query, variables }) => ({ query, ...(variables && { variables }) })),
    defaultEditorToolsVisibility: 'variables',
    // Headers can contain an API key, which would be stored in the browser as plain text.
    shouldPersistHeaders: false,
  });
  return insertPanel(insertStyle(page), { key, examples, facts: exposesSchema ? collectFieldFacts(schema) : {} });
}

/** Higher than for responses, because 9 MB are encoded once and sent often. */
const PAGE_QUALITY = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } };

const ENCODERS = {
  br: (text: Buffer) => promisify(brotliCompress)(text, PAGE_QUALITY),
  gzip: (text: Buffer) => promisify(gzip)(text),
  identity: async (text: Buffer) => text,
};
type PageCoding = keyof typeof ENCODERS;

interface Representation {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly etag: string;
  /** The Content-Security-Policy. */
  readonly policy: string;
}

/** The content of each script element, as a browser reads it. */
const SCRIPTS = /<script>(.*?)<\/script>/gs;

/**
 * Content-Security-Policy of the page. Allows its own scripts by hash, which doesn't change unless the page does, so that browsers can cache it. The Monaco
 * editor sets styles at run time, embeds its font as data, and validates documents in workers that it creates from blobs.
 */
function createPolicy(page: string): string {
  const hashes = [...page.matchAll(SCRIPTS)].map(([, script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`);
  return [
    "default-src 'none'",
    `script-src ${hashes.join(' ')}`,
    "style-src 'unsafe-inline'",
    'img-src data:',
    'font-src data:',
    'worker-src blob:',
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** The page in each coding, created on first request. The codings differ in their bytes, so each has its own strong ETag. */
function createPage(options: GraphiqlPageOptions): (coding: PageCoding) => Promise<Representation> {
  const made = new Map<PageCoding, Promise<Representation>>();
  let whole: Promise<{ readonly text: Buffer; readonly hash: string; readonly policy: string }> | undefined;
  const render = async () => {
    const page = await renderPage(options);
    const text = Buffer.from(page);
    return { text, hash: createHash('sha256').update(text).digest('base64url'), policy: createPolicy(page) };
  };
  const make = async (coding: PageCoding) => {
    whole ??= render();
    const { text, hash, policy } = await whole;
    return { body: new Uint8Array(await ENCODERS[coding](text)), etag: `"${hash}-${coding}"`, policy };
  };
  return (coding) => {
    const representation = made.get(coding) ?? make(coding);
    made.set(coding, representation);
    return representation;
  };
}

/** Whether If-None-Match contains the ETag. Weak comparison, as the header requires. */
const matchesEtag = (header: string | null, etag: string): boolean =>
  header?.trim() === '*' || (header ?? '').split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);

/** Serves GraphiQL to browsers, encoded once. Responds with 304 if the browser has cached it. */
export function useGraphiql(options: GraphiqlPageOptions): Plugin {
  const page = createPage(options);
  return {
    onRequest({ request, url, endResponse, fetchAPI }) {
      if (request.method !== 'GET' || url.pathname !== '/graphql' || !acceptsPage(request.headers.get('accept'))) return;
      const coding = chooseCoding(request.headers.get('accept-encoding') ?? '', ['br', 'gzip']) ?? 'identity';
      return page(coding).then(({ body, etag, policy }) => {
        // The page contains the deployment's initial key, so only the browser itself may cache it. No intermediary, including this server's compression, may
        // change its bytes under this ETag.
        const headers = {
          etag,
          // Replaces the header that `handleCors` sets.
          vary: 'accept, accept-encoding, origin',
          'cache-control': 'private, no-cache, no-transform',
          'content-security-policy': policy,
          // For browsers that don't support frame-ancestors.
          'x-frame-options': 'DENY',
          'referrer-policy': 'no-referrer',
        };
        if (matchesEtag(request.headers.get('if-none-match'), etag))
          return endResponse(new fetchAPI.Response(null, { status: 304, headers }));
        const encoding = coding === 'identity' ? {} : { 'content-encoding': coding };
        endResponse(new fetchAPI.Response(body, { headers: { ...headers, ...encoding, 'content-type': 'text/html; charset=utf-8' } }));
      });
    },
  };
}
