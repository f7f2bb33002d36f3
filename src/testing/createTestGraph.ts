import { startSandbox } from '../../sandbox/serve.ts';
import { StartError } from '../lib/startup.ts';
import { type App, startApp } from '../server/app.ts';
import { openAuth } from '../server/auth/openAuth.ts';
import { openLedger } from '../server/openLedger.ts';
import { openUpstream } from '../server/openUpstream.ts';
import { type Environment, getSubgraphOptions, readConfig } from '../server/settings/config.ts';
import { SETTINGS } from '../server/settings/settings.ts';
import { createLogger } from '../server/telemetry/logger.ts';
import { operations } from '../upstream/contract/generated/operations.ts';
import { startIssuer } from './issuer.ts';
import { getGraph, openDemoWorld } from './reused.ts';

/** Options of `createTestGraph`. */
export interface TestGraphOptions {
  /**
   * Seed of the demo data. Graphs with the same seed and data have the same IDs, and give the same IDs to the records that you create. Timestamps are relative to
   * the first start in this process. Default: 1, as in `npx workspace-graph`.
   */
  readonly seed?: number;
  /** Amount of demo data: `small` has a few dozen records of each type, `full` has as many as `npx workspace-graph`. Default: `small`. */
  readonly data?: 'small' | 'full';
  /**
   * Settings of the graph by their environment variables, such as `{ CORS_ORIGINS: 'http://127.0.0.1:5173' }`. The environment of the process isn't read.
   * `HOST`, `UPSTREAM_URL`, `CONTRACT_OVERLAY`, `LEDGER_URL`, and `ADMIN_PORT` can't be set.
   */
  readonly settings?: Readonly<Record<string, string>>;
  /**
   * Accounts by their subjects, which sign in with access tokens instead of API keys. Replaces the settings of sign-in, except for `AUTH_RESOURCE` and
   * `AUTH_API_KEYS`.
   */
  readonly accounts?: Readonly<Record<string, TestAccount>>;
}

/** An account that can sign in. */
export interface TestAccount {
  /** Name of its API key. Default: `owner`. */
  readonly key?: KeyName;
  /** Scopes of the key that the account can use. Default: all. */
  readonly scopes?: readonly string[];
  /** Its verified email address, by which `Viewer.member` finds its member. Default: none. */
  readonly email?: string;
}

/** Options of an access token. */
export interface TokenOptions {
  /** A negative number creates a token that has expired. Default: 300. */
  readonly expiresInSeconds?: number;
  /** Default: that of GraphQL requests. Agent tools require `AUTH_RESOURCE` followed by `/mcp`. */
  readonly audience?: string;
}

/** Names of the demo keys, without the prefix `demo-`. */
export type KeyName =
  | 'owner'
  | 'sales'
  | 'warehouse'
  | 'reader'
  | 'creator'
  | 'restricted'
  | 'regional'
  | 'subcontractor'
  | 'expired'
  | 'revoked'
  | 'office'
  | 'neighbour';

/** A call that the sandbox received from the graph. */
export interface UpstreamCall {
  /** Such as `Quote/ConfirmQuote`. */
  readonly operation: string;
  /** The JSON body. */
  readonly request: Readonly<Record<string, unknown>>;
}

/** A fault of calls between the graph and its sandbox. */
export interface UpstreamFault {
  /** Such as `Quote/ConfirmQuote`, or `*` for all operations. */
  readonly operation: string;
  /** Whether to drop the connection before the call is executed, or after it took effect but before its response. */
  readonly cut: 'before' | 'after';
  /** Number of calls that are affected. The graph repeats a read that failed, so a read only fails if its repeats are affected too. Default: 1. */
  readonly times?: number;
}

