import { idempotencyTables } from './idempotency.ts';
import { keyTables } from './keys.ts';
import type { Endpoint } from './service.ts';
import { contacts, contactTables } from './services/contacts.ts';
import { workspace, workspaceTables } from './services/workspace.ts';
import type { Store } from './store.ts';

/** Every operation that the sandbox serves. */
export const endpoints: readonly Endpoint[] = [...workspace, ...contacts];

/** Makes the tables that are not there yet. */
export function createTables(store: Store): void {
  for (const tables of [keyTables, idempotencyTables, workspaceTables, contactTables]) store.exec(tables);
}
