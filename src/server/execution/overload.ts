import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ErrorCode } from '../../failures/errorCodes.ts';
import type { RetryAdvice } from '../../failures/failures.ts';
import { onClose } from '../../lib/onClose.ts';
import { formatSeconds } from '../../lib/words.ts';

export interface OverloadOptions {
  /** Maximum concurrent GraphQL requests. */
  readonly maxRequests: number;
  /** Maximum time-weighted event loop delay of a window, in milliseconds. */
  readonly maxDelayMs: number;
  /** Maximum size of all responses that clients haven't read yet, in bytes. Default: `MAX_UNREAD_BYTES`. */
  readonly maxUnreadBytes?: number;
  /** Monotonic clock, in milliseconds. */
  readonly now?: () => number;
  readonly meter?: DelayMeter;
}

/** Measures how long turns of the event loop take. */
export interface DelayMeter {
  /**
   * Time-weighted average length of the turns since the last call, in milliseconds, without the time in which the loop was idle. Weighted, so that one long
   * turn counts for as long as it lasts.
   */
  take(): number;
  close(): void;
}

/** Length of a window, in milliseconds. Chosen: much longer than a garbage collection or one large document. */
const WINDOW_MS = 1_000;
/** Consecutive slow windows that count as overload. Chosen: one can be due to a single expensive request. */
const SLOW_WINDOWS = 2;
/** The same for clients whose API key isn't known to be valid, which are rejected first. Chosen: anyone can send such requests. */
const SLOW_WINDOWS_OF_STRANGERS = 1;
/** Why requests are rejected while the event loop is slow. */
const TOO_BUSY = 'the process is too busy to respond in time';
/** Consecutive responsive windows with requests that end the warm-up. Chosen: the first document that is quick doesn't mean that the next one is. */
const WARM_WINDOWS = 3;
/**
 * Maximum length of the warm-up, in milliseconds, from the first request. Chosen: the first documents take half a second on an idle core, so this suffices on a
 * machine that is sixty times slower. The limits of requests and of unread bytes apply meanwhile.
 */
const MAX_WARM_UP_MS = 30_000;
/**
 * Maximum size of all unread responses, in bytes. Chosen: sixteen responses of the maximum size. Clients that read nothing are disconnected after half a
 * minute; until then, a thousand of them would hold 16 GB.
 */
const MAX_UNREAD_BYTES = 256 * 1024 * 1024;
/** Share of these bytes that one API key can hold. Chosen: a client that reads nothing leaves most of them to others. */
const UNREAD_SHARE_OF_KEY = 1 / 4;
/** Maximum memory of the bodies of all requests in progress, in bytes. Chosen: with all caches full, it still fits into the documented heap. */
const MAX_BODIES_BYTES = 64 * 1024 * 1024;
/** Memory of a body that is accepted nevertheless, in bytes, so that a few large ones don't displace small ones. Chosen: as much again for the maximum number of requests. */
const SMALL_BODY_BYTES = 64 * 1024;
/** `retryAfterSeconds` of rejected requests: the length of a window. */
const RETRY_AFTER_SECONDS = 1;

/** Interval at which turns are measured, in milliseconds. */
const RESOLUTION_MS = 20;

/**
 * Not `monitorEventLoopDelay`: each reset of its histogram drops the following turn, which runs the request that read it. Its mean also hides a turn of seconds
 * among hundreds of short ones.
 */
