import type { ServerResponse } from 'node:http';
import type { JWTPayload } from 'jose';
import type { Logger } from 'pino';
import type { Clock } from '../../lib/clock.ts';
import { connectRedis } from '../../lib/redis.ts';
import { StartError } from '../../lib/startup.ts';
import { type Account, type Credential, createAccountCredential } from '../../upstream/access/credential.ts';
import type { CurrentRequest } from '../execution/currentRequest.ts';
import { TOOLS_PATH } from '../http/paths.ts';
import { type Config, type Environment, getProxy, readVariable } from '../settings/config.ts';
import { IssuerMismatchError, KeySet, KeySetUnavailableError } from './keySet.ts';
import {
  type Assignment,
  CachedKeyStore,
  createFixedStore,
  createRedisStore,
  FileKeyStore,
  type KeyStore,
  parseAssignments,
  parseStoreLocation,
} from './keyStore.ts';
import type { RefusalReason } from './refusal.ts';
import { isTokenLike, TokenVerifier, type Verification, type VerifiedToken } from './tokenVerifier.ts';

/** Selects one of several API keys of an account, by the claim value that it's assigned to. */
const WORKSPACE_HEADER = 'x-workspace';
/** Maximum number of values of a claim that are looked up. Chosen: an account is in fewer groups that have a key. */
const MAX_CLAIM_VALUES = 100;

interface AuthenticatorOptions {
  readonly issuer: string;
  /** Verifiers of tokens for GraphQL requests and for agent tools, which have different audiences. */
  readonly verifiers: { readonly graphql: TokenVerifier; readonly tools: TokenVerifier };
  readonly store: CachedKeyStore;
  /** Claim whose values API keys are assigned to. A name with dots can also be a path. */
  readonly claim: string;
  /** Whether clients can also send API keys. */
  readonly acceptsKeys: boolean;
}

/** Returns the values of a claim. Empty if the token has none. */
function readClaim(payload: JWTPayload, claim: string): readonly string[] {
  const read = (value: unknown, name: string) =>
    typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
  const found = read(payload, claim) ?? claim.split('.').reduce<unknown>(read, payload);
  const values = Array.isArray(found) ? found : [found];
  return [...new Set(values.filter((value) => typeof value === 'string' && value !== ''))].slice(0, MAX_CLAIM_VALUES);
}

/** Returns the email address of an account. Null unless the provider has verified it, because anyone could name the address of someone else. Source: OpenID Connect Core 1.0, section 5.1. */
const readVerifiedEmail = ({ email, email_verified: isVerified }: JWTPayload): string | null =>
  typeof email === 'string' && email !== '' && isVerified === true ? email : null;

/** The account of a verified token, as of its last request. */
interface KnownAccount {
  readonly claimValues: readonly string[];
  assignment?: Assignment;
  credential?: Credential & { readonly account: Account };
}

/** Characters of the subject's hash in the log: enough to distinguish accounts. */
const LOGGED_HASH = 8;

/** A claim value and its assignment. */
type Candidate = readonly [claimValue: string, assignment: Assignment];

/** Returns the assignment to use, or the reason to refuse the request. Ignores the order of the values, which the provider chooses. */
function chooseAssignment(candidates: readonly Candidate[], workspace: string | undefined): Assignment | RefusalReason {
  const matching = workspace === undefined ? candidates : candidates.filter(([claimValue]) => claimValue === workspace);
  const [first, ...others] = matching;
  if (!first) return 'NO_KEY_ASSIGNED';
  return others.length > 0 ? 'AMBIGUOUS_KEY' : first[1];
}

type MaybeRefusal = RefusalReason | undefined;

/**
 * Exchanges access tokens for API keys. The graph verifies tokens of one issuer, and never sends them upstream. Requests without a credential are admitted,
 * because they get only what needs none.
 */
class Authenticator {
  readonly #options: AuthenticatorOptions;
  /** By verified token, so that a request with a known one computes no hash but that of the token. */
  readonly #accounts = new WeakMap<VerifiedToken, KnownAccount>();

  constructor(options: AuthenticatorOptions) {
    this.#options = options;
  }

  /** Discards cached assignments of API keys. */
  forgetAssignments(): void {
    this.#options.store.clear();
  }

