import { setTimeout as wait } from 'node:timers/promises';
import { createGraph, type Graph } from '../graph.ts';
import type { Clock } from '../lib/clock.ts';
import { limitReports } from '../lib/limitReports.ts';
import { listen, StartProblems } from '../lib/startup.ts';
import type { ChangeBus } from '../live/bus.ts';
import { Live } from '../live/live.ts';
import type { PollStore } from '../live/pollStore.ts';
import { startAdmin } from './adminServer.ts';
import { Overload } from './execution/overload.ts';
import { createHandlers, type HandlerOptions } from './handler.ts';
import { createHealth, UpstreamHealth } from './http/health.ts';
import { createHttpServer, HTTP_LIMITS, type HttpLimits } from './http/http.ts';
import { TOOLS_PATH } from './http/paths.ts';
import { createLandingPage } from './landingPage.ts';
import { Executions, RequestPipeline } from './pipeline.ts';
import { getSubgraphOptions } from './settings/config.ts';
import { createToolEndpoint } from './toolEndpoint.ts';

export interface AppOptions extends Omit<HandlerOptions, 'live'> {
  /** Overrides of the default connection limits. */
  readonly http?: Partial<HttpLimits>;
  /** Distributes changes to other instances. By default, they only reach subscriptions of this process. */
  readonly bus?: ChangeBus | undefined;
  /** Shares polls for changes with other instances. */
  readonly pollStore?: PollStore | undefined;
  /** Clock for confirmation tokens, stopped operations, and health checks. Defaults to the system clock. */
  readonly clock?: Clock;
  /** Problems that are already known. `startApp` adds its own, and throws all of them together. */
  readonly problems?: StartProblems;
  /** Names of invalid settings. */
  readonly invalid?: ReadonlySet<string>;
}

/** The running graph. */
export interface App {
  readonly url: string;
  /** Base URL of the admin port. Null if it's disabled. */
  readonly adminUrl: string | null;
  /**
   * Shuts down gracefully: keeps serving for the configured time, stops accepting connections, completes running requests and those that arrive on open
   * connections, then closes the upstream's connections and the ledger. A second call ends the configured time early. `signal` is logged as the reason.
   */
  close(signal?: NodeJS.Signals): Promise<void>;
}

/** How long requests may take to complete after their upstream calls were aborted, in milliseconds. Chosen: they only have to write their responses. */
const ABORTED_REQUESTS_MS = 1_000;
/** How long the ledger may take to write its pending results, in milliseconds. Chosen: a disk that works needs a few. */
const LEDGER_MS = 1_000;
/** The end of `SHUTDOWN_TIMEOUT_MS`, in which requests aren't waited for: the two limits above, that of the log (`logOutput.ts`) and of the exit (`main.ts`). */
const CLOSING_MS = 4_500;

/** Waits for an event, but not longer than `ms`. */
async function waitAtMost(ms: number, event: Promise<unknown>): Promise<void> {
  const timeUp = new AbortController();
  await Promise.race([event, wait(ms, undefined, { signal: timeUp.signal }).catch(() => {})]);
  timeUp.abort();
}

function openLive({ config, bus, pollStore, clock, metrics, logger }: AppOptions): Live {
  const log = limitReports<unknown>((err, count) => logger.warn({ err, count }, 'changes not signaled, see docs/live.md#permissions'));
  const onUnpublished = (reason: unknown) => {
    metrics?.onUnpublished();
    log(reason);
  };
  return new Live({ bus, pollStore, pollSeconds: config.LIVE_POLL_SECONDS, clock, meter: metrics?.live, onUnpublished });
}

/** Builds the graph. If its names or tags are invalid, reports them and builds it without them, so that the checks that need a schema can run too. */
async function buildGraph({ graph, config }: AppOptions, problems: StartProblems): Promise<Graph> {
  const subgraph = getSubgraphOptions(config);
  const built = graph ?? (await problems.collect(() => createGraph(subgraph)));
  if (built) return built;
  const untagged = { ...subgraph, renames: [], typePrefix: '' };
  return (await problems.collect(() => createGraph(untagged))) ?? createGraph();
}

