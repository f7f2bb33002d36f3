import { UpstreamInvalidError } from '../failures/failures.ts';
import { floorSeconds, formatInstant, type Instant, parseInstant } from '../lib/instant.ts';
import { checkUses, executeQuery } from '../resolvers/kit/indexQueries.ts';
import { isKnownColumn } from '../schema/search/catalogCheck.ts';
import { all, compare, type IndexCondition, type OperatorName } from '../schema/search/conditions.ts';
import type { ConvertedFilter } from '../schema/search/filters.ts';
import { type CellRow, toCellRows } from '../schema/search/indexes.ts';
import { RowLimit } from '../schema/search/rowLimit.ts';
import type { Search } from '../schema/search/searches.ts';
import { getWireColumn, toWireCondition, toWireQuery } from '../schema/search/wireQueries.ts';
import type { IndexColumns } from '../upstream/contract/fields.ts';
import type { AnalyticsResult } from '../upstream/contract/generated/records.ts';
import type { WireIndexes } from '../upstream/contract/wireIndexes.ts';
import type { Pacer } from './pacer.ts';
import { type Batch, createFirstPlace, type Place, type RangePage, type RangeQuery, readRanges } from './ranges.ts';

/** Rows of the last seconds are left out, because more rows with the same timestamp can still appear. Chosen. */
const SETTLE_SECONDS = 2;

/** IDs of measures. */
const COUNT = 'count';
const FIRST = 'first';

/** Operators that the column of a time range must have. */
const RANGE_OPERATORS = ['GTE', 'LT'] as const;

/** What an export reads, fixed when it starts. Timestamps are Unix seconds. */
export interface Extent {
  /** Rows from this time on belong to the next export. */
  readonly until: number;
  /** Number of rows when the export started. */
  readonly expected: number;
}

export interface SourceOptions {
  readonly search: Search<object>;
  readonly filter: ConvertedFilter;
  /** Member of the record whose timestamp rows are read by. */
  readonly timeMember: 'createdAt' | 'updatedAt';
  /** Rows before this time are left out. Null for none. */
  readonly since: number | null;
  readonly indexes: WireIndexes;
  readonly pacer: Pacer;
}

type AnalyticsQuery = Parameters<typeof executeQuery>[0];

const toTimestampValue = (instant: Instant) => ({ timestamp: formatInstant(instant) });

/** The rows of an index that match a filter. Every call is paced. */
export class IndexSource {
  readonly #options: SourceOptions;
  /** Name of the column of `timeMember`. */
  readonly #time: string;
  readonly #limit = new RowLimit();

  constructor(options: SourceOptions) {
    this.#options = options;
    this.#time = options.search.index.columns[options.timeMember] ?? '';
  }

