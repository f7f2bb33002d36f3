import { createUuid } from '../../../sandbox/kernel/random.ts';
import type { Bindings } from '../../../sandbox/kernel/store.ts';
import type { World } from '../../../sandbox/kernel/world.ts';

let made = 0;

/** Adds a copy of an existing row of the demo workspace to its table, with a new ID and these values. Returns the ID. */
export function addRow({ store, seed }: World, table: string, values: Bindings): string {
  made += 1;
  const workspaceId = createUuid(seed, 'demo workspace');
  const model = store.get<Bindings>(`SELECT * FROM main.${table} WHERE workspace_id = :workspaceId ORDER BY rowid`, { workspaceId });
  if (!model) throw new Error(`The demo workspace must have a row in ${table}.`);
  const id = `analytics ${made}`;
  store.insert(table, { ...model, id, ...values });
  return id;
}
