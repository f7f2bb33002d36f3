import type { Plan } from './kernel/plan.ts';

/** Chosen. */
const ORDERS_PER_CUSTOMER = 5;

const DAY_SECONDS = 86_400;

/** The orders were created between these days before now. Chosen: further back than demo orders, and no update is in the future. */
const FIRST_DAY = 1_004;
const LAST_DAY = 4;

/** Chosen: quotes are created at most three days before their order. */
const CUSTOMER_AGE_SECONDS = 7 * DAY_SECONDS;

/** Cache of the database connection while orders are added, in KiB: enough for the inner pages of all indexes. */
const CACHE_KIB = 400_000;

/** SQL for a table of the demo orders to copy. Only those with one line, because a million copies of them already take 2 GB. */
const createModelsSql = (workspaceId: string) => `
  CREATE TEMP TABLE models AS SELECT id AS order_id, quote_id, customer_id, created_at AS ordered_at FROM main.orders
  WHERE workspace_id = '${workspaceId}' AND (SELECT count(*) FROM main.order_lines WHERE order_id = orders.id) = 1
    AND NOT EXISTS (SELECT 1 FROM main.quote_discounts WHERE quote_discounts.quote_id = orders.quote_id)
  ORDER BY id`;

/** The row of each model in a table, by the model's column and the table's, and what differs in the copies. */
interface Copied {
  readonly table: string;
  readonly on: readonly [model: string, own: string];
  /** SQL for columns, from the `row` and the number `n` of the copy. */
  readonly changes: Readonly<Record<string, string>>;
}

/** Inserts `count` copies, of each model in turn. */
function insertCopies({ store }: Plan, { table, on: [model, own], changes }: Copied, count: number): void {
  const columns = store.all<{ readonly name: string }>(`SELECT name FROM pragma_table_info('${table}')`).map(({ name }) => name);
  // If SQLite read from the table that it writes to, it would write all copies to a temporary table first.
  store.exec(`
    CREATE TEMP TABLE copied AS SELECT row.*, ordered_at FROM temp.models JOIN main.${table} AS row ON row.${own} = models.${model} ORDER BY models.rowid;
    INSERT INTO main.${table} (${columns.join(', ')})
      WITH RECURSIVE numbers (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n + 1 < ${count})
      SELECT ${columns.map((column) => changes[column] ?? `row.${column}`).join(', ')}
      FROM numbers CROSS JOIN temp.copied AS row ON row.rowid = n % (SELECT count(*) FROM temp.copied) + 1;
    DROP TABLE temp.copied`);
}

/** Runs `work` without the indexes of these tables: creating an index of many rows is faster than adding each of them to it. */
function withoutIndexes({ store }: Plan, tables: readonly string[], work: () => void): void {
  const indexes = store
    .all<{ readonly name: string; readonly sql: string; readonly tbl_name: string }>(
      "SELECT name, sql, tbl_name FROM main.sqlite_schema WHERE type = 'index' AND sql IS NOT NULL",
    )
    .filter(({ tbl_name }) => tables.includes(tbl_name));
  for (const { name } of indexes) store.exec(`DROP INDEX main.${name}`);
  work();
  for (const { sql } of indexes) store.exec(sql);
}

/** SQL for the ID of the record with a number. The IDs of a kind aren't in the order of their numbers. */
const createIdSql = (plan: Plan, kind: string, number = 'n'): string =>
  `printf('${plan.id(`extra ${kind}`).slice(0, 8)}-%04x-4000-8000-%012x', (${number}) * 7919 % 65536, ${number})`;

/** Copies demo orders with their quotes, and creates customers for them. Takes a fraction of the time of demo orders, which are written one at a time. */
export function seedExtraOrders(plan: Plan): void {
  const { store, workspaceId, now, sizes } = plan;
  const { extraOrders: orders = 0 } = sizes;
  if (orders === 0) return;
  const customers = Math.ceil(orders / ORDERS_PER_CUSTOMER);
  const ids = {
    customer_id: createIdSql(plan, 'customer', `n % ${customers}`),
    quote_id: createIdSql(plan, 'quote'),
    order_id: createIdSql(plan, 'order'),
  };
  // Four orders have the same timestamp, as imported ones do.
  const at = `(${now - FIRST_DAY * DAY_SECONDS} + n / 4 * 4 * ${(FIRST_DAY - LAST_DAY) * DAY_SECONDS} / ${orders})`;
  const shift = (column: string) => `${at} + row.${column} - row.ordered_at`;
  const changed = {
    created_at: shift('created_at'),
    updated_at: shift('updated_at'),
    reference_number: "row.reference_number || '-' || n",
  };
  const customer = {
    id: ids.customer_id,
    reference_number: changed.reference_number,
    email: "'extra' || n || '@example.com'",
    phone: "''",
    contact_id: "''",
    created_at: `${at} - ${CUSTOMER_AGE_SECONDS}`,
    updated_at: `${at} - ${CUSTOMER_AGE_SECONDS}`,
  };
  const copied: readonly Copied[] = [
    { table: 'quotes', on: ['quote_id', 'id'], changes: { ...ids, ...changed, id: ids.quote_id } },
    { table: 'quote_lines', on: ['quote_id', 'quote_id'], changes: { ...ids, id: createIdSql(plan, 'quote line') } },
    { table: 'orders', on: ['order_id', 'id'], changes: { ...ids, ...changed, id: ids.order_id, cancelled_at: shift('cancelled_at') } },
    { table: 'order_lines', on: ['order_id', 'order_id'], changes: { ...ids, id: createIdSql(plan, 'order line') } },
    { table: 'plan_installments', on: ['order_id', 'order_id'], changes: { ...ids, cancelled_at: shift('cancelled_at') } },
  ];
  store.exec(`PRAGMA cache_size = -${CACHE_KIB}; ${createModelsSql(workspaceId)}`);
  const tables = ['customers', ...copied.map(({ table }) => table)];
  withoutIndexes(plan, tables, () => {
    insertCopies(plan, { table: 'customers', on: ['customer_id', 'id'], changes: customer }, customers);
    for (const each of copied) insertCopies(plan, each, orders);
  });
  store.exec('DROP TABLE temp.models; PRAGMA cache_size = -2000');
}
