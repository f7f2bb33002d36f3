import { createGraph, type Graph } from '../graph.ts';
import type { Clock } from '../lib/clock.ts';
import { limitReports } from '../lib/limitReports.ts';
import { createHostCheck, isLoopback } from '../lib/loopback.ts';
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
import { createLandingPage, type ServePage } from './pages/landingPage.ts';
import { Executions, RequestPipeline } from './requestPipeline.ts';
import { getSubgraphOptions } from './settings/config.ts';
import { Shutdown } from './shutdown.ts';
import { createToolEndpoint, getToolHosts } from './toolEndpoint.ts';

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

function openLive({ config, bus, pollStore, clock, metrics, logger }: AppOptions): Live {
  const log = limitReports<unknown>((err, count) => logger.warn({ err, count }, 'changes not signaled, see docs/live.md#permissions'));
  const onUnpublished = (reason: unknown) => {
    metrics?.onUnpublished();
    log(reason);
  };
  return new Live({ bus, pollStore, pollSeconds: config.LIVE_POLL_SECONDS, clock, meter: metrics?.live, onUnpublished });
}

/** Serves the start page, or only the landing page. The former is only loaded if it's needed. */
async function createPages({ config, demo }: AppOptions): Promise<ServePage> {
  if (!demo || !isLoopback(config.HOST)) return createLandingPage(config);
  const { createStartPage } = await import('./pages/startPage.ts');
  return createStartPage(config, demo);
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
    servePage: await createPages(options),
    // Only with demo keys, because proxies can serve a graph by any name.
    isOwnHost: options.demo ? createHostCheck(config.HOST, getToolHosts(config)) : null,
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
  const shutdown = new Shutdown({ config, upstream, ledger, logger, http, executions, overload, live, admin });
  return {
    url,
    adminUrl: admin?.url ?? null,
    close: (signal) => {
      isClosing = true;
      return shutdown.start(signal);
    },
  };
}
