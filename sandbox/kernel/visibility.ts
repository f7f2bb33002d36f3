import { denied, SandboxError } from './errors.ts';
import type { Store } from './store.ts';
import { plainTable, type Scope } from './table.ts';

/**
 * A Customer View: which customers and which of their data fields the members see whose roles select it. `customers` are all, or those of the member's
 * teams; `fields` is a JSON array of names, null for all.
 */
export const viewTable = plainTable('customer_views', {
  id: 'TEXT',
  workspace_id: 'TEXT',
  name: 'TEXT',
  customers: ['all', 'teams'],
  fields: 'TEXT NULL',
});

/** The Customer Views that roles select. */
export const roleViewTable = plainTable(
  'role_customer_views',
  { role_id: 'TEXT', view_id: 'TEXT' },
  { key: ['role_id', 'view_id'], references: { role_id: { name: 'roles' }, view_id: viewTable } },
);

/** The teams that a customer or portfolio belongs to. */
export const customerTeamTable = plainTable(
  'customer_teams',
  { customer_id: 'TEXT', team_id: 'TEXT' },
  { key: ['customer_id', 'team_id'], references: { customer_id: { name: 'customers' }, team_id: { name: 'teams' } } },
);

/** The catalog folders whose products a role offers. A role without a row offers all. */
export const roleFolderTable = plainTable(
  'role_product_folders',
  { role_id: 'TEXT', folder_id: 'TEXT' },
  { key: ['role_id', 'folder_id'], references: { role_id: { name: 'roles' } } },
);

export const visibilityTables = [viewTable, roleViewTable, customerTeamTable, roleFolderTable];

/** The member whose call is answered. */
interface Actor {
  readonly memberId: string;
}

/** The records of its workspace that a member sees. */
interface Sight {
  readonly customers: 'all' | 'teams';
  /** Names of data fields; null for all. */
  readonly fields: ReadonlySet<string> | null;
  /** Ids of catalog folders; null for all. */
  readonly folders: ReadonlySet<string> | null;
}

const EVERYTHING: Sight = { customers: 'all', fields: null, folders: null };

/** The members that all of the sets have; null stands for everything. */
function sharedBy(sets: readonly (ReadonlySet<string> | null)[]): ReadonlySet<string> | null {
  const limits = sets.filter((set) => set !== null);
  const [first] = limits;
  return first ? new Set([...first].filter((name) => limits.every((set) => set.has(name)))) : null;
}

const setIn = (json: string | null) => (json === null ? null : new Set(JSON.parse(json) as string[]));

/**
 * The records that a member sees at this moment. Assumed, since the upstream does not tell: a member none of whose roles selects a Customer View sees every customer;
 * of several Views a member sees what each of them shows, and a role without one adds nothing to that. The same goes for catalog folders.
 */
function sightOf(store: Store, { memberId }: Actor): Sight {
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
    fields: sharedBy(views.map(({ fields }) => setIn(fields))),
    folders: sharedBy(offers.map(({ folders }) => setIn(folders))),
  };
}

const OF_TEAMS = `EXISTS (
  SELECT 1 FROM main.customer_teams JOIN main.team_members USING (team_id) WHERE customer_id = row.id AND member_id = (SELECT acting_member()))`;

/** Conditions of tables that follow no other, as SQL over `row`. */
const OWN_RULES: Readonly<Record<string, string>> = {
  customers: `(SELECT sees_all_customers()) OR ${OF_TEAMS}`,
  // Assumed: a contact is a child of its portfolios. Without any it is nobody's in particular.
  contacts: `(SELECT sees_all_customers())
    OR NOT EXISTS (SELECT 1 FROM main.customers AS own WHERE own.workspace_id = row.workspace_id AND own.contact_id = row.id)
    OR EXISTS (SELECT 1 FROM temp.customers AS own WHERE own.workspace_id = row.workspace_id AND own.contact_id = row.id)`,
  // Assumed: products are offered by their folders. Stock tells of all products: only the catalog is said to be what is available to the member.
  products: '(SELECT sees_all_products()) OR sees_folder(row.folder_id)',
};

/** The tables that a row follows by a column that has one of their ids: who does not see the one does not see the other. Empty follows nothing. */
const FOLLOWED = {
  customer_id: 'customers',
  portfolio_id: 'customers',
  order_id: 'orders',
  problem_id: 'problems',
  work_order_id: 'work_orders',
} as const;

/** Data fields, as a member sees them. */
const FIELDS = 'custom_fields';
const SEEN_FIELDS = `CASE WHEN (SELECT sees_all_fields()) THEN row.${FIELDS} ELSE seen_fields(row.${FIELDS}) END`;

interface Source {
  readonly name: string;
  readonly type: string;
}

/** The condition under which a member sees a row; undefined for every row. */
function conditionOf(name: string, columns: readonly string[]): string | undefined {
  const followed = Object.entries(FOLLOWED).filter(([column]) => columns.includes(column));
  const followsCustomer = followed.some(([, table]) => table === 'customers');
  const conditions = followed
    // Orders, problems and work orders follow their customer: what has that too need not follow both.
    .filter(([, table]) => table === 'customers' || !followsCustomer)
    .map(
      ([column, table]) =>
        `(SELECT sees_all_customers()) OR coalesce(row.${column}, '') = '' OR EXISTS (SELECT 1 FROM temp.${table} AS own WHERE own.id = row.${column})`,
    );
  const own = OWN_RULES[name];
  if (own) conditions.push(own);
  return conditions.length > 0 ? conditions.map((condition) => `(${condition})`).join(' AND ') : undefined;
}