  /** Sets the credential of a request, or returns why the request is refused. Synchronous unless something has to be verified or looked up. */
  authenticate(current: CurrentRequest, isTool: boolean): MaybeRefusal | Promise<MaybeRefusal> {
    const { verifiers, acceptsKeys } = this.#options;
    const refusal = this.#checkHeaders(current);
    const keyRefusal = current.credential && !acceptsKeys ? 'API_KEYS_DISABLED' : undefined;
    if (refusal ?? keyRefusal) {
      current.credential = null;
      return refusal ?? keyRefusal;
    }
    if (current.token === null) return undefined;
    const verification = (isTool ? verifiers.tools : verifiers.graphql).verify(current.token);
    const header = current.request.headers[WORKSPACE_HEADER];
    const workspace = typeof header === 'string' ? header : undefined;
    const finish = (verified: Verification): MaybeRefusal | Promise<MaybeRefusal> => {
      if ('refusal' in verified) {
        current.retryAfterSeconds = verified.retryAfterSeconds ?? null;
        return verified.refusal;
      }
      current.expiresAt = verified.expiresAt;
      const assignment = this.#findAssignment(verified, workspace);
      const assign = (found: Assignment | RefusalReason) => this.#assign(current, verified, found);
      return assignment instanceof Promise ? assignment.then(assign) : assign(assignment);
    };
    return verification instanceof Promise ? verification.then(finish) : finish(verification);
  }

  /** A token must be the only credential, so that it's clear who sends the request. */
  #checkHeaders({ token, request }: CurrentRequest): RefusalReason | undefined {
    const { authorization, 'x-api-key': key } = request.headers;
    const isKeyToken = key !== undefined && isTokenLike(String(key));
    const isBearerToken = authorization !== undefined && isTokenLike(authorization);
    if ((isKeyToken || isBearerToken) && authorization !== undefined && key !== undefined) return 'TWO_CREDENTIALS';
    if (isKeyToken) return 'TOKEN_AS_KEY';
    // Such as a token that contains a space, which isn't a bearer token.
    return isBearerToken && token === null ? 'TOKEN_INVALID' : undefined;
  }

  #getAccount(verified: VerifiedToken): KnownAccount {
    const known = this.#accounts.get(verified);
    if (known) return known;
    const account: KnownAccount = { claimValues: readClaim(verified.payload, this.#options.claim) };
    this.#accounts.set(verified, account);
    return account;
  }

  #findAssignment(
    verified: VerifiedToken,
    workspace: string | undefined,
  ): Assignment | RefusalReason | Promise<Assignment | RefusalReason> {
    const { store } = this.#options;
    const { claimValues: values } = this.#getAccount(verified);
    const [first] = values;
    const known = first !== undefined && values.length === 1 ? store.getKnown(first) : undefined;
    if (first !== undefined && known) return chooseAssignment([[first, known]], workspace);
    return Promise.all(values.map(async (value) => [value, await store.find(value)] as const)).then(
      (found) =>
        chooseAssignment(
          found.filter((each): each is Candidate => each[1] !== undefined),
          workspace,
        ),
      (): RefusalReason => 'SIGN_IN_UNAVAILABLE',
    );
  }

  #assign(current: CurrentRequest, verified: VerifiedToken, found: Assignment | RefusalReason): MaybeRefusal {
    if (typeof found === 'string') return found;
    const { sub, iat } = verified.payload;
    if (iat < found.issuedAfter) return 'TOKEN_REVOKED';
    const account = this.#getAccount(verified);
    const isKnown = account.assignment === found;
    const createCredential = () =>
      createAccountCredential(found.apiKey, this.#options.issuer, sub, {
        allowedScopes: found.scopes,
        email: readVerifiedEmail(verified.payload),
      });
    const credential = (isKnown && account.credential) || createCredential();
    account.assignment = found;
    account.credential = credential;
    current.credential = credential;
    current.log.account = credential.account.subjectHash.slice(0, LOGGED_HASH);
    return undefined;
  }
}

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
  const keySet = new KeySet({
    issuer,
    onFailure: (err) => logger.warn({ err }, 'sign-in provider unreachable'),
    proxy: getProxy(config),
    ...time,
  });
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