/** A graph with its own sandbox. */
export interface TestGraph extends AsyncDisposable {
  /** GraphQL endpoint, on 127.0.0.1. */
  readonly url: string;
  /** API keys of the sandbox. `owner` has all permissions; https://github.com/your-org/workspace-graph/blob/main/docs/sandbox.md describes the others. */
  readonly keys: Readonly<Record<KeyName, string>>;
  /** Upstream calls so far, in order. Without `Workspace/Me`, which the graph sends once per key and then caches. */
  readonly calls: readonly UpstreamCall[];
  /** Drops the connection of the next matching upstream calls. Faults apply in the order in which they were armed. */
  arm(fault: UpstreamFault): void;
  /** Removes all faults that `arm` added. */
  disarm(): void;
  /**
   * Returns an access token for a subject, to be sent as `Authorization: Bearer <token>`. Subjects that aren't in `accounts` have no API key. Rejects without
   * `accounts`.
   */
  signInAs(subject: string, options?: TokenOptions): Promise<string>;
  /** Stops the graph and the sandbox. Their data is lost. */
  close(): Promise<void>;
}

const KEYS: Readonly<Record<KeyName, string>> = {
  owner: 'demo-owner',
  sales: 'demo-sales',
  warehouse: 'demo-warehouse',
  reader: 'demo-reader',
  creator: 'demo-creator',
  restricted: 'demo-restricted',
  regional: 'demo-regional',
  subcontractor: 'demo-subcontractor',
  expired: 'demo-expired',
  revoked: 'demo-revoked',
  office: 'demo-office',
  neighbour: 'demo-neighbour',
};

/** Settings that differ from those of a server, but can be overridden. */
const DEFAULTS: Environment = {
  PORT: '0',
  LOG_LEVEL: 'silent',
  GRAPHIQL: 'false',
  // A machine that runs tests in parallel doesn't mean that the graph is overloaded.
  MAX_EVENT_LOOP_DELAY_MS: '60000',
};

/** Settings that would lead to another upstream, to stored keys, or to an open network interface. */
const FIXED: Environment = {
  HOST: '127.0.0.1',
  UPSTREAM_URL: '',
  CONTRACT_OVERLAY: '',
  LEDGER_URL: 'file::memory:',
  ADMIN_PORT: '',
};

const OPERATIONS: ReadonlySet<string> = new Set(operations.map(({ name }) => name));

/** Audience of tokens for GraphQL requests. */
const AUDIENCE = 'workspace-graph-test';
/** Name of the variable with the API keys of accounts. */
const ASSIGNMENTS = 'TEST_ACCOUNTS';

/** Settings that `accounts` replaces. */
const SIGN_IN = ['AUTH_ISSUER', 'AUTH_AUDIENCE', 'AUTH_KEYS', 'AUTH_CLAIM', 'AUTH_TOKEN_TYPE', 'AUTH_KEYS_STALE_MS'];

/** High enough that tests don't exceed it. */
const RATE_LIMIT = { limit: 1_000_000, windowSeconds: 60 };

/** Without waiting for idle connections, which `fetch` keeps open. */
const HTTP_LIMITS = { silenceMs: 0 };

/** Throws for settings that would be ignored, because a test would otherwise pass without them. */
function checkSettings(settings: Environment): void {
  const unknown = Object.keys(settings).filter((name) => !Object.hasOwn(SETTINGS, name));
  if (unknown.length > 0) throw new StartError(`Unknown settings: ${unknown.join(', ')}. Use the names in docs/configuration.md.`);
  const fixed = Object.keys(settings).filter((name) => Object.hasOwn(FIXED, name));
  if (fixed.length > 0) throw new StartError(`A test graph doesn’t support the settings ${fixed.join(', ')}. Remove them.`);
  const signIn = Object.keys(settings).filter((name) => SIGN_IN.includes(name));
  if (signIn.length > 0) throw new StartError(`Pass \`accounts\` instead of the settings ${signIn.join(', ')}.`);
}

