import { Repeater } from 'graphql-yoga';
import type { Clock } from '../lib/clock.ts';
import { type Change, type ChangeEvent, type ChangeSource, createUnknownChanges, type Interest, selectChanges } from './changes.ts';

/** What a subscription receives. */
export interface Signal {
  /** Null if no change is reported: at the start, and for heartbeats. */
  readonly source: ChangeSource | null;
  /** Empty for heartbeats. */
  readonly changes: readonly Change[];
}

const HEARTBEAT: Signal = { source: null, changes: [] };

/** Maximum number of signals that a client hasn't read. Chosen: a client that is this far behind has to refetch most of its page anyway. */
const MAX_UNREAD = 100;

/** The signals that a client hasn't read, for a Repeater. If there are too many, one that reports everything as changed replaces them. */
class UnreadSignals {
  readonly #everything: Signal;
  readonly #onDrop: (signals: number) => void;
  #signals: PromiseLike<Signal>[] = [];
  /** The Repeater never waits for space. */
  readonly full = false;

  constructor(everything: Signal, onDrop: (signals: number) => void) {
    this.#everything = everything;
    this.#onDrop = onDrop;
  }

  get empty(): boolean {
    return this.#signals.length === 0;
  }

  add(signal: PromiseLike<Signal>): void {
    this.#signals.push(signal);
    if (this.#signals.length <= MAX_UNREAD) return;
    this.#onDrop(this.#signals.length);
    this.#signals = [Promise.resolve(this.#everything)];
  }

  remove(): PromiseLike<Signal> | undefined {
    return this.#signals.shift();
  }
}

export interface SubscriptionOptions {
  readonly interest: Interest;
  readonly onEnd: () => void;
  /** Called with the number of signals that were replaced, because the client doesn't read them. */
  readonly onDrop: (signals: number) => void;
}

/**
 * One open subscription. Its signals are a Repeater, because the `return` of an async generator waits for the next event, which may never come: subscriptions of
 * disconnected clients would stay open.
 */
export class LiveSubscription {
  readonly signals: Repeater<Signal>;
  readonly #options: SubscriptionOptions;
  readonly #unread: UnreadSignals;
  #isEnded = false;
  #expiry: NodeJS.Timeout | undefined;
  /** Whether the rest of its signals must not be delivered. */
  isAborted = false;
  /** Null until the signals are read for the first time. */
  #send: ((signal: Signal) => void) | null = null;
  #stop: (() => void) | null = null;

  constructor(options: SubscriptionOptions) {
    this.#options = options;
    const { interest, onDrop } = options;
    // The client may have missed changes before it subscribed, so it starts with a refetch. That also covers changes before the first read.
    const everything: Signal = { source: null, changes: createUnknownChanges(interest.types) };
    this.#unread = new UnreadSignals(everything, onDrop);
    this.signals = new Repeater<Signal>(async (push, stop) => {
      if (this.#isEnded) return stop();
      this.#stop = () => stop();
      this.#send = (signal) => void push(signal);
      this.#send(everything);
      await stop;
      this.#send = null;
      this.#end();
    }, this.#unread);
  }

  /** Sends the changes that the subscription is for. */
  receive({ source, changes }: ChangeEvent): void {
    const selected = selectChanges(changes, this.#options.interest);
    if (selected.length > 0) this.#send?.({ source, changes: selected });
  }

  /** Sends a signal without changes, unless the client hasn't read the previous ones. */
  beat(): void {
    if (this.#unread.empty) this.#send?.(HEARTBEAT);
  }

  /** Ends the subscription after its unread signals. */
  complete(): void {
    this.#end();
    this.#stop?.();
  }

  /** Ends the subscription without its unread signals: its client has disconnected, or must not receive them. */
  abort(): void {
    this.isAborted = true;
    this.#end();
    void this.signals.return();
  }

  /** Aborts the subscription at this time, in Unix milliseconds. */
  expire(at: number, clock: Clock): void {
    // A wall clock that was set back makes the timer too early.
    const abortIfExpired = () => (clock.unixMs() >= at ? this.abort() : this.expire(at, clock));
    if (!this.#isEnded) this.#expiry = setTimeout(abortIfExpired, at - clock.unixMs()).unref();
  }

  #end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    clearTimeout(this.#expiry);
    this.#options.onEnd();
  }
}
