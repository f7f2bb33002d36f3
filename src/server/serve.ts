import type { Logger } from 'pino';
import { getLedgerPath, isRedisUrl } from '../ledger/ledgerUrl.ts';
import { NO_LEDGER } from '../ledger/noLedger.ts';
import { limitReports } from '../lib/limitReports.ts';
import { readManifest } from '../lib/packageRoot.ts';
import { connectRedis } from '../lib/redis.ts';
import { StartProblems } from '../lib/startup.ts';
import { RedisBus, RedisPollStore } from '../live/redisBus.ts';
import type { CallFailure, OnFailure } from '../upstream/calls/callMeter.ts';
import type { App } from './app.ts';
import type { Auth } from './auth/openAuth.ts';
import { currentRequest } from './execution/currentRequest.ts';
import type { Spans } from './execution/spans.ts';
import { openLedger } from './openLedger.ts';
import { openUpstream } from './openUpstream.ts';
import type { DemoSandbox } from './pages/demoSandbox.ts';
import { type Config, type Environment, readSettings } from './settings/config.ts';
import { createLogger } from './telemetry/logger.ts';
import { LogOutput } from './telemetry/logOutput.ts';
import { Metrics } from './telemetry/metrics.ts';

/** Codes of Node.js, TLS, or undici. Not the error itself, because it can quote a response. */
function getCodes(error: CallFailure['error']): { readonly code?: string; readonly syscall?: string } {
  // A timeout aborts the request, which would be reported as the cause.
  if (!error || error.isTimeout) return {};
  // A name with several addresses has an error for each.
  const cause: unknown = error.cause instanceof AggregateError ? error.cause.errors[0] : error.cause;
  const { code, syscall } = (cause ?? {}) as NodeJS.ErrnoException;
  return { ...(code !== undefined && { code }), ...(syscall !== undefined && { syscall }) };
}

/** Logs why calls to the upstream fail: the first failure of each class, then their number once a minute. */
export function createFailureLog(upstreamUrl: string, logger: Logger): OnFailure {
  const { host } = new URL(upstreamUrl);
  /** Few, because the upstream can only choose the status. */
  const classes = new Map<string, (operation: string) => void>();
  return ({ operation, failure, status, error }) => {
    const fields = { failure, status, ...getCodes(error) };
    const name = JSON.stringify(fields);
    let log = classes.get(name);
    if (!log) {
      log = limitReports((example, count) => logger.warn({ host, operation: example, ...fields, count }, 'upstream calls failed'));
      classes.set(name, log);
    }
    log(operation);
  };
}

/** Global symbol under which all copies of version 1 of the OpenTelemetry API register their SDK, so that an SDK can bring its own copy. */
const REGISTERED = Symbol.for('opentelemetry.js.api.1');

/**
 * Creates the graph's spans if a tracer was registered before (by `--import`: see docs/telemetry.md). Otherwise returns undefined, without loading the API.
 * `upstreamUrl` is the upstream's base URL.
 */
async function openTelemetry(upstreamUrl: string): Promise<Spans | undefined> {
  if (!Object.hasOwn(globalThis, REGISTERED)) return undefined;
  const { getRegisteredTracer: registeredTracer, Spans } = await import('./execution/spans.ts');
  const tracer = registeredTracer();
  return tracer && new Spans(tracer, upstreamUrl);
}

/** Ends a process whose log blocks. Uses the default action of a signal, because `process.exit` would wait for the thread that writes. */
function killProcess(): void {
  process.removeAllListeners('SIGTERM');
  process.kill(process.pid, 'SIGTERM');
}

/** Placeholder for a ledger that couldn't be opened, so that the remaining startup steps can still be checked. */
const UNOPENED = { ...NO_LEDGER, close: async () => {} };

/** Opens the ledger, and the connection to Redis that it uses, also for live updates. */
async function openStore(config: Config, logger: Logger, metrics: Metrics | undefined) {
  const { LEDGER_URL: url } = config;
  const logRejected = limitReports<string>((problem, count) => logger.warn({ problem, count }, 'malformed live update messages dropped'));
  const onRejected = (problem: string) => {
    metrics?.onRejectedMessage();
    logRejected(problem);
  };
  const redis = isRedisUrl(url) ? await connectRedis(url, (err) => logger.error({ err }, 'redis connection error')) : undefined;
  const isShared = redis && config.LIVE === 'on';
  const live = isShared ? { bus: await RedisBus.open(redis, onRejected), pollStore: new RedisPollStore(redis) } : {};
  return { redis, live, ledger: await openLedger(config, redis, logger) };
}

