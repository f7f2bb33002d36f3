import { setTimeout as wait } from 'node:timers/promises';
import type { Live } from '../live/live.ts';
import type { startAdmin } from './adminServer.ts';
import type { Overload } from './execution/overload.ts';
import type { HandlerOptions } from './handler.ts';
import type { HttpServer } from './http/http.ts';
import type { Executions } from './requestPipeline.ts';

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

/** What a shutdown ends. */
interface RunningApp extends Pick<HandlerOptions, 'config' | 'upstream' | 'ledger' | 'logger'> {
  readonly http: HttpServer;
  readonly executions: Executions;
  readonly overload: Overload;
  readonly live: Live | null;
  readonly admin: Awaited<ReturnType<typeof startAdmin>> | null;
}

/** The graceful end of a server, which starts once. */
export class Shutdown {
  readonly #app: RunningApp;
  readonly #hurried = Promise.withResolvers<void>();
  #ending: Promise<void> | undefined;

  constructor(app: RunningApp) {
    this.#app = app;
  }

  /** Starts the shutdown, and logs `signal` as the reason. A second call ends the time in which new requests are still served. */
  start(signal: NodeJS.Signals | undefined): Promise<void> {
    if (this.#ending) this.#hurried.resolve();
    this.#ending ??= this.#end(signal);
    return this.#ending;
  }

  async #end(signal: NodeJS.Signals | undefined): Promise<void> {
    const { config, upstream, ledger, logger, http, executions, overload, live, admin } = this.#app;
    const startedAt = performance.now();
    const getMs = () => Math.round(performance.now() - startedAt);
    logger.info({ signal, drainMs: config.SHUTDOWN_DRAIN_MS, running: executions.running }, 'shutdown requested');
    http.announceClose();
    // Subscriptions never end by themselves. Their clients connect again, and reach other instances.
    live?.close();
    // The health check reports the shutdown. Load balancers send new connections until they have requested it.
    if (config.SHUTDOWN_DRAIN_MS > 0) await waitAtMost(config.SHUTDOWN_DRAIN_MS, this.#hurried.promise);
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
  }
}
