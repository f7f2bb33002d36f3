import { ForbiddenError, UnsupportedError } from '../failures/failures.ts';
import { type Credential, hasSameRights } from '../upstream/access/credential.ts';
import { Me } from '../upstream/contract/generated/operations.ts';
import type { AnyOperation } from '../upstream/contract/operation.ts';
import type { Session } from '../upstream/session.ts';
import { CallerRights } from './callerRights.ts';
import type { Change, ChangeEvent, Interest, LiveType } from './changes.ts';
import type { Live, SubscriptionTarget } from './live.ts';
import type { PollSource } from './poller.ts';
import type { ReadAccess } from './rights.ts';
import type { Signal } from './subscription.ts';
import { Withholding } from './withholding.ts';

/** Area of the operations that change the roles and teams of members, which determine what their keys can access. */
const RIGHTS_AREA = 'people';

/** A signal, and how long ago the indexes of its subscription were polled. */
export interface DeliveredSignal extends Signal {
  /** Seconds. Null if they aren't polled with the caller's key. */
  readonly staleness: number | null;
}

/** The sign-in of a subscription's client. */
interface SignIn {
  /** When its access token isn't accepted anymore, in Unix milliseconds. */
  readonly expiresAt: number;
  /** Authenticates the client again. Returns null if its credential isn't accepted anymore. */
  readonly reauthenticate: () => Promise<Credential | null>;
}

/** The changes that a request publishes, and the subscription that it opens. */
export class RequestLive {
  readonly #live: Live;
  readonly #upstream: Session;
  readonly #response: SubscriptionTarget;
  #channel: Promise<string> | undefined;
  /** Null if the client hasn't signed in. */
  signIn: SignIn | null = null;

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
   * Publishes records that an operation of this request has changed, without waiting. If the caller's workspace can't be determined, no subscriber is notified.
   * `states` are the new states of records by type, which polls don't report again.
   */
  publish({ area }: AnyOperation, changes: readonly Change[], states: ReadonlyMap<LiveType, readonly string[]> = new Map()): void {
    const changesRights = area === RIGHTS_AREA;
    if (changes.length === 0 && !changesRights) return;
    const event: ChangeEvent = { source: 'GRAPH', changes, ...(changesRights && { changesRights }) };
    const publish = (channel: string) => {
      for (const [type, written] of states) void this.#live.poller?.markSeen(channel, type, written);
      this.#live.bus.publish(channel, event);
    };
    this.#getChannel().then(publish, this.#live.onUnpublished);
  }

  /** Whether changes that were made elsewhere are polled for. */
  get isPolling(): boolean {
    return this.#live.poller !== null;
  }

  /**
   * Returns the caller's rights. Throws ForbiddenError if it lacks a scope of `operations`, which read the records of the subscription, and if it can't read its
   * workspace, without which it would hear of no change. Throws OverloadedError before any call if there are too many subscriptions.
   */
  async openRights(operations: readonly AnyOperation[], read: ReadAccess): Promise<CallerRights> {
    this.#live.checkLimits(this.#upstream.access.credential.callerId);
    for (const operation of operations) await this.#upstream.requireScopes(operation);
    return new CallerRights(this.#live.rights, this.#upstream, await this.#getChannel(), operations, read);
  }

  /**
   * Opens the subscription of this request. The rights of the caller are checked again before each signal. An error is the last value. `sources` are the indexes
   * that can be polled with the caller's key.
   */
  subscribe(
    interest: Interest,
    rights: CallerRights,
    sources: ReadonlyMap<LiveType, PollSource>,
  ): AsyncIterableIterator<DeliveredSignal | Error> {
    const { callerId } = this.#upstream.access.credential;
    const subscription = this.#live.subscribe(callerId, rights.channel, interest, this.#response, sources);
    if (this.signIn) subscription.expire(this.signIn.expiresAt, this.#live.clock);
    const { signals } = subscription;
    const isPolled = sources.size === interest.types.size;
    const withholding = new Withholding(rights, interest, this.#live.clock);
    const next = async (): Promise<IteratorResult<DeliveredSignal | Error>> => {
      for (;;) {
        const { value: signal, done } = await signals.next();
        if (done) return { done, value: undefined };
        try {
          const limited = (await this.#isAdmitted()) ? await withholding.limit(signal) : null;
          // Without an error: the client subscribes again, with a new token or the rights of its account, and learns why if it can't. Checked again, because
          // rights can take long to read.
          if (!(await this.#isAdmitted())) subscription.abort();
          if (!limited || subscription.isAborted) continue;
          if (limited.source) this.#live.onSignal(limited.source);
          const staleness = isPolled ? (this.#live.poller?.getStaleness(rights.channel, interest.types) ?? null) : null;
          return { done: false, value: { ...limited, staleness } };
        } catch (error) {
          if (subscription.isAborted) continue;
          subscription.abort();
          return { done: false, value: error as Error };
        }
      }
    };
    return {
      next,
      return: async () => {
        subscription.abort();
        return { done: true, value: undefined };
      },
      [Symbol.asyncIterator]() {
        return this;
      },
    };
  }

  /** Whether the client would still be admitted, with the same rights. */
  async #isAdmitted(): Promise<boolean> {
    if (!this.signIn) return true;
    const credential = await this.signIn.reauthenticate();
    return credential !== null && hasSameRights(credential, this.#upstream.access.credential);
  }

  #getChannel(): Promise<string> {
    this.#channel ??= this.#findChannel();
    return this.#channel;
  }

  async #findChannel(): Promise<string> {
    const { access } = this.#upstream;
    const workspaceId = await access.getWorkspaceId();
    if (workspaceId !== null) return workspaceId;
    if (!(await access.getGrants()).canReadGrants) throw new ForbiddenError('MISSING_SCOPE', Me.scopes, Me.scopes);
    throw new UnsupportedError('Live updates need the workspace of the API key, which the Workspace API doesn’t report.');
  }
}
