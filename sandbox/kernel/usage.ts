import type { CallContext } from './call.ts';
import type { Store } from './store.ts';
import { plainTable, type RowOf } from './table.ts';

/** Number of executions of queued reads, by key and UTC day. */
export const usageTable = plainTable(
  'usage',
  { workspace_id: 'TEXT', key_id: 'TEXT', day: 'TEXT', executions: 'INTEGER', rows: 'INTEGER', milliseconds: 'INTEGER' },
  { key: ['workspace_id', 'key_id', 'day'] },
);

/** Resources used by an execution. */
interface Execution {
  /** Number of returned rows. */
  readonly rows: number;
  readonly milliseconds: number;
}

/** Counts a successful execution. Failed ones are rolled back with their transaction. */
export function countExecution({ store, workspaceId, principal, now }: CallContext, { rows, milliseconds }: Execution): void {
  const day = new Date(now * 1_000).toISOString().slice(0, 10);
  store.run(
    `INSERT INTO usage (workspace_id, key_id, day, executions, rows, milliseconds) VALUES (:workspaceId, :keyId, :day, 1, :rows, :milliseconds)
     ON CONFLICT (workspace_id, key_id, day) DO UPDATE SET
       executions = executions + 1, rows = rows + excluded.rows, milliseconds = milliseconds + excluded.milliseconds`,
    { workspaceId, keyId: principal.keyId, day, rows, milliseconds },
  );
}

/** Usage of one key on one day, as listed by the admin port. */
interface Usage extends Execution {
  readonly workspaceId: string;
  readonly keyId: string;
  readonly day: string;
  readonly executions: number;
}

/** The usage of all workspaces, latest day first. */
export const listUsage = (store: Store): Usage[] =>
  store
    .all<RowOf<typeof usageTable>>('SELECT * FROM usage ORDER BY day DESC, workspace_id, key_id')
    .map(({ workspace_id: workspaceId, key_id: keyId, day, executions, rows, milliseconds }) => ({
      workspaceId,
      keyId,
      day,
      executions,
      rows,
      milliseconds,
    }));
