import { uuid } from '../../../sandbox/kernel/random.ts';
import type { Bindings } from '../../../sandbox/kernel/store.ts';
import type { World } from '../../../sandbox/kernel/world.ts';

let made = 0;

/** Adds a row to a table of the demo workspace: a copy of one that is there, with an id of its own and these values. Answers its id. */
export function addRow({ store, seed }: World, table: string, values: Bindings): string {
  made += 1;
  const workspaceId = uuid(seed, 'demo workspace');
  const model = store.get<Bindings>(`SELECT * FROM main.${table} WHERE workspace_id = :workspaceId`, { workspaceId });
  if (!model) throw new Error(`The demo workspace must have a row in ${table}.`);
  const id = `analytics ${made}`;
  store.insert(table, { ...model, id, ...values });
  return id;
}
