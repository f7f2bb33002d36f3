import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import {
  type DocumentNode,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  parse,
} from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { Graph } from '../../graph.ts';
import { PACKAGE_ROOT } from '../../lib/packageRoot.ts';
import { getFieldWeight } from '../../schema/cost/fieldCalls.ts';
import { ASSUMED } from '../../schema/kit/fieldAnnotations.ts';
import { getCoordinateRequirements } from '../../schema/scopeRequirements.ts';
import { Areas, SHARED } from '../../subgraph/areas.ts';
import { getDeclaredTags } from '../../subgraph/directives.ts';
import { acceptsPage } from '../http/accept.ts';
import { chooseCoding } from '../http/compression.ts';
import { ICON } from '../pages/icon.ts';

const FOLDER = new URL('examples/', PACKAGE_ROOT);

interface Example {
  /** File name without its extension. */
  readonly name: string;
  readonly query: string;
  /** Variables as JSON. They refer to records of the sandbox's demo data. */
  readonly variables?: string;
}

function readExample(name: string): Example {
  const query = readFileSync(new URL(`${name}.graphql`, FOLDER), 'utf8');
  const variables = new URL(`${name}.variables.json`, FOLDER);
  return { name, query, ...(existsSync(variables) && { variables: readFileSync(variables, 'utf8') }) };
}

/** The example documents with their variables, sorted by file name, which starts with a number. */
export const readExamples = (): Example[] =>
  readdirSync(FOLDER)
    .filter((name) => /^\d.*\.graphql$/.test(name))
    .sort()
    .map((name) => readExample(name.replace(/\.graphql$/, '')));

const asset = (name: string) => readFileSync(new URL(`src/server/graphiql/page/${name}`, PACKAGE_ROOT), 'utf8');

/** An example in the panel. */
interface ListedExample {
  /** The comment at the start of the document. */
  readonly title: string;
  /** Name of its operation. */
  readonly name: string;
  /** Area of its first field. */
  readonly area: string;
  readonly query: string;
  readonly variables?: string;
}

const getOperation = ({ definitions }: DocumentNode) =>
  definitions.find((definition): definition is OperationDefinitionNode => definition.kind === Kind.OPERATION_DEFINITION);

/** The area of an operation's first field, which is the subject of the example. */
function getArea(operation: OperationDefinitionNode | undefined, schema: GraphQLSchema, areas: Areas): string {
  const root = operation && schema.getRootType(operation.operation);
  const selection = operation?.selectionSet.selections.find(({ kind }) => kind === Kind.FIELD);
  const field = selection?.kind === Kind.FIELD ? root?.getFields()[selection.name.value] : undefined;
  return (root && field && areas.getFieldArea(root, field)) ?? SHARED;
}

/** The examples with the names of the served schema, sorted by the first example of their area. */
function listExamples(schema: GraphQLSchema, rename: Graph['rename']): readonly ListedExample[] {
  const areas = new Areas(schema);
  return readExamples().map(({ name, query, variables }) => {
    const document = rename(query);
    const operation = getOperation(parse(document));
    const [, title = ''] = /^#\s*(.+)$/m.exec(document) ?? [];
    return {
      title: title.replace(/[.:].*/s, ''),
      name: operation?.name?.value ?? name,
      area: getArea(operation, schema, areas),
      query: document,
      ...(variables && { variables }),
    };
  });
}

// After GraphiQL in the tab order, although it's displayed before it.
const MARKUP = `
<header id="bar">
  <h1>GraphiQL</h1>
  <button id="examples-toggle" type="button" aria-controls="examples">Examples and history</button>
  <div id="switch" role="group" aria-label="Displayed pane">
    <button type="button" data-pane="editors" aria-pressed="true">Query</button>
    <button type="button" data-pane="response" aria-pressed="false">Response</button>
  </div>
</header>
<aside id="examples" aria-label="Side panel">
  <form><label>API key<input id="examples-key" type="password" autocomplete="off" spellcheck="false" placeholder="your API key"></label></form>
  <details id="history" hidden><summary>History</summary><ul></ul><button id="history-clear" type="button">Clear history</button></details>
  <label>Filter examples<input id="examples-search" type="search" placeholder="by name, title, or area"></label>
  <p id="examples-none" role="status"></p>
  <nav id="examples-list" aria-label="Examples"></nav>
</aside>`;

const ROOT = '<div id="root"></div>';
const MAIN = '<main id="root"></main>';
const NO_GLOBAL_EDITOR = 'globalAPI: false';

interface DemoKey {
  readonly key: string;
  readonly purpose: string;
}

