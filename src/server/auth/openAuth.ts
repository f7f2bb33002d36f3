import type { ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import type { Clock } from '../../lib/clock.ts';
import { connectRedis } from '../../lib/redis.ts';
import { StartError } from '../../lib/startup.ts';
import { TOOLS_PATH } from '../http/paths.ts';
import { type Config, type Environment, readVariable } from '../settings/config.ts';
import { Authenticator } from './authenticator.ts';
import { IssuerMismatchError, KeySet, KeySetUnavailableError } from './keySet.ts';
import {
  CachedKeyStore,
  createFixedStore,
  createRedisStore,
  FileKeyStore,
  type KeyStore,
  parseAssignments,
  parseStoreLocation,
} from './keyStore.ts';
import { isTokenLike, TokenVerifier } from './tokenVerifier.ts';

const WELL_KNOWN = '/.well-known/oauth-protected-resource';

/** How long clients can cache the metadata, in seconds. Chosen: it only changes with the configuration. */
const MAX_AGE_SECONDS = 300;

/** Serves the documents in which clients find the provider. Source: RFC 9728. */
class ResourceMetadata {
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

  /** Responds to a request for a document. Returns false if the path isn't that of a document. Pages of any origin can read it, because it's public. */
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

/** Sign-in with access tokens. */
export interface Auth {
  readonly authenticator: Authenticator;
  /** Whether a credential is an access token, which must never be sent upstream as an API key. */
  readonly isToken: (credential: string) => boolean;
  /** Null without `AUTH_RESOURCE`. */
  readonly metadata: ResourceMetadata | null;
  close(): Promise<void>;
}

interface OpenStore {
  readonly store: KeyStore;
  close(): Promise<void>;
}

const noResources = async () => {};

/** Opens a key store. Throws StartError if it can't be used. */
async function openKeyStore(location: string, env: Environment, logger: Logger): Promise<OpenStore> {
  const place = parseStoreLocation(location);
  if (place.kind === 'redis') {
    const redis = await connectRedis(place.url, (err) => logger.error({ err }, 'redis connection error'), 'AUTH_KEYS');
    return { store: createRedisStore(redis, place.prefix), close: () => redis.close() };
  }
  try {
    if (place.kind === 'env') {
      const { variable } = place;
      return { store: createFixedStore(parseAssignments(readVariable(variable, env), variable)), close: noResources };
    }
    const file = new FileKeyStore(place.path);
    file.load();
    return { store: file, close: noResources };
  } catch (error) {
    throw new StartError(`AUTH_KEYS: ${(error as Error).message}`, { cause: error });
  }
}

/** Opens sign-in, which `AUTH_ISSUER` enables. Throws StartError if the configuration is wrong. An unreachable provider doesn't prevent the start. */
export async function openAuth(config: Config, env: Environment, logger: Logger, clock?: Clock): Promise<Auth> {
  const { AUTH_ISSUER: issuer, AUTH_RESOURCE: resource } = config;
  const time = clock && { clock };
  const keySet = new KeySet({ issuer, onFailure: (err) => logger.warn({ err }, 'sign-in provider unreachable'), ...time });
  try {
    await keySet.getKeys();
  } catch (error) {
    if (error instanceof IssuerMismatchError) throw new StartError(`AUTH_ISSUER: ${error.message} Correct AUTH_ISSUER.`, { cause: error });
    if (!(error instanceof KeySetUnavailableError)) throw error;
  }
  const { store, close } = await openKeyStore(config.AUTH_KEYS, env, logger);
  const onStoreFailure = (err: unknown) => logger.error({ err }, 'key store unreadable');
  const createVerifier = (audience: readonly string[]) =>
    new TokenVerifier({
      issuer,
      audience,
      keySet,
      tokenType: config.AUTH_TOKEN_TYPE === 'any' ? null : config.AUTH_TOKEN_TYPE,
      // Without the error itself, which contains the claims.
      onRefused: ({ message }) => logger.debug({ reason: message }, 'access token refused'),
      ...time,
    });
  const authenticator = new Authenticator({
    issuer,
    // A token of a page isn't valid for agent tools, nor the other way around.
    verifiers: {
      graphql: createVerifier(config.AUTH_AUDIENCE),
      tools: createVerifier([`${resource.replace(/\/$/, '')}${TOOLS_PATH}`]),
    },
    store: new CachedKeyStore(store, config.AUTH_KEYS_STALE_MS, onStoreFailure, clock),
    claim: config.AUTH_CLAIM,
    acceptsKeys: config.AUTH_API_KEYS,
  });
  return { authenticator, isToken: isTokenLike, metadata: resource === '' ? null : new ResourceMetadata(resource, issuer), close };
}