/** Serves the graph. Port 0 picks a free port. Throws a StartError that lists every problem, such as a port that's in use or an invalid file of the configuration. */
export async function startApp(options: AppOptions): Promise<App> {
  const { config, upstream, ledger, logger, metrics, problems = new StartProblems(), invalid = new Set() } = options;
  let isClosing = false;
  const overload =
    options.overload ?? new Overload({ maxRequests: config.MAX_CONCURRENT_REQUESTS, maxDelayMs: config.MAX_EVENT_LOOP_DELAY_MS });
  const executions = new Executions();
  const live = config.LIVE === 'on' ? openLive(options) : null;
  const handlers = createHandlers({ ...options, graph: await buildGraph(options, problems), overload, live });
  const createTools = () =>
    createToolEndpoint({
      config,
      graph: handlers.inProcess,
      logger,
      metadataUrl: options.auth?.metadata?.getUrl(TOOLS_PATH) ?? null,
      clock: options.clock,
    });
  const tools = config.MCP ? ((await problems.collect(createTools)) ?? null) : null;
  const upstreamHealth = new UpstreamHealth(upstream, options.clock);
  const serveHealth = createHealth(upstreamHealth, overload, () => isClosing);
  const pipeline = new RequestPipeline({
    ...options,
    handlers,
    tools,
    overload,
    executions,
    serveHealth,
    serveLandingPage: createLandingPage(config),
  });
  const http = createHttpServer({ ...HTTP_LIMITS, ...options.http }, pipeline.onRequest);
  const isListening = !invalid.has('HOST') && !invalid.has('PORT');
  const url = isListening ? await problems.collect(() => listen(http.server, config.PORT, config.HOST, 'HOST and PORT')) : undefined;
  http.server.on('error', (error) => logger.error({ err: error }, 'http server error'));
  const { ADMIN_HOST: adminHost, ADMIN_PORT: adminPort } = config;
  const admin =
    metrics && adminPort !== undefined
      ? await problems.collect(() => startAdmin({ host: adminHost, port: adminPort, upstream, upstreamHealth, metrics, serveHealth }))
      : null;
  if (url === undefined || admin === undefined || !problems.isEmpty) {
    http.closeNow();
    admin?.close();
    overload.close();
    live?.close();
    problems.check();
    throw new Error('The graph isn’t listening.');
  }
  await handlers.warmUp();
  const hurried = Promise.withResolvers<void>();
  const end = async (signal: NodeJS.Signals | undefined) => {
    const startedAt = performance.now();
    const getMs = () => Math.round(performance.now() - startedAt);
    isClosing = true;
    logger.info({ signal, drainMs: config.SHUTDOWN_DRAIN_MS, running: executions.running }, 'shutdown requested');
    http.announceClose();
    // Subscriptions never end by themselves. Their clients connect again, and reach other instances.
    live?.close();
    // The health check reports the shutdown. Load balancers send new connections until they have requested it.
    if (config.SHUTDOWN_DRAIN_MS > 0) await waitAtMost(config.SHUTDOWN_DRAIN_MS, hurried.promise);
    const closed = http.close().then(() => executions.waitForAll());
    // Writes are completed even if their client has disconnected.
    await waitAtMost(Math.max(0, config.SHUTDOWN_TIMEOUT_MS - CLOSING_MS), closed);
    const { running } = executions;
    if (running > 0) logger.warn({ ms: getMs(), running }, 'requests aborted');
    else logger.info({ ms: getMs() }, 'requests drained');
    overload.close();
    // Before the clients' connections are closed, so that they can still receive the outcome: writes in flight have an unknown outcome, which the ledger
    // records.
    await waitAtMost(ABORTED_REQUESTS_MS, Promise.all([upstream.close(), closed]));
    http.closeNow();
    await waitAtMost(LEDGER_MS, ledger.close());
    // Last, because the metrics also cover the shutdown.
    admin?.close();
    logger.info({ ms: getMs() }, 'closed');
  };
  let ending: Promise<void> | undefined;
  return {
    url,
    adminUrl: admin?.url ?? null,
    close: (signal) => {
      if (ending) hurried.resolve();
      ending ??= end(signal);
      return ending;
    },
  };
}
