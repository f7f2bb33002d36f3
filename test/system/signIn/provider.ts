import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import Provider from 'oidc-provider';
import { createMemoryAdapter } from 'oidc-provider/lib/adapters/memory_adapter.js';
import { findFreePort } from '../../support/faults/redisProcess.ts';
import { AUDIENCE } from '../../support/identityProvider.ts';

/** Clients that sign in as themselves: the subject of their tokens is their ID. */
const SERVICES = ['alice', 'bob', 'stranger'];
/** Client of pages: public, with PKCE and refresh tokens. */
const PAGE_CLIENT = 'desk';
const SCOPE = 'workspace';
/** Default lifetime of tokens, in seconds. Longer than any test advances a clock. */
const LIFETIME_S = 3_600;

/** An OpenID Connect provider of another vendor. */
export interface OidcProvider {
  readonly issuer: string;
  /** Paths that were requested. */
  readonly requests: string[];
  /** Requests an access token with the credentials of a client. */
  requestToken(client: string, audience?: string): Promise<string>;
  /** Allows the pages of an origin to sign in with the public client `desk`. Its login page accepts any name and password, and the name becomes the subject. */
  addPage(origin: string): void;
  /** Signs with a new key. `keepsOld`: whether the previous keys remain published. */
  rotateKeys(keepsOld: boolean): void;
  /** Stops listening until `start`. */
  stop(): Promise<void>;
  start(): Promise<void>;
}

/** Lifetimes of everything else, in seconds. */
const SESSION_TTL = { Grant: 3_600, IdToken: 3_600, Interaction: 3_600, RefreshToken: 3_600, Session: 3_600 };

/** The secret of a client. */
export const createSecret = (client: string): string => `${client}-secret`;

interface SigningKey {
  readonly kid: string;
}

let createdKeys = 0;
function createSigningKey(): SigningKey {
  createdKeys += 1;
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  return { ...privateKey.export({ format: 'jwk' }), kid: `key ${createdKeys}`, alg: 'RS256', use: 'sig' } as SigningKey;
}

interface ListenerOptions {
  readonly issuer: string;
  readonly lifetimeS: number;
  /** Stores sessions and tokens. */
  readonly adapter: ReturnType<typeof createMemoryAdapter>;
  readonly keys: readonly SigningKey[];
  /** Origins of pages. */
  readonly pages: readonly string[];
}

function createListener({ issuer, lifetimeS, adapter, keys, pages }: ListenerOptions): RequestListener {
  const service = { grant_types: ['client_credentials'], redirect_uris: [], response_types: [] };
  const page = {
    client_id: PAGE_CLIENT,
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    redirect_uris: pages.map((origin) => `${origin}/`),
    post_logout_redirect_uris: pages.map((origin) => `${origin}/`),
  };
  const provider = new Provider(issuer, {
    adapter,
    jwks: { keys },
    clients: [
      ...SERVICES.map((id) => ({ client_id: id, client_secret: createSecret(id), ...service })),
      ...(pages.length > 0 ? [page] : []),
    ],
    features: {
      clientCredentials: { enabled: true },
      devInteractions: { enabled: pages.length > 0 },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => AUDIENCE,
        useGrantedResource: () => true,
        getResourceServerInfo: (_context: unknown, resource: string) => ({
          scope: SCOPE,
          audience: resource,
          accessTokenTTL: lifetimeS,
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg: 'RS256' } },
        }),
      },
    },
    clientBasedCORS: () => true,
    cookies: { keys: ['only for tests'] },
    findAccount: (_context: unknown, id: string) => ({ accountId: id, claims: () => ({ sub: id }) }),
    issueRefreshToken: (_context: unknown, client: { readonly clientId: string }) => client.clientId === PAGE_CLIENT,
    ttl: { AccessToken: lifetimeS, ClientCredentials: lifetimeS, ...SESSION_TTL },
  });
  provider.on('server_error', (_context, error) => console.error('sign-in provider', error));
  return provider.callback();
}

/** Starts `oidc-provider` on a free port of this machine. `lifetimeS`: lifetime of access tokens, in seconds. */
export async function startOidcProvider(lifetimeS = LIFETIME_S): Promise<OidcProvider> {
  const port = await findFreePort();
  const issuer = `http://127.0.0.1:${port}`;
  const requests: string[] = [];
  const pages: string[] = [];
  let keys = [createSigningKey()];
  const adapter = createMemoryAdapter();
  const create = () => createListener({ issuer, lifetimeS, adapter, keys, pages });
  let listener = create();
  // A provider's keys and clients can't be changed, so another one with the same sessions replaces it.
  const replace = () => {
    listener = create();
  };
  const server = createServer((request, response) => {
    requests.push(new URL(request.url ?? '', issuer).pathname);
    listener(request, response);
  });
  const start = async () => {
    await once(server.listen(port, '127.0.0.1'), 'listening');
  };
  await start();
  return {
    issuer,
    requests,
    requestToken: async (client, audience = AUDIENCE) => {
      const response = await fetch(`${issuer}/token`, {
        method: 'POST',
        headers: { authorization: `Basic ${btoa(`${client}:${createSecret(client)}`)}` },
        body: new URLSearchParams({ grant_type: 'client_credentials', resource: audience, scope: SCOPE }),
      });
      const { access_token: token, error } = (await response.json()) as { access_token?: string; error?: string };
      if (!token) throw new Error(`The provider issued no token: ${error}.`);
      return token;
    },
    addPage: (origin) => {
      pages.push(origin);
      replace();
    },
    rotateKeys: (keepsOld) => {
      keys = [createSigningKey(), ...(keepsOld ? keys : [])];
      replace();
    },
    stop: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
    start,
  };
}
