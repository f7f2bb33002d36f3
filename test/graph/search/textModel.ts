import type { World } from '../../../sandbox/kernel/world.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { lowerCase } from './model.ts';
import { listRows, type SearchName, type SearchTraits } from './searches.ts';

/** Columns of a related record, as SQL. */
const select = (table: string, id: string, columns: readonly string[]) =>
  columns.map((column) => `(SELECT ${column} FROM ${table} WHERE id = ${id})`);

const selectCustomer = (id = 'customer_id') => select('customers', id, ['title', 'reference_number']);

/** Columns of a record's texts in the index, as SQL, and columns with its customers. */
const SEARCHED: Readonly<Record<SearchName, { readonly texts: readonly string[]; readonly customers: readonly string[] }>> = {
  orderSearch: { texts: ['reference_number', ...selectCustomer()], customers: ['customer_id'] },
  quoteSearch: { texts: ['reference_number', ...selectCustomer()], customers: ['customer_id'] },
  paymentSearch: { texts: [...select('orders', 'order_id', ['reference_number']), ...selectCustomer()], customers: ['customer_id'] },
  workOrderSearch: { texts: ['title', ...selectCustomer()], customers: ['customer_id'] },
  problemSearch: {
    texts: ['title', ...selectCustomer('portfolio_id'), ...selectCustomer()],
    customers: ['portfolio_id', 'customer_id'],
  },
  appointmentSearch: { texts: [...selectCustomer(), ...select('work_orders', 'work_order_id', ['title'])], customers: ['customer_id'] },
  customerSearch: { texts: ['title', 'reference_number'], customers: ['id'] },
};

/** Texts of a customer that the upstream's own search knows. */
export const CUSTOMER_TEXTS = ['title', 'customer_name', 'email', 'reference_number', 'phone'] as const;

/** A row of texts. */
export type Texts = Readonly<Record<string, string | null>>;

/** A row of a search, with its texts in the index, and the customers that it refers to. */
export interface SearchedRow {
  readonly id: string;
  readonly texts: readonly (string | null | undefined)[];
  readonly customers: readonly Texts[];
}

/** Whether a text contains another one, as searches compare texts. */
export const containsText = (text: string | null | undefined, part: string) => lowerCase(text ?? '').includes(lowerCase(part));

/** Whether the upstream's own search finds a customer. The sandbox searches its texts as one. */
export const isFoundCustomer = (customer: Texts, query: string) =>
  containsText(CUSTOMER_TEXTS.map((column) => customer[column]).join(' '), query);

/** Customers of the demo workspace, in the order of the upstream's own search. */
export const listCustomers = (world: World): readonly Texts[] => listRows<Texts>(world, 'customers', 'ORDER BY created_at DESC, id');

/** Rows of a search, newest first. */
export function listSearched(world: World, { name, table }: SearchTraits): readonly SearchedRow[] {
  const customers = new Map(listCustomers(world).map((customer) => [customer.id, customer]));
  const { texts, customers: references } = SEARCHED[name];
  const columns = texts.map((sql, index) => `${sql} AS text${index}`).join(', ');
  const rows = world.store.all<Texts>(
    `SELECT *, ${columns} FROM ${table} WHERE workspace_id = :workspace ORDER BY created_at DESC, id DESC`,
    { workspace: demoId('workspace') },
  );
  return rows.map((row) => ({
    id: String(row.id),
    texts: texts.map((_, index) => row[`text${index}`]),
    customers: references.map((column) => customers.get(row[column] ?? '')).filter((customer) => customer !== undefined),
  }));
}
