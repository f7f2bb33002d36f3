import { permissionDenied, SandboxError } from './errors.ts';
import type { Store } from './store.ts';
import { plainTable, type Scope } from './table.ts';

/**
 * Customer Views: row-level and column-level security for the members whose roles select them. `customers` is either all customers or those of the member's
 * teams. `fields` is a JSON array of custom field names, or null for all.
 */
export const viewTable = plainTable('customer_views', {
  id: 'TEXT',
  workspace_id: 'TEXT',
  name: 'TEXT',
  customers: ['all', 'teams'],
  fields: 'TEXT NULL',
});

/** The Customer Views that each role selects. */
export const roleViewTable = plainTable(
  'role_customer_views',
  { role_id: 'TEXT', view_id: 'TEXT' },
  { key: ['role_id', 'view_id'], references: { role_id: { name: 'roles' }, view_id: viewTable } },
);

/** The teams that each customer or portfolio belongs to. */
export const customerTeamTable = plainTable(
  'customer_teams',
  { customer_id: 'TEXT', team_id: 'TEXT' },
  { key: ['customer_id', 'team_id'], references: { customer_id: { name: 'customers' }, team_id: { name: 'teams' } } },
);

/** The catalog folders whose products a role offers. A role without rows offers all. */
export const roleFolderTable = plainTable(
  'role_product_folders',
  { role_id: 'TEXT', folder_id: 'TEXT' },
  { key: ['role_id', 'folder_id'], references: { role_id: { name: 'roles' } } },
);

export const visibilityTables = [viewTable, roleViewTable, customerTeamTable, roleFolderTable];

/** The member on whose behalf a call runs. */
interface Actor {
  readonly memberId: string;
}

/** What a member sees of its workspace. */
interface VisibleRecords {
  readonly customers: 'all' | 'teams';
  /** Names of data fields. Null for all. */
  readonly fields: ReadonlySet<string> | null;
  /** IDs of catalog folders. Null for all. */
  readonly folders: ReadonlySet<string> | null;
}

const FULL_VISIBILITY: VisibleRecords = { customers: 'all', fields: null, folders: null };

/** Intersection of the sets. Null stands for all members. */
function intersect(sets: readonly (ReadonlySet<string> | null)[]): ReadonlySet<string> | null {
  const limits = sets.filter((set) => set !== null);
  const [first] = limits;
  return first ? new Set([...first].filter((name) => limits.every((set) => set.has(name)))) : null;
}

const parseSet = (json: string | null) => (json === null ? null : new Set(JSON.parse(json) as string[]));

/**
 * What a member currently sees. Not documented upstream. Assumed: a member without a Customer View in its roles sees every customer, a member with several sees
 * the intersection, and roles without one don't add to it. Catalog folders work in the same way.
 */
function loadVisibleRecords(store: Store, { memberId }: Actor): VisibleRecords {
  const views = store.all<{ readonly customers: 'all' | 'teams'; readonly fields: string | null }>(
    `SELECT customers, fields FROM member_roles JOIN role_customer_views USING (role_id) JOIN customer_views ON customer_views.id = view_id
     WHERE member_id = :memberId`,
    { memberId },
  );
  const offers = store.all<{ readonly folders: string }>(
    `SELECT json_group_array(folder_id) AS folders FROM member_roles JOIN role_product_folders USING (role_id)
     WHERE member_id = :memberId GROUP BY role_id`,
    { memberId },
  );
  return {
    customers: views.some(({ customers }) => customers === 'teams') ? 'teams' : 'all',
    fields: intersect(views.map(({ fields }) => parseSet(fields))),
    folders: intersect(offers.map(({ folders }) => parseSet(folders))),
  };
}

const TEAM_CUSTOMERS = `EXISTS (
  SELECT 1 FROM main.customer_teams JOIN main.team_members USING (team_id) WHERE customer_id = row.id AND member_id = (SELECT acting_member()))`;

