import type { SubgraphOptions, TagRule } from '../subgraph/options.ts';

/** Everything that may differ between two deployments. Read once, at start. */
export interface Config {
  readonly host: string;
  readonly port: number;
  readonly upstreamUrl: string;
  /** From sending a call to the last byte of its answer. */
  readonly upstreamTimeoutMs: number;
  readonly upstreamConnections: number;
  /** Calls that one request may make. */
  readonly upstreamCallsPerRequest: number;
  /** What one operation may cost, in upstream calls: what costs more is refused before it makes any. */
  readonly costLimit: number;
  readonly subgraph: SubgraphOptions;
  readonly logLevel: LogLevel;
  readonly hasGraphiql: boolean;
  /** What GraphiQL's header editor begins with in place of a key. */
  readonly graphiqlKey: string;
  /** Pages that browsers may call the graph from. */
  readonly corsOrigins: readonly string[];
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
const SHUTDOWN_TIMEOUT_MS = 40_000;

const PREFIX = /^[A-Z][A-Za-z0-9]*$/;
/** A coordinate with its tag. What a tag is made of, and its length, are federation's rules. */
const TAG_RULE = /^([\w*]+(?:\.[\w*]+)?)=([\w/-]{1,128})$/;

const listOf = (text: string | undefined): string[] =>
  (text || '')
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean);

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
  const flag = (name: string, fallback: boolean): boolean => {
    const value = env[name] || String(fallback);
    if (value !== 'true' && value !== 'false') problems.push(`${name} must be true or false, but is ${value}.`);
    return value === 'true';
  };
  const url = (name: string, fallback: string): string => {
    const value = env[name] || fallback;
    const protocol = URL.canParse(value) ? new URL(value).protocol : '';
    if (protocol !== 'http:' && protocol !== 'https:') problems.push(`${name} must be an http or https address, but is ${value}.`);
    return value;
  };
  const tags = listOf(env.SUBGRAPH_TAGS).flatMap((entry): TagRule[] => {
    const [, coordinate, tag] = TAG_RULE.exec(entry) ?? [];
    if (coordinate && tag) return [{ coordinate, tag }];
    problems.push(`SUBGRAPH_TAGS must list coordinates with their tags, such as Query.customer*=public, but has ${entry}.`);
    return [];
  });
  const typePrefix = env.SUBGRAPH_TYPE_PREFIX || '';
  if (typePrefix && !PREFIX.test(typePrefix))
    problems.push(`SUBGRAPH_TYPE_PREFIX must be letters and digits that begin with a capital, such as Desk, but is ${typePrefix}.`);
  const logLevel = env.LOG_LEVEL || 'info';
  if (!LOG_LEVELS.some((level) => level === logLevel))
    problems.push(`LOG_LEVEL must be one of ${LOG_LEVELS.join(', ')}, but is ${logLevel}.`);

  const config: Config = {
    host: env.HOST || '127.0.0.1',
    port: integer('PORT', 4000, 0, 65_535),
    upstreamUrl: url('UPSTREAM_URL', 'http://127.0.0.1:4010'),
    upstreamTimeoutMs: integer('UPSTREAM_TIMEOUT_MS', UPSTREAM_TIMEOUT_MS, 1, 600_000),
    upstreamConnections: integer('UPSTREAM_CONNECTIONS', UPSTREAM_CONNECTIONS, 1, 10_000),
    upstreamCallsPerRequest: integer('UPSTREAM_CALLS_PER_REQUEST', UPSTREAM_CALLS_PER_REQUEST, 1, 1_000_000),
    costLimit: integer('COST_LIMIT', COST_LIMIT, 1, 1_000_000_000),
    subgraph: {
      hasNode: flag('SUBGRAPH_NODE', false),
      hasRequiresScopes: flag('SUBGRAPH_REQUIRES_SCOPES', false),
      tags,
      typePrefix,
    },
    logLevel: logLevel as LogLevel,
    hasGraphiql: flag('GRAPHIQL', true),
    graphiqlKey: env.GRAPHIQL_KEY || 'your API key',
    corsOrigins: listOf(env.CORS_ORIGINS),
    shutdownTimeoutMs: integer('SHUTDOWN_TIMEOUT_MS', SHUTDOWN_TIMEOUT_MS, 0, 600_000),
  };
  if (problems.length > 0) throw new Error(`The graph cannot start:\n  ${problems.join('\n  ')}`);
  return config;
}
