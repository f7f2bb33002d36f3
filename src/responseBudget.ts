import { QueryTooExpensiveError } from './failures/failures.ts';

/** Creates the error for a response that exceeds the maximum size. `limit` in JSON bytes. */
export function createResponseTooLargeError(limit: number, numbers: Readonly<Record<string, number>> = {}): QueryTooExpensiveError {
  const message = `The response exceeds ${limit} bytes, the maximum for one operation (MAX_RESPONSE_BYTES). Request smaller pages, fewer fields, or fewer aliases.`;
  return new QueryTooExpensiveError(message, limit, 'RESPONSE_BYTES', numbers);
}

/**
 * Limits the size of a response while it's being built: long lists and large values are charged before they're processed. The exact JSON size is only known
 * after the response has been built, when the time and memory have already been spent.
 */
export class ResponseBudget {
  /** Maximum size in JSON bytes. */
  readonly limit: number;
  /** JSON bytes of the parts that have been built. Null before the first one. */
  size: number | null = null;
  /** Analytics queries that its searches have executed. */
  executions = 0;
  /** JSON of the data, if it was serialized to be measured, or read as such. Null otherwise. */
  json: string | Buffer | null = null;
  #bytes = 0;

  constructor(limit: number) {
    this.limit = limit;
  }

  /** Whether the operation requested more than a response may contain. */
  get isExceeded(): boolean {
    return this.#bytes > this.limit;
  }

  /** Charges an underestimate of JSON bytes. Throws QueryTooExpensiveError if the total exceeds the limit. */
  consume(bytes: number): void {
    this.#bytes += bytes;
    if (this.isExceeded) throw createResponseTooLargeError(this.limit);
  }

  /** Resets the budget before the operation is executed again from the start. */
  restart(): void {
    this.#bytes = 0;
    this.executions = 0;
  }
}
