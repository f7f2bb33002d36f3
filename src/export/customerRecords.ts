import type { GraphQLSchema } from 'graphql';
import { toDateTime } from '../lib/dateTime.ts';
import type { Search } from '../schema/search/searches.ts';
import type { WireIndexes } from '../upstream/contract/wireIndexes.ts';
import { requireSearch } from './columns.ts';
import type { Pacer } from './pacer.ts';
import type { Batch, Place } from './ranges.ts';
import { ObjectReader, type OnUnavailable, selectRecord } from './records.ts';
import type { ExportSource } from './run.ts';
import { IndexSource } from './source.ts';

/** Lists of a customer, by the type of their records, with the relationship of the index of customers. */
const CUSTOMER_LISTS: Readonly<Partial<Record<string, { readonly field: string; readonly relationship: string }>>> = {
  Order: { field: 'orders', relationship: 'orders' },
  Quote: { field: 'quotes', relationship: 'offers' },
};

/** Steps of the path of a record: `nodes`, the customer, its list, `nodes`, and the record. */
const RECORD_DEPTH = 5;

/** Number of records of a page. Source: the graph's limit of pages. */
const PAGE_SIZE = 100;

/** Root of the command, and of the upstream, with the customers. */
const CUSTOMERS = 'customers';

interface ListRecord {
  readonly createdAt: string | null;
}

interface ListPage {
  readonly nodes: readonly ListRecord[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

/** A customer with a page of its list. */
type CustomerPage = { readonly id: string } & Readonly<Record<string, ListPage | string>>;

interface CustomerSourceOptions {
  /** Counts the records. */
  readonly index: IndexSource;
  readonly search: Search<object>;
  readonly indexes: WireIndexes;
  readonly pacer: Pacer;
  readonly schema: GraphQLSchema;
  readonly hasRawIds: boolean;
}

/** Whether the records of a search can be read by customer. This never takes more calls than reading each by ID. */
export const hasCustomerList = ({ target }: Search<object>, indexes: WireIndexes): boolean => {
  const list = CUSTOMER_LISTS[target.name];
  return list !== undefined && indexes.get(CUSTOMERS)?.relationships.has(list.relationship) === true;
};

/** Whole records by customer: those of the first customer, and so on. */
export class CustomerRecordSource implements ExportSource<object> {
  readonly #index: IndexSource;
  readonly #customers: IndexSource;
  readonly #field: string;
  readonly #reader: ObjectReader;

  constructor({ index, search, indexes, pacer, schema, hasRawIds }: CustomerSourceOptions) {
    const { field, relationship } = CUSTOMER_LISTS[search.target.name] ?? { field: '', relationship: '' };
    const customerSearch = requireSearch(CUSTOMERS);
    const filter = { condition: { related: { relationship } }, uses: [{ root: customerSearch.index.root, relationship, path: [] }] };
    const list = `${field}(first: ${PAGE_SIZE}, after: $after) { nodes { createdAt ${selectRecord(search, schema, hasRawIds)} } pageInfo { hasNextPage endCursor } }`;
    this.#index = index;
    this.#customers = new IndexSource({ search: customerSearch, filter, timeMember: 'createdAt', since: null, indexes, pacer });
    this.#field = field;
    this.#reader = new ObjectReader(pacer, schema, customerSearch.target.name, `id ${list}`, RECORD_DEPTH);
  }

  /** Number of customers with records. Throws ApiError if the key can't read the index of customers. */
  async countCustomers(): Promise<number> {
    await this.#customers.check();
    return this.#customers.countAll();
  }

  async open() {
    const { until, expected } = await this.#index.open();
    return { until, expected, place: (await this.#customers.open()).place };
  }

  count(until: number): Promise<number> {
    return this.#index.count(until);
  }

  async *read(until: number, place: Place, onUnavailable: OnUnavailable): AsyncGenerator<Batch<object>> {
    const end = toDateTime(until) ?? '';
    for await (const { rows: customers, place: next } of this.#customers.read([], until, place)) {
      const ids = customers.map(({ id }) => id);
      const pages = (await this.#reader.read(ids, onUnavailable)) as CustomerPage[];
      const rows: object[] = [];
      for (const page of pages) {
        // RFC 3339 in UTC sorts as text.
        for (const record of await this.#readAll(page, onUnavailable))
          if (record.createdAt !== null && record.createdAt < end) rows.push(record);
      }
      yield { rows, place: next };
    }
  }

  /** Reads the other pages of a customer's list. */
  async #readAll(first: CustomerPage, onUnavailable: OnUnavailable): Promise<readonly ListRecord[]> {
    const records: ListRecord[] = [];
    for (let page: CustomerPage | undefined = first; page; ) {
      const { nodes, pageInfo } = page[this.#field] as ListPage;
      records.push(...nodes);
      if (!pageInfo.hasNextPage) break;
      [page] = (await this.#reader.read([first.id], onUnavailable, { after: pageInfo.endCursor })) as CustomerPage[];
    }
    return records;
  }
}
