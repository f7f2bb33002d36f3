import type { Redis } from '../redis.ts';
import { LedgerUnavailableError } from '../upstream/errors.ts';
import type { Expected, LedgerEntry, LedgerStore } from './entry.ts';

/** What our keys begin with: a Redis may hold other things, too. */
const PREFIX = 'workspace-graph:ledger:';

/** As `isFree` and `isExpected` say; Lua has them once more, since only there they are atomic. */
const RULES = `
  local function isFree(text, now)
    if not text then return true end
    local entry = cjson.decode(text)
    return entry.expiresAt <= now or entry.state == 'FAILED'
  end
  local function isExpected(text, attempt, states)
    if not text then return false end
    local entry = cjson.decode(text)
    return entry.attempt == attempt and string.find(states, entry.state, 1, true) ~= nil
  end
`;

const CLAIM = `${RULES}
  local entry, now, ttl = ARGV[1], tonumber(ARGV[2]), ARGV[3]
  for _, key in ipairs(KEYS) do
    local text = redis.call('GET', key)
    if not isFree(text, now) then return text end
  end
  for _, key in ipairs(KEYS) do redis.call('SET', key, entry, 'PX', ttl) end
  return false
`;

const MOVE = `${RULES}
  local entry, now, ttl, attempt, states = ARGV[1], tonumber(ARGV[2]), ARGV[3], ARGV[4], ARGV[5]
  local isThere, writable = false, {}
  for _, key in ipairs(KEYS) do
    local text = redis.call('GET', key)
    local isIt = isExpected(text, attempt, states)
    isThere = isThere or isIt
    if isIt or isFree(text, now) then table.insert(writable, key) end
  end
  if not isThere then return 0 end
  for _, key in ipairs(writable) do redis.call('SET', key, entry, 'PX', ttl) end
  return 1
`;

const FIND = `${RULES}
  local now, failed = tonumber(ARGV[1]), false
  for _, key in ipairs(KEYS) do
    local text = redis.call('GET', key)
    if not isFree(text, now) then return text end
    if text and cjson.decode(text).expiresAt > now then failed = failed or text end
  end
  return failed
`;

/** Keeps the ledger in Redis, for several hosts. Lasts as Redis does: it must write to its disk before it answers (`appendfsync always`). */
export class RedisLedgerStore implements LedgerStore {
  readonly #redis: Redis;

  constructor(redis: Redis) {
    this.#redis = redis;
  }

  async claim(ids: readonly string[], entry: LedgerEntry, now: number): Promise<LedgerEntry | undefined> {
    return entryOf(await this.#run(CLAIM, ids, ...written(entry, now)));
  }

  async move(ids: readonly string[], { attempt, states }: Expected, entry: LedgerEntry, now: number): Promise<boolean> {
    return (await this.#run(MOVE, ids, ...written(entry, now), attempt, states.join(' '))) === 1;
  }

  async find(ids: readonly string[], now: number): Promise<LedgerEntry | undefined> {
    return entryOf(await this.#run(FIND, ids, String(now)));
  }

  /** Nothing: Redis forgets what has expired by itself. */
  async sweep(): Promise<void> {}

  /** Leaves the connection open: others use it, too. */
  async close(): Promise<void> {}

  async #run(script: string, ids: readonly string[], ...args: string[]): Promise<unknown> {
    try {
      return await this.#redis.run(
        script,
        ids.map((id) => PREFIX + id),
        args,
      );
    } catch (error) {
      throw new LedgerUnavailableError(error);
    }
  }
}

const written = (entry: LedgerEntry, now: number): [json: string, now: string, ttl: string] => [
  JSON.stringify(entry),
  String(now),
  String(Math.max(1, entry.expiresAt - now)),
];

const entryOf = (text: unknown): LedgerEntry | undefined => (typeof text === 'string' ? (JSON.parse(text) as LedgerEntry) : undefined);