function delayMeter(now: () => number): DelayMeter {
  let tickedAt = now();
  let sum = 0;
  let sumOfSquares = 0;
  const tick = () => {
    const turnMs = now() - tickedAt;
    tickedAt += turnMs;
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

/**
 * The time after startup in which the process loads code and compiles its first documents. A slow event loop isn't overload then: rejecting requests would only
 * postpone that work. Starts with the first request, because an idle process doesn't warm up.
 */
class WarmUp {
  #endsAt = Number.POSITIVE_INFINITY;
  #responsiveWindows = 0;

  start(now: number): void {
    if (this.#endsAt === Number.POSITIVE_INFINITY) this.#endsAt = now + MAX_WARM_UP_MS;
  }

  /** Called at the end of each window in which a request was in progress. */
  onWindow(isSlow: boolean): void {
    if (this.#responsiveWindows === WARM_WINDOWS) return;
    this.#responsiveWindows = isSlow ? 0 : this.#responsiveWindows + 1;
  }

  isOver(now: number): boolean {
    return this.#responsiveWindows === WARM_WINDOWS || now >= this.#endsAt;
  }
}

/** Observes a response. */
export interface ResponseObserver {
  /** Called after each write that the client hasn't read completely. */
  onUnread(): void;
  /** Called when the body of the request takes further memory, in bytes, until the response is closed. Returns why it's rejected, as a clause, or undefined. */
  onBody(bytes: number): string | undefined;
}

export interface ObservedResponse extends ServerResponse {
  observer?: ResponseObserver | null;
}

/** A request whose credential may be known only later, when its access token has been verified. */
interface HasCredential {
  readonly credential: { readonly keyHash: string } | null;
}

/** Memory of the bodies of all requests in progress. */
interface BodyMemory {
  /** In bytes. */
  total: number;
}

/** A request in progress, and its response until the client has read it. */
class OpenRequest implements ResponseObserver {
  readonly response: ServerResponse;
  readonly #request: HasCredential;
  readonly #unread: Set<OpenRequest>;
  readonly #bodies: BodyMemory;
  /** Memory of its body, in bytes. */
  bodyBytes = 0;
  /** Whether it counts as in progress. */
  isRunning = true;

  constructor(response: ServerResponse, request: HasCredential, unread: Set<OpenRequest>, bodies: BodyMemory) {
    this.response = response;
    this.#request = request;
    this.#unread = unread;
    this.#bodies = bodies;
  }

  get keyHash(): string | null {
    return this.#request.credential?.keyHash ?? null;
  }

  onUnread(): void {
    this.#unread.add(this);
  }

  onBody(bytes: number): string | undefined {
    this.bodyBytes += bytes;
    this.#bodies.total += bytes;
    if (this.bodyBytes <= SMALL_BODY_BYTES || this.#bodies.total <= MAX_BODIES_BYTES) return undefined;
    return `requests in progress take ${MAX_BODIES_BYTES} bytes, which is the maximum, and this one isn’t small.`;
  }
}

/** Bytes of responses that are buffered in memory. */
interface UnreadBytes {
  readonly total: number;
  /** By key hash. Null is the key of all requests without an API key. Keys without unread bytes are absent. */
  readonly byKey: ReadonlyMap<string | null, number>;
}

const ALL_READ: UnreadBytes = { total: 0, byKey: new Map() };

function countUnreadBytes(requests: Iterable<OpenRequest>): UnreadBytes {
  const byKey = new Map<string | null, number>();
  let total = 0;
  for (const { response, keyHash } of requests) {
    const bytes = response.writableLength;
    total += bytes;
    if (bytes > 0) byKey.set(keyHash, (byKey.get(keyHash) ?? 0) + bytes);
  }
  return { total, byKey };
}

/** Detects overload, from the requests in progress, the delay of the event loop, and the responses that clients haven't read. */
export class Overload {
  readonly #maxRequests: number;
  readonly #maxDelayMs: number;
  readonly #now: () => number;
  readonly #meter: DelayMeter;
  readonly #maxUnreadBytes: number;
  /** Those whose clients haven't read what was written, which are few: their bytes are counted without looking at the others. */
  readonly #unread = new Set<OpenRequest>();
  readonly #bodies: BodyMemory = { total: 0 };
  /** Measured once per turn of the event loop. Undefined if it wasn't yet. */
  #unreadBytes: UnreadBytes | undefined;
  readonly #warmUp = new WarmUp();
  #running = 0;
  #hadRequests = false;
  #slowWindows = 0;
  #windowEndsAt: number;

  constructor(options: OverloadOptions) {
    const { maxRequests, maxDelayMs, maxUnreadBytes = MAX_UNREAD_BYTES, now = () => performance.now(), meter = delayMeter(now) } = options;
    this.#maxUnreadBytes = maxUnreadBytes;
    this.#maxRequests = maxRequests;
    this.#maxDelayMs = maxDelayMs;
    this.#now = now;
    this.#meter = meter;
    this.#windowEndsAt = now() + WINDOW_MS;
  }

  /** Why a request must be rejected now, as a clause without a period. Undefined if it can be accepted. */
  findProblem(): string | undefined {
    const now = this.#now();
    this.#measure(now);
    if (this.#running >= this.#maxRequests) return `${this.#running} requests are in progress, which is the maximum`;
    if (this.#slowWindows >= SLOW_WINDOWS && this.#warmUp.isOver(now)) return TOO_BUSY;
    const { total } = this.#measureUnread();
    if (total > this.#maxUnreadBytes) return `clients haven’t read ${total} bytes of responses, but the maximum is ${this.#maxUnreadBytes}`;
    return undefined;
  }

  /** Why a request of a client whose API key isn't known to be valid must be rejected, although `findProblem` accepts it. */
  findProblemOfStrangers(): string | undefined {
    return this.#slowWindows >= SLOW_WINDOWS_OF_STRANGERS && this.#warmUp.isOver(this.#now()) ? TOO_BUSY : undefined;
  }

  /** Why no further response can be built for an API key, as a clause without a period: its clients must first read earlier ones. Undefined if one can be built. */
  findUnreadProblem(keyHash: string | null): string | undefined {
    const { total, byKey } = this.#measureUnread();
    const bytes = byKey.get(keyHash) ?? 0;
    const limit = total > this.#maxUnreadBytes ? 0 : Math.floor(this.#maxUnreadBytes * UNREAD_SHARE_OF_KEY);
    if (bytes <= limit) return undefined;
    return `clients of this API key haven’t read ${bytes} bytes of responses, but the maximum is currently ${limit}`;
  }

  /** Counts a request as in progress until its response is closed. */
  enter(response: ObservedResponse, request: HasCredential): void {
    this.#warmUp.start(this.#now());
    this.#hadRequests = true;
    this.#running += 1;
    const open = new OpenRequest(response, request, this.#unread, this.#bodies);
    response.observer = open;
    onClose(response, () => {
      this.#stopCounting(open);
      this.#unread.delete(open);
      this.#bodies.total -= open.bodyBytes;
    });
  }

  /** Stops counting a request as in progress, because its response stays open without work. Its unread bytes still count. */
  onIdle({ observer }: ObservedResponse): void {
    if (observer instanceof OpenRequest) this.#stopCounting(observer);
  }

  #stopCounting(open: OpenRequest): void {
    if (open.isRunning) this.#running -= 1;
    open.isRunning = false;
  }

  close(): void {
    this.#meter.close();
  }

  /** There is no timer. A window ends with the first request after its end time. */
  #measure(now: number): void {
    if (now < this.#windowEndsAt) return;
    this.#windowEndsAt = now + WINDOW_MS;
    const isSlow = this.#meter.take() > this.#maxDelayMs;
    this.#slowWindows = isSlow ? this.#slowWindows + 1 : 0;
    if (this.#hadRequests) this.#warmUp.onWindow(isSlow);
    this.#hadRequests = this.#running > 0;
  }

  #measureUnread(): UnreadBytes {
    if (this.#unread.size === 0) return ALL_READ;
    if (this.#unreadBytes) return this.#unreadBytes;
    this.#unreadBytes = countUnreadBytes(this.#unread);
    setImmediate(() => {
      this.#unreadBytes = undefined;
    });
    return this.#unreadBytes;
  }
}

/** Rejects a request before its body is read. */
export function sendOverloaded({ headers }: IncomingMessage, response: ServerResponse, problem: string): void {
  const message = `The server is overloaded: ${problem}. Nothing was executed. Retry in ${formatSeconds(RETRY_AFTER_SECONDS)}.`;
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
