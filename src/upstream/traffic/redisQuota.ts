import { CLOCK_STEP_MS, type Clock, createTimeRange, EXPIRED, getRemainingMs, systemClock } from '../../lib/clock.ts';
import { REDIS_NOW, type Redis } from '../../lib/redis.ts';
import { MemoryQuota, type Quota, type QuotaKey, type QuotaView, type Reservation, type Reserved, type SharedState } from './quota.ts';
import type { QuotaUpdate } from './rateLimitHeaders.ts';

/** Prefix of the graph's keys in Redis, which may also contain other data. */
const PREFIX = 'workspace-graph:quota:';

/** How long reports of calls are batched before they are sent to Redis, in milliseconds. Chosen: a report then has some hundred calls. */
const REPORT_MS = 50;
/** How long Redis isn't used after a failure, in milliseconds, so that requests don't wait for it one after another. Chosen. */
const PAUSE_MS = 1_000;

/**
 * Reads a key's state, resets a window that has ended, and defines how the state is stored and returned. Timestamps are on the clock of Redis, because the
 * clocks of hosts may differ. 0 means unknown. The times at which the window and the block were reported are stored as well: if the clock is before them, it
 * was set back, or belongs to another host after a failover, and the reported values are discarded.
 */
const STATE = `${REDIS_NOW}
  local stored = redis.call('HMGET', KEYS[1], 'limit', 'remaining', 'resetsAt', 'reserved', 'blockedUntil', 'windowReportedAt', 'blockReportedAt')
  local limit, remaining, resetsAt = tonumber(stored[1]) or 0, tonumber(stored[2]) or 0, tonumber(stored[3]) or 0
  local reserved, blockedUntil = tonumber(stored[4]) or 0, tonumber(stored[5]) or 0
  local windowReportedAt, blockReportedAt = tonumber(stored[6]) or 0, tonumber(stored[7]) or 0
  if now < windowReportedAt - ${CLOCK_STEP_MS} then resetsAt, windowReportedAt = now, now end
  if now < blockReportedAt - ${CLOCK_STEP_MS} then blockedUntil, blockReportedAt = 0, 0 end
  -- Instances that died never release their reservations, which therefore expire with the window.
  if resetsAt > 0 and resetsAt <= now then reserved = 0 end
  if resetsAt <= now then limit, remaining, resetsAt = 0, 0, 0 end
  local function save()
    redis.call(
      'HSET', KEYS[1], 'limit', limit, 'remaining', remaining, 'resetsAt', resetsAt, 'windowReportedAt', windowReportedAt,
      'reserved', reserved, 'blockedUntil', blockedUntil, 'blockReportedAt', blockReportedAt
    )
    redis.call('PEXPIREAT', KEYS[1], math.ceil(math.max(resetsAt, blockedUntil, now + 60000)))
  end
  local function answer(waitMs, calls)
    return {
      tostring(math.ceil(waitMs)), tostring(calls), tostring(limit), tostring(remaining),
      tostring(math.max(0, resetsAt - now)), tostring(math.max(0, blockedUntil - now)),
    }
  end
`;

/** Like `MemoryQuota.reserve`. */
const RESERVE = `${STATE}
  local calls, patience = tonumber(ARGV[1]), tonumber(ARGV[2])
  local needed = calls + math.floor(limit * tonumber(ARGV[3]))
  local wait = math.max(0, blockedUntil - now)
  if limit > 0 and needed > limit then return answer(math.max(wait, resetsAt - now, 1000), 0) end
  if limit > 0 and remaining < needed then wait = math.max(wait, resetsAt - now) end
  if wait > patience then return answer(wait, 0) end
  if limit > 0 and wait <= 0 and remaining - reserved < needed then return answer(1000, 0) end
  reserved = reserved + calls
  save()
  return answer(0, calls)
`;

/** Like `spend`, `release`, `update` and `block` of `MemoryQuota`, for many calls at once. */
const REPORT = `${STATE}
  local sent, released, blockMs = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
  local reportedLimit, reportedRemaining, reportedResetsAt = tonumber(ARGV[4]), tonumber(ARGV[5]), now + tonumber(ARGV[6])
  reserved = math.max(0, reserved - released)
  remaining = math.max(0, remaining - sent)
  if reportedLimit > 0 and reportedResetsAt > now then
    if limit == 0 or reportedResetsAt > resetsAt + 1000 then
      limit, remaining, resetsAt, windowReportedAt = reportedLimit, reportedRemaining, reportedResetsAt, now
    elseif reportedResetsAt >= resetsAt - 1000 then
      limit, remaining, resetsAt, windowReportedAt = reportedLimit, math.min(remaining, reportedRemaining), math.min(resetsAt, reportedResetsAt), now
    end
  end
  if blockMs > 0 then blockedUntil, blockReportedAt = math.max(blockedUntil, now + blockMs), now end
  save()
  return answer(0, 0)
`;

/** Parses a number of a script's result. Throws for NaN and infinity, which Lua reads from a state that another program has stored. */
function toNumber(text: string): number {
  const value = Number(text);
  if (Number.isFinite(value)) return value;
  throw new Error('The stored quota is invalid.');
}

/** Changes of a key's quota that haven't been reported to Redis. */
interface QuotaReport {
  sent: number;
  released: number;
  blockMs: number;
  hasUpdate: boolean;
}