/** A view of the name of a table, which stands before it: SQL that names no schema reads what the acting member sees. */
function viewOver(store: Store, { name, type }: Source): string | undefined {
  const columns = store
    .all<{ readonly name: string }>(`SELECT name FROM pragma_table_xinfo('${name}', 'main')`)
    .map((column) => column.name);
  const condition = conditionOf(name, columns);
  if (condition === undefined) return undefined;
  const seen = columns.map((column) => (column === FIELDS ? `${SEEN_FIELDS} AS ${FIELDS}` : `row.${column}`));
  // Lists are ordered by the age of rows, which a view does not have by itself.
  const age = type === 'table' ? ['row.rowid AS rowid'] : [];
  return `CREATE TEMP VIEW ${name} AS SELECT ${[...age, ...seen].join(', ')} FROM main.${name} AS row WHERE ${condition}`;
}

/**
 * Rows and data fields that a member may not see are not there for its calls, whichever way a handler reads: each table with a rule is hidden by a view of
 * its name, and whatever SQL reads or counts goes through that view. `Store` writes to the tables themselves. SQL that must see every row, to keep
 * something unique, names the schema: `main.refunds`.
 */
export class Visibility {
  readonly #store: Store;
  #actor: Actor | undefined;
  #sight = EVERYTHING;

  /** The tables must have been made. */
  constructor(store: Store) {
    this.#store = store;
    store.define('acting_member', () => this.#actor?.memberId ?? null);
    store.define('sees_all_customers', () => Number(this.#sight.customers === 'all'));
    store.define('sees_all_fields', () => Number(this.#sight.fields === null));
    store.define('sees_all_products', () => Number(this.#sight.folders === null));
    store.define('sees_folder', (folder) => Number(this.#sight.folders?.has(String(folder)) ?? true));
    store.define('seen_fields', (json) => JSON.stringify(this.#seenOf(JSON.parse(String(json)) as Record<string, unknown>)));
    const sources = store.all<Source>("SELECT name, type FROM pragma_table_list WHERE schema = 'main' AND type IN ('table', 'view')");
    for (const source of sources) {
      const view = viewOver(store, source);
      if (view) store.exec(view);
    }
  }

  #seenOf(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
    const { fields } = this.#sight;
    return Object.fromEntries(Object.entries(values).filter(([name]) => fields?.has(name) ?? true));
  }

  /** Does the work of a call with the eyes of its member. Outside of it, everything is seen. */
  as<Result>(actor: Actor, work: () => Result): Result {
    this.#actor = actor;
    this.#sight = sightOf(this.#store, actor);
    try {
      return work();
    } finally {
      this.#actor = undefined;
      this.#sight = EVERYTHING;
    }
  }
}

interface ActingScope extends Scope {
  readonly principal: Actor;
}

/** Whether the caller may see a customer or portfolio of the workspace. `customerOf` refuses one that it may not. */
export const seesCustomer = ({ store, workspaceId }: Scope, id: string): boolean =>
  store.get('SELECT 1 FROM customers WHERE workspace_id = :workspaceId AND id = :id', { workspaceId, id }) !== undefined;

/** Whether a product of the workspace is available to the caller. `productOf` refuses one that is not. */
export const isProductAvailable = ({ store, workspaceId }: Scope, id: string): boolean =>
  store.get('SELECT 1 FROM products WHERE workspace_id = :workspaceId AND id = :id', { workspaceId, id }) !== undefined;

/** The tables whose rows an answer names, by the members that have their ids. */
const NAMED = new Map(Object.entries(FOLLOWED).map(([column, table]) => [column.replace('_id', 'Id'), table]));

/**
 * Refuses an answer that was given before, perhaps to another member, when it names a customer or an order that the caller may not see. The answer is the
 * JSON of a message.
 */
export function requireSeenIn(scope: Scope, answer: unknown): void {
  if (typeof answer !== 'object' || answer === null) return;
  for (const [member, value] of Object.entries(answer)) {
    const table = NAMED.get(member);
    if (!table || typeof value !== 'string' || value === '') requireSeenIn(scope, value);
    else if (!scope.store.get(`SELECT 1 FROM ${table} WHERE id = :value`, { value })) throw denied(table.replace(/s$/, ''), value);
  }
}

/** Whether no Customer View and no choice of folders hides anything from the caller. */
export function seesEverything({ store, principal }: ActingScope): boolean {
  const { customers, fields, folders } = sightOf(store, principal);
  return customers === 'all' && fields === null && folders === null;
}

/** The names of the data fields that the caller's Customer View shows; null for all. */
export const fieldsSeenBy = ({ store, principal }: ActingScope): ReadonlySet<string> | null => sightOf(store, principal).fields;

/** Refuses data fields that the caller's Customer View does not show, whether or not the workspace has them. */
export function requireSeenFields(call: ActingScope, names: Iterable<string>): void {
  const seen = fieldsSeenBy(call);
  const hidden = seen && [...names].find((name) => !seen.has(name));
  if (hidden !== null && hidden !== undefined) {
    throw new SandboxError('permission_denied', `The Customer View of the key’s member doesn’t include the data field ${hidden}.`);
  }
}

/** Assigns a new customer or portfolio to the teams of its creator, who sees those of its teams alone. Assumed. */
export function shareWithTeams({ store, principal }: ActingScope, customerId: string): void {
  const { memberId } = principal;
  if (sightOf(store, principal).customers === 'all') return;
  const sql = 'INSERT INTO customer_teams (customer_id, team_id) SELECT :customerId, team_id FROM team_members WHERE member_id = :memberId';
  store.run(sql, { customerId, memberId });
}
