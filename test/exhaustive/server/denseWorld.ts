import { createUuid } from '../../../sandbox/kernel/random.ts';
import type { Bindings } from '../../../sandbox/kernel/store.ts';
import type { World } from '../../../sandbox/kernel/world.ts';
import { createDemoWorld, demoId, START } from '../../sandbox/sandbox.ts';

type Row = Readonly<Record<string, string | number | bigint | null>>;

/** Number of rows that each owner has at least. */
const ROWS = 3;
/** Number of records that lists with a maximum of 100 rows have. */
const MANY = 130;

/** Rows of a table that belong to an owner. */
interface OwnedRows {
  readonly table: string;
  /** Column with the owner's ID. */
  readonly column: string;
  readonly owners: string;
  /** Condition on the owners, in SQL. */
  readonly where?: string;
  /** What else differs in a copy for an owner, by its number. */
  readonly change?: (owner: Row, index: number) => Bindings;
}

/** Items for an owner, by its number. They differ between neighboring owners. */
const pick = (ids: readonly string[], index: number): string[] =>
  Array.from({ length: ROWS }, (_, nth) => ids[(index * ROWS + nth) % ids.length] as string);

let copies = 0;
const createId = () => {
  copies += 1;
  return createUuid(1, `dense ${copies}`);
};

/** Adds what the demo data lacks, so that each list has several owners with several rows, which refer to different records. */
class DenseWorld {
  readonly #world: World;
  readonly #workspaceId = demoId('workspace');

  constructor(world: World) {
    this.#world = world;
  }

  #all = (sql: string): Row[] => this.#world.store.all<Row>(sql, sql.includes(':workspaceId') ? { workspaceId: this.#workspaceId } : {});

  #hasColumn = (table: string, column: string) =>
    this.#all(`SELECT 1 FROM pragma_table_info('${table}') WHERE name = '${column}'`).length > 0;

  /** Rows of the demo workspace, if the table has workspaces. */
  list = (table: string, where = 'true'): Row[] =>
    this.#all(
      `SELECT * FROM ${table} WHERE ${this.#hasColumn(table, 'workspace_id') ? 'workspace_id = :workspaceId AND ' : ''}${where} ORDER BY rowid`,
    );

  insert(table: string, row: Row): void {
    this.#world.store.insert(table, row as Bindings, 'ON CONFLICT DO NOTHING');
  }

  /** Copies rows of a table in turn to owners that have fewer. */
  addRows({ table, column, owners, where, change = () => ({}) }: OwnedRows): void {
    const models = this.list(table);
    const hasId = this.#hasColumn(table, 'id');
    const hasPosition = this.#hasColumn(table, 'position');
    const counts = new Map(
      this.#all(`SELECT ${column} AS owner, count(*) AS rows FROM ${table} GROUP BY 1`).map((each) => [each.owner, Number(each.rows)]),
    );
    let next = 0;
    for (const owner of this.list(owners, where))
      for (let index = counts.get(owner.id ?? null) ?? 0; index < ROWS; index += 1) {
        const model = models[next++ % models.length] as Row;
        this.insert(table, {
          ...model,
          ...(hasId && { id: createId() }),
          ...(hasPosition && { position: 100 + index }),
          [column]: owner.id ?? null,
          ...change(owner, index),
        });
      }
  }

  /** Copies the first row of a table, so that there are `count`. Returns the IDs of all rows. */
  grow(table: string, count: number, change: (index: number) => Bindings = () => ({})): string[] {
    const rows = this.list(table);
    for (let index = rows.length; index < count; index += 1)
      this.insert(table, { ...(rows[index % rows.length] as Row), id: createId(), ...change(index) });
    return this.list(table).map(({ id }) => String(id));
  }

  /** Sets a column with a JSON array of IDs. */
  setIds(table: string, column: string, ids: readonly string[]): void {
    for (const [index, { id }] of this.list(table).entries())
      this.#world.store.run(`UPDATE ${table} SET ${column} = :ids WHERE id = :id`, {
        id: String(id),
        ids: JSON.stringify(pick(ids, index)),
      });
  }

  /** Adds rows of a table with two IDs. */
  link(table: string, [one, ones]: readonly [string, readonly string[]], [other, others]: readonly [string, readonly string[]]): void {
    for (const [index, id] of ones.entries())
      for (const target of pick(others, index)) this.#world.store.insert(table, { [one]: id, [other]: target }, 'ON CONFLICT DO NOTHING');
  }
}

