import { OverloadedError } from '../failures/failures.ts';
import { type Clock, createTimeRange, getRemainingMs, systemClock, type TimeRange } from '../lib/clock.ts';
import { type Closable, onClose } from '../lib/onClose.ts';
import { type ChangeBus, LocalBus } from './bus.ts';
import type { ChangeEvent, ChangeSource, Interest, LiveType } from './changes.ts';
import { Poller, type PollSource } from './poller.ts';
import { MemoryPollStore, type PollStore } from './pollStore.ts';
import { Rights } from './rights.ts';
import { LiveSubscription } from './subscription.ts';

/** Interval between two heartbeats, in milliseconds. Chosen: below the idle timeout of load balancers, which is usually 60 s. */
const HEARTBEAT_MS = 30_000;
/** Maximum duration of a subscription, in milliseconds. Chosen: a client that is still there subscribes again, with a credential that is checked again. */
const MAX_DURATION_MS = 60 * 60_000;
/** Maximum number of open subscriptions of an instance. Chosen: each holds a connection, of which an instance accepts 10,000. */
const MAX_SUBSCRIPTIONS = 500;
/** Of these, those that are reserved for callers that have none open. Chosen: a fifth, so that the subscriptions of some don't exclude others. */
const RESERVED_SUBSCRIPTIONS = 100;
/** Maximum number of open subscriptions of an API key, or of a signed-in account. Chosen: a page needs one. */
const MAX_PER_CALLER = 10;

/** Observes subscriptions. */
export interface LiveMeter {
  /** Called when the number of open subscriptions changes. */
  onSubscriptions(open: number): void;
  onSignal(source: ChangeSource): void;
  /** Called with the number of signals that a client didn't read in time. */
  onDropped(signals: number): void;
}

/** The response to a subscription. */
export interface SubscriptionTarget extends Closable {
  readonly destroyed: boolean;
}

interface OpenSubscription {
  readonly subscription: LiveSubscription;
  readonly channel: string;
  readonly callerId: string;
  /** On the monotonic clock. */
  readonly lifetime: TimeRange;
}

export interface LiveOptions {
  /** Default: only reaches subscriptions of this process. */
  readonly bus?: ChangeBus | undefined;
  /** Seconds between two polls of an index. 0 for none. */
  readonly pollSeconds?: number;
  /** Default: a store of this process. */
  readonly pollStore?: PollStore | undefined;
  readonly clock?: Clock | undefined;
  readonly meter?: LiveMeter | undefined;
  /** Called when changes aren't signaled, with the reason why the workspace of their key is unknown. */
  readonly onUnpublished?: (reason: unknown) => void;
}

/** Live updates of an instance: the changes that are published, and the open subscriptions. */
export class Live {
  readonly bus: ChangeBus;
  readonly rights: Rights;
  readonly onUnpublished: (reason: unknown) => void;
  readonly clock: Clock;
  /** Null if indexes aren't polled. */
  readonly poller: Poller | null;
  readonly #meter: LiveMeter | undefined;
  readonly #open = new Set<OpenSubscription>();
  readonly #timer: NodeJS.Timeout;
  readonly #unsubscribe: () => void;
  #isClosed = false;

  constructor({
    bus = new LocalBus(),
    clock = systemClock,
    meter,
    pollSeconds = 0,
    pollStore,
    onUnpublished = () => {},
  }: LiveOptions = {}) {
    this.bus = bus;
    this.clock = clock;
    this.rights = new Rights(clock);
    this.onUnpublished = onUnpublished;
    this.#meter = meter;
    const store = pollStore ?? new MemoryPollStore(clock);
    this.poller = pollSeconds > 0 ? new Poller({ bus, store, intervalMs: pollSeconds * 1000, clock }) : null;
    this.#unsubscribe = bus.subscribe((channel, event) => this.#receive(channel, event));
    this.#timer = setInterval(() => this.beat(), HEARTBEAT_MS).unref();
  }

  /**
   * Opens a subscription, until its response is closed. Throws OverloadedError if there are too many. `sources` are indexes that can be polled with the caller's
   * key.
   */
  subscribe(
    callerId: string,
    channel: string,
    interest: Interest,
    response: SubscriptionTarget,
    sources: ReadonlyMap<LiveType, PollSource>,
  ): LiveSubscription {
    this.checkLimits(callerId);
    const subscription = new LiveSubscription({
      interest,
      onEnd: () => {
        for (const stop of polls) stop();
        this.#open.delete(entry);
        this.#meter?.onSubscriptions(this.#open.size);
      },
      onDrop: (signals) => this.#meter?.onDropped(signals),
    });
    const lifetime = createTimeRange(this.clock.monotonicMs(), MAX_DURATION_MS);
    const entry: OpenSubscription = { subscription, channel, callerId, lifetime };
    const polls = Array.from(sources, ([type, source]) => this.poller?.watch(channel, type, source)).filter((stop) => stop !== undefined);
    this.#open.add(entry);
    this.#meter?.onSubscriptions(this.#open.size);
    onClose(response, () => subscription.abort());
    if (response.destroyed) subscription.abort();
    return subscription;
  }

  /** Sends a heartbeat to each subscription, or completes it if its time is up. Called regularly. */
  beat(): void {
    const now = this.clock.monotonicMs();
    for (const { subscription, lifetime } of [...this.#open]) {
      if (getRemainingMs(lifetime, now) === 0) subscription.complete();
      else subscription.beat();
    }
  }

  /** Called for each signal that a subscription delivers. */
  onSignal(source: ChangeSource | null): void {
    if (source) this.#meter?.onSignal(source);
  }

  /** Completes all subscriptions. Further ones are rejected, so that their clients connect to another instance. */
  close(): void {
    this.#isClosed = true;
    clearInterval(this.#timer);
    this.#unsubscribe();
    for (const { subscription } of [...this.#open]) subscription.complete();
    this.poller?.close();
  }

  #receive(channel: string | null, event: ChangeEvent): void {
    if (event.changesRights) this.rights.forget(channel);
    for (const open of this.#open) if (channel === null || open.channel === channel) open.subscription.receive(event);
  }

  /** Throws OverloadedError if no further subscription of a caller can be opened. */
  checkLimits(callerId: string): void {
    if (this.#isClosed) throw new OverloadedError('it is shutting down.');
    if (this.#open.size >= MAX_SUBSCRIPTIONS)
      throw new OverloadedError(`${MAX_SUBSCRIPTIONS} subscriptions are open, which is the maximum.`);
    const own = [...this.#open].filter((each) => each.callerId === callerId);
    if (own.length > 0 && this.#open.size >= MAX_SUBSCRIPTIONS - RESERVED_SUBSCRIPTIONS)
      throw new OverloadedError(
        `${this.#open.size} subscriptions are open, and the last ${RESERVED_SUBSCRIPTIONS} of ${MAX_SUBSCRIPTIONS} are reserved for API keys and accounts that have none open.`,
      );
    if (own.length >= MAX_PER_CALLER)
      throw new OverloadedError(`this API key or account has ${MAX_PER_CALLER} open subscriptions, which is the maximum.`);
  }
}
