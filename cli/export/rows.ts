import type { JsonObject } from '../../src/lib/json.ts';
import { createInvalidError, type GraphResponse, RequestError, requireObject, requireObjects, TOO_LARGE } from '../bulk/graphResponse.ts';
import type { Pacer } from '../bulk/pacer.ts';
import { type Batch, createFirstPlace, type Page, type PageRow, type Place, type ReadPage, readRanges } from './ranges.ts';
import type { Root } from './roots.ts';

/** Rows of the last seconds are left out, because more rows with the same timestamp can still appear. Chosen. */
const SETTLE_SECONDS = 2;

/**
 * Number of rows of a page. Chosen: an analytics query returns 100 rows, and the search reads those with the timestamp of its cursor again, so that a page
 * takes one call unless more rows than the difference have the same timestamp.
 */
const PAGE_ROWS = 90;

/** Maximum number of records per request, and maximum share of a window's calls per request, as a fraction. A record costs one call. Chosen. */
const MAX_RECORDS = 50;
const RECORDS_SHARE = 0.25;

/**
 * Maximum number of records that are read because the index doesn't have all of their values at the time, such as totals that aren't settled. Each takes a call.
 * Chosen: as many calls as 90,000 rows, so that an index without such values doesn't slow an export down by a factor of 90.
 */
const MAX_COMPLETED = 1_000;

/** Steps of the path of a record in a response with records by ID. */
const NODE_DEPTH = 2;

/** Codes of pages that are too large for the graph, or for this program. */
const TOO_LARGE_CODES: ReadonlySet<string> = new Set(['QUERY_TOO_EXPENSIVE', TOO_LARGE]);

/** Steps of the path of a row in a response: `rows`, `nodes`, and its position. */
export const ROW_DEPTH = 3;

/** A row as the search returned it, with the members that position it. */
export interface SearchRow {
  readonly rowId: string;
  readonly rowAt: string;
  readonly [field: string]: unknown;
}

/** A page of rows. */
export interface RecordPage {
  readonly rows: readonly SearchRow[];
  /** Null on the last page. */
  readonly endCursor: string | null;
}

/** What an export reads, fixed when it starts. Timestamps are Unix seconds. */
export interface Extent {
  /** Rows from this time on belong to the next export. */
  readonly until: number;
  /** Number of rows when the export started. */
  readonly expected: number;
}

export interface SearchOptions {
  readonly root: Root;
  /** Adds a condition to the filter of the export, as GraphQL literals. */
  readonly createFilter: (condition: string) => string;
  /** The timestamp that rows are read by. */
  readonly timeField: 'createdAt' | 'updatedAt';
  /** Rows before this time are left out. Null for none. */
  readonly since: number | null;
  readonly pacer: Pacer;
}

/** What to read of each row. */
export interface RowSelection {
  readonly fields: string;
  /** Whether the index has all fields. Otherwise the record is read, which takes a call. */
  readonly isInIndex: boolean;
  /** Length of the paths of records in the response. Shorter paths of errors fail the export. */
  readonly depth: number;
}

/** Names of values that a response lacks, such as `lines.total`. `depth` is the length of the paths of records. */
export const listUnavailable = (errors: GraphResponse['errors'], depth: number): readonly string[] =>
  errors.map(({ path = [] }) =>
    path
      .slice(depth)
      .filter((step) => typeof step === 'string')
      .join('.'),
  );

/** Reads these fields of records by their raw IDs. */
function createRecordsDocument({ search }: Root, fields: string): string {
  const name = search.replace(/Search$/, '');
  const nodeType = name.replaceAll(/[A-Z]/g, '_$&').toUpperCase();
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  return `query ($ids: [ID!]!) { nodes(ids: $ids, nodeType: ${nodeType}) { ... on ${type} { ${fields} } } }`;
}

const toSeconds = (dateTime: string): number => Date.parse(dateTime) / 1_000;
const toTime = (seconds: number | null) => (seconds === null ? null : new Date(seconds * 1_000).toISOString());

/** Names of fields in the sort orders of searches. */
const SORT_FIELDS = { createdAt: 'CREATED_AT', updatedAt: 'UPDATED_AT' };

const CATALOG = '{ analyticsCatalog { entities { entity } } }';

