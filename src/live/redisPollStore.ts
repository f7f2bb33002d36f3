import { randomUUID } from 'node:crypto';
import { REDIS_NOW, type Redis } from '../lib/redis.ts';
import { type PollStore, type PollTurn, SEEN_MS } from './pollStore.ts';

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