/** Conditions of tables that don't inherit visibility, as SQL for `row`. */
const OWN_RULES: Readonly<Record<string, string>> = {
  customers: `(SELECT sees_all_customers()) OR ${TEAM_CUSTOMERS}`,
  // Assumed: a contact is a child of its portfolios. A contact without portfolios belongs to no member.
  contacts: `(SELECT sees_all_customers())
    OR NOT EXISTS (SELECT 1 FROM main.customers AS own WHERE own.workspace_id = row.workspace_id AND own.contact_id = row.id)
    OR EXISTS (SELECT 1 FROM temp.customers AS own WHERE own.workspace_id = row.workspace_id AND own.contact_id = row.id)`,
  // Assumed: folders offer products to members. This only affects the catalog, because only it is documented to depend on availability. Stock includes all
  // products.
  products: '(SELECT sees_all_products()) OR sees_folder(row.folder_id)',
};

/** Tables whose visibility a row inherits, by the column with the ID. A row with an empty ID inherits nothing. */
const INHERITED_FROM = {
  customer_id: 'customers',
  portfolio_id: 'customers',
  order_id: 'orders',
  problem_id: 'problems',
  work_order_id: 'work_orders',
} as const;

/** The column with data fields, which the view filters. */
const FIELDS = 'custom_fields';
const VISIBLE_FIELDS = `CASE WHEN (SELECT sees_all_fields()) THEN row.${FIELDS} ELSE seen_fields(row.${FIELDS}) END`;

interface Source {
  readonly name: string;
  readonly type: string;
}

/** The SQL condition for a member to see a row. Undefined if all rows are visible. */
function createVisibilityCondition(name: string, columns: readonly string[]): string | undefined {
  const followed = Object.entries(INHERITED_FROM).filter(([column]) => columns.includes(column));
  const followsCustomer = followed.some(([, table]) => table === 'customers');
  const conditions = followed
    // Orders, problems and work orders inherit from their customer, so a row with a customer only needs to inherit from that.
    .filter(([, table]) => table === 'customers' || !followsCustomer)
    .map(
      ([column, table]) =>
        `(SELECT sees_all_customers()) OR coalesce(row.${column}, '') = '' OR EXISTS (SELECT 1 FROM temp.${table} AS own WHERE own.id = row.${column})`,
    );
  const own = OWN_RULES[name];
  if (own) conditions.push(own);
  return conditions.length > 0 ? conditions.map((condition) => `(${condition})`).join(' AND ') : undefined;
}

/** Creates a view with the name of the table that hides it. SQL without a schema name then reads only what the acting member sees. */
function createViewSql(store: Store, { name, type }: Source): string | undefined {
  const columns = store
    .all<{ readonly name: string }>(`SELECT name FROM pragma_table_xinfo('${name}', 'main')`)
    .map((column) => column.name);
  const condition = createVisibilityCondition(name, columns);
  if (condition === undefined) return undefined;
  const seen = columns.map((column) => (column === FIELDS ? `${VISIBLE_FIELDS} AS ${FIELDS}` : `row.${column}`));
  // Lists are sorted by `rowid`, which views don't have.
  const age = type === 'table' ? ['row.rowid AS rowid'] : [];
  return `CREATE TEMP VIEW ${name} AS SELECT ${[...age, ...seen].join(', ')} FROM main.${name} AS row WHERE ${condition}`;
}

/**
 * Hides rows and data fields that a member can't see from all of its calls. A view with the same name hides each restricted table, so all SQL that reads or
 * counts uses the view. `Store` writes to the tables themselves. SQL that needs every row, for example to check uniqueness, specifies the schema:
 * `main.refunds`.
 */
export class Visibility {
  readonly #store: Store;
  #actor: Actor | undefined;
  #visible = FULL_VISIBILITY;

