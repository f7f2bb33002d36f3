import { demoData } from '../kernel/demoData.ts';
import type { Plan } from '../kernel/plan.ts';
import { unresolvedSnapshotTable } from './snapshots.ts';

/** Demo records with unresolved amounts: orders that were canceled long ago, and an old quote. All amounts of recent records are resolved. */
const UNRESOLVED = [
  ['order', 'order 13'],
  ['order', 'order 18'],
  ['offer', 'quote 12'],
] as const;

/** Marks the amounts of `order 13`, `order 18` and `quote 12` as unresolved. */
function seedAnalytics(plan: Plan): void {
  for (const [kind, name] of UNRESOLVED)
    unresolvedSnapshotTable.insert(plan.store, { workspace_id: plan.workspaceId, kind, record_id: plan.id(name) });
}

export const analyticsDemo = demoData({ seed: seedAnalytics });
