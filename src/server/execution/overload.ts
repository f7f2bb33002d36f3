import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ErrorCode } from '../../errorCodes.ts';
import type { RetryAdvice } from '../../failures.ts';
import { Chain, type Linked } from '../../lib/chain.ts';
import { seconds } from '../../lib/words.ts';

export interface OverloadOptions {
  /** GraphQL requests that may run at once. */
  readonly maxRequests: number;
  /** How long, in milliseconds, the turn of the event loop may take that a request falls into, on average. */
  readonly maxDelayMs: number;
  /** Bytes of all answers together that wait to be read; `MAX_UNREAD_BYTES` unless given. */
  readonly maxUnreadBytes?: number;
  /** Milliseconds, from any moment on. */
  readonly now?: () => number;
  readonly meter?: DelayMeter;
}

/** Measures how long the event loop takes for a turn, beyond waiting for something to do. */
export interface DelayMeter {
  /** Length of the turn that a random moment falls into, on average since it was asked last, in milliseconds: one long turn weighs as much as it lasts. */
  take(): number;
  close(): void;
}

/** How long turns are averaged, in milliseconds. Ours: a pause to collect garbage, or one large document, is far shorter. */
const WINDOW_MS = 1_000;
/** In how many windows one after the other turns must be too long. Ours: one may be taken up by building the schema. */
const WINDOWS = 2;
/**
 * Bytes of answers that wait to be read. Ours: sixteen answers of the largest size. Callers that read nothing are cut off after half a minute; meanwhile
 * a thousand of them would hold 16 GB.
 */
const MAX_UNREAD_BYTES = 256 * 1024 * 1024;
/** The wait that refused callers are told, in seconds: as long as a window. */
const RETRY_AFTER_SECONDS = 1;

/** How often the length of turns is looked at, in milliseconds. */
const RESOLUTION_MS = 20;

/**
 * Not `monitorEventLoopDelay`: each reset of its histogram drops the turn that follows, which is the one that runs the request that asked; and its mean hides
 * a turn of seconds among hundreds of short ones.
 */
function delayMeter(): DelayMeter {
  let tickedAt = performance.now();
  let sum = 0;
  let sumOfSquares = 0;
  const tick = () => {
    const now = performance.now();
    const turnMs = now - tickedAt;
    tickedAt = now;
    sum += turnMs;
    sumOfSquares += turnMs ** 2;
  };
  const timer = setInterval(tick, RESOLUTION_MS).unref();
  return {
    take: () => {
      tick();
      const weighted = sum === 0 ? 0 : sumOfSquares / sum;
      sum = 0;
      sumOfSquares = 0;
      return Math.max(0, weighted - RESOLUTION_MS);
    },
    close: () => clearInterval(timer),
  };
}

/** An answer that has not been read to its end. */
interface Unread extends Linked<Unread> {
  readonly response: ServerResponse;
}

/** Knows whether the server has more to do than it can, from the requests that run and from the turns of its event loop. */
export class Overload {
  readonly #maxRequests: number;
  readonly #maxDelayMs: number;
  readonly #now: () => number;
  readonly #meter: DelayMeter;
  readonly #maxUnreadBytes: number;
  readonly #unread = new Chain<Unread>();
  #unreadBytes = 0;
  #running = 0;
  #slowWindows = 0;
  #windowEndsAt: number;

  constructor(options: OverloadOptions) {
    const { maxRequests, maxDelayMs, maxUnreadBytes = MAX_UNREAD_BYTES, now = () => performance.now(), meter = delayMeter() } = options;
    this.#maxUnreadBytes = maxUnreadBytes;
    this.#maxRequests = maxRequests;
    this.#maxDelayMs = maxDelayMs;
    this.#now = now;
    this.#meter = meter;
    this.#windowEndsAt = now() + WINDOW_MS;
  }

  /** The thing that there is too much of, as a sentence; undefined when all is well. */
  problem(): string | undefined {
    this.#measure();
    if (this.#running >= this.#maxRequests) return `${this.#running} requests are in progress, which is the maximum`;
    if (this.#slowWindows >= WINDOWS) return 'the process is too busy to respond in time';
    if (this.#unreadBytes > this.#maxUnreadBytes)
      return `clients haven’t read ${this.#unreadBytes} bytes of responses, but the maximum is ${this.#maxUnreadBytes}`;
    return undefined;
  }

  /** Counts a request as running until its answer has ended. */
  enter(response: ServerResponse): void {
    const unread: Unread = { response, previous: undefined, next: undefined };
    this.#running += 1;
    this.#unread.add(unread);
    response.once('close', () => {
      this.#running -= 1;
      this.#unread.remove(unread);
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
    this.#unreadBytes = 0;
    for (const { response } of this.#unread) this.#unreadBytes += response.writableLength;
  }
}

/** Refuses a request before its body is read. */
export function sendOverloaded({ headers }: IncomingMessage, response: ServerResponse, problem: string): void {
  const message = `The server is overloaded: ${problem}. Nothing was executed. Retry in ${seconds(RETRY_AFTER_SECONDS)}.`;
  const extensions = {
    code: 'OVERLOADED' satisfies ErrorCode,
    retry: 'SAFE' satisfies RetryAdvice,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  };
  const isPlain = !headers.accept?.includes('application/graphql-response+json');
  response
    .writeHead(503, {
      'content-type': `application/${isPlain ? '' : 'graphql-response+'}json; charset=utf-8`,
      'retry-after': String(RETRY_AFTER_SECONDS),
    })
    .end(JSON.stringify({ errors: [{ message, extensions }] }));
}
