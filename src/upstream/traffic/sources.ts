import { BoundedCache } from '../../lib/boundedCache.ts';
import { type Clock, createTimeRange, getRemainingMs } from '../../lib/clock.ts';

/** Number of latest calls of a source that are evaluated. Chosen: a single failure among successes isn't a trend, two are. */
const CALLS = 3;
/** How long the calls of a source are evaluated after the latest one, in milliseconds. Chosen: longer than most pauses of an active client. */
const EVIDENCE_MS = 10_000;
/** Number of sources that are tracked; least recently used are evicted. Chosen. */
const MAX_SOURCES = 100;

interface Source {
  /** Whether each of the latest calls failed, oldest first. */
  readonly failed: boolean[];
  /** When the latest call ended, on the monotonic clock. */
  at: number;
}

/**
 * Latest outcomes by source: by API key, or by operation. Each source counts once, however many calls it sends, so that one source with many failing
 * calls doesn't hide the successes of others.
 */
export class Sources {
  readonly #clock: Clock;
  readonly #sources = new BoundedCache<Source>({ entries: MAX_SOURCES });

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add(name: string, isFailure: boolean): void {
    const now = this.#clock.monotonicMs();
    let source = this.#sources.get(name);
    if (!source || !isRecent(source, now)) {
      source = { failed: [], at: now };
      this.#sources.set(name, source);
    }
    source.at = now;
    source.failed.push(isFailure);
    if (source.failed.length > CALLS) source.failed.shift();
  }

  /** Whether more than this fraction of the recent sources fail, and at least `minSources`. A source fails if more than this fraction of its latest calls did. */
  failMoreThan(share: number, minSources: number): boolean {
    const now = this.#clock.monotonicMs();
    let recent = 0;
    let failing = 0;
    for (const source of this.#sources.values()) {
      if (!isRecent(source, now)) continue;
      recent += 1;
      if (source.failed.filter(Boolean).length > share * source.failed.length) failing += 1;
    }
    return failing >= minSources && failing > share * recent;
  }
}

const isRecent = ({ at }: Source, now: number) => getRemainingMs(createTimeRange(at, EVIDENCE_MS), now) > 0;
