import type { ServerResponse } from 'node:http';
import { type Clock, systemClock } from '../../lib/clock.ts';
import type { Upstream } from '../../upstream/client.ts';
import type { Overload } from '../execution/overload.ts';

/** Paths of the health checks, on the main port and the admin port. */
export const HEALTH_PATHS = { live: '/health/live', ready: '/health/ready' } as const;

export type HealthPath = (typeof HEALTH_PATHS)[keyof typeof HEALTH_PATHS];

export const isHealthPath = (path: string): path is HealthPath => path === HEALTH_PATHS.live || path === HEALTH_PATHS.ready;

/** Whether the upstream responds. `unknown`: it hasn't been checked recently. */
export type UpstreamState = 'ok' | 'unavailable' | 'unknown';

/** Age of a check after which reading the state starts another one, in milliseconds. Chosen: bounds what health checks cost, however many there are. */
const FRESH_MS = 10_000;
/** Age after which the result of a check isn't reported anymore, in milliseconds. Chosen: longer than the time between two scrapes of the metrics. */
const MAX_AGE_MS = 300_000;

/**
 * The upstream's health, from checks in the background. Checks only start when the state is read, so that an idle process sends nothing, and nothing waits for
 * them.
 */
export class UpstreamHealth {
  readonly #upstream: Pick<Upstream, 'probe'>;
  readonly #clock: Clock;
  #isReachable = false;
  #checkedAt = Number.NEGATIVE_INFINITY;
  #isChecking = false;

  constructor(upstream: Pick<Upstream, 'probe'>, clock: Clock = systemClock) {
    this.#upstream = upstream;
    this.#clock = clock;
  }

  /** The result of the last check. Starts another check if the result is outdated. */
  read(): UpstreamState {
    const ageMs = this.#clock.monotonicMs() - this.#checkedAt;
    if (ageMs >= FRESH_MS && !this.#isChecking) void this.#check();
    if (ageMs >= MAX_AGE_MS) return 'unknown';
    return this.#isReachable ? 'ok' : 'unavailable';
  }

  async #check(): Promise<void> {
    this.#isChecking = true;
    this.#isReachable = await this.#upstream.probe().then(
      () => true,
      () => false,
    );
    this.#checkedAt = this.#clock.monotonicMs();
    this.#isChecking = false;
  }
}

function sendHealth(response: ServerResponse, status: number, body: object): void {
  const text = JSON.stringify(body);
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': text.length, 'cache-control': 'no-store' }).end(text);
}

/**
 * Responds to health checks at once. Readiness is whether this process can serve one more request. It doesn't depend on the upstream: all replicas share the upstream, so a slow one would take all replicas out of service, including for requests that don't need it.
 */
export function createHealth(
  upstream: UpstreamHealth,
  overload: Overload,
  isClosing: () => boolean,
): (path: HealthPath, response: ServerResponse) => void {
  const findProblem = () => {
    // Load balancers must stop sending requests while the process still accepts them.
    if (isClosing()) return 'The server is shutting down.';
    return overload.findProblem() ? 'The server is overloaded.' : undefined;
  };
  return (path, response) => {
    if (path === HEALTH_PATHS.live) return sendHealth(response, 200, { status: 'ok' });
    const reason = findProblem();
    const state = { upstream: upstream.read() };
    if (reason) sendHealth(response, 503, { status: 'unavailable', reason, ...state });
    else sendHealth(response, 200, { status: 'ok', ...state });
  };
}
