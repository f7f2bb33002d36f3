import { judge, tellableName } from '../contract/judge.ts';
import type { AnyOperation } from '../contract/operation.ts';

/** Answers of an operation that are looked at before it is sampled. Ours: the first tell most. */
const FIRST = 3;
/** Of the answers after them, every so many is looked at. Ours: a look takes 10 µs, so that an answer takes 0.4 µs on average, and parsing it some hundreds. */
const EVERY = 64;
/** Entries of each list of an answer that are looked at. Ours. */
const MAX_ROWS = 3;
/** Differences that are counted apart; more are counted together. Ours: the members of a few records that are wholly different. */
const MAX_KINDS = 500;
const OTHERS = 'others';

/** Watches sampled answers for differences from the contract. Coordinates and kinds are kept, and no value. */
export class DriftWatch {
  readonly #onFirst: ((coordinate: string, kind: string) => void) | undefined;
  readonly #answers = new Map<AnyOperation, number>();
  readonly #counts = new Map<string, number>();

  /** `onFirst` is told of each difference once. */
  constructor(onFirst?: (coordinate: string, kind: string) => void) {
    this.#onFirst = onFirst;
  }

  /** How often each difference was seen, by coordinate and kind: `QuoteRecord.title TYPE`. */
  get counts(): ReadonlyMap<string, number> {
    return this.#counts;
  }

  /** Looks at an answer in the contract's words, where it is one of the sample. */
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
