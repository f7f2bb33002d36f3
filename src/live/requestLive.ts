import { ForbiddenError, UnauthenticatedError } from '../failures/failures.ts';
import type { Session } from '../upstream/client.ts';
import type { AnyOperation } from '../upstream/contract/operation.ts';
import type { Change, Interest, LiveType } from './changes.ts';
import type { Live, SubscriptionTarget } from './live.ts';
import type { PollSource } from './poller.ts';
import type { LiveSubscription, Signal } from './subscription.ts';

/** How long a subscription can be idle until its scopes are checked again, in milliseconds. Chosen: a revoked key loses its subscriptions within a minute or two. */
const CHECK_MS = 60_000;

/** A signal, and how long ago the indexes of its subscription were polled. */
export interface DeliveredSignal extends Signal {
  /** Seconds. Null if they aren't polled. */
  readonly staleness: number | null;
}

/** The changes that a request publishes, and the subscription that it opens. */
export class RequestLive {
  readonly #live: Live;
  readonly #upstream: Session;
  readonly #response: SubscriptionTarget;
  #channel: Promise<string> | undefined;
  #subscription: LiveSubscription | undefined;
  #operations: readonly AnyOperation[] = [];
  #types: ReadonlySet<LiveType> = new Set();
  #channelName = '';
  /** On the monotonic clock. */
  #checkedAt = Number.NEGATIVE_INFINITY;

  constructor(live: Live, upstream: Session, response: SubscriptionTarget) {
    this.#live = live;
    this.#upstream = upstream;
    this.#response = response;
  }

  /** Looks up who will receive changes. Called before a write: afterwards, the upstream may not respond anymore. Costs no call, because the write needs the same grants. */
  prepare(): void {
    this.#getChannel().catch(() => {});
  }

  /**
   * Publishes records that this request has changed, without waiting. If the caller's workspace can't be determined, no subscriber is notified. `states` are the
   * new states of records by type, which polls don't report again.
   */
  publish(changes: readonly Change[], states: ReadonlyMap<LiveType, readonly string[]> = new Map()): void {
    if (changes.length === 0) return;
    const publish = (channel: string) => {
      for (const [type, written] of states) void this.#live.poller?.markSeen(channel, type, written);
      this.#live.bus.publish(channel, { source: 'GRAPH', changes });
    };
    this.#getChannel().then(publish, () => {});
  }

  /** Whether changes that were made elsewhere are polled for. */
  get isPolling(): boolean {
    return this.#live.poller !== null;
  }

  /** Whether the caller is known to have read access to all records of a type. */
  hasFullAccess(type: LiveType): boolean {
    return this.#live.fullAccess.get(this.#getAccessKey(type)) === true;
  }

  onFullAccess(type: LiveType): void {
    this.#live.fullAccess.set(this.#getAccessKey(type), true);
  }

  /**
   * Opens the subscription of this request. `operations` read the records: the caller must have their scopes as long as the subscription is open. `checkAccess`
   * is called after the scopes were checked. It rejects if the caller must not subscribe, and returns the indexes that can be polled with its key.
   */
  async subscribe(
    interest: Interest,
    operations: readonly AnyOperation[],
    checkAccess: () => Promise<ReadonlyMap<LiveType, PollSource>>,
  ): Promise<AsyncIterable<Signal>> {
    for (const operation of operations) await this.#upstream.requireScopes(operation);
    const sources = await checkAccess();
    const channel = await this.#getChannel();
    const { credential } = this.#upstream;
    if (!credential) throw new Error('A request without a credential has no scopes.');
    this.#operations = operations;
    this.#types = interest.types;
    this.#channelName = channel;
    this.#checkedAt = this.#live.clock.monotonicMs();
    this.#subscription = this.#live.subscribe(credential, channel, interest, this.#response, sources);
    return this.#subscription.signals;
  }

  /** Called before a signal is sent. Throws and ends the subscription if the caller lost a scope, or if its key was revoked. */
  async deliver(signal: Signal): Promise<DeliveredSignal> {
    if (signal.changes.length > 0 || this.#live.clock.monotonicMs() - this.#checkedAt >= CHECK_MS) await this.#checkScopes();
    this.#live.onSignal(signal.source);
    return { ...signal, staleness: this.#live.poller?.getStaleness(this.#channelName, this.#types) ?? null };
  }

  async #checkScopes(): Promise<void> {
    try {
      const { can, missingScopes } = await this.#upstream.access.check(this.#operations);
      const required = [...new Set(this.#operations.flatMap(({ scopes }) => scopes))];
      const reason = this.#upstream.credential?.account ? 'ACCOUNT_SCOPE' : 'MISSING_SCOPE';
      if (can === 'NO') throw new ForbiddenError(reason, required, missingScopes);
      this.#checkedAt = this.#live.clock.monotonicMs();
    } catch (error) {
      // While the upstream is unavailable, the last result counts.
      if (!(error instanceof ForbiddenError || error instanceof UnauthenticatedError)) return;
      this.#subscription?.abort();
      throw error;
    }
  }

  #getAccessKey(type: LiveType): string {
    return `${this.#upstream.credential?.callerId} ${type}`;
  }

  #getChannel(): Promise<string> {
    this.#channel ??= this.#findChannel();
    return this.#channel;
  }

  async #findChannel(): Promise<string> {
    const workspaceId = await this.#upstream.access.getWorkspaceId();
    return workspaceId ?? `key:${this.#upstream.keyHash}`;
  }
}
