// The provider of graphs whose callers sign in. Each caller has an account, to which its API key is assigned.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';

const AUDIENCE = 'https://graph.example/graphql';
const ALGORITHM = 'RS256';

/** A provider that has issued access tokens. It doesn't keep the process running. */
export interface SignIn {
  /** Settings of the graph. */
  readonly env: Readonly<Record<string, string>>;
  /** Access tokens, by the number of the API key. */
  readonly tokens: readonly string[];
}

/** Starts a provider, and issues a token for each API key. */
export async function startSignIn(keys: number): Promise<SignIn> {
  const { publicKey, privateKey } = await generateKeyPair(ALGORITHM, { extractable: true });
  const jwk = { ...(await exportJWK(publicKey)), kid: 'bench', alg: ALGORITHM, use: 'sig' };
  const server = createServer(({ url }, response) => {
    response.end(JSON.stringify(url === '/keys' ? { keys: [jwk] } : { issuer, jwks_uri: `${issuer}/keys` }));
  });
  await once(server.listen(0, '127.0.0.1').unref(), 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const names = Array.from({ length: keys }, (_, index) => `bench-${index}`);
  // As long as those of providers.
  const claims = { client_id: crypto.randomUUID(), scope: 'openid profile email offline_access' };
  const issue = (name: string) =>
    new SignJWT(claims)
      .setProtectedHeader({ alg: ALGORITHM, typ: 'at+jwt', kid: 'bench' })
      .setIssuer(issuer)
      .setAudience(AUDIENCE)
      .setSubject(name)
      .setJti(crypto.randomUUID())
      .setIssuedAt()
      .setExpirationTime('12h')
      .sign(privateKey);
  return {
    env: {
      AUTH_ISSUER: issuer,
      AUTH_AUDIENCE: AUDIENCE,
      AUTH_KEYS: 'env:BENCH_KEYS',
      BENCH_KEYS: JSON.stringify(Object.fromEntries(names.map((name) => [name, { key: name }]))),
    },
    tokens: await Promise.all(names.map(issue)),
  };
}
