import type { Fault } from './faults.ts';

/** Faults of sign-in, and of accounts that share an API key. */
export const SIGN_IN: readonly Fault[] = [
  {
    name: 'an account receives a stored response of another account',
    file: 'src/ledger/ledger.ts',
    find: 'const isOwn = entry.credential === claim.credential;',
    replace: 'const isOwn = entry.credential !== claim.attempt;',
    tests: ['test/graph/signIn/callers.test.ts'],
  },
  {
    name: 'the upstream repeats the response to another account',
    file: 'src/ledger/ledger.ts',
    find: 'if (isOtherAccount && use.isDeduplicatedUpstream) throw',
    replace: 'if (isOtherAccount && !use.isDeduplicatedUpstream) throw',
    tests: ['test/graph/signIn/callers.test.ts'],
  },
  {
    name: 'an account confirms the plan of another one',
    file: 'src/tools/plans.ts',
    find: 'credential: { callerId } }',
    replace: 'credential: { keyHash: callerId } }',
    tests: ['test/graph/signIn/callers.test.ts'],
  },
  {
    name: 'a damaged access token is sent upstream as an API key',
    file: 'src/server/auth/tokenVerifier.ts',
    find: 'const TOKEN_LIKE = /(?:^|[^\\w-])eyJ/;',
    replace: 'const TOKEN_LIKE = /^eyJ[\\w-]+\\.[\\w-]+\\.[\\w-]+$/;',
    tests: ['test/graph/signIn/tokens.test.ts'],
  },
  {
    name: 'an account can use all scopes of its key',
    file: 'src/upstream/access/authorization.ts',
    find: 'this.allowedScopes = credential.account?.allowedScopes ?? null;',
    replace: 'this.allowedScopes = credential.account ? null : null;',
    tests: ['test/graph/signIn/limitedScopes.test.ts'],
  },
  {
    name: 'tokens are refused once the provider is unreachable',
    file: 'src/server/auth/keySet.ts',
    find: 'const LAST_GOOD_MS = 24 * 60 * 60 * 1000;',
    replace: 'const LAST_GOOD_MS = 60 * 1000;',
    tests: ['test/graph/signIn/assignments.test.ts'],
  },
  {
    name: 'a file of API keys that others can read is used',
    file: 'src/server/auth/keyStore.ts',
    find: "process.platform === 'win32' || isPrivate(mode, uid) ?",
    replace: "process.platform !== 'win32' || isPrivate(mode, uid) ?",
    tests: ['test/graph/signIn/assignments.test.ts'],
  },
];
