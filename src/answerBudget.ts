import { QueryTooExpensiveError } from './failures/failures.ts';

/** An answer is larger than one may be: `limit` in JSON bytes. */
export function answerTooLarge(limit: number, numbers: Readonly<Record<string, number>> = {}): QueryTooExpensiveError {
  const message = `The response exceeds ${limit} bytes, the maximum for one operation (MAX_RESPONSE_BYTES). Request smaller pages, fewer fields, or fewer aliases.`;
  return new QueryTooExpensiveError(message, limit, 'RESPONSE_BYTES', numbers);
}

/**
 * Bounds an answer while it is being built: long lists and large values count here before they are gone into. The size of its JSON is only known when
 * it has been built, by when it has taken time and memory.
 */
export class AnswerBudget {
  /** JSON bytes. */
  readonly limit: number;
  /** JSON bytes of what has been built; null before the first part has been. */
  size: number | null = null;
  /** JSON of the data, where it was written to be measured; null otherwise. */
  text: string | null = null;
  #bytes = 0;

  constructor(limit: number) {
    this.limit = limit;
  }

  /** Whether more was asked for than one operation may answer. */
  get isExceeded(): boolean {
    return this.#bytes > this.limit;
  }

  /** Takes JSON bytes, at a low guess. Fails with QueryTooExpensiveError when they are too many in all. */
  take(bytes: number): void {
    this.#bytes += bytes;
    if (this.isExceeded) throw answerTooLarge(this.limit);
  }

  /** The operation is executed again from its beginning. */
  restart(): void {
    this.#bytes = 0;
  }
}