/**
 * Quotas that several instances share. Calls are counted in memory and reported to Redis in the background, so that none waits for it. Redis decides whether a
 * request is admitted. While Redis is unavailable, each instance uses its own state.
 */
export class RedisQuota implements Quota {
  readonly #redis: Redis;
  readonly #local: MemoryQuota;
  readonly #clock: Clock;
  readonly #onChange: (isShared: boolean) => void;
  #reports = new Map<QuotaKey, QuotaReport>();
  #timer: NodeJS.Timeout | undefined;
  #pause = EXPIRED;
  #isShared = true;

  /** `onChange` is called when Redis fails, and when it works again. */
  constructor(redis: Redis, onChange: (isShared: boolean) => void, clock: Clock = systemClock) {
    this.#redis = redis;
    this.#onChange = onChange;
    this.#clock = clock;
    this.#local = new MemoryQuota(clock);
  }

  getBlockedMs(key: QuotaKey): number {
    return this.#local.getBlockedMs(key);
  }

  async reserve(key: QuotaKey, calls: number, maxWaitMs: number, spare = 0): Promise<Reserved> {
    const result = await this.#run(RESERVE, key, [calls, maxWaitMs, spare]);
    if (!result) return this.#local.reserve(key, calls, maxWaitMs, spare);
    this.#adopt(key, result);
    return result.waitMs > 0 ? { waitMs: result.waitMs } : this.#local.reserveUnchecked(key, result.calls, true);
  }

  getAvailable(key: QuotaKey): number | null {
    return this.#local.getAvailable(key);
  }

  release(reservation: Reservation): void {
    if (reservation.isShared && reservation.calls > 0) this.#getReport(reservation.key).released += reservation.calls;
    this.#local.release(reservation);
  }

  spend(key: QuotaKey, reservation: Reservation | null): void {
    const report = this.#getReport(key);
    report.sent += 1;
    if (reservation?.isShared && reservation.calls > 0) report.released += 1;
    this.#local.spend(key, reservation);
  }

  update(key: QuotaKey, sentAt: number, reported: QuotaUpdate | null): void {
    this.#local.update(key, sentAt, reported);
    if (reported) this.#getReport(key).hasUpdate = true;
  }

  block(key: QuotaKey, sentAt: number, retryAfterMs: number | null): number {
    const blockMs = this.#local.block(key, sentAt, retryAfterMs);
    this.#getReport(key).blockMs = blockMs;
    // Other instances should know about the block before they run into the rate limit themselves.
    void this.#flush();
    return blockMs;
  }

  getLimit(key: QuotaKey): number | null {
    return this.#local.getLimit(key);
  }

  getView(key: QuotaKey): QuotaView | null {
    return this.#local.getView(key);
  }

  async close(): Promise<void> {
    await this.#flush();
    clearTimeout(this.#timer);
  }

  #getReport(key: QuotaKey): QuotaReport {
    let report = this.#reports.get(key);
    if (!report) {
      report = { sent: 0, released: 0, blockMs: 0, hasUpdate: false };
      this.#reports.set(key, report);
      this.#timer ??= setTimeout(() => void this.#flush(), REPORT_MS).unref();
    }
    return report;
  }

  async #flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const reports = this.#reports;
    this.#reports = new Map();
    await Promise.all([...reports].map(([key, report]) => this.#publish(key, report)));
  }

  async #publish(key: QuotaKey, { sent, released, blockMs, hasUpdate }: QuotaReport): Promise<void> {
    const state = hasUpdate ? this.#local.getState(key) : null;
    const window =
      state?.limit && state.window !== null
        ? [state.limit, state.remaining, getRemainingMs(state.window, this.#clock.monotonicMs())]
        : [0, 0, 0];
    const result = await this.#run(REPORT, key, [sent, released, blockMs, ...window]);
    if (result) return this.#adopt(key, result);
    // Redis keeps the calls reserved until their release is reported.
    if (released > 0) this.#getReport(key).released += released;
  }

  #adopt(key: QuotaKey, shared: SharedState): void {
    this.#local.adopt(key, shared, this.#reports.get(key)?.sent ?? 0);
  }

  /** Runs a script. Undefined if Redis is unavailable. */
  async #run(script: string, key: QuotaKey, args: readonly number[]): Promise<(SharedState & ReserveResult) | undefined> {
    if (getRemainingMs(this.#pause, this.#clock.monotonicMs()) > 0) return undefined;
    try {
      const result = await this.#redis.run(script, [PREFIX + key.hash], args.map(String));
      const [waitMs = 0, calls = 0, limit = 0, remaining = 0, resetsInMs = 0, blockedMs = 0] = (result as string[]).map(toNumber);
      this.#setShared(true);
      return { waitMs, calls, limit, remaining, resetsInMs, blockedMs };
    } catch {
      this.#pause = createTimeRange(this.#clock.monotonicMs(), PAUSE_MS);
      this.#setShared(false);
      return undefined;
    }
  }

  #setShared(isShared: boolean): void {
    if (isShared !== this.#isShared) this.#onChange(isShared);
    this.#isShared = isShared;
  }
}

interface ReserveResult {
  readonly waitMs: number;
  readonly calls: number;
}
