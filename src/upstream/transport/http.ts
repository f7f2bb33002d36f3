import { type Dispatcher, errors } from 'undici';
import { Chain, type Linked } from '../../lib/chain.ts';
import { Deadlines, type Due } from '../../lib/deadlines.ts';
import type { Wait } from '../../lib/wait.ts';
import { EchoCheck, REQUEST_ID } from './echo.ts';
import { Pools } from './pools.ts';
import { type Transport, TransportError, type UpstreamResponse } from './transport.ts';

export interface TransportOptions {
  /** The upstream's base address, with a path when it lives under one. */
  readonly url: string;
  readonly connections: number;
  /** Whether each key has connections of its own, as many pools of them as there are connections. Without it, all keys share one pool. */
  readonly areSeparate?: boolean;
  /** Told of each answer that was that to another call, and is not believed. */
  readonly onForeignAnswer?: () => void;
}

/** Largest answer that is read, in bytes. Ours: a page of 100 records is far below it. */
const MAX_RESPONSE_BYTES = 32 * 1024 * 1024;

/**
 * How long a call that was given up may still be answered, in milliseconds. Ours: most answers come within it, and to keep a connection is cheaper than to
 * open another one.
 */
const GRACE_MS = 250;

/** The end of an exchange that nobody waits for. Made once, since thousands may be given up together. */
const GIVEN_UP = new TransportError(true, false, undefined, true);

/** Collector of the chunks of an answer: a handler of undici's own, since streams would cost each call several objects. */
class Collector implements Dispatcher.DispatchHandler, Wait, Due, Linked<Collector> {
  lateAt: number;
  previous: Collector | undefined;
  next: Collector | undefined;
  readonly #resolve: (answer: UpstreamResponse) => void;
  readonly #reject: (error: TransportError) => void;
  readonly #running: Chain<Collector>;
  readonly #isForeign: (headers: UpstreamResponse['headers']) => boolean;
  readonly #watch: (late: Due) => void;
  readonly #chunks: Buffer[] = [];
  #controller: Dispatcher.DispatchController | undefined;
  #size = 0;
  #status = 0;
  #headers: UpstreamResponse['headers'] = {};
  #isTimeout = false;
  #isCut = false;
  /** Nobody waits for the answer: it is read to its end, and dropped. */
  #isAbandoned = false;

  /** Is one of those that are `running` until it has its answer, or is not to get one. An answer that `isForeign` ends its connection. */
  constructor(
    running: Chain<Collector>,
    lateAt: number,
    isForeign: (headers: UpstreamResponse['headers']) => boolean,
    watch: (late: Due) => void,
    resolve: (answer: UpstreamResponse) => void,
    reject: (error: TransportError) => void,
  ) {
    this.lateAt = lateAt;
    this.#running = running;
    this.#isForeign = isForeign;
    this.#watch = watch;
    running.add(this);
    this.#resolve = resolve;
    this.#reject = reject;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#isCut) controller.abort(new errors.RequestAbortedError());
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: UpstreamResponse['headers']): void {
    // All else that comes over this connection may be another call's, too.
    if (status >= 200 && this.#isForeign(headers)) controller.abort(new Error('The upstream returned the response to another call.'));
    this.#status = status;
    this.#headers = headers;
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#size += chunk.length;
    if (this.#size > MAX_RESPONSE_BYTES) controller.abort(new Error(`The response exceeds ${MAX_RESPONSE_BYTES} bytes.`));
    else if (!this.#isAbandoned) this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    this.#running.remove(this);
    const body = (this.#chunks.length === 1 ? this.#chunks[0] : Buffer.concat(this.#chunks))?.toString('utf8') ?? '';
    this.#resolve({ status: this.#status, headers: this.#headers, body });
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#running.remove(this);
    // undici has a controller once a connection stands; before that no byte can have left.
    this.#reject(new TransportError(this.#controller !== undefined, this.#isTimeout, error));
  }

  /** Nobody waits any more. A call that was sent may end within a moment, for the sake of its connection; no other is sent. */
  abandon(): void {
    if (!this.#controller) {
      this.#cut();
      return;
    }
    this.#isAbandoned = true;
    this.#chunks.length = 0;
    this.#reject(GIVEN_UP);
    this.lateAt = Math.min(this.lateAt, performance.now() + GRACE_MS);
    this.#watch(this);
  }

  timeOut(): void {
    this.#isTimeout = true;
    this.#cut();
  }

  /** Ends the exchange; one that has ended is left as it is. */
  #cut(): void {
    this.#running.remove(this);
    this.#isCut = true;
    if (this.#controller) this.#controller.abort(new errors.RequestAbortedError());
    else this.#reject(new TransportError(false, this.#isTimeout, undefined, !this.#isTimeout));
  }
}

/** Talks HTTP to the upstream. */
export function httpTransport({ url, connections, areSeparate = false, onForeignAnswer }: TransportOptions): Transport {
  const { origin, pathname } = new URL(url);
  const base = pathname.replace(/\/+$/, '');
  const running = new Chain<Collector>();
  const deadlines = new Deadlines(
    () => running,
    (collector) => collector.timeOut(),
  );
  const watch = (late: Due) => deadlines.watch(late);
  const pools = new Pools({ origin, connections, areSeparate });
  const echo = new EchoCheck();
  return {
    send: ({ path, apiKey, body, requestId, traceparent, traceHeaders, timeoutMs, waiting }) =>
      new Promise((resolve, reject) => {
        const call = echo.nextCall();
        const isForeign = (answered: UpstreamResponse['headers']) => {
          const isOfAnother = echo.isOfAnother(call, answered);
          if (isOfAnother) onForeignAnswer?.();
          return isOfAnother;
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
        pools.of(apiKey).dispatch(
          {
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
