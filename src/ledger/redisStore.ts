import { randomUUID } from 'node:crypto';
import { LedgerUnavailableError } from '../failures/failures.ts';
import { REDIS_NOW, type Redis } from '../lib/redis.ts';
import {
  createKeyRange,
  createLostError,
  createMalformedError,
  type Expected,
  type Found,
  type LedgerDraft,
  type ListableStore,
  parseEntry,
  parseRows,
  type Refusal,
  type Stored,
} from './entry.ts';

/** Prefix of the ledger's keys in Redis, whose database may contain other data. */
const PREFIX = 'workspace-graph:ledger:';
/** A key that is written once and never expires. If it's gone or has another value, entries may be gone, too. */
const MARKER = `${PREFIX}marker`;
/** Prefix of the error of a script that reads a malformed entry. Its ID follows. */
const MALFORMED = 'MALFORMED ';

/**
 * `isFree` and `isExpected` again in Lua, because only scripts are atomic. Timestamps are prepended to a draft's other members as a string, because cjson would
 * serialize an empty list as an empty object.
 */
const RULES = `${REDIS_NOW}
  local function parse(text, key)
    local ok, entry = pcall(cjson.decode, text)
    if ok and type(entry) == 'table' and type(entry.expiresAt) == 'number' and type(entry.state) == 'string' then return entry end
    error({ err = '${MALFORMED}' .. key })
  end
  local function stamped(draft, leaseMs, ttl)
    return string.format('{"leaseUntil":%.0f,"expiresAt":%.0f,', now + leaseMs, now + ttl) .. string.sub(draft, 2)
  end
  local function isFree(text, key)
    if not text then return true end
    local entry = parse(text, key)
    return entry.expiresAt <= now or entry.state == 'FAILED'
  end
  local function isExpected(text, key, attempt, states)
    if not text then return false end
    local entry = parse(text, key)
    return entry.attempt == attempt and string.find(states, entry.state, 1, true) ~= nil
  end
`;

/** The first two arguments are the range of times at which a key of this age can be claimed, or empty. */
const CHECK = `${RULES}
  for _, key in ipairs(KEYS) do
    local text = redis.call('GET', key)
    if not isFree(text, key) then return { tostring(now), text, key } end
  end
  if ARGV[1] ~= '' and now < tonumber(ARGV[1]) then return 'EARLY' end
  if ARGV[2] ~= '' and now >= tonumber(ARGV[2]) then return 'OLD' end
`;

const CLAIM = `${CHECK}
  local ttl = ARGV[5]
  local entry = stamped(ARGV[3], ARGV[4], ttl)
  for _, key in ipairs(KEYS) do redis.call('SET', key, entry, 'PX', ttl) end
  return false
`;

const REMOVE = `${RULES}
  local expected = {}
  for _, key in ipairs(KEYS) do
    if isExpected(redis.call('GET', key), key, ARGV[1], ARGV[2]) then table.insert(expected, key) end
  end
  for _, key in ipairs(expected) do redis.call('DEL', key) end
  return #expected > 0 and 1 or 0
`;

const MOVE = `${RULES}
  local ttl, attempt, states = ARGV[3], ARGV[4], ARGV[5]
  local entry = stamped(ARGV[1], ARGV[2], ttl)
  local isThere, writable = false, {}
  for _, key in ipairs(KEYS) do
    local text = redis.call('GET', key)
    local isIt = isExpected(text, key, attempt, states)
    isThere = isThere or isIt
    if isIt or isFree(text, key) then table.insert(writable, key) end
  end
  if not isThere then return 0 end
  for _, key in ipairs(writable) do redis.call('SET', key, entry, 'PX', ttl) end
  return 1
`;

const FIND = `${RULES}
  local failed, id = false, false
  for _, key in ipairs(KEYS) do
    local text = redis.call('GET', key)
    if not isFree(text, key) then return { tostring(now), text, key } end
    if text and not failed and parse(text, key).expiresAt > now then failed, id = text, key end
  end
  return failed and { tostring(now), failed, id }
`;

/** Approximate number of keys that one call of `UNSETTLED` reads. Chosen: the call blocks Redis for a few milliseconds. */
const SCAN_SIZE = 1_000;

/** One step through all keys of the database: the next cursor, which is 0 at the end, the time, and ID and JSON of each entry, in turn. */
const UNSETTLED = `${RULES}
  local prefix = ARGV[2]
  local scanned = redis.call('SCAN', ARGV[1], 'MATCH', prefix .. '*', 'COUNT', ARGV[3])
  local rows = {}
  for _, key in ipairs(scanned[2]) do
    local text = redis.call('GET', key)
    if text then
      local ok, entry = pcall(parse, text, key)
      if ok and entry.expiresAt > now and (entry.state == 'UNKNOWN' or entry.state == 'IN_FLIGHT') then
        table.insert(rows, string.sub(key, #prefix + 1))
        table.insert(rows, text)
      end
    end
  end
  return { scanned[1], tostring(now), rows }
`;

/** Writes the marker unless there is one. Returns its value, which earlier versions read as an expired entry when they list entries. */
const MARK = `${REDIS_NOW}
  local marker = redis.call('GET', KEYS[1])
  if marker then return marker end
  redis.call('SET', KEYS[1], string.format('{"expiresAt":0,"createdAt":%.0f,"id":"%s"}', now, ARGV[1]))
  return redis.call('GET', KEYS[1])
`;

