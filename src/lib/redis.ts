import { setImmediate, setTimeout as wait } from 'node:timers/promises';
import { StartError } from './startup.ts';

/** Timeout of a command, and of a reconnection attempt with its handshake, in milliseconds. Chosen: within one network, Redis takes one or two. */
const TIMEOUT_MS = 2_000;
/**
 * Timeout of the first connection attempt, in milliseconds. Chosen: a process that starts also loads its modules and builds the schema, which delays the
 * handshake by seconds on a slow machine.
 */
const START_TIMEOUT_MS = 10_000;
/** Delay before the next connection attempt: doubled after each one that led to no successful command, in milliseconds. */
const MIN_RECONNECT_MS = 50;
const MAX_RECONNECT_MS = 1_000;
/** Interval of the pings that detect a dead connection before a request needs it, in milliseconds. */
const PING_MS = 5_000;
/** Interval at which the durability settings are read again, in milliseconds. Chosen: administrators rarely change them while Redis runs. */
const SETTINGS_MS = 60_000;

/** Lua: `now` is the time of Redis, in Unix milliseconds. Scripts only compare timestamps with it, because the hosts' clocks differ. */
export const REDIS_NOW = `
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
`;

/** Whether Redis persists entries durably, as far as it can be checked. */
export interface Durability {
  /** Settings with which Redis may lose confirmed entries: `appendonly no`. */
  readonly unsafe: readonly string[];
  /** Names of settings that Redis doesn't let this user read. */
  readonly unverified: readonly string[];
}

/** Connection to Redis that is replaced when it breaks. */
export interface Redis {
  /**
   * Runs a Lua script immediately. Fails at once while there is no connection, and after 2 s without a response; in the second case, the script may have run.
   */
  run(script: string, keys: readonly string[], args: readonly string[]): Promise<unknown>;
  /** Reads a string. Null if there is none. Fails like `run`. */
  get(key: string): Promise<string | null>;
  /**
   * Passes the messages of a channel to a function until `close`. `onGap` is called when messages may have been lost, because the connection was replaced. There
   * can only be one subscription.
   */
  subscribe(channel: string, onMessage: (message: string) => void, onGap: () => void): Promise<void>;
  /**
   * Reads the settings on which durability depends. Reads them again after each reconnection and every minute, and calls `onChange` if they have changed. There
   * can only be one observer.
   */
  watchDurability(onChange: (durability: Durability) => void): Promise<Durability>;
  close(): Promise<void>;
}

/** Settings with which nothing is lost, not even in a power failure. */
const DURABLE: Readonly<Record<string, string>> = { appendonly: 'yes', appendfsync: 'always', 'maxmemory-policy': 'noeviction' };

/** Settings that INFO also returns, by their name in INFO, with a function that converts them. */
const INFO_FIELDS: Readonly<Record<string, (value: string) => readonly [setting: string, value: string]>> = {
  aof_enabled: (value) => ['appendonly', value === '1' ? 'yes' : 'no'],
  maxmemory_policy: (value) => ['maxmemory-policy', value],
};

function parseInfo(info: string): Record<string, string> {
  const lines = info.split('\r\n').map((line) => line.split(':'));
  return Object.fromEntries(
    lines.flatMap(([name = '', value = '']) => (Object.hasOwn(INFO_FIELDS, name) ? [INFO_FIELDS[name]?.(value) ?? []] : [])),
  );
}

/** Message of a failure, as a sentence on one line. A server that isn't Redis can return any text. */
const formatReason = (error: unknown): string => `${(error as Error).message.split('\n')[0]?.replace(/\.?$/, '.')}`;

/** No response in time: the connection may be half-open, such as after a failover behind a load balancer. */
class RedisTimeoutError extends Error {
  override readonly name = 'RedisTimeoutError';
}

async function withTimeout<Reply>(reply: Promise<Reply>, timeoutMs = TIMEOUT_MS): Promise<Reply> {
  const settled = new AbortController();
  const late = wait(timeoutMs, undefined, { signal: settled.signal })
    // After a pause of this process, the reply may have arrived and not been read yet.
    .then(() => setImmediate())
    .then(() => {
      throw new RedisTimeoutError(`Redis didn’t respond within ${timeoutMs} ms.`);
    });
  try {
    return await Promise.race([reply, late]);
  } finally {
    late.catch(() => {});
    settled.abort();
  }
}

/** Whether a failed command means that its connection must be replaced: it's dead, or a failover made its server a replica. */
const isBroken = (error: unknown) => error instanceof RedisTimeoutError || /\bREADONLY\b/.test((error as Error).message);

async function createRedisClient(url: string, connectTimeout: number) {
  // Most deployments with one instance don't need the package.
  const { createClient } = await import('@redis/client');
  return createClient({
    url,
    // While there is no connection, commands fail instead of being queued: their callers couldn't know about a command that is sent later.
    disableOfflineQueue: true,
    // `Connection` reconnects. The package doesn't if a connection is half-open or hangs in its handshake.
    socket: { connectTimeout, reconnectStrategy: false },
  });
}

type Client = Awaited<ReturnType<typeof createRedisClient>>;

type SubscriptionArgs = Parameters<Redis['subscribe']>;

