import { randomUUID } from 'node:crypto';
import type { Redis } from '../lib/redis.ts';
import { type ChangeBus, LocalBus } from './bus.ts';
import { formatMessage, parseMessage } from './busMessage.ts';
import { type ChangeEvent, createUnknownChanges, LIVE_TYPES } from './changes.ts';

/** The channel of Redis through which all instances pass the changes of all workspaces. */
const REDIS_CHANNEL = 'workspace-graph:live';

const PUBLISH = `return redis.call('PUBLISH', KEYS[1], ARGV[1])`;

/** Delay before a change is announced again that couldn't be sent, in milliseconds. Chosen: a connection to Redis is usually replaced by then. */
const RETRY_MS = 1_000;

/** For changes that got lost between instances. */
const ANYTHING: ChangeEvent = { source: 'GRAPH', changes: createUnknownChanges(LIVE_TYPES), changesRights: true };

/**
 * Distributes changes to all instances. Subscriptions of this instance don't depend on Redis. When others may have missed changes, their subscriptions receive a
 * signal to refetch everything.
 */
export class RedisBus implements ChangeBus {
  readonly #redis: Redis;
  readonly #local = new LocalBus();
  readonly #id = randomUUID();
  readonly #onRejected: (problem: string) => void;
  /** Channels with changes that couldn't be sent. */
  readonly #unsent = new Set<string>();
  #retry: NodeJS.Timeout | undefined;

  private constructor(redis: Redis, onRejected: (problem: string) => void) {
    this.#redis = redis;
    this.#onRejected = onRejected;
  }

  /** Starts listening. Rejects if Redis doesn't allow it. `onRejected` is called with the problem of each malformed message. */
  static async open(redis: Redis, onRejected: (problem: string) => void): Promise<RedisBus> {
    const bus = new RedisBus(redis, onRejected);
    await redis.subscribe(
      REDIS_CHANNEL,
      (text) => bus.#onMessage(text),
      () => bus.#local.publish(null, ANYTHING),
    );
    return bus;
  }

  publish(channel: string, event: ChangeEvent): void {
    this.#local.publish(channel, event);
    void this.#send(channel, event);
  }

  subscribe(...listener: Parameters<ChangeBus['subscribe']>): () => void {
    return this.#local.subscribe(...listener);
  }

  #onMessage(text: string): void {
    const message = parseMessage(text);
    if (typeof message === 'string') this.#onRejected(message);
    else if (message.from !== this.#id) this.#local.publish(message.channel, message.event);
  }

  async #send(channel: string, event: ChangeEvent): Promise<void> {
    try {
      await this.#redis.run(PUBLISH, [REDIS_CHANNEL], [formatMessage({ from: this.#id, channel, event })]);
    } catch {
      this.#unsent.add(channel);
      this.#retry ??= setTimeout(() => this.#resend(), RETRY_MS).unref();
    }
  }

  #resend(): void {
    this.#retry = undefined;
    const channels = [...this.#unsent];
    this.#unsent.clear();
    for (const channel of channels) void this.#send(channel, ANYTHING);
  }
}