/** Counts the rows of an entity, because the result contains the upstream's time. */
const createTimeQuery = (entity: string) =>
  `{ analyticsQuery(query: { entity: ${entity}, select: { aggregate: { measures: [{ count: {} }] } } }) { ... on AnalyticsResult { generatedAt } } }`;

/** Checks the members of a row that position it. */
function requireRow(row: JsonObject, name: string): SearchRow {
  if (typeof row.rowId === 'string' && typeof row.rowAt === 'string' && Number.isSafeInteger(toSeconds(row.rowAt))) return row as SearchRow;
  throw createInvalidError(`has a row without an ID or ${name}`);
}

/** Checks a page of a list. */
export function requirePage(value: unknown, timeField: string): RecordPage {
  const { nodes, pageInfo } = requireObject(value, 'rows');
  const { hasNextPage, endCursor } = requireObject(pageInfo, 'pageInfo');
  if (hasNextPage === true && typeof endCursor !== 'string') throw createInvalidError('has no endCursor');
  return {
    rows: requireObjects(nodes, 'nodes').map((row) => requireRow(row, timeField)),
    endCursor: hasNextPage === true ? String(endCursor) : null,
  };
}

/** The rows of a search that match a filter. */
export class SearchReader {
  readonly #options: SearchOptions;
  /** Arguments of the search. */
  readonly #filter: string;
  #completed = 0;

  constructor(options: SearchOptions) {
    const { createFilter, timeField } = options;
    this.#options = options;
    this.#filter = `filter: ${createFilter(`{ ${timeField}: { gte: $from, lt: $to } }`)}`;
  }

  /** Reads the first row. Throws RequestError with the `fields` that the upstream doesn't have, and if the filter is invalid. */
  async readFirst(selection: RowSelection): Promise<SearchRow | null> {
    const { rows } = await this.#readPage(selection, { from: this.#options.since, to: null }, null, 1);
    return rows[0]?.row ?? null;
  }

