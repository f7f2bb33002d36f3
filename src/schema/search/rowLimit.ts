import { RejectedError } from '../../failures/failures.ts';

/** Maximum number of rows of a query. Source: the upstream's limits. */
const MAX_ROWS = 100;

/** Code of the upstream's error for a result of more than 256 KiB. */
const TOO_LARGE = 'failed_precondition';

/** Maximum number of rows to request. Lower after a result that was too large because of long texts. */
export class RowLimit {
  #rows = MAX_ROWS;

  get rows(): number {
    return this.#rows;
  }

  /** Halves the limit after a query for this many rows, to repeat it with fewer. Rethrows the error if that doesn't help. */
  reduce(error: unknown, requested: number): void {
    if (!(error instanceof RejectedError) || error.reasonCode !== TOO_LARGE || requested === 1) throw error;
    this.#rows = Math.ceil(requested / 2);
  }
}