/** A world in which each list has at least three owners with at least three rows. Members, roles, and teams are more than a list returns. */
export function createDenseWorld(): World {
  const world = createDemoWorld(() => START * 1000);
  const dense = new DenseWorld(world);
  world.store.transaction(() => {
    const members = dense.grow('members', MANY, (index) => ({ name: `Member ${index}`, email: `member${index}@example.com` }));
    const roles = dense.grow('roles', MANY, (index) => ({ name: `Role ${index}` }));
    const teams = dense.grow('teams', MANY, (index) => ({ name: `Team ${index}` }));
    dense.link('member_roles', ['member_id', members], ['role_id', roles.toReversed()]);
    dense.link('team_members', ['team_id', teams], ['member_id', members.toReversed()]);
    const types = dense.grow('appointment_types', 6);
    const definitions = dense.grow('advanced_task_definitions', 6);
    world.store.run("UPDATE agendas SET strategy = 1, is_active = 1, is_private = 0, opens = 0, closes = 1440, weekdays = '1234567'");
    world.store.run('UPDATE work_order_templates SET tasks = (SELECT tasks FROM work_order_templates ORDER BY length(tasks) DESC LIMIT 1)');
    world.store.run(
      'UPDATE advanced_task_definitions SET fields = (SELECT fields FROM advanced_task_definitions ORDER BY length(fields) DESC LIMIT 1)',
    );
    dense.addRows({ table: 'journey_statuses', column: 'stage_id', owners: 'journey_stages' });
    world.store.run('UPDATE agendas SET appointment_type_ids = :ids', { ids: JSON.stringify(types) });
    dense.setIds('problem_templates', 'advanced_task_definition_ids', definitions);
    dense.grow('invitations', 6, (index) => ({ email: `invited${index}@example.com` }));
    dense.setIds('invitations', 'role_ids', roles);
    dense.setIds('invitations', 'team_ids', teams);
    dense.link('agenda_members', ['agenda_id', dense.list('agendas').map(({ id }) => String(id))], ['member_id', members]);
    dense.addRows({
      table: 'customers',
      column: 'contact_id',
      owners: 'contacts',
      change: () => ({ reference_number: `D-${createId()}` }),
    });
    const ofCustomer = { column: 'customer_id', owners: 'customers' };
    for (const table of [
      'customer_comments',
      'customer_files',
      'action_requests',
      'timeline_events',
      'quotes',
      'work_orders',
      'appointments',
      'problems',
    ])
      dense.addRows({ table, ...ofCustomer });
    world.store.run(`UPDATE customer_comments SET attachments = (SELECT json_group_array(id)
      FROM (SELECT id FROM customer_files WHERE customer_files.customer_id = customer_comments.customer_id LIMIT 3))`);
    dense.addRows({ table: 'orders', ...ofCustomer, change: () => ({ quote_id: createId() }) });
    dense.addRows({ table: 'problems', column: 'portfolio_id', owners: 'customers' });
    dense.addRows({
      table: 'appointments',
      column: 'work_order_id',
      owners: 'work_orders',
      change: ({ customer_id }) => ({ customer_id }) as Bindings,
    });
    dense.addRows({ table: 'work_order_tasks', column: 'work_order_id', owners: 'work_orders' });
    dense.addRows({ table: 'advanced_tasks', column: 'work_order_id', owners: 'work_orders', change: () => ({ problem_id: '' }) });
    dense.addRows({ table: 'advanced_tasks', column: 'problem_id', owners: 'problems', change: () => ({ work_order_id: '' }) });
    dense.addRows({ table: 'problem_comments', column: 'problem_id', owners: 'problems' });
    dense.addRows({ table: 'comment_revisions', column: 'comment_id', owners: 'customer_comments' });
    dense.addRows({ table: 'quote_lines', column: 'quote_id', owners: 'quotes' });
    const discounts = dense.list('discounts').map(({ id }) => String(id));
    dense.addRows({
      table: 'quote_discounts',
      column: 'quote_id',
      owners: 'quotes',
      change: (_owner, index) => ({ discount_id: discounts[index] }) as Bindings,
    });
    const ofOrder = { column: 'order_id', owners: 'orders' };
    const change = ({ customer_id }: Row, index: number) => ({ customer_id, order_version: 100 + index }) as Bindings;
    dense.addRows({ table: 'order_lines', ...ofOrder });
    dense.addRows({ table: 'pro_formas', ...ofOrder, change });
    dense.addRows({ table: 'invoices', ...ofOrder, change });
    dense.addRows({
      table: 'payments',
      ...ofOrder,
      change: ({ customer_id }) => ({ customer_id, external_operation_id: createId() }) as Bindings,
    });
    dense.addRows({ table: 'order_reservations', ...ofOrder });
    dense.addRows({
      table: 'refunds',
      column: 'payment_id',
      owners: 'payments',
      change: ({ customer_id, order_id }) => ({ customer_id, order_id, request_id: createId() }) as Bindings,
    });
    for (const { id, payment_id, amount_minor } of dense.list('refunds'))
      dense.insert('refund_parts', { refund_id: id, payment_id, amount_minor } as Row);
    const ofProduct = { column: 'product_id', owners: 'products' };
    dense.addRows({ table: 'inventory_movements', ...ofProduct });
    dense.addRows({ table: 'product_identifiers', ...ofProduct, change: () => ({ value: createId() }) });
    dense.addRows({ table: 'product_discounts', ...ofProduct });
    const countries = (_owner: Row, index: number) => ({ country_code: ['ZA', 'ZM', 'ZW'][index] }) as Bindings;
    dense.addRows({ table: 'product_country_prices', ...ofProduct, change: countries });
    dense.addRows({ table: 'discount_country_prices', column: 'discount_id', owners: 'discounts', change: countries });
  });
  return world;
}