  /** Checks the key's scopes, and what the export needs against the overlay and the key's catalog. Returns the columns that the upstream has. */
  async check(): Promise<IndexColumns> {
    const { search, filter, indexes, pacer } = this.#options;
    const { index, target } = search;
    const path: readonly string[] = [];
    const range = RANGE_OPERATORS.map((name) => ({ root: index.root, column: this.#time, operator: `ANALYTICS_OPERATOR_${name}`, path }));
    const uses = [...filter.uses, ...range, { root: index.root, column: 'id', path }];
    const catalog = await pacer.call(async (upstream) => {
      // Index rows are records, as in searches.
      await upstream.requireScopes(target.operation);
      return checkUses(index, uses, { upstream });
    });
    const usable = Object.entries(indexes.listColumns(index));
    return Object.fromEntries(usable.filter(([, column]) => isKnownColumn(index, column, catalog, indexes)));
  }

  /** Determines the rows to read, by the upstream's clock. */
  async open(): Promise<Extent & { readonly place: Place }> {
    const { since } = this.#options;
    const started = Date.now();
    const { first, generatedAt } = await this.#measure(null);
    const now = parseInstant(generatedAt);
    const until = (now === undefined ? Math.floor(started / 1000) : floorSeconds(now)) - SETTLE_SECONDS;
    const from = first === null ? until : Math.max(floorSeconds(first), since ?? Number.NEGATIVE_INFINITY);
    return { until, expected: await this.count(until), place: createFirstPlace(from) };
  }

  /** Number of matching rows before `until`. */
  async count(until: number): Promise<number> {
    return (await this.#measure(until)).count;
  }

  /** Number of matching rows. */
  async countAll(): Promise<number> {
    return (await this.#measure(null)).count;
  }

  /** Reads these columns of all rows after a place. */
  read(columns: readonly string[], until: number, place: Place): AsyncGenerator<Batch<CellRow>> {
    const selected = [...new Set(['id', this.#time, ...columns])];
    return readRanges((query) => this.#readRange(selected, query), until, place);
  }

  #compareTime(operator: OperatorName, instant: Instant): IndexCondition {
    return compare(this.#time, operator, toTimestampValue(instant));
  }

  /** Matches the rows of the export before `until`. */
  #createCondition(until: number | null): IndexCondition | undefined {
    const { filter, since } = this.#options;
    return all(
      filter.condition,
      since === null ? undefined : this.#compareTime('GTE', String(since)),
      until === null ? undefined : this.#compareTime('LT', String(until)),
    );
  }

  async #measure(until: number | null): Promise<{ readonly count: number; readonly first: Instant | null; readonly generatedAt: string }> {
    const { search, indexes } = this.#options;
    const { index } = search;
    const condition = this.#createCondition(until);
    const result = await this.#execute({
      entity: indexes.require(index.root).root,
      ...(condition && { filter: toWireCondition(condition, index, indexes) }),
      aggregate: {
        measures: [
          { id: COUNT, aggregation: 'ANALYTICS_AGGREGATION_COUNT' },
          { id: FIRST, aggregation: 'ANALYTICS_AGGREGATION_MIN', field: getWireColumn(index, this.#time, indexes) },
        ],
      },
    });
    const [row] = toCellRows(result);
    const count = Number(row?.getValue(COUNT) ?? Number.NaN);
    const first = row?.getValue(FIRST) ?? null;
    const instant = first === null ? null : parseInstant(first);
    if (!Number.isSafeInteger(count) || instant === undefined || (count > 0 && instant === null))
      throw new UpstreamInvalidError('the count of an analytics query is missing');
    return { count, first: instant, generatedAt: result.generatedAt };
  }

  async #readRange(columns: readonly string[], { start, end, excluded }: RangeQuery): Promise<RangePage<CellRow>> {
    const { search, filter, indexes } = this.#options;
    const condition = all(
      filter.condition,
      this.#compareTime('GTE', start),
      this.#compareTime('LT', String(end)),
      excluded.length > 0 ? compare('id', 'NOT_IN', ...excluded.map((text) => ({ text }))) : undefined,
    );
    // Ascending order, which every upstream supports.
    const sort = [this.#time, 'id'].map((column) => ({ column, direction: 'ASC' as const }));
    const result = await this.#executeWithLimit((limit) => toWireQuery(search.index, columns, { condition, sort, limit }, indexes));
    const missing = columns.find((column) => !result.columns.some(({ id }) => id === column));
    if (missing !== undefined) throw new UpstreamInvalidError(`the result of an analytics query lacks the column ${missing}`);
    return { rows: toCellRows(result).map((row) => this.#toPositioned(row)), isTruncated: result.truncated };
  }

  /** Requests fewer rows, from now on, if the result is too large because of long texts. */
  async #executeWithLimit(createQuery: (limit: number) => AnalyticsQuery): Promise<AnalyticsResult> {
    for (;;) {
      const { rows } = this.#limit;
      try {
        return await this.#execute(createQuery(rows));
      } catch (error) {
        this.#limit.reduce(error, rows);
      }
    }
  }

  #toPositioned(row: CellRow) {
    const at = parseInstant(row.getValue(this.#time) ?? '');
    if (row.id === '' || at === undefined) throw new UpstreamInvalidError(`a row of an analytics query has no ID or no ${this.#time}`);
    return { at, id: row.id, row };
  }

  #execute(query: AnalyticsQuery): Promise<AnalyticsResult> {
    const { search, pacer } = this.#options;
    return pacer.call((upstream) => executeQuery(query, search.index, { upstream }));
  }
}