/** Opens sign-in. Its packages are only loaded if it's enabled. */
async function openSignIn(config: Config, env: Environment, logger: Logger): Promise<Auth> {
  const { openAuth } = await import('./auth/openAuth.ts');
  return openAuth(config, env, logger);
}

function getLedgerKind(url: string): 'redis' | 'memory' | 'file' {
  if (isRedisUrl(url)) return 'redis';
  return getLedgerPath(url) === ':memory:' ? 'memory' : 'file';
}

/** What the log states about the process when it starts. */
function describeStart(config: Config): object {
  const { UPSTREAM_CONNECTIONS, UPSTREAM_TIMEOUT_MS, UPSTREAM_CALLS_PER_REQUEST, COST_LIMIT, MAX_RESPONSE_BYTES } = config;
  const { MAX_CONCURRENT_REQUESTS, MAX_EVENT_LOOP_DELAY_MS } = config;
  return {
    version: readManifest().version,
    node: process.version,
    upstream: new URL(config.UPSTREAM_URL).host,
    ledger: getLedgerKind(config.LEDGER_URL),
    signIn: config.AUTH_ISSUER === '' ? 'off' : 'on',
    live: config.LIVE,
    limits: {
      UPSTREAM_CONNECTIONS,
      UPSTREAM_TIMEOUT_MS,
      UPSTREAM_CALLS_PER_REQUEST,
      COST_LIMIT,
      MAX_RESPONSE_BYTES,
      MAX_CONCURRENT_REQUESTS,
      MAX_EVENT_LOOP_DELAY_MS,
    },
  };
}

/**
 * Starts the graph over the upstream that the environment names. Throws one StartError that lists every problem. `demo`: see `AppOptions`.
 */
export async function serveGraph(env: Environment, demo?: DemoSandbox): Promise<App> {
  const { config, problems: invalidSettings, invalid, misspellings, removed } = readSettings(env);
  const problems = new StartProblems(invalidSettings);
  const metrics = config.ADMIN_PORT === undefined ? undefined : new Metrics();
  const output = new LogOutput({
    onDrop: (lines) => metrics?.onDroppedLogLines(lines),
    // Belongs to no request, but is called while some request is being logged.
    onRecovery: (lines) => currentRequest.exit(() => logger.warn({ lines }, 'log lines dropped')),
  });
  process.on('exit', () => output.flush());
  const logger = createLogger(config.LOG_LEVEL, output);
  // Before anything can fail, because a misspelled setting may be why.
  for (const misspelling of misspellings) logger.warn(misspelling, 'possibly misspelled setting');
  for (const setting of removed) logger.warn(setting, 'setting no longer exists');
  // When a list fails as a whole, graphql-js doesn't await its remaining items. Nothing handles their failures, which must not end the process.
  process.on('unhandledRejection', (err) => logger.error({ err }, 'unhandled rejection'));
  // The thread of the ledger's file starts while this one loads the rest of the program, which takes longer.
  const isSignInValid = [...invalid].every((variable) => !variable.startsWith('AUTH_'));
  const [store, { startApp }, telemetry, auth] = await Promise.all([
    invalid.has('LEDGER_URL') ? undefined : problems.collect(() => openStore(config, logger, metrics)),
    import('./app.ts'),
    openTelemetry(config.UPSTREAM_URL),
    config.AUTH_ISSUER !== '' && isSignInValid ? problems.collect(() => openSignIn(config, env, logger)) : null,
  ]);
  const { redis, live, ledger = UNOPENED } = store ?? {};
  const upstream = openUpstream(config, redis, logger, {
    onFailure: createFailureLog(config.UPSTREAM_URL, logger),
    ...(metrics && { meter: metrics.calls }),
    ...(telemetry && { currentTrace: () => currentRequest.getStore()?.span?.createSessionTrace() ?? null }),
  });
  const app = await startApp({ config, upstream, ledger, ...live, logger, metrics, telemetry, auth, demo, problems, invalid });
  if (auth) process.on('SIGHUP', () => auth.authenticator.forgetAssignments());
  logger.info({ url: `${app.url}/graphql`, ...describeStart(config) }, 'listening');
  return {
    url: app.url,
    adminUrl: app.adminUrl,
    close: async (signal) => {
      await app.close(signal);
      await redis?.close();
      await auth?.close();
      if (!(await output.close())) killProcess();
    },
  };
}
