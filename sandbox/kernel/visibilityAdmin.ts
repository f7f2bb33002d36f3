import { invalidArgument, notFound } from './errors.ts';
import type { Store } from './store.ts';
import type { RowOf } from './table.ts';
import { customerTeamTable, roleViewTable, viewTable } from './visibility.ts';

/** A Customer View, as listed by the admin port. */
interface CustomerView {
  readonly id: string;
  readonly workspaceId: string;
  readonly name: string;
  readonly customers: 'all' | 'teams';
  /** Names of data fields. Null for all. */
  readonly fields: readonly string[] | null;
  /** Roles that select the view. */
  readonly roleIds: readonly string[];
}

/** The Customer Views of all workspaces. */
export const listCustomerViews = (store: Store): CustomerView[] =>
  viewTable.list(store, {}, 'workspace_id, name').map(({ id, workspace_id, name, customers, fields }) => ({
    id,
    workspaceId: workspace_id,
    name,
    customers,
    fields: fields === null ? null : (JSON.parse(fields) as string[]),
    roleIds: roleViewTable.list(store, { view_id: id }, 'role_id').map(({ role_id }) => role_id),
  }));

/** Parses a body as an object. Throws if it has other members than these. */
function parseObject(body: string, members: readonly string[]): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    throw invalidArgument('The body must be a JSON object, but isn’t valid JSON.');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalidArgument('The body must be a JSON object.');
  const unknown = Object.keys(value).find((name) => !members.includes(name));
  if (unknown !== undefined) throw invalidArgument(`Unknown field ${unknown}. Valid fields: ${members.join(', ')}.`);
  return value as Record<string, unknown>;
}

function parseStrings(name: string, value: unknown): string[] {
  if (Array.isArray(value) && value.every((text) => typeof text === 'string')) return [...new Set<string>(value)];
  throw invalidArgument(`${name} must be an array of strings, but is ${JSON.stringify(value) ?? 'missing'}.`);
}

/** Returns the ID if the row exists in the workspace, or in any workspace if none is specified. Throws otherwise. */
function requireId(store: Store, table: 'customer_views' | 'customers' | 'roles' | 'teams', id: unknown, workspaceId?: string): string {
  const row =
    typeof id === 'string' &&
    store.get(`SELECT 1 FROM ${table} WHERE id = :id AND (:workspaceId IS NULL OR workspace_id = :workspaceId)`, {
      id,
      workspaceId: workspaceId ?? null,
    });
  if (!row) throw notFound(table.replace('_', ' ').replace(/s$/, ''), String(id));
  return String(id);
}

/** Updates the specified settings of a Customer View. Later calls of its members use them. */
export function changeCustomerView(store: Store, body: string): void {
  const { id, customers, fields, roleIds } = parseObject(body, ['id', 'customers', 'fields', 'roleIds']);
  const view = viewTable.find(store, { id: requireId(store, 'customer_views', id) }) as RowOf<typeof viewTable>;
  if (customers !== undefined && customers !== 'all' && customers !== 'teams') throw invalidArgument('customers must be all or teams.');
  const names = fields === undefined || fields === null ? fields : JSON.stringify(parseStrings('fields', fields));
  const roles =
    roleIds === undefined ? undefined : parseStrings('roleIds', roleIds).map((each) => requireId(store, 'roles', each, view.workspace_id));
  store.transaction(() => {
    viewTable.upsert(store, { ...view, ...(customers !== undefined && { customers }), ...(names !== undefined && { fields: names }) });
    if (!roles) return;
    store.run('DELETE FROM role_customer_views WHERE view_id = :id', { id: view.id });
    for (const role_id of roles) roleViewTable.insert(store, { role_id, view_id: view.id });
  });
}

/** Assigns a customer or portfolio to exactly these teams. Returns their IDs. */
export function assignCustomer(store: Store, body: string): { readonly customerId: string; readonly teamIds: readonly string[] } {
  const given = parseObject(body, ['customerId', 'teamIds']);
  const customerId = requireId(store, 'customers', given.customerId);
  const row = store.get<{ workspace_id: string }>('SELECT workspace_id FROM customers WHERE id = :customerId', { customerId });
  const teamIds = parseStrings('teamIds', given.teamIds).map((id) => requireId(store, 'teams', id, row?.workspace_id));
  store.transaction(() => {
    store.run('DELETE FROM customer_teams WHERE customer_id = :customerId', { customerId });
    for (const team_id of teamIds) customerTeamTable.insert(store, { customer_id: customerId, team_id });
  });
  return { customerId, teamIds };
}
