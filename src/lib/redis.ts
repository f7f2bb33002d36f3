import { setTimeout as wait } from 'node:timers/promises';
import { StartError } from './starting.ts';

/** How long Redis may take for one script, in milliseconds. Ours: in a network of one's own it takes one or two. */
const TIMEOUT_MS = 2_000;
/** The longest wait before it is tried to connect again, in milliseconds. */
const MAX_RECONNECT_MS = 1_000;

/** Lua: `now` is the time of Redis, in Unix milliseconds. Scripts compare moments by it alone, since the clocks of hosts differ. */
export const REDIS_NOW = `
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
`;

/** A connection to Redis that is made again whenever it breaks. */
export interface Redis {
  /** Runs a Lua script: at once, or not at all. Fails when Redis does not answer within 2 s; the script may have run then. */
  run(script: string, keys: readonly string[], args: readonly string[]): Promise<unknown>;
  /** Settings with which it may forget entries that it has confirmed; empty when there are none, or it does not tell its settings. */
  forgetfulSettings(): Promise<string[]>;
  close(): Promise<void>;
}

/** Settings with which nothing is forgotten, not even when the machine loses its power. */
const DURABLE: Readonly<Record<string, string>> = { appendonly: 'yes', appendfsync: 'always', 'maxmemory-policy': 'noeviction' };

/** Message of a failure, as a sentence. Its text is one line: a Redis that is none answers anything. */
const reasonOf = (error: unknown): string => `${(error as Error).message.split('\n')[0]?.replace(/\.?$/, '.')}`;

/** Connects. Fails with a StartError when Redis cannot be reached, so that a wrong address is seen at the start; `onError` hears of what breaks later. */
export async function connectRedis(url: string, onError: (error: unknown) => void): Promise<Redis> {
  // Most deployments of one instance go without it.
  const { createClient } = await import('@redis/client');
  let isConnected = false;
  const client = createClient({
    url,
    // A command that cannot be sent now fails: later its caller would not know that it was sent.
    disableOfflineQueue: true,
    socket: {
      connectTimeout: TIMEOUT_MS,
      reconnectStrategy: (retries, cause) => (isConnected ? Math.min(50 * 2 ** retries, MAX_RECONNECT_MS) : cause),
    },
  });
  const inTime = async <Answer>(answer: Promise<Answer>): Promise<Answer> => {
    const answered = new AbortController();
    const late = wait(TIMEOUT_MS, undefined, { signal: answered.signal }).then(() => {
      throw new Error(`Redis didn’t respond within ${TIMEOUT_MS} ms.`);
    });
    try {
      return await Promise.race([answer, late]);
    } finally {
      late.catch(() => {});
      answered.abort();
    }
  };
  client.on('error', (error: unknown) => isConnected && onError(error));
  try {
    await inTime(client.connect());
  } catch (error) {
    client.destroy();
    throw new StartError(
      `Can’t use the Redis server at ${new URL(url).host} (LEDGER_URL): ${reasonOf(error)} Start Redis, or correct LEDGER_URL.`,
      {
        cause: error,
      },
    );
  }
  isConnected = true;

  return {
    run: (script, keys, args) => inTime(client.eval(script, { keys: [...keys], arguments: [...args] })),
    forgetfulSettings: async () => {
      const settings = await inTime(client.configGet(Object.keys(DURABLE))).catch((): Record<string, string> => ({}));
      return Object.entries(settings)
        .filter(([name, value]) => DURABLE[name] !== value)
        .map(([name, value]) => `${name} ${value}`);
    },
    close: async () => client.destroy(),
  };
}