  /** The tables must exist. */
  constructor(store: Store) {
    this.#store = store;
    store.defineFunction('acting_member', () => this.#actor?.memberId ?? null);
    store.defineFunction('sees_all_customers', () => Number(this.#visible.customers === 'all'));
    store.defineFunction('sees_all_fields', () => Number(this.#visible.fields === null));
    store.defineFunction('sees_all_products', () => Number(this.#visible.folders === null));
    store.defineFunction('sees_folder', (folder) => Number(this.#visible.folders?.has(String(folder)) ?? true));
    store.defineFunction('seen_fields', (json) =>
      JSON.stringify(this.#selectVisibleValues(JSON.parse(String(json)) as Record<string, unknown>)),
    );
    const sources = store.all<Source>("SELECT name, type FROM pragma_table_list WHERE schema = 'main' AND type IN ('table', 'view')");
    for (const source of sources) {
      const view = createViewSql(store, source);
      if (view) store.exec(view);
    }
  }

  #selectVisibleValues(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
    const { fields } = this.#visible;
    return Object.fromEntries(Object.entries(values).filter(([name]) => fields?.has(name) ?? true));
  }

  /** Runs `work` with the visibility of a member. Outside of it, everything is visible. */
  runAs<Result>(actor: Actor, work: () => Result): Result {
    this.#actor = actor;
    this.#visible = loadVisibleRecords(this.#store, actor);
    try {
      return work();
    } finally {
      this.#actor = undefined;
      this.#visible = FULL_VISIBILITY;
    }
  }
}

interface ActingScope extends Scope {
  readonly principal: Actor;
}

/** Whether the caller can see a customer or portfolio of the workspace. `getCustomer` throws if it can't. */
export const canSeeCustomer = ({ store, workspaceId }: Scope, id: string): boolean =>
  store.get('SELECT 1 FROM customers WHERE workspace_id = :workspaceId AND id = :id', { workspaceId, id }) !== undefined;

/** Whether the caller can use a product of the workspace. `getProduct` throws if it can't. */
export const isProductAvailable = ({ store, workspaceId }: Scope, id: string): boolean =>
  store.get('SELECT 1 FROM products WHERE workspace_id = :workspaceId AND id = :id', { workspaceId, id }) !== undefined;

/** The tables of the records that a response refers to, by the fields with their IDs. */
const TABLES_BY_FIELD = new Map(Object.entries(INHERITED_FROM).map(([column, table]) => [column.replace('_id', 'Id'), table]));

/** Throws if an earlier response, possibly to another member, refers to a customer or order that the caller can't see. `answer` is the message as JSON. */
export function requireVisibleReferences(scope: Scope, response: unknown): void {
  if (typeof response !== 'object' || response === null) return;
  for (const [member, value] of Object.entries(response)) {
    const table = TABLES_BY_FIELD.get(member);
    if (!table || typeof value !== 'string' || value === '') requireVisibleReferences(scope, value);
    else if (!scope.store.get(`SELECT 1 FROM ${table} WHERE id = :value`, { value }))
      throw permissionDenied(table.replace(/s$/, ''), value);
  }
}

/** Whether no Customer View and no folder selection restricts the caller. */
export function hasFullVisibility({ store, principal }: ActingScope): boolean {
  const { customers, fields, folders } = loadVisibleRecords(store, principal);
  return customers === 'all' && fields === null && folders === null;
}

/** Names of the data fields that the caller's Customer View contains. Null for all. */
export const getVisibleFields = ({ store, principal }: ActingScope): ReadonlySet<string> | null =>
  loadVisibleRecords(store, principal).fields;

/** Throws for data fields that aren't in the caller's Customer View, whether or not they exist in the workspace. */
export function requireVisibleFields(call: ActingScope, names: Iterable<string>): void {
  const seen = getVisibleFields(call);
  const hidden = seen && [...names].find((name) => !seen.has(name));
  if (hidden !== null && hidden !== undefined) {
    throw new SandboxError('permission_denied', `The Customer View of the key’s member doesn’t include the data field ${hidden}.`);
  }
}

/** Assigns a new customer or portfolio to its creator's teams, because the creator may only see those of its teams. Assumed. */
export function assignToTeams({ store, principal }: ActingScope, customerId: string): void {
  const { memberId } = principal;
  if (loadVisibleRecords(store, principal).customers === 'all') return;
  const sql = 'INSERT INTO customer_teams (customer_id, team_id) SELECT :customerId, team_id FROM team_members WHERE member_id = :memberId';
  store.run(sql, { customerId, memberId });
}
