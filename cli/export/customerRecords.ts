import { createInvalidError, requireObject } from '../bulk/graphResponse.ts';
import type { Pacer } from '../bulk/pacer.ts';
import type { Batch, Place } from './ranges.ts';
import { requireRoot } from './roots.ts';
import { listUnavailable, ROW_DEPTH, requirePage, SearchReader, type SearchRow } from './rows.ts';
import type { ExportSource } from './run.ts';

/** Number of records of a page. Source: the graph's limit of pages. */
const PAGE_SIZE = 100;

/** Steps of the path of a record from its customer: the list, `nodes`, and its position. */
const LIST_DEPTH = 3;

/** Root with the customers. */
const CUSTOMERS = 'customers';

interface CustomerSourceOptions {
  /** Counts the records. */
  readonly reader: SearchReader;
  readonly pacer: Pacer;
  /** Field of `Customer` with the records. */
  readonly field: string;
  /** Selection of a record. */
  readonly record: string;
}

/** Whole records by customer: those of the first customer, and so on. This never takes more calls than reading each by ID. */
export class CustomerRecordSource implements ExportSource<SearchRow> {
  readonly #options: CustomerSourceOptions;
  readonly #customers: SearchReader;
  /** Selects a page of a customer's list. `args` are arguments after `first`. */
  readonly #list: (args: string) => string;

  constructor(options: CustomerSourceOptions) {
    const { pacer, field, record } = options;
    this.#options = options;
    this.#list = (args) =>
      `${field}(first: ${PAGE_SIZE}${args}) { nodes { rowId: rawId rowAt: createdAt ${record} } pageInfo { hasNextPage endCursor } }`;
    const createFilter = (condition: string) => `{ ${field}: {}, and: [${condition}] }`;
    this.#customers = new SearchReader({ root: requireRoot(CUSTOMERS), createFilter, timeField: 'createdAt', since: null, pacer });
  }

  /** Number of customers with records. Throws RequestError if the key can't search customers. */
  countCustomers(): Promise<number> {
    return this.#customers.count(null);
  }

  async open() {
    const { reader } = this.#options;
    const { until, expected } = await reader.open(null);
    const first = await this.#customers.readFirst({ fields: '', isInIndex: true, depth: ROW_DEPTH });
    return { until, expected, place: this.#customers.createPlace(first, until) };
  }

  count(until: number): Promise<number> {
    return this.#options.reader.count(until);
  }

  async *read(until: number, place: Place): AsyncGenerator<Batch<SearchRow>> {
    const selection = { fields: `customerId: id ${this.#list('')}`, isInIndex: false, depth: ROW_DEPTH + LIST_DEPTH };
    for await (const batch of this.#customers.read(selection, until, place)) {
      const records: SearchRow[] = [];
      const unavailable = [...batch.unavailable];
      for (const customer of batch.rows) records.push(...(await this.#readAll(customer, unavailable)));
      yield { rows: records.filter(({ rowAt }) => Date.parse(rowAt) < until * 1_000), unavailable, place: batch.place };
    }
  }

  /** Reads the other pages of a customer's list. Adds the values that they lack to `unavailable`. */
  async #readAll(customer: SearchRow, unavailable: string[]): Promise<readonly SearchRow[]> {
    const { pacer, field } = this.#options;
    const document = `query ($id: ID!, $after: String) { node(id: $id) { ... on Customer { ${this.#list(', after: $after')} } } }`;
    let { rows, endCursor } = requirePage(customer[field], 'createdAt');
    const records = [...rows];
    while (endCursor !== null) {
      const variables = { id: customer.customerId, after: endCursor };
      const { data, errors } = await pacer.request(document, variables, { calls: 1, depth: 1 + LIST_DEPTH });
      unavailable.push(...listUnavailable(errors, 1 + LIST_DEPTH));
      ({ rows, endCursor } = requirePage(requireObject(data.node, 'node')[field], 'createdAt'));
      if (endCursor === variables.after) throw createInvalidError('has a page without an end');
      records.push(...rows);
    }
    return records;
  }
}
