import { judge, tellableName } from '../contract/comparison.ts';
import type { AnyOperation } from '../contract/operation.ts';

/** Number of responses per operation that are checked before sampling starts. Chosen: the first ones reveal most. */
const FIRST = 3;
/**
 * Interval at which later responses are checked. Chosen: a check takes 10 µs, so a response takes 0.4 µs on average, compared with some hundreds for parsing
 * it.
 */
const EVERY = 64;
/** Maximum number of entries that are checked per list. Chosen. */
const MAX_ROWS = 3;
/**
 * Maximum number of differences that are counted separately; further ones are counted together. Chosen: enough for a few records that differ in all members.
 */
const MAX_KINDS = 500;
const OTHERS = 'others';

/** Checks sampled responses for differences from the contract. Records coordinates and kinds, but no values. */
export class DriftWatch {
  readonly #onFirst: ((coordinate: string, kind: string) => void) | undefined;
  readonly #answers = new Map<AnyOperation, number>();
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
  observe(operation: AnyOperation, answer: object): void {
    const count = this.#answers.get(operation) ?? 0;
    this.#answers.set(operation, count + 1);
    if (count >= FIRST && count % EVERY !== 0) return;
    judge(
      operation.response,
      answer,
      (message, name, verdict) => {
        if (verdict !== 'CONFIRMED')
          this.#note(`${message.name}.${tellableName(name)}`, verdict === 'UNKNOWN' ? 'UNKNOWN_MEMBER' : verdict);
      },
      MAX_ROWS,
    );
  }

  #note(coordinate: string, kind: string): void {
    const wanted = `${coordinate} ${kind}`;
    const known = this.#counts.has(wanted);
    const key = known || this.#counts.size < MAX_KINDS ? wanted : OTHERS;
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
    if (!known && key === wanted) this.#onFirst?.(coordinate, kind);
  }
}