const toAssignments = (accounts: Readonly<Record<string, TestAccount>>): string =>
  JSON.stringify(
    Object.fromEntries(Object.entries(accounts).map(([subject, { key = 'owner', scopes }]) => [subject, { key: KEYS[key], scopes }])),
  );

/** The settings of sign-in. */
const createAccountSettings = (issuerUrl: string, accounts: Readonly<Record<string, TestAccount>>) => ({
  AUTH_ISSUER: issuerUrl,
  AUTH_AUDIENCE: AUDIENCE,
  AUTH_KEYS: `env:${ASSIGNMENTS}`,
  [ASSIGNMENTS]: toAssignments(accounts),
});

/** Throws for faults that would never apply. */
function checkFault({ operation, cut, times = 1 }: UpstreamFault): void {
  if (operation !== '*' && !OPERATIONS.has(operation))
    throw new TypeError(`Unknown upstream operation ${operation}. Use a name from \`calls\`, such as Quote/ConfirmQuote, or *.`);
  if (cut !== 'before' && cut !== 'after') throw new TypeError(`cut must be 'before' or 'after', but is ${JSON.stringify(cut)}.`);
  if (!Number.isInteger(times) || times < 1) throw new RangeError(`times must be a positive integer, but is ${times}.`);
}

async function startGraph(environment: Environment): Promise<App> {
  const config = readConfig(environment);
  const logger = createLogger(config.LOG_LEVEL, process.stderr);
  const ledger = await openLedger(config, undefined, logger);
  const upstream = openUpstream(config, undefined, logger);
  try {
    const auth = config.AUTH_ISSUER === '' ? null : await openAuth(config, environment, logger);
    return await startApp({ config, auth, graph: getGraph(getSubgraphOptions(config)), logger, ledger, upstream, http: HTTP_LIMITS });
  } catch (error) {
    await Promise.all([upstream.close(), ledger.close()]);
    throw error;
  }
}

/**
 * Starts a graph and its sandbox in this process, on free ports of 127.0.0.1, with data and idempotency keys in memory. Several can run at the same time. Throws
 * for invalid settings.
 */
export async function createTestGraph({ seed = 1, data = 'small', settings = {}, accounts }: TestGraphOptions = {}): Promise<TestGraph> {
  checkSettings(settings);
  const environment = { ...DEFAULTS, ...settings, ...FIXED };
  // Before anything is started that would have to be stopped again.
  readConfig({ ...environment, ...(accounts && createAccountSettings('https://issuer.example', accounts)) });
  const calls: UpstreamCall[] = [];
  const sandbox = await startSandbox(
    {
      world: openDemoWorld({ seed, data }),
      rateLimit: RATE_LIMIT,
      sendsDefaults: true,
      deprecations: new Map(),
      onCall: (call) => {
        if (call.operation !== 'Workspace/Me') calls.push(call);
      },
    },
    0,
  );
  const issuer = accounts && (await startIssuer());
  const signIn = issuer && createAccountSettings(issuer.url, accounts);
  const app = await startGraph({ ...environment, ...signIn, UPSTREAM_URL: sandbox.url }).catch(async (error: unknown) => {
    await Promise.all([sandbox.close(), issuer?.close()]);
    throw error;
  });
  const close = async () => {
    await app.close();
    await Promise.all([sandbox.close(), issuer?.close()]);
  };
  return {
    url: `${app.url}/graphql`,
    keys: KEYS,
    calls,
    arm: ({ operation, cut, times = 1 }) => {
      checkFault({ operation, cut, times });
      sandbox.faults.add({ operation, cut, times });
    },
    disarm: () => sandbox.faults.clear(),
    signInAs: async (subject, { expiresInSeconds = 300, audience = AUDIENCE } = {}) => {
      if (!issuer) throw new Error('This test graph has no accounts. Pass `accounts` to createTestGraph.');
      const email = accounts?.[subject]?.email;
      return issuer.issue(subject, audience, expiresInSeconds, email === undefined ? {} : { email, email_verified: true });
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
