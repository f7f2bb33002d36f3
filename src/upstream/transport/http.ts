import { randomBytes } from 'node:crypto';
import { type Dispatcher, errors, Pool } from 'undici';
import { BoundedCache } from '../../lib/boundedCache.ts';
import { Deadlines, type HasDeadline } from '../../lib/deadlines.ts';
import { hashApiKey } from '../../lib/keyHash.ts';
import { LinkedList, type LinkedNode } from '../../lib/linkedList.ts';
import { createProxyAgent, type HttpProxy } from '../../lib/proxy.ts';
import { decodeUtf8 } from '../../lib/utf8.ts';
import type { Wait } from '../../lib/wait.ts';
import { type Transport, TransportError, type UpstreamResponse } from './transport.ts';

interface PoolsOptions {
  readonly origin: string;
  /** Maximum number of connections per pool. Also the maximum number of pools if they are separate, because at most as many keys can have calls in flight. */
  readonly connections: number;
  /** Whether each key has its own connections. */
  readonly hasPoolPerKey: boolean;
  readonly proxy: HttpProxy | undefined;
}

/** Connection pools of the upstream: one for all keys, or one per key. */
class Pools {
  readonly #options: PoolsOptions;
  /** By key hash. The shared pool has the name ''. */
  readonly #pools: BoundedCache<Dispatcher>;
  /** Evicted pools that close after their last call. */
  readonly #closing = new Set<Dispatcher>();
  #isDestroyed = false;

  constructor(options: PoolsOptions) {
    this.#options = options;
    this.#pools = new BoundedCache({ entries: options.connections, onEvict: (pool) => this.#close(pool) });
  }

  get(apiKey: string): Dispatcher {
    const name = this.#options.hasPoolPerKey ? hashApiKey(apiKey) : '';
    const known = this.#pools.get(name);
    if (known) return known;
    const pool = this.#open();
    this.#pools.set(name, pool);
    return pool;
  }

  /** Closes all pools and aborts the calls in flight. Later calls fail. */
  async destroy(): Promise<void> {
    this.#isDestroyed = true;
    await Promise.all([...this.#pools.values(), ...this.#closing].map((pool) => pool.destroy()));
  }

  #open(): Dispatcher {
    const { origin, connections, proxy } = this.#options;
    // No pipelining, because a slow call must not block others.
    const options = { connections, pipelining: 1, headersTimeout: 0, bodyTimeout: 0 };
    const pool = proxy ? createProxyAgent(proxy, options) : new Pool(origin, options);
    if (this.#isDestroyed) void pool.destroy();
    return pool;
  }

  #close(pool: Dispatcher): void {
    this.#closing.add(pool);
    const end = () => this.#closing.delete(pool);
    // `close` rejects if the pool is destroyed in the meantime.
    void pool.close().then(end, end);
  }
}

/** Header that correlates the logs of both sides. Some upstreams echo it. */
export const REQUEST_ID = 'x-request-id';

/** Number of consecutive responses with the ID of their call after which the upstream is known to echo IDs. Chosen. */
const MIN_CONSECUTIVE_MATCHES = 20;
/** Digits of a call's number. Fixed, so that no number is a prefix of another. In base 36, they suffice for 2 * 10^12 calls. */
const DIGITS = 8;

/**
 * Detects responses that belong to another call, by the call ID that they echo. An upstream that responds twice to a call shifts all later responses on its
 * connection by one, so clients get the responses of others. An upstream doesn't have to echo IDs, so one that sends its own IDs is trusted.
 */
class EchoCheck {
  /** Part of each ID of this process, and of no other process. */
  readonly #processId = randomBytes(6).toString('hex');
  #calls = 0;
  #consecutiveMatches = 0;

  /** Returns a suffix that identifies the next call. */
  createCallId(): string {
    this.#calls += 1;
    return this.#processId + this.#calls.toString(36).padStart(DIGITS, '0');
  }

