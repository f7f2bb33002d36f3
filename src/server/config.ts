import { fileURLToPath } from 'node:url';
import { StartError } from '../lib/starting.ts';
import type { RenameRule, SubgraphOptions, TagRule } from '../subgraph/options.ts';
import { INTROSPECTION, type Introspection } from './documents/introspection.ts';
import { TRUST_MODES, type TrustMode } from './documents/trustedDocuments.ts';

/** Everything that may differ between two deployments. Read once, at start. */
export interface Config {
  readonly host: string;
  readonly port: number;
  readonly upstreamUrl: string;
  /** From sending a call to the last byte of its answer. */
  readonly upstreamTimeoutMs: number;
  readonly upstreamConnections: number;
  /** Whether no two keys share a connection. */
  readonly hasSeparateConnections: boolean;
  /** Calls that one key may have under way. A share of the connections when it is not given. */
  readonly upstreamCallsPerKey: number | undefined;
  /** The same for one service of the upstream. */
  readonly upstreamCallsPerService: number | undefined;
  /** Whether an upstream that fails is left alone for some seconds. */
  readonly hasUpstreamBreaker: boolean;
  /** How long answers to reads are kept, for their key only; 0 keeps none. */
  readonly readCacheMs: number;
  /** Calls that one request may make. */
  readonly upstreamCallsPerRequest: number;
  /** What one operation may cost, in upstream calls: what costs more is refused before it makes any. */
  readonly costLimit: number;
  /** Largest answer of an operation, in bytes of JSON. */
  readonly maxAnswerBytes: number;
  /** Where idempotency keys are kept: a `file:` or a `redis:` address. */
  readonly ledgerUrl: string;
  readonly subgraph: SubgraphOptions;
  readonly logLevel: LogLevel;
  readonly hasGraphiql: boolean;
  readonly introspection: Introspection;
  /** A file of documents by their ids. */
  readonly trustedDocuments: string | undefined;
  readonly trustedDocumentsMode: TrustMode;
  /** Whether clients may have documents kept under their hashes (Apollo's automatic persisted queries). */
  readonly hasAutomaticDocuments: boolean;
  /** What GraphiQL's header editor begins with in place of a key. */
  readonly graphiqlKey: string;
  /** Pages that browsers may call the graph from. */
  readonly corsOrigins: readonly string[];
  /** Whether plain requests go past the fetch API. */
  readonly hasShortPath: boolean;
  /** Whether a query that is asked several times at once, by one key and word for word, is executed once. */
  readonly sharesInFlight: boolean;
  /** How often a query is executed before it is compiled; 0 compiles none. */
  readonly compileAfter: number;
  /** Megabytes that parsed documents may take; compiled queries may take as many again. */
  readonly documentCacheMb: number;
  /** GraphQL requests that may run at once. */
  readonly maxConcurrentRequests: number;
  /** How long the turn of the event loop that a request falls into may take, on average, before requests are refused. */
  readonly maxEventLoopDelayMs: number;
  /** How long a shutdown still accepts new connections, so that balancers can see that it closes. */
  readonly shutdownDrainMs: number;
  /** How long a shutdown waits for requests that run. */
  readonly shutdownTimeoutMs: number;
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** A little above the 30 s that the upstream itself waits before it gives a call up. */
const UPSTREAM_TIMEOUT_MS = 35_000;
/** At 10 ms of latency a wide fan-out gains up to here. */
const UPSTREAM_CONNECTIONS = 128;
/** Ours: a page of 100 records with all that each leads to once. */
const UPSTREAM_CALLS_PER_REQUEST = 500;
/** Ours: far above the calls of one request, since records that are asked for twice count twice here and are read once. */
const COST_LIMIT = 10_000;
/** Ours: a page of 100 records with pages of 100 in each, of ten fields, is a tenth of it. */
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;
/** Ours: eight for each connection to the upstream. More would only wait for one another. */
const MAX_CONCURRENT_REQUESTS = 1_024;
const MAX_EVENT_LOOP_DELAY_MS = 500;
/** Ours: to compile an operation takes as long as some dozen executions. */
const COMPILE_AFTER = 3;
/** Ours: some thousand documents like the examples, more than an application has. */
const DOCUMENT_CACHE_MB = 32;
/** Ours, in production: a balancer that asks for the health every two seconds sees it twice. */
const SHUTDOWN_DRAIN_MS = 5_000;
const SHUTDOWN_TIMEOUT_MS = 40_000;

const PREFIX = /^[A-Z][A-Za-z0-9]*$/;
/** A coordinate with its tag. What a tag is made of, and its length, are federation's rules. */
const TAG_RULE = /^([\w*]+(?:\.[\w*]+)?)=([\w/-]{1,128})$/;

const listOf = (text: string | undefined): string[] =>
  (text || '')
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean);