/**
 * Stores the ledger in Redis, for several hosts. Leases and expiry use the clock of Redis, because the hosts' clocks may differ. Durability is that of Redis:
 * it must write to disk before it responds (`appendfsync always`).
 */
export class RedisLedgerStore implements ListableStore {
  readonly #redis: Redis;
  #marker: string | undefined;

  constructor(redis: Redis) {
    this.#redis = redis;
  }

  /** Writes the marker unless there is one, and returns it. Later calls of this process expect the same. */
  async open(): Promise<string> {
    this.#marker ??= String(await this.#send(this.#redis.run(MARK, [MARKER], [randomUUID()])));
    return this.#marker;
  }

  claim(ids: readonly string[], draft: LedgerDraft, ttlMs: number, keyCreatedAt?: number): Promise<Found | Refusal | undefined> {
    return this.#claimOrCheck(CLAIM, ids, keyCreatedAt, toArguments(draft, ttlMs));
  }

  check(ids: readonly string[], keyCreatedAt?: number): Promise<Found | Refusal | undefined> {
    return this.#claimOrCheck(CHECK, ids, keyCreatedAt, []);
  }

  async #claimOrCheck(
    script: string,
    ids: readonly string[],
    keyCreatedAt: number | undefined,
    draft: readonly string[],
  ): Promise<Found | Refusal | undefined> {
    const expected = await this.open();
    const range = keyCreatedAt === undefined ? ['', ''] : toRangeArguments(keyCreatedAt, expected);
    // Sent together, and in this order: a marker that is there after the claim was there before it. Not in the script, because a cluster may store it on another node.
    const [result, marker] = await Promise.all([this.#run(script, ids, ...range, ...draft), this.#send(this.#redis.get(MARKER))]);
    if (marker !== expected)
      throw new LedgerUnavailableError(createLostError('Redis has lost data of the ledger: its marker is gone or was replaced.'));
    if (result === 'OLD' || result === 'EARLY') return result;
    return parseFound(result);
  }

  async move(ids: readonly string[], { attempt, states }: Expected, draft: LedgerDraft, ttlMs: number): Promise<boolean> {
    return (await this.#run(MOVE, ids, ...toArguments(draft, ttlMs), attempt, states.join(' '))) === 1;
  }

  async remove(ids: readonly string[], { attempt, states }: Expected): Promise<boolean> {
    return (await this.#run(REMOVE, ids, attempt, states.join(' '))) === 1;
  }

  async find(ids: readonly string[]): Promise<Found | undefined> {
    return parseFound(await this.#run(FIND, ids));
  }

  async unsettled(): Promise<readonly Stored[]> {
    const rows = new Map<string, string>();
    let now = 0;
    let cursor = '0';
    do {
      const step = (await this.#run(UNSETTLED, [], cursor, PREFIX, String(SCAN_SIZE))) as [cursor: string, now: string, rows: string[]];
      cursor = step[0];
      now = Number(step[1]);
      // A scan can return a key more than once.
      for (let index = 0; index < step[2].length; index += 2) rows.set(step[2][index] ?? '', step[2][index + 1] ?? '');
    } while (cursor !== '0');
    return parseRows(rows, now);
  }

  /** The marker, which contains a random ID. A Redis that was restored from a backup has the same one. */
  getId(): Promise<string> {
    return this.open();
  }

  /** Does nothing: Redis deletes expired keys. */
  async sweep(): Promise<void> {}

  /** Leaves the connection open, because it's shared. */
  async close(): Promise<void> {}

  #run(script: string, ids: readonly string[], ...args: string[]): Promise<unknown> {
    return this.#send(
      this.#redis.run(
        script,
        ids.map((id) => PREFIX + id),
        args,
      ),
    );
  }

  async #send<Reply>(reply: Promise<Reply>): Promise<Reply> {
    try {
      return await reply;
    } catch (error) {
      const [, id] = (error as Error).message.split(`${MALFORMED}${PREFIX}`);
      throw new LedgerUnavailableError(id === undefined ? error : createMalformedError(id));
    }
  }
}

/** When a key can be claimed. Never if it's older than the marker, because its entry may have been lost with the previous one. */
function toRangeArguments(keyCreatedAt: number, marker: string): [from: string, until: string] {
  const { createdAt } = JSON.parse(marker) as { readonly createdAt: number };
  const { from, until } = createKeyRange(keyCreatedAt);
  return [String(from), String(keyCreatedAt < createdAt ? 0 : until)];
}

const toArguments = (draft: LedgerDraft, ttlMs: number): [json: string, leaseMs: string, ttlMs: string] => [
  JSON.stringify(draft),
  String(draft.leaseMs),
  String(ttlMs),
];

/** Parses the response of a script: its time, the entry as JSON, and its key. */
function parseFound(response: unknown): Found | undefined {
  if (!Array.isArray(response)) return undefined;
  const [now, json, key] = response as [string, string, string];
  try {
    return { entry: parseEntry(json, key.slice(PREFIX.length)), now: Number(now) };
  } catch (error) {
    throw new LedgerUnavailableError(error);
  }
}
