import { BoundedCache } from '../../lib/boundedCache.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Index, IndexColumns } from '../contract/fields.ts';
import type { CallBudget } from './callBudget.ts';

/** Maximum number of comparisons that are remembered, over all keys. Chosen: at most 5 MB. */
const MAX_COMPARISONS = 10_000;
/** How long a comparison is valid, in milliseconds. Chosen: as for lists, so that changes of the upstream's behavior are noticed after this time. */
const TTL_MS = 600_000;

/** Number of rows to compare before distrusting an index. One difference may only mean that the record changed between the calls. */
export const MAX_COMPARED_ROWS = 2;

/** A comparison of rows with their records. */
interface Comparison {
  /** Settles when the comparison has ended. */
  readonly end: Promise<void>;
  /** Whether the rows differ. False before the end. */
  areDifferent: boolean;
}

/** Which indexes have rows that differ from their records, by API key, because keys can see different rows. Contains no rows. */
export class KnownIndexRows {
  readonly #comparisons: BoundedCache<Comparison>;

  constructor(clock: Clock) {
    this.#comparisons = new BoundedCache({ entries: MAX_COMPARISONS, ttlMs: TTL_MS, clock });
  }

  get(keyHash: string, root: string): Comparison | undefined {
    return this.#comparisons.get(`${keyHash} ${root}`);
  }

  /** Starts a comparison, which resolves to whether the rows differ. */
  start(keyHash: string, root: string, compare: () => Promise<boolean>): Comparison {
    const comparison: Comparison = {
      end: compare().then((areDifferent) => {
        comparison.areDifferent = areDifferent;
      }),
      areDifferent: false,
    };
    this.#comparisons.set(`${keyHash} ${root}`, comparison);
    return comparison;
  }
}

interface RequestIndexRowsOptions {
  readonly known: KnownIndexRows;
  /** Columns of the rows that can replace records. None if no rows can. */
  readonly listColumns: (index: Index) => IndexColumns;
  readonly budget: Pick<CallBudget, 'left' | 'counted' | 'admission'>;
  /** Throws UnauthenticatedError if there is no key. */
  readonly keyHash: () => string;
  /** Called for an index whose rows differ from their records. */
  readonly onStaleRows: ((root: string) => void) | undefined;
}

/** The indexes whose rows can replace the records of one request. */
export class RequestIndexRows {
  readonly #options: RequestIndexRowsOptions;
  /** Columns by root. They don't change during a request, so that equal searches send equal queries. */
  readonly #columns = new Map<string, IndexColumns>();

  constructor(options: RequestIndexRowsOptions) {
    this.#options = options;
  }

  /** Returns the columns of an index whose values its rows can provide instead of records, by member. None if its rows are known to differ from records. */
  getColumns(index: Index): IndexColumns {
    const { known, keyHash, listColumns } = this.#options;
    const { root } = index;
    const columns = this.#columns.get(root) ?? (known.get(keyHash(), root)?.areDifferent ? {} : listColumns(index));
    this.#columns.set(root, columns);
    return columns;
  }

  /**
   * Compares rows of an index with their records, at most once per key and ten minutes. `compare` resolves to whether they differ, must not reject, and sends up
   * to `MAX_COMPARED_ROWS` calls. It isn't called if the request might lack these calls later. Returns whether rows are known to differ.
   */
  async compareOnce(root: string, compare: () => Promise<boolean>): Promise<boolean> {
    const { known, keyHash, onStaleRows } = this.#options;
    let comparison = known.get(keyHash(), root);
    if (!comparison) {
      if (!this.#hasSpareCalls) return false;
      comparison = known.start(keyHash(), root, async () => {
        const areDifferent = await compare();
        if (areDifferent) onStaleRows?.(root);
        return areDifferent;
      });
    }
    await comparison.end;
    return comparison.areDifferent;
  }

  /** Whether the comparison can't make the request exceed its limit or the quota of its key, considering the calls that the operation is predicted to send. */
  get #hasSpareCalls(): boolean {
    const { budget } = this.#options;
    const { predicted = Number.POSITIVE_INFINITY, left = Number.POSITIVE_INFINITY, spare = 0 } = budget.admission ?? {};
    const available = Math.min(budget.left, left - spare);
    const needed = Math.max(0, predicted - budget.counted);
    return available - (needed <= available ? needed : 0) >= MAX_COMPARED_ROWS;
  }
}
