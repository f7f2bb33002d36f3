import { demoData } from '../kernel/demoData.ts';
import type { Plan } from '../kernel/plan.ts';
import { unresolvedSnapshotTable } from './snapshots.ts';

/** Records of the demo whose amounts are not settled: orders that were cancelled long ago, and an old quote, so that recent totals are all known. */
const UNRESOLVED = [
  ['order', 'order 13'],
  ['order', 'order 18'],
  ['offer', 'quote 12'],
] as const;

/** Leaves the amounts of `order 13`, `order 18` and `quote 12` unsettled. */
function seedAnalytics(plan: Plan): void {
  for (const [kind, name] of UNRESOLVED)
    unresolvedSnapshotTable.insert(plan.store, { workspace_id: plan.workspaceId, kind, record_id: plan.id(name) });
}

export const analyticsDemo = demoData({ seed: seedAnalytics });
