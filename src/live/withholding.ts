import { ForbiddenError, UnauthenticatedError, ValidationError } from '../failures/failures.ts';
import type { Clock } from '../lib/clock.ts';
import type { CallerRights } from './callerRights.ts';
import { type Change, createUnknownChanges, type Interest } from './changes.ts';
import type { Signal } from './subscription.ts';

/** How long a subscription continues while its rights can't be checked, in milliseconds. Chosen: as long as the assignments of API keys by default. */
const UNCHECKED_MS = 5 * 60_000;

/** Whether an error means that the caller lost its rights, rather than that they can't be checked. */
const isDenial = (error: unknown) =>
  error instanceof ForbiddenError || error instanceof UnauthenticatedError || error instanceof ValidationError;

/** Combines changes, with the IDs of each type once. Without IDs of interest, the types suffice, because they are checked as a whole. */
function combine(changes: readonly Change[], { ids }: Interest): readonly Change[] {
  const byType = Map.groupBy(changes, ({ type }) => type);
  if (!ids) return createUnknownChanges(byType.keys());
  return Array.from(byType, ([type, group]) => ({
    type,
    ids: [...new Set(group.flatMap((change) => change.ids))],
    isTruncated: group.some(({ isTruncated }) => isTruncated),
  }));
}

/** Limits the signals of a subscription to changes that its caller can receive now. While its rights can't be checked, changes are withheld. */
export class Withholding {
  readonly #rights: CallerRights;
  readonly #interest: Interest;
  readonly #clock: Clock;
  /** The changes whose check failed, and when the first check failed. Null if the latest one succeeded. */
  #withheld: { readonly signal: Signal; readonly since: number } | null = null;

  constructor(rights: CallerRights, interest: Interest, clock: Clock) {
    this.#rights = rights;
    this.#interest = interest;
    this.#clock = clock;
  }

  /**
   * Returns the signal to deliver. Null if its changes are withheld, or if the caller can't receive any of them. Of changes that were withheld, only the types are
   * reported, with the next signal or heartbeat. Throws if the caller lost its rights, or if they couldn't be checked for too long.
   */
  async limit(signal: Signal): Promise<Signal | null> {
    const withheld = this.#withheld;
    if (!withheld && signal.changes.length === 0) return signal;
    const pending = withheld ? combine([...withheld.signal.changes, ...signal.changes], this.#interest) : signal.changes;
    const source = signal.source ?? withheld?.signal.source ?? null;
    try {
      const limited = await this.#rights.limit(pending, this.#interest);
      this.#withheld = null;
      if (limited.length === 0) return signal.changes.length === 0 ? signal : null;
      return { source, changes: withheld ? createUnknownChanges(limited.map(({ type }) => type)) : limited };
    } catch (error) {
      const now = this.#clock.monotonicMs();
      const since = withheld?.since ?? now;
      if (isDenial(error) || now - since >= UNCHECKED_MS) throw error;
      this.#withheld = { signal: { source, changes: combine(pending, this.#interest) }, since };
      return signal.changes.length === 0 ? signal : null;
    }
  }
}
