import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';

/** Audience of the tokens for GraphQL requests, and base URL of the graph for those of agents. */
export const AUDIENCE = 'https://graph.example/graphql';
export const RESOURCE = 'https://graph.example';

/** A signing key, with the private part that providers don't publish. */
export interface SigningKey {
  readonly kid: string;
  readonly privateKey: CryptoKey;
  readonly publicJwk: object;
}

export async function createSigningKey(kid: string): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
  return { kid, privateKey, publicJwk: { ...(await exportJWK(publicKey)), kid, alg: 'ES256', use: 'sig' } };
}

export type Claims = JWTPayload & Readonly<Record<string, unknown>>;

/** Header and claims that replace the usual ones. A claim that is undefined is omitted. */
export interface TokenTraits {
  readonly header?: object;
  readonly claims?: Claims;
  readonly key?: SigningKey;
}

export interface IdentityProvider {
  readonly issuer: string;
  /** Signing keys; tokens are signed with the first one. */
  readonly keys: SigningKey[];
  /** Paths that were requested. */
  readonly requests: string[];
  /** Path of the signing keys. */
  keysPath: string;
  /** Replaces the provider's responses until it's set to null. */
  outage: RequestListener | null;
  /** The claims of a token for a subject. */
  createClaims(subject: string, claims?: Claims): Claims;
  /** Creates an access token for a subject. */
  issue(subject: string, traits?: TokenTraits): Promise<string>;
  close(): Promise<void>;
}

/** Seconds for which issued tokens are valid. */
const LIFETIME_S = 300;

/** Starts an OpenID Connect provider that only publishes its configuration and its keys. `now` returns Unix milliseconds. */
export async function startIdentityProvider(now: () => number = Date.now): Promise<IdentityProvider> {
  const keys = [await createSigningKey('first')];
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url ?? '');
    if (provider.outage) return provider.outage(request, response);
    const documents: Readonly<Record<string, object>> = {
      '/.well-known/openid-configuration': { issuer, jwks_uri: `${issuer}${provider.keysPath}` },
      [provider.keysPath]: { keys: keys.map(({ publicJwk }) => publicJwk) },
    };
    const document = documents[request.url ?? ''];
    response.writeHead(document ? 200 : 404, { 'content-type': 'application/json' }).end(JSON.stringify(document ?? {}));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const createClaims = (subject: string, claims: Claims = {}): Claims => {
    const iat = Math.floor(now() / 1000);
    return { iss: issuer, aud: AUDIENCE, sub: subject, iat, exp: iat + LIFETIME_S, ...claims };
  };
  const provider: IdentityProvider = {
    issuer,
    keys,
    requests,
    keysPath: '/keys',
    outage: null,
    createClaims,
    issue: async (subject, { header, claims, key = keys[0] } = {}) => {
      if (!key) throw new Error('The provider has no key.');
      const entries = Object.entries(createClaims(subject, claims)).filter(([, value]) => value !== undefined);
      return new SignJWT(Object.fromEntries(entries))
        .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: key.kid, ...header })
        .sign(key.privateKey);
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
  return provider;
}
