import { randomUUID } from 'node:crypto';
import { isJsonObject, parseJson } from '../lib/json.ts';
import { REDIS_NOW, type Redis } from '../lib/redis.ts';
import { type ChangeBus, LocalBus } from './bus.ts';
import { type Change, type ChangeEvent, createUnknownChanges, isLiveType, LIVE_TYPES } from './changes.ts';
import { type PollStore, type PollTurn, SEEN_MS } from './pollStore.ts';

/** Maximum length of a message, in characters. Chosen: the IDs of 5,000 records. */
const MAX_LENGTH = 256 * 1024;
/** Maximum length of a name or an ID, in characters. Chosen: upstream IDs have 36. */
const MAX_NAME = 1_000;

/** What an instance passes to the others. */
interface BusMessage {
  /** ID of the instance that published it. */
  readonly from: string;
  /** ID of the workspace. */
  readonly channel: string;
  readonly event: ChangeEvent;
}

/** Formats a message. If it has too many IDs, it says that anything of their types may have changed. */
function formatMessage(message: BusMessage): string {
  const text = JSON.stringify(message);
  if (text.length <= MAX_LENGTH) return text;
  const types = message.event.changes.map(({ type }) => type);
  return JSON.stringify({ ...message, event: { ...message.event, changes: createUnknownChanges(types) } });
}

const isName = (value: unknown): value is string => typeof value === 'string' && value !== '' && value.length <= MAX_NAME;

/** Parses a change. Null for a type that only newer instances know, and undefined if it's malformed. */
function parseChange(value: unknown): Change | null | undefined {
  if (!isJsonObject(value)) return undefined;
  const { type, ids, isTruncated } = value;
  if (!isName(type) || !Array.isArray(ids) || !ids.every(isName) || typeof isTruncated !== 'boolean') return undefined;
  return isLiveType(type) ? { type, ids, isTruncated } : null;
}

/** Parses a message, which any client of the Redis server can have published. Returns the problem of a malformed one, without quoting it. */
function parseMessage(text: string): BusMessage | string {
  if (text.length > MAX_LENGTH) return `It has more than ${MAX_LENGTH} characters.`;
  const message = parseJson(text);
  if (!isJsonObject(message)) return 'It isn’t a JSON object.';
  const { from, channel, event } = message;
  if (!isName(from) || !isName(channel)) return 'It has no sender or channel.';
  if (!isJsonObject(event) || (event.source !== 'GRAPH' && event.source !== 'POLL') || !Array.isArray(event.changes))
    return 'It has no event with a source and changes.';
  const changes = event.changes.map(parseChange);
  if (changes.includes(undefined)) return 'It has a malformed change.';
  const known = changes.filter((change) => !!change);
  return { from, channel, event: { source: event.source, changes: known, ...(event.changesRights === true && { changesRights: true }) } };
}

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

/** Prefix of the graph's keys in Redis, which may also contain other data. */
const PREFIX = 'workspace-graph:poll:';

/** Only the holder of the turn, or anyone after its end, begins: KEYS are the state and the seen states, ARGV the holder and the duration of the turn. */
const BEGIN = `${REDIS_NOW}
  local stored = redis.call('HMGET', KEYS[1], 'holder', 'endsAt', 'watermark', 'polledAt')
  local isMine = stored[1] == ARGV[1] or (tonumber(stored[2]) or 0) <= now
  if isMine then
    redis.call('HSET', KEYS[1], 'holder', ARGV[1], 'endsAt', now + tonumber(ARGV[2]))
    redis.call('PEXPIRE', KEYS[1], ${SEEN_MS} + tonumber(ARGV[2]))
  end
  return { isMine and '1' or '', stored[3] or '', stored[4] and tostring(math.max(0, now - (tonumber(stored[4]) or now))) or '' }
`;

const ADD_SEEN = `
  local added = {}
  redis.call('ZREMRANGEBYSCORE', KEYS[2], 0, now - ${SEEN_MS})
  for index = FIRST, #ARGV do
    if redis.call('ZADD', KEYS[2], 'NX', now, ARGV[index]) == 1 then table.insert(added, ARGV[index]) end
  end
  redis.call('PEXPIRE', KEYS[2], ${SEEN_MS})
`;

/** ARGV: the holder, the watermark, then the states. */
const FINISH = `${REDIS_NOW}
  if redis.call('HGET', KEYS[1], 'holder') ~= ARGV[1] then return {} end
  redis.call('HSET', KEYS[1], 'watermark', ARGV[2], 'polledAt', now)
  ${ADD_SEEN.replace('FIRST', '3')}
  return added
`;

const MARK_SEEN = `${REDIS_NOW} ${ADD_SEEN.replace('FIRST', '1')} return 0`;

const RELEASE = `if redis.call('HGET', KEYS[1], 'holder') == ARGV[1] then redis.call('HSET', KEYS[1], 'endsAt', 0) end return 0`;

/** Parses a timestamp or an age. Null for anything else, which another program may have stored. */
const parseTime = (text: string | undefined) => (text && /^\d{1,12}(\.\d+)?$/.test(text) ? Number(text) : null);

/** A store that several instances share. Timestamps are on the clock of Redis, because the clocks of hosts may differ. */
export class RedisPollStore implements PollStore {
  readonly #redis: Pick<Redis, 'run'>;
  readonly #holder = randomUUID();

  constructor(redis: Pick<Redis, 'run'>) {
    this.#redis = redis;
  }

  async begin(name: string, ttlMs: number): Promise<PollTurn> {
    const [isMine, watermark, ageMs] = (await this.#run(BEGIN, name, [this.#holder, String(ttlMs)])) as string[];
    return { isMine: isMine === '1', watermark: parseTime(watermark), ageMs: parseTime(ageMs) };
  }

  async finish(name: string, watermark: number, states: readonly string[]): Promise<readonly string[]> {
    return (await this.#run(FINISH, name, [this.#holder, String(watermark), ...states])) as string[];
  }

  async markSeen(name: string, states: readonly string[]): Promise<void> {
    await this.#run(MARK_SEEN, name, states);
  }

  async release(name: string): Promise<void> {
    await this.#run(RELEASE, name, [this.#holder]);
  }

  #run(script: string, name: string, args: readonly string[]): Promise<unknown> {
    return this.#redis.run(script, [`${PREFIX}${name}`, `${PREFIX}${name}:seen`], args);
  }
}
