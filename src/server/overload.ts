import type { IncomingMessage, ServerResponse } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { RetryAdvice } from '../upstream/errors.ts';

export interface OverloadOptions {
  /** GraphQL requests that may run at once. */
  readonly maxRequests: number;
  /** How long, in milliseconds, a turn of the event loop may take on average. */
  readonly maxDelayMs: number;
  /** Milliseconds, from any moment on. */
  readonly now?: () => number;
  readonly meter?: DelayMeter;
}

/** Measures how long the event loop takes for a turn, beyond waiting for something to do. */
export interface DelayMeter {
  /** The average since it was asked last, in milliseconds. */
  take(): number;
  close(): void;
}

/** How long turns are averaged. Ours: a pause to collect garbage, or one large document, is far shorter. */
const WINDOW_MS = 1_000;
/** In how many windows one after the other turns must be too long. Ours: one may be taken up by building the schema. */
const WINDOWS = 2;
/** The wait that refused callers are told, in seconds: as long as a window. */
const RETRY_AFTER_SECONDS = 1;

const RESOLUTION_MS = 20;

function delayMeter(): DelayMeter {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  histogram.enable();
  return {
    take: () => {
      const { mean } = histogram;
      histogram.reset();
      // What is measured is from one tick of its timer to the next. Before the first there is no mean.
      return Number.isNaN(mean) ? 0 : Math.max(0, mean / 1e6 - RESOLUTION_MS);
    },
    close: () => void histogram.disable(),
  };
}

/** Knows whether the server has more to do than it can, from the requests that run and from the turns of its event loop. */
export class Overload {
  readonly #maxRequests: number;
  readonly #maxDelayMs: number;
  readonly #now: () => number;
  readonly #meter: DelayMeter;
  #running = 0;
  #slowWindows = 0;
  #windowEndsAt: number;

  constructor({ maxRequests, maxDelayMs, now = () => performance.now(), meter = delayMeter() }: OverloadOptions) {
    this.#maxRequests = maxRequests;
    this.#maxDelayMs = maxDelayMs;
    this.#now = now;
    this.#meter = meter;
    this.#windowEndsAt = now() + WINDOW_MS;
  }

  /** What there is too much of; undefined when all is well. */
  problem(): string | undefined {
    this.#measure();
    if (this.#running >= this.#maxRequests) return `${this.#running} requests run, which is as many as may`;
    if (this.#slowWindows >= WINDOWS) return 'the process is too busy to answer in time';
    return undefined;
  }

  /** Counts a request as running until its answer has ended. */
  enter(response: ServerResponse): void {
    this.#running += 1;
    response.once('close', () => {
      this.#running -= 1;
    });
  }

  close(): void {
    this.#meter.close();
  }

  /** No timer: a window ends when somebody asks after its time. */
  #measure(): void {
    const now = this.#now();
    if (now < this.#windowEndsAt) return;
    this.#windowEndsAt = now + WINDOW_MS;
    this.#slowWindows = this.#meter.take() > this.#maxDelayMs ? this.#slowWindows + 1 : 0;
  }
}

/** Refuses a request before its body is read. */
export function sendOverloaded({ headers }: IncomingMessage, response: ServerResponse, problem: string): void {
  const message = `The graph is overloaded: ${problem}. Nothing was done; ask again in ${RETRY_AFTER_SECONDS} s.`;
  const extensions = { code: 'OVERLOADED', retryable: true, retry: 'SAFE' satisfies RetryAdvice, retryAfterSeconds: RETRY_AFTER_SECONDS };
  const isPlain = !headers.accept?.includes('application/graphql-response+json');
  response
    .writeHead(503, {
      'content-type': `application/${isPlain ? '' : 'graphql-response+'}json; charset=utf-8`,
      'retry-after': String(RETRY_AFTER_SECONDS),
    })
    .end(JSON.stringify({ errors: [{ message, extensions }] }));
}