/** Data for the panel's script. */
interface PanelData {
  readonly key: string;
  readonly demoKeys: readonly DemoKey[];
  readonly examples: readonly ListedExample[];
  /** Markdown lines by coordinate, which are added to descriptions. */
  readonly facts: Readonly<Record<string, string>>;
}

/** Inserts the panel into GraphiQL's page. Throws if the page has changed, such as after an upgrade. */
function insertPanel(page: string, panelData: PanelData): string {
  if (!page.includes(ROOT) || !page.includes(NO_GLOBAL_EDITOR))
    throw new Error(
      'GraphiQL’s page has changed, so the example panel can’t be inserted. Update the insertion points in src/server/graphiql/graphiql.ts.',
    );
  const data = JSON.stringify(panelData).replaceAll('<', '\\u003c');
  const scripts = ['panel.js', 'semantics.js'].map((name) => `<script>${asset(name)}</script>`).join('\n');
  const panel = `${MARKUP}\n<script type="application/json" id="examples-data">${data}</script>\n${scripts}`;
  return (
    page
      .replace('</head>', () => `<style>${asset('panel.css')}</style></head>`)
      // Before the page's own scripts, which request the schema.
      .replace(ROOT, () => `${MAIN}${panel}`)
      // The panel opens examples through the editor's models.
      .replace(NO_GLOBAL_EDITOR, 'globalAPI: true')
  );
}

const formatScopes = (scopes: readonly string[]) => scopes.map((scope) => `\`${scope}\``).join(', ');

function describeField(schema: GraphQLSchema, type: GraphQLObjectType, field: GraphQLField<unknown, unknown>): string {
  const { scopes = [], conditional = [], isUnknown = false } = getCoordinateRequirements(schema, `${type.name}.${field.name}`) ?? {};
  const calls = getFieldWeight(type, field);
  const unnamed = scopes.filter((scope) => !field.description?.includes(formatScopes([scope])));
  return [
    unnamed.length > 0 ? `${unnamed.length < scopes.length ? 'Also requires' : 'Requires'} ${formatScopes(unnamed)}.` : '',
    ...conditional.map(({ scope, field: given }) => `Also requires ${formatScopes([scope])} if \`${given}\` is set.`),
    isUnknown ? 'The required scope isn’t documented upstream.' : '',
    calls > 0 ? `Costs ${calls} upstream ${calls === 1 ? 'call' : 'calls'}.` : '',
    getDeclaredTags(field).includes(ASSUMED) ? 'Its shape isn’t documented upstream.' : '',
  ]
    .filter(Boolean)
    .join(' ');
}

/** Markdown lines with the upstream calls, the provenance, and the scopes that the description doesn't name, by the coordinate of a field. Without empty lines. */
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
const STYLE = `<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="${ICON}">
<style>.graphiql-tab { transform: none !important; } .graphiql-logo { flex-shrink: 0; white-space: nowrap; }</style>`;

/** Option of GraphiQL's editors. Its size in pixels leaves too few columns next to the panel: 32 of a window of 1280 pixels. */
const FONT_SIZE = 'fontSize:15,minimap';

/** Adds the icon, the viewport of phones, and the styles to GraphiQL's page: tabs that accept the first click, a title on one line, and smaller text in editors. Throws if the page has changed. */
export function insertStyle(page: string): string {
  if (!page.includes(FONT_SIZE))
    throw new Error(
      'GraphiQL’s page has changed, so the font size of its editors can’t be set. Update it in src/server/graphiql/graphiql.ts.',
    );
  return page.replace(FONT_SIZE, 'fontSize:12,minimap').replace('</head>', () => `${STYLE}</head>`);
}

/** Options of the page. */
interface GraphiqlPageOptions {
  /** Initial API key of the page. Empty for none. */
  readonly key: string;
  /** Keys that the empty response pane names. */
  readonly demoKeys: readonly DemoKey[];
  readonly schema: GraphQLSchema;
  /** Whether introspection is enabled. If it isn't, the page must not expose the schema either. */
  readonly exposesSchema: boolean;
  /** Converts an example to the names of the served schema. */
  readonly rename: Graph['rename'];
}

/** Renders GraphiQL with the first example, and a panel that lists the others. Loads nothing from other servers. */
async function renderPage({ key, demoKeys, schema, exposesSchema, rename }: GraphiqlPageOptions): Promise<string> {
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
  return insertPanel(insertStyle(page), { key, demoKeys, examples, facts: exposesSchema ? collectFieldFacts(schema) : {} });
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