class RedisConnection {
  readonly #url: string;
  readonly #onError: (error: unknown) => void;
  readonly #pings: NodeJS.Timeout;
  /** Null while there is no connection. */
  #client: Client | null = null;
  #reconnectMs = MIN_RECONNECT_MS;
  #isClosed = false;
  #subscription: SubscriptionArgs | null = null;
  #durability: Durability | null = null;
  #onDurabilityChange: (durability: Durability) => void = () => {};
  #settingsTimer: NodeJS.Timeout | undefined;

  constructor(url: string, onError: (error: unknown) => void) {
    this.#url = url;
    this.#onError = onError;
    this.#pings = setInterval(() => void this.#send((client) => client.ping()).catch(() => {}), PING_MS).unref();
  }

  async open(timeoutMs = TIMEOUT_MS): Promise<void> {
    const client = await createRedisClient(this.#url, timeoutMs);
    client.on('error', (error: unknown) => this.#replace(client, error));
    try {
      await withTimeout(client.connect(), timeoutMs);
      if (this.#subscription) await withTimeout(this.#listen(client, this.#subscription), timeoutMs);
    } catch (error) {
      client.destroy();
      throw error;
    }
    if (this.#isClosed) return client.destroy();
    this.#client = client;
    this.#subscription?.[2]();
    if (this.#durability) void this.#compareDurability();
  }

  async subscribe(...subscription: SubscriptionArgs): Promise<void> {
    await this.#send((client) => this.#listen(client, subscription));
    this.#subscription = subscription;
  }

  /** Passes messages to the listener. The client would end the connection, which others share, if the listener failed. */
  #listen(client: Client, [channel, onMessage]: SubscriptionArgs): Promise<void> {
    return client.subscribe(channel, (message) => {
      try {
        onMessage(message);
      } catch (error) {
        this.#onError(error);
      }
    });
  }

  run(script: string, keys: readonly string[], args: readonly string[]): Promise<unknown> {
    return this.#send((client) => client.eval(script, { keys: [...keys], arguments: [...args] }));
  }

  get(key: string): Promise<string | null> {
    return this.#send((client) => client.get(key));
  }

  async watchDurability(onChange: (durability: Durability) => void): Promise<Durability> {
    this.#onDurabilityChange = onChange;
    this.#durability = await this.#readDurability();
    this.#settingsTimer = setInterval(() => void this.#compareDurability(), SETTINGS_MS).unref();
    return this.#durability;
  }

  async #compareDurability(): Promise<void> {
    const current = await this.#readDurability();
    // Without a connection, nothing is known.
    if (!this.#client || JSON.stringify(current) === JSON.stringify(this.#durability)) return;
    this.#durability = current;
    this.#onDurabilityChange(current);
  }

  async #readDurability(): Promise<Durability> {
    const names = Object.keys(DURABLE);
    const configured = await this.#send((client) => client.configGet(names)).catch((): Record<string, string> => ({}));
    const isComplete = names.every((name) => Object.hasOwn(configured, name));
    // Managed services often forbid CONFIG.
    const info = isComplete ? '' : await this.#send((client) => client.info()).catch(() => '');
    const settings: Record<string, string> = { ...parseInfo(info), ...configured };
    return {
      unsafe: names.filter((name) => (settings[name] ?? DURABLE[name]) !== DURABLE[name]).map((name) => `${name} ${settings[name]}`),
      unverified: names.filter((name) => settings[name] === undefined),
    };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#pings);
    clearInterval(this.#settingsTimer);
    this.#client?.destroy();
    this.#client = null;
  }

  async #send<Reply>(command: (client: Client) => Promise<Reply>): Promise<Reply> {
    const client = this.#client;
    if (!client) throw new Error('There is no connection to Redis.');
    try {
      const reply = await withTimeout(command(client));
      this.#reconnectMs = MIN_RECONNECT_MS;
      return reply;
    } catch (error) {
      if (isBroken(error)) this.#replace(client, error);
      throw error;
    }
  }

  /** Fails all commands in flight, and reconnects. */
  #replace(client: Client, error: unknown): void {
    if (this.#client !== client) return;
    this.#client = null;
    client.destroy();
    this.#onError(error);
    void this.#reconnect();
  }

  async #reconnect(): Promise<void> {
    while (!this.#client && !this.#isClosed) {
      await wait(this.#reconnectMs, undefined, { ref: false });
      this.#reconnectMs = Math.min(2 * this.#reconnectMs, MAX_RECONNECT_MS);
      if (!this.#isClosed) await this.open().catch(this.#onError);
    }
  }
}

/**
 * Connects to Redis. Throws StartError if that fails, so that a wrong URL is noticed at startup. `onError` is called for each later failure of the connection.
 * `setting` is the environment variable with the URL.
 */
export async function connectRedis(url: string, onError: (error: unknown) => void, setting = 'LEDGER_URL'): Promise<Redis> {
  const connection = new RedisConnection(url, onError);
  try {
    await connection.open(START_TIMEOUT_MS);
    return {
      run: (...command) => connection.run(...command),
      get: (key) => connection.get(key),
      subscribe: (...subscription) => connection.subscribe(...subscription),
      watchDurability: (onChange) => connection.watchDurability(onChange),
      close: () => connection.close(),
    };
  } catch (error) {
    await connection.close();
    throw new StartError(
      `Can’t use the Redis server at ${new URL(url).host} (${setting}): ${formatReason(error)} Start Redis, or correct ${setting}.`,
      { cause: error },
    );
  }
}
