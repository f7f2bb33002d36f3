// The issuer of graphs whose callers sign in. Each caller has an account, to which its API key is assigned.
import { startIssuer } from '../src/testing/issuer.ts';

const AUDIENCE = 'https://graph.example/graphql';
/** Longer than any run. */
const LIFETIME_SECONDS = 12 * 60 * 60;

/** Access tokens, and the graph that accepts them. */
export interface SignIn {
  /** Settings of the graph. */
  readonly env: Readonly<Record<string, string>>;
  /** Access tokens, by the number of the API key. */
  readonly tokens: readonly string[];
}

/** Starts an issuer, which doesn't keep the process running, and issues a token for each API key. */
export async function startSignIn(keys: number): Promise<SignIn> {
  const issuer = await startIssuer();
  const names = Array.from({ length: keys }, (_, index) => `bench-${index}`);
  return {
    env: {
      AUTH_ISSUER: issuer.url,
      AUTH_AUDIENCE: AUDIENCE,
      AUTH_KEYS: 'env:BENCH_KEYS',
      BENCH_KEYS: JSON.stringify(Object.fromEntries(names.map((name) => [name, { key: name }]))),
    },
    tokens: await Promise.all(names.map((name) => issuer.issue(name, AUDIENCE, LIFETIME_SECONDS))),
  };
}
