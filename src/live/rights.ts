import { BoundedCache } from '../lib/boundedCache.ts';
import { type Clock, createTimeRange, getRemainingMs, type TimeRange } from '../lib/clock.ts';
import { GRANTS_MS } from '../upstream/access/grants.ts';
import type { LiveType } from './changes.ts';

/** How long any other result than `GRANTED` is used, in milliseconds. Chosen: access may be about to be granted, and failed reads must not be repeated for each signal. */
const OTHER_MS = 5_000;
/** Maximum number of results, and total length of their names in characters. Chosen: the IDs of forty subscriptions with the maximum number of IDs, which have 36 characters. */
const MAX_RESULTS = 20_000;
const MAX_CHARACTERS = 100 * MAX_RESULTS;

/** `MISSING`: the record doesn't exist, or the upstream conceals it. */
export type Access = 'GRANTED' | 'DENIED' | 'MISSING';

/** A record, or all records of a type if `id` is null. */
export interface Subject {
  readonly type: LiveType;
  /** Raw ID. */
  readonly id: string | null;
}

/** Reads what an API key can access, in the order of the subjects. */
export type ReadAccess = (subjects: readonly Subject[]) => Promise<readonly Access[]>;

interface RightsResult {
  readonly channel: string;
  readonly access: Promise<Access>;
  fresh: TimeRange;
}

/** What API keys can access, at most 30 seconds old. All subscriptions of a key share the results. */
export class Rights {
  readonly #clock: Clock;
  readonly #results = new BoundedCache<RightsResult>({
    entries: MAX_RESULTS,
    weight: { max: MAX_CHARACTERS, weightOf: (name) => name.length },
  });
  /** Incremented by `forget`, so that results of reads in flight aren't used. */
  #generation = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Returns the access of a key to each subject. `read` is called once, with the subjects whose result isn't known. */
  async find(channel: string, keyHash: string, subjects: readonly Subject[], read: ReadAccess): Promise<readonly Access[]> {
    for (;;) {
      const generation = this.#generation;
      const found = await Promise.all(this.#getResults(channel, keyHash, subjects, read));
      if (generation === this.#generation) return found;
    }
  }

  /** Discards the results of a workspace whose permissions have changed. Null for all workspaces. */
  forget(channel: string | null): void {
    this.#generation += 1;
    this.#results.deleteWhere((result) => channel === null || result.channel === channel);
  }

  #getResults(channel: string, keyHash: string, subjects: readonly Subject[], read: ReadAccess): Promise<Access>[] {
    const now = this.#clock.monotonicMs();
    const getName = ({ type, id }: Subject) => `${keyHash} ${type}${id === null ? '' : ` ${id}`}`;
    const known = subjects.map((subject) => {
      const result = this.#results.get(getName(subject));
      return result && getRemainingMs(result.fresh, now) > 0 ? result.access : undefined;
    });
    const unknown = subjects.filter((_subject, index) => !known[index]);
    if (unknown.length === 0) return known.filter((access) => access !== undefined);
    const reading = read(unknown);
    const started = new Map(
      unknown.map((subject, index) => {
        const access = reading.then((results) => results[index] ?? 'DENIED');
        this.#add(getName(subject), channel, access);
        return [subject, access];
      }),
    );
    return subjects.map((subject, index) => known[index] ?? (started.get(subject) as Promise<Access>));
  }

  #add(name: string, channel: string, access: Promise<Access>): void {
    const startedAt = this.#clock.monotonicMs();
    const result: RightsResult = { channel, access, fresh: createTimeRange(startedAt, Number.POSITIVE_INFINITY) };
    this.#results.set(name, result);
    const limit = (settled: Access | undefined) => {
      result.fresh = settled === 'GRANTED' ? createTimeRange(startedAt, GRANTS_MS) : createTimeRange(this.#clock.monotonicMs(), OTHER_MS);
    };
    access.then(limit, () => limit(undefined));
  }
}
