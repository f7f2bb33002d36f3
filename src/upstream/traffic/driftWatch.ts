import { compareMessage, redactName } from '../contract/comparison.ts';
import type { AnyOperation } from '../contract/operation.ts';

/** Number of responses per operation that are checked before sampling starts. Chosen: the first ones reveal most. */
const INITIAL_SAMPLES = 3;
/**
 * Interval at which later responses are checked. Chosen: a check takes 10 µs, so a response takes 0.4 µs on average, compared with some hundreds for parsing
 * it.
 */
const SAMPLING_INTERVAL = 64;
/** Maximum number of entries that are checked per list. Chosen. */
const MAX_ROWS = 3;
/**
 * Maximum number of differences that are counted separately; further ones are counted together. Chosen: enough for a few records that differ in all members.
 */
const MAX_COUNTED = 500;
const OTHERS = 'others';

/** Checks sampled responses for differences from the contract. Records coordinates and kinds, but no values. */
export class DriftWatch {
  readonly #onFirst: ((coordinate: string, kind: string) => void) | undefined;
  readonly #responses = new Map<AnyOperation, number>();
  readonly #counts = new Map<string, number>();

  /** `onFirst` is called once for each difference. */
  constructor(onFirst?: (coordinate: string, kind: string) => void) {
    this.#onFirst = onFirst;
  }

  /** How often each difference was seen, by coordinate and kind, such as `QuoteRecord.title TYPE`. */
  get counts(): ReadonlyMap<string, number> {
    return this.#counts;
  }

  /** Checks a response in the contract's names if it belongs to the sample. */
  observe(operation: AnyOperation, response: object): void {
    const count = this.#responses.get(operation) ?? 0;
    this.#responses.set(operation, count + 1);
    if (count >= INITIAL_SAMPLES && count % SAMPLING_INTERVAL !== 0) return;
    compareMessage(
      operation.response,
      response,
      (message, name, result) => {
        if (result !== 'CONFIRMED') this.#record(`${message.name}.${redactName(name)}`, result === 'UNKNOWN' ? 'UNKNOWN_MEMBER' : result);
      },
      MAX_ROWS,
    );
  }

  #record(coordinate: string, kind: string): void {
    const wanted = `${coordinate} ${kind}`;
    const known = this.#counts.has(wanted);
    const key = known || this.#counts.size < MAX_COUNTED ? wanted : OTHERS;
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
    if (!known && key === wanted) this.#onFirst?.(coordinate, kind);
  }
}
