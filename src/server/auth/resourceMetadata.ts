import type { ServerResponse } from 'node:http';
import { TOOLS_PATH } from '../http/paths.ts';

const WELL_KNOWN = '/.well-known/oauth-protected-resource';

/** How long clients can cache the metadata, in seconds. Chosen: it only changes with the configuration. */
const MAX_AGE_SECONDS = 300;

/** Serves the documents in which clients find the provider. Source: RFC 9728. */
export class ResourceMetadata {
  /** Documents by path. */
  readonly #documents: ReadonlyMap<string, string>;
  readonly #urls: ReadonlyMap<string, string>;

  /** `resource` is the public base URL of the graph. Requests reach the graph without its path if a proxy removes it, so both paths are served. */
  constructor(resource: string, issuer: string) {
    const { origin, pathname } = new URL(resource);
    const base = pathname.replace(/\/$/, '');
    const documents = new Map<string, string>();
    const urls = new Map<string, string>();
    for (const path of ['', '/graphql', TOOLS_PATH]) {
      // Without `scopes_supported`: the workspace's scopes aren't those of the provider, which would reject requests for them.
      const document = { resource: `${origin}${base}${path}`, authorization_servers: [issuer], bearer_methods_supported: ['header'] };
      for (const prefix of new Set(['', base])) documents.set(`${WELL_KNOWN}${prefix}${path}`, JSON.stringify(document));
      urls.set(path, `${origin}${WELL_KNOWN}${base}${path}`);
    }
    this.#documents = documents;
    this.#urls = urls;
  }

  /** URL of the document about a path. */
  getUrl(path: '/graphql' | typeof TOOLS_PATH): string {
    return this.#urls.get(path) ?? '';
  }

  /** Responds to a request for a document. False if there is none at the path. Pages of any origin can read it, because it's public. */
  serve(path: string, response: ServerResponse): boolean {
    const document = this.#documents.get(path);
    if (document === undefined) return false;
    response
      .writeHead(200, {
        'content-type': 'application/json; charset=utf-8',
        'cache-control': `public, max-age=${MAX_AGE_SECONDS}`,
        'access-control-allow-origin': '*',
      })
      .end(document);
    return true;
  }
}