/** What an address is made of that is none. */
const NOWHERE = { protocol: '', username: '', password: '', search: '', hash: '' };

/** The path that a `file:` address names; relative ones are below the folder that the graph was started in. Fails when it names none. */
export const ledgerPathOf = (url: string): string => (url.startsWith('file://') ? fileURLToPath(url) : url.slice('file:'.length));

function isLedgerUrl(url: string): boolean {
  try {
    if (url.startsWith('file:')) return ledgerPathOf(url) !== '';
    const { protocol, hostname, pathname } = new URL(url);
    return /^rediss?:$/.test(protocol) && hostname !== '' && /^(\/\d*)?$/.test(pathname);
  } catch {
    return false;
  }
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads the environment. Throws one error that lists every problem. */
export function readConfig(env: Environment): Config {
  const problems: string[] = [];
  const integer = (name: string, fallback: number, low: number, high: number): number => {
    const value = Number(env[name] || fallback);
    if (!Number.isInteger(value) || value < low || value > high)
      problems.push(`${name} must be a whole number from ${low} to ${high}, but is ${env[name]}.`);
    return value;
  };
  const optionalInteger = (name: string, low: number, high: number) => (env[name] ? integer(name, low, low, high) : undefined);
  const flag = (name: string, fallback: boolean): boolean => {
    const value = env[name] || String(fallback);
    if (value !== 'true' && value !== 'false') problems.push(`${name} must be true or false, but is ${value}.`);
    return value === 'true';
  };
  const oneOf = <Word extends string>(name: string, fallback: Word, words: readonly Word[]): Word => {
    const value = env[name] || fallback;
    const found = words.find((word) => word === value);
    if (!found) problems.push(`${name} must be one of ${words.join(', ')}, but is ${value}.`);
    return found ?? fallback;
  };
  /** An address that calls are made from by adding a path. What is given is not printed: it may hold a password. */
  const url = (name: string, fallback: string): string => {
    const value = env[name] || fallback;
    const { protocol, username, password, search, hash } = URL.canParse(value) ? new URL(value) : NOWHERE;
    if (protocol !== 'http:' && protocol !== 'https:') problems.push(`${name} must be an http or https address.`);
    else if (username || password) problems.push(`${name} must not hold a user or a password: callers bring their own keys.`);
    else if (search || hash) problems.push(`${name} must end with its path: without ? and #.`);
    return value;
  };
  const ledgerUrl = env.LEDGER_URL || 'file:data/ledger.sqlite';
  // Not printed: a Redis address may hold a password.
  if (!isLedgerUrl(ledgerUrl))
    problems.push(
      'LEDGER_URL must be file: with a path, or redis:// or rediss:// with a host, and at most a port and the number of a database.',
    );
  const tags = listOf(env.SUBGRAPH_TAGS).flatMap((entry): TagRule[] => {
    const [, coordinate, tag] = TAG_RULE.exec(entry) ?? [];
    if (coordinate && tag) return [{ coordinate, tag }];
    problems.push(`SUBGRAPH_TAGS must list coordinates with their tags, such as Query.customer*=public, but has ${entry}.`);
    return [];
  });
  const trustedDocuments = env.TRUSTED_DOCUMENTS || undefined;
  const trustedDocumentsMode = oneOf('TRUSTED_DOCUMENTS_MODE', trustedDocuments ? 'only' : 'also', TRUST_MODES);
  const hasAutomaticDocuments = oneOf('APQ', 'off', ['off', 'on']) === 'on';
  if (trustedDocumentsMode === 'only' && !trustedDocuments) problems.push('TRUSTED_DOCUMENTS_MODE=only wants TRUSTED_DOCUMENTS.');
  if (trustedDocumentsMode === 'only' && hasAutomaticDocuments)
    problems.push('APQ must be off where only trusted documents are executed: set TRUSTED_DOCUMENTS_MODE=also, or APQ=off.');
  // Whether they fit the schema is told with it, all at once.
  const renames = listOf(env.SUBGRAPH_RENAME).map((entry): RenameRule => {
    const [coordinate = '', name = '', ...rest] = entry.split('=').map((part) => part.trim());
    return { coordinate, name: [name, ...rest].join('=') };
  });
  const typePrefix = env.SUBGRAPH_TYPE_PREFIX || '';
  if (typePrefix && !PREFIX.test(typePrefix))
    problems.push(`SUBGRAPH_TYPE_PREFIX must be letters and digits that begin with a capital, such as Desk, but is ${typePrefix}.`);
  // Who explores the schema in production has no good reason to.
  const isOpen = env.NODE_ENV !== 'production';

  const config: Config = {
    host: env.HOST || '127.0.0.1',
    port: integer('PORT', 4000, 0, 65_535),
    upstreamUrl: url('UPSTREAM_URL', 'http://127.0.0.1:4010'),
    upstreamTimeoutMs: integer('UPSTREAM_TIMEOUT_MS', UPSTREAM_TIMEOUT_MS, 1, 600_000),
    upstreamConnections: integer('UPSTREAM_CONNECTIONS', UPSTREAM_CONNECTIONS, 1, 10_000),
    hasSeparateConnections: flag('UPSTREAM_SEPARATE_CONNECTIONS', false),
    upstreamCallsPerKey: optionalInteger('UPSTREAM_CALLS_PER_KEY', 1, 10_000),
    upstreamCallsPerService: optionalInteger('UPSTREAM_CALLS_PER_SERVICE', 1, 10_000),
    hasUpstreamBreaker: flag('UPSTREAM_BREAKER', true),
    readCacheMs: integer('READ_CACHE_MS', 0, 0, 60_000),
    upstreamCallsPerRequest: integer('UPSTREAM_CALLS_PER_REQUEST', UPSTREAM_CALLS_PER_REQUEST, 1, 1_000_000),
    costLimit: integer('COST_LIMIT', COST_LIMIT, 1, 1_000_000_000),
    maxAnswerBytes: integer('MAX_ANSWER_BYTES', MAX_ANSWER_BYTES, 1_024, 1_024 ** 3),
    ledgerUrl,
    subgraph: {
      hasRawRecords: flag('RAW_RECORDS', false),
      hasNode: flag('SUBGRAPH_NODE', false),
      hasRequiresScopes: flag('SUBGRAPH_REQUIRES_SCOPES', false),
      tags,
      renames,
      typePrefix,
    },
    logLevel: oneOf('LOG_LEVEL', 'info', LOG_LEVELS),
    hasGraphiql: flag('GRAPHIQL', isOpen),
    trustedDocuments,
    trustedDocumentsMode,
    hasAutomaticDocuments,
    introspection: oneOf('INTROSPECTION', isOpen ? 'true' : 'false', INTROSPECTION),
    graphiqlKey: env.GRAPHIQL_KEY || 'your API key',
    corsOrigins: listOf(env.CORS_ORIGINS),
    hasShortPath: flag('SHORT_PATH', true),
    sharesInFlight: oneOf('SHARE_IN_FLIGHT', 'off', ['off', 'on']) === 'on',
    compileAfter: integer('COMPILE_AFTER', COMPILE_AFTER, 0, 1_000_000),
    documentCacheMb: integer('DOCUMENT_CACHE_MB', DOCUMENT_CACHE_MB, 1, 4_096),
    maxConcurrentRequests: integer('MAX_CONCURRENT_REQUESTS', MAX_CONCURRENT_REQUESTS, 1, 1_000_000),
    maxEventLoopDelayMs: integer('MAX_EVENT_LOOP_DELAY_MS', MAX_EVENT_LOOP_DELAY_MS, 1, 600_000),
    shutdownDrainMs: integer('SHUTDOWN_DRAIN_MS', isOpen ? 0 : SHUTDOWN_DRAIN_MS, 0, 600_000),
    shutdownTimeoutMs: integer('SHUTDOWN_TIMEOUT_MS', SHUTDOWN_TIMEOUT_MS, 0, 600_000),
  };
  if (problems.length > 0) throw new StartError(`The graph cannot start:\n  ${problems.join('\n  ')}`);
  return config;
}
