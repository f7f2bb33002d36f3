import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { GraphQLSchema } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { acceptsPage, weightsOf } from '../http/accept.ts';
import { fieldFacts } from './fieldFacts.ts';
import { withStyle } from './graphiqlStyle.ts';
import { listedExamples, withPanel } from './panel.ts';

/** Makes a document of the examples one for the schema that is served. */
type Adapt = (document: string) => string;

/** Options of the page. */
export interface PageOptions {
  /** API key that the page begins with; empty for none. */
  readonly key: string;
  readonly schema: GraphQLSchema;
  /** Whether the schema is told to whoever asks. Where it is not, the page must not tell of it either. */
  readonly tellsSchema: boolean;
  readonly adapt: Adapt;
}

/** The page: GraphiQL with the first example, and the others in a panel beside it. Loads nothing from elsewhere. */
async function renderPage({ key, schema, tellsSchema, adapt }: PageOptions): Promise<string> {
  // 9 MB of text: read when somebody wants it.
  const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql');
  const examples = listedExamples(schema, adapt);
  const page = renderGraphiQL({
    title: 'Workspace Graph',
    defaultTabs: examples.slice(0, 1).map(({ query, variables }) => ({ query, ...(variables && { variables }) })),
    defaultEditorToolsVisibility: 'variables',
    // Headers may hold a key, which would lie readable in the browser's storage.
    shouldPersistHeaders: false,
  });
  return withPanel(withStyle(page), { key, examples, facts: tellsSchema ? fieldFacts(schema) : {} });
}

/** More than an answer gets: 9 MB are encoded once and sent often. */
const PAGE_QUALITY = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } };

const ENCODERS = {
  br: (text: Buffer) => promisify(brotliCompress)(text, PAGE_QUALITY),
  gzip: (text: Buffer) => promisify(gzip)(text),
  identity: async (text: Buffer) => text,
};
type Coding = keyof typeof ENCODERS;

/** The best coding that the caller takes. */
function codingFor(header: string | null): Coding {
  const weights = weightsOf(header ?? '');
  const taken = (coding: Coding) => (weights.get(coding) ?? weights.get('*') ?? 0) > 0;
  return (['br', 'gzip'] as const).find(taken) ?? 'identity';
}

interface Representation {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly etag: string;
  /** The Content-Security-Policy. */
  readonly policy: string;
}

/** The text of each script element, as a browser reads it. */
const SCRIPTS = /<script>(.*?)<\/script>/gs;

/**
 * Content-Security-Policy of the page: its own scripts, known by their hashes, which stay the same as long as the page does and so suit a page that browsers keep.
 * Monaco, its editor, sets styles while it runs, brings its font as data, and checks documents in workers that it makes of blobs.
 */
function policyOf(page: string): string {
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

/** The page in each coding, made when it is first asked for. Each coding has bytes of its own, so a strong tag of its own. */
function createPage(options: PageOptions): (coding: Coding) => Promise<Representation> {
  const made = new Map<Coding, Promise<Representation>>();
  let whole: Promise<{ readonly text: Buffer; readonly hash: string; readonly policy: string }> | undefined;
  const render = async () => {
    const page = await renderPage(options);
    const text = Buffer.from(page);
    return { text, hash: createHash('sha256').update(text).digest('base64url'), policy: policyOf(page) };
  };
  const make = async (coding: Coding) => {
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

/** Whether If-None-Match names the tag; weakly, as the header wants it. */
const isKnown = (header: string | null, etag: string): boolean =>
  header?.trim() === '*' || (header ?? '').split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);

/** Serves GraphiQL to browsers: whole, encoded once, and not again to a browser that has it. */
export function useGraphiql(options: PageOptions): Plugin {
  const page = createPage(options);
  return {
    onRequest({ request, url, endResponse, fetchAPI }) {
      if (request.method !== 'GET' || url.pathname !== '/graphql' || !acceptsPage(request.headers.get('accept'))) return;
      const coding = codingFor(request.headers.get('accept-encoding'));
      return page(coding).then(({ body, etag, policy }) => {
        // The page holds the key that the deployment begins with, so only the browser itself may keep it; and nobody on the way,
        // our own compression neither, may make other bytes of it under this tag.
        const headers = {
          etag,
          // Replaces the header that `handleCors` sets.
          vary: 'accept, accept-encoding, origin',
          'cache-control': 'private, no-cache, no-transform',
          'content-security-policy': policy,
          // For browsers that do not know frame-ancestors.
          'x-frame-options': 'DENY',
          'referrer-policy': 'no-referrer',
        };
        if (isKnown(request.headers.get('if-none-match'), etag)) return endResponse(new fetchAPI.Response(null, { status: 304, headers }));
        const encoding = coding === 'identity' ? {} : { 'content-encoding': coding };
        endResponse(new fetchAPI.Response(body, { headers: { ...headers, ...encoding, 'content-type': 'text/html; charset=utf-8' } }));
      });
    },
  };
}