  /** Determines the rows to read, by the upstream's clock. */
  async open(first: SearchRow | null): Promise<Extent & { readonly place: Place }> {
    const until = toSeconds(await this.#readTime()) - SETTLE_SECONDS;
    return { until, expected: await this.count(until), place: this.createPlace(first, until) };
  }

  /** The place before the first row. */
  createPlace(first: SearchRow | null, until: number): Place {
    return createFirstPlace(first === null ? until : Math.max(toSeconds(first.rowAt), this.#options.since ?? 0));
  }

  /** Number of matching rows before `until`. */
  async count(until: number | null): Promise<number> {
    const { root, pacer, since } = this.#options;
    const document = `query ($from: DateTime, $to: DateTime) { rows: ${root.search}(${this.#filter}) { totalCount } }`;
    const { data } = await pacer.request(document, { from: toTime(since), to: toTime(until) }, { calls: 1, depth: 2 });
    const { totalCount } = requireObject(data.rows, 'rows');
    if (Number.isSafeInteger(totalCount) && Number(totalCount) >= 0) return Number(totalCount);
    throw createInvalidError('has no totalCount');
  }

  /** Reads these fields of all rows after a place. */
  read(selection: RowSelection, until: number, place: Place): AsyncGenerator<Batch<SearchRow>> {
    let size = selection.isInIndex ? PAGE_ROWS : this.#recordsPerRequest;
    const readPage: ReadPage<SearchRow> = async (range, after) => {
      for (;;) {
        try {
          const page = await this.#readPage(selection, range, after, size);
          return selection.isInIndex ? { ...page, rows: await this.#complete(page.rows, selection) } : page;
        } catch (error) {
          // The response is too large because of long texts, or many lines.
          if (!(error instanceof RequestError) || !TOO_LARGE_CODES.has(error.code) || size === 1) throw error;
          size = Math.ceil(size / 2);
        }
      }
    };
    // Whole records can be large, and a page of them takes many calls.
    return readRanges(readPage, until, place, selection.isInIndex);
  }

  get #recordsPerRequest(): number {
    const share = Math.floor((this.#options.pacer.callsPerWindow ?? 0) * RECORDS_SHARE);
    return Math.max(1, Math.min(MAX_RECORDS, share));
  }

  /** Replaces rows with values that the index doesn't have by their records. Rows whose records don't exist or can't be read are unchanged. */
  async #complete(rows: Page<SearchRow>['rows'], { fields }: RowSelection): Promise<Page<SearchRow>['rows']> {
    const incomplete = rows.filter(({ unavailable }) => unavailable.length > 0).slice(0, MAX_COMPLETED - this.#completed);
    if (incomplete.length === 0) return rows;
    this.#completed += incomplete.length;
    const records = new Map<string, PageRow<SearchRow>>();
    const size = this.#recordsPerRequest;
    for (let start = 0; start < incomplete.length; start += size)
      for (const row of await this.#readRecords(incomplete.slice(start, start + size), fields)) records.set(row.id, row);
    return rows.map((row) => records.get(row.id) ?? row);
  }

  async #readRecords(rows: Page<SearchRow>['rows'], fields: string): Promise<readonly PageRow<SearchRow>[]> {
    const { root, pacer } = this.#options;
    const ids = rows.map(({ id }) => id);
    try {
      const request = { calls: ids.length, depth: NODE_DEPTH };
      const { data, errors } = await pacer.request(createRecordsDocument(root, fields), { ids }, request);
      const byRecord = Map.groupBy(errors, ({ path = [] }) => path[NODE_DEPTH - 1]);
      return rows.flatMap(({ id, at, row: { rowId, rowAt } }, index) => {
        const record: object | null = data.nodes[index];
        const unavailable = listUnavailable(byRecord.get(index) ?? [], NODE_DEPTH);
        return record ? [{ id, at, row: { ...record, rowId, rowAt }, unavailable }] : [];
      });
    } catch (error) {
      // The key can't read records, for example.
      if (error instanceof RequestError && !error.isTemporary) return [];
      throw error;
    }
  }

  async #readTime(): Promise<string> {
    const { pacer } = this.#options;
    const catalog = await pacer.request(CATALOG, {}, { calls: 1, depth: 1 });
    const { entities } = requireObject(catalog.data.analyticsCatalog, 'analyticsCatalog');
    const entity = requireObjects(entities, 'entities').find((each) => each.entity !== 'OTHER')?.entity;
    if (typeof entity !== 'string' || !/^\w+$/.test(entity)) throw createInvalidError('has no entity of the analytics catalog');
    const { data } = await pacer.request(createTimeQuery(entity), {}, { calls: 1, depth: 1 });
    const { generatedAt: time } = requireObject(data.analyticsQuery, 'analyticsQuery');
    if (typeof time === 'string' && Number.isSafeInteger(Math.floor(toSeconds(time)))) return time;
    throw createInvalidError('has no time of an analytics query');
  }

  async #readPage(
    { fields, isInIndex, depth }: RowSelection,
    { from, to }: { readonly from: number | null; readonly to: number | null },
    after: string | null,
    first: number,
  ): Promise<Page<SearchRow>> {
    const { root, pacer, timeField } = this.#options;
    const order = `orderBy: { field: ${SORT_FIELDS[timeField]}, direction: ASC }, indexOnly: ${isInIndex}`;
    const document = `query ($from: DateTime, $to: DateTime, $first: Int, $after: String) {
      rows: ${root.search}(${this.#filter}, ${order}, first: $first, after: $after) {
        nodes { rowId: rawId rowAt: ${timeField} ${fields} }
        pageInfo { endCursor hasNextPage }
        isTruncated
      }
    }`;
    const variables = { from: toTime(from), to: toTime(to), first, after };
    const response = await pacer.request(document, variables, { calls: isInIndex ? 1 : first + 1, depth });
    const page = requirePage(response.data.rows, timeField);
    // Otherwise, reading would never end.
    if (page.endCursor !== null && (page.endCursor === after || page.rows.length === 0))
      throw createInvalidError('has a page without an end');
    const unavailable = Map.groupBy(response.errors, ({ path = [] }) => path[ROW_DEPTH - 1]);
    const rows = page.rows.map((row, index) => ({
      id: row.rowId,
      at: toSeconds(row.rowAt),
      row,
      unavailable: listUnavailable(unavailable.get(index) ?? [], depth),
    }));
    if (rows.some(({ at }) => at < (from ?? at) || at >= (to ?? Number.POSITIVE_INFINITY)))
      throw createInvalidError('has a row outside of the requested time range');
    return { rows, endCursor: page.endCursor, isTruncated: response.data.rows.isTruncated === true };
  }
}
