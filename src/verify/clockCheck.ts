import type { JsonObject } from '../lib/json.ts';
import { compareMessage } from '../upstream/contract/comparison.ts';
import type { MessageFields } from '../upstream/contract/fields.ts';
import type { ProbeFindings } from './probes.ts';

/** Timestamps that only the upstream's clock sets. Others, such as `paidAt`, can be set by a caller and be in the future. */
const SET_BY_CLOCK: ReadonlySet<string> = new Set(['createdAt', 'updatedAt']);

/** Seconds that a timestamp can be ahead of the response. Chosen: more than the clock skew within a deployment, and less than any time-zone offset. */
const TOLERANCE_S = 300;

/** Time-zone offsets are multiples of a quarter of an hour, in seconds. */
const QUARTER_S = 900;

function describe(aheadS: number): string {
  const minutes = Math.round(aheadS / 60);
  const offset = Math.round(aheadS / QUARTER_S) * (QUARTER_S / 60);
  const isOffset = Math.abs(minutes - offset) <= TOLERANCE_S / 60 && offset > 0 && offset <= 14 * 60;
  return `ahead of the Date header of its response by up to ${minutes} minutes${isOffset ? '; local time may be sent as UTC' : ''}`;
}

/**
 * Finds timestamps that are later than the `Date` header of the response that contains them. Local time sent as UTC is only visible east of UTC, and only on
 * records that are newer than the offset.
 */
export class ClockCheck {
  readonly #ahead = new Map<string, number>();

  /** Adds a response that was sent at `sentAtS`, in Unix seconds by the upstream's clock. Null if it has no `Date` header. */
  observe(message: MessageFields, response: JsonObject, sentAtS: number | null): void {
    if (sentAtS === null) return;
    compareMessage(message, response, (inner, name, verdict, value) => {
      if (verdict !== 'CONFIRMED' || inner.fields[name]?.unit !== 'MOMENT' || !SET_BY_CLOCK.has(name)) return;
      const aheadS = Number(value) - sentAtS;
      const coordinate = `${inner.name}.${name}`;
      if (aheadS > TOLERANCE_S) this.#ahead.set(coordinate, Math.max(aheadS, this.#ahead.get(coordinate) ?? 0));
    });
  }

  report(findings: ProbeFindings): void {
    for (const [coordinate, aheadS] of this.#ahead) findings.addDrift(coordinate, 'CLOCK', describe(aheadS));
  }
}