  /** Whether a response certainly belongs to another call. */
  isMismatched(call: string, headers: UpstreamResponse['headers']): boolean {
    const echoed = headers[REQUEST_ID];
    const id = Array.isArray(echoed) ? echoed.join() : echoed;
    if (id?.includes(call)) {
      this.#consecutiveMatches += 1;
      return false;
    }
    // Something in front of the upstream may have responded: a proxy's own error has no ID.
    if (this.#consecutiveMatches >= MIN_CONSECUTIVE_MATCHES) return id !== undefined;
    this.#consecutiveMatches = 0;
    return id?.includes(this.#processId) ?? false;
  }
}

export interface TransportOptions {
  /** Base URL of the upstream, with its path if it has one. */
  readonly url: string;
  readonly connections: number;
  /** Whether each key has its own pool of connections, with as many pools as connections. By default, all keys share one pool. */
  readonly hasPoolPerKey?: boolean;
  readonly proxy?: HttpProxy | undefined;
  /** Called for each response that belongs to another call and is therefore discarded. */
  readonly onForeignResponse?: () => void;
}

/** Maximum size of a response, in bytes. Chosen: a page of 100 records is far below it. */
const MAX_RESPONSE_BYTES = 32 * 1024 * 1024;

/**
 * How long the response to an abandoned call can still arrive, in milliseconds. Chosen: most responses arrive in time, and keeping a connection is cheaper than
 * opening another one.
 */
const GRACE_MS = 250;

/** Error of an abandoned call. Created once, because thousands may be abandoned at the same time. */
const ABANDONED_CALL = new TransportError(true, false, undefined, true);

/** Collects the chunks of a response. A plain undici handler, because streams would cost each call several objects. */
class Collector implements Dispatcher.DispatchHandler, Wait, HasDeadline, LinkedNode<Collector> {
  deadline: number;
  previous: Collector | undefined;
  next: Collector | undefined;
  readonly #resolve: (response: UpstreamResponse) => void;
  readonly #reject: (error: TransportError) => void;
  readonly #running: LinkedList<Collector>;
  readonly #isForeign: (headers: UpstreamResponse['headers']) => boolean;
  readonly #watch: (late: HasDeadline) => void;
  readonly #chunks: Buffer[] = [];
  #controller: Dispatcher.DispatchController | undefined;
  #size = 0;
  #status = 0;
  #headers: UpstreamResponse['headers'] = {};
  #isTimeout = false;
  #isAborted = false;
  /** Whether no caller waits for the response: it is read to its end and discarded. */
  #isAbandoned = false;

  /** Stays in `running` until the exchange ends. If `isForeign` returns true for a response, its connection is closed. */
  constructor(
    running: LinkedList<Collector>,
    deadline: number,
    isForeign: (headers: UpstreamResponse['headers']) => boolean,
    watch: (late: HasDeadline) => void,
    resolve: (response: UpstreamResponse) => void,
    reject: (error: TransportError) => void,
  ) {
    this.deadline = deadline;
    this.#running = running;
    this.#isForeign = isForeign;
    this.#watch = watch;
    running.add(this);
    this.#resolve = resolve;
    this.#reject = reject;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#isAborted) controller.abort(new errors.RequestAbortedError());
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: UpstreamResponse['headers']): void {
    // Everything else on this connection may also belong to other calls.
    if (status >= 200 && this.#isForeign(headers)) controller.abort(new Error('The upstream returned the response to another call.'));
    this.#status = status;
    this.#headers = headers;
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#size += chunk.length;
    if (this.#size > MAX_RESPONSE_BYTES)
      controller.abort(new errors.ResponseExceededMaxSizeError(`The response exceeds ${MAX_RESPONSE_BYTES} bytes.`));
    else if (!this.#isAbandoned) this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    this.#running.remove(this);
    // As a whole, because a character can continue in the next chunk.
    const bytes = this.#chunks.length === 1 ? (this.#chunks[0] as Buffer) : Buffer.concat(this.#chunks);
    this.#resolve({ status: this.#status, headers: this.#headers, body: decodeUtf8(bytes) ?? '\ufffd' });
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#running.remove(this);
    // undici provides a controller once the connection is established. Before that, nothing can have been sent.
    this.#reject(new TransportError(this.#controller !== undefined, this.#isTimeout, error));
  }

  /**
   * Stops waiting for the response. If the call was sent, it can still finish within `GRACE_MS`, so that its connection is preserved. Otherwise, it isn't sent.
   */
  abandon(): void {
    if (!this.#controller) {
      this.#abort();
      return;
    }
    this.#isAbandoned = true;
    this.#chunks.length = 0;
    this.#reject(ABANDONED_CALL);
    this.deadline = Math.min(this.deadline, performance.now() + GRACE_MS);
    this.#watch(this);
  }

  timeOut(): void {
    this.#isTimeout = true;
    this.#abort();
  }

  /** Aborts the exchange. Has no effect if it has ended. */
  #abort(): void {
    this.#running.remove(this);
    this.#isAborted = true;
    if (this.#controller) this.#controller.abort(new errors.RequestAbortedError());
    else this.#reject(new TransportError(false, this.#isTimeout, undefined, !this.#isTimeout));
  }
}

/** Creates a transport that sends HTTP requests with undici. */
export function httpTransport({ url, connections, hasPoolPerKey = false, proxy, onForeignResponse }: TransportOptions): Transport {
  const { origin, pathname } = new URL(url);
  const base = pathname.replace(/\/+$/, '');
  const running = new LinkedList<Collector>();
  const deadlines = new Deadlines(
    () => running,
    (collector) => collector.timeOut(),
  );
  const watch = (late: HasDeadline) => deadlines.watch(late);
  const pools = new Pools({ origin, connections, hasPoolPerKey, proxy });
  const echo = new EchoCheck();
  return {
    send: ({ path, apiKey, body, requestId, traceparent, traceHeaders, timeoutMs, waiting }) =>
      new Promise((resolve, reject) => {
        const call = echo.createCallId();
        const isForeign = (responseHeaders: UpstreamResponse['headers']) => {
          const isMismatched = echo.isMismatched(call, responseHeaders);
          if (isMismatched) onForeignResponse?.();
          return isMismatched;
        };
        const collector = new Collector(running, performance.now() + timeoutMs, isForeign, watch, resolve, reject);
        watch(collector);
        if (waiting) waiting.wait = collector;
        const headers: Record<string, string> = {
          ...traceHeaders,
          'content-type': 'application/json',
          authorization: `Bearer ${apiKey}`,
          [REQUEST_ID]: `${requestId}.${call}`,
        };
        if (traceparent) headers.traceparent = traceparent;
        pools.get(apiKey).dispatch(
          {
            origin,
            path: base + path,
            method: 'POST',
            headers,
            body,
          },
          collector,
        );
      }),
    close: () => pools.destroy(),
  };
}
