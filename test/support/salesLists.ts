import { expect } from 'vitest';
import { invoiceTable } from '../../sandbox/billing/invoices.ts';
import { orderTable } from '../../sandbox/sales/orderTables.ts';
import { quoteTable } from '../../sandbox/sales/quotes.ts';
import { post } from '../sandbox/sandbox.ts';
import type { useTestGraph } from './testGraph.ts';

const createDocument = (type: string, id: string) => `query (
  $id: ID!, $first: Int, $after: String, $last: Int, $before: String, $filter: ${type}FilterInput, $orderBy: ${type}SortInput
) { customer(id: $id) {
  list: ${type.toLowerCase()}s(first: $first, after: $after, last: $last, before: $before, filter: $filter, orderBy: $orderBy) {
    totalCount nodes { ${id} } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
  }
} }`;

/** Documents that read a page of a list of a customer. */
export const ORDERS = createDocument('Order', 'rawId');
export const QUOTES = createDocument('Quote', 'rawId');
export const INVOICES = createDocument('Invoice', 'rawId: id');

/** Columns of a row that lists are filtered and sorted by. */
export interface Columns {
  readonly id: string;
  readonly status: number;
  readonly currency: string;
  readonly created_at: number;
  readonly updated_at: number;
  readonly cancelled_at: number | null;
  readonly total_once_minor: number;
  readonly total_monthly_minor: number;
  readonly total_yearly_minor: number;
}

/** When the first row was created. */
export const CREATED = 1_770_000_000;

export const toDateTime = (seconds: number): string => new Date(seconds * 1000).toISOString();

const DEFAULTS: Omit<Columns, 'id'> = {
  status: 1,
  currency: 'EUR',
  created_at: CREATED,
  updated_at: CREATED,
  cancelled_at: null,
  total_once_minor: 0,
  total_monthly_minor: 0,
  total_yearly_minor: 0,
};

interface Page {
  readonly ids: string[];
  readonly totalCount: number | null;
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
  readonly startCursor: string;
  readonly endCursor: string;
}

/** Creates a customer with orders, quotes or invoices, and reads its lists. */
export const createSalesLists = (testGraph: ReturnType<typeof useTestGraph>) => {
  let customer = '';
  let batches = 0;

  const tryRead = async (args: object, document = ORDERS) => {
    const { data, errors, cost } = await testGraph.execute(document, { id: customer, ...args });
    const { nodes = [], totalCount, pageInfo } = data?.customer?.list ?? {};
    const page: Page = { ids: nodes.map(({ rawId }: { rawId: string }) => rawId), totalCount, ...pageInfo };
    return { page, error: errors?.[0], cost };
  };

  const read = async (args: object, document = ORDERS): Promise<Page> => {
    const { page, error } = await tryRead(args, document);
    expect(error).toBeUndefined();
    return page;
  };

  return {
    tryRead,
    read,
    get customer() {
      return customer;
    },
    /** Creates another customer without records, whose lists are read from then on. */
    createCustomer: async (): Promise<void> => {
      const { body } = await post(testGraph.sandbox.url, 'demo-owner', 'Customer/CreateCustomer', { title: 'Sorted', customFields: {} });
      customer = body.customer.id;
    },
    /** Adds rows to the customer, one per second, the newest first. Returns their columns. */
    add: (name: 'orders' | 'quotes' | 'invoices', rows: readonly Partial<Columns>[]): Columns[] => {
      const { store } = testGraph.sandbox.world;
      const { rowid: _own, ...template } = store.get<Record<string, never>>(`SELECT * FROM ${name} LIMIT 1`) ?? {};
      const keys = { ...template, customer_id: customer };
      batches += 1;
      return rows.map((row, index) => {
        const id = `${name}-${batches}-${index}`;
        const columns = { ...DEFAULTS, id, created_at: CREATED - index, ...row };
        const { cancelled_at, ...shared } = columns;
        if (name === 'orders') orderTable.insert(store, { ...keys, quote_id: id, ...columns } as never);
        else if (name === 'quotes') quoteTable.insert(store, { ...keys, ...shared } as never);
        else invoiceTable.insert(store, { ...keys, order_id: id, sent_at: cancelled_at, ...shared } as never);
        return columns;
      });
    },
    /** Reads all pages, forward. */
    readAll: async (args: object, size: number): Promise<string[]> => {
      const ids: string[] = [];
      for (let after: string | null = null; ; ) {
        const page: Page = await read({ ...args, first: size, after });
        ids.push(...page.ids);
        if (!page.hasNextPage) return ids;
        after = page.endCursor;
      }
    },
    /** Reads all pages, backward. */
    readAllBackwards: async (args: object, size: number): Promise<string[]> => {
      const ids: string[] = [];
      for (let before: string | null = null; ; ) {
        const page: Page = await read({ ...args, last: size, before });
        ids.unshift(...page.ids);
        if (!page.hasPreviousPage) return ids;
        before = page.startCursor;
      }
    },
  };
};
