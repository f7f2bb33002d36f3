import { createServer } from 'node:http';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { listen } from '../lib/startup.ts';

/** Issuer of access tokens, which publishes its key on 127.0.0.1. */
export interface Issuer {
  readonly url: string;
  /** Creates an access token for a subject. `claims` are added. */
  issue(subject: string, audience: string, expiresInSeconds: number, claims?: Readonly<Record<string, unknown>>): Promise<string>;
  close(): Promise<void>;
}

const ALGORITHM = 'ES256';

/** Starts an issuer with a new key on a free port. It doesn't keep the process running. */
export async function startIssuer(): Promise<Issuer> {
  const { privateKey, publicKey } = await generateKeyPair(ALGORITHM);
  const keys = [{ ...(await exportJWK(publicKey)), alg: ALGORITHM, use: 'sig', kid: 'test' }];
  const server = createServer((request, response) => {
    const isConfiguration = request.url === '/.well-known/openid-configuration';
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(isConfiguration ? { issuer: url, jwks_uri: `${url}/keys` } : { keys }));
  });
  const url = await listen(server.unref(), 0, '127.0.0.1', 'the issuer of test accounts');
  return {
    url,
    issue: (subject, audience, expiresInSeconds, claims = {}) => {
      const issuedAt = Math.floor(Date.now() / 1000);
      // A token that has expired was issued before.
      const iat = Math.min(issuedAt, issuedAt + expiresInSeconds);
      return new SignJWT({ ...claims, iss: url, aud: audience, sub: subject, iat, exp: issuedAt + expiresInSeconds })
        .setProtectedHeader({ alg: ALGORITHM, typ: 'at+jwt', kid: 'test' })
        .sign(privateKey);
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
