import { plainTable } from '../kernel/table.ts';

/**
 * Orders and quotes whose commercial snapshot is not settled: their amounts are not known, so that a total over any of them is none. The upstream tells only
 * that there are such; the demo data has some, and no operation makes one.
 */
export const unresolvedSnapshotTable = plainTable(
  'unresolved_snapshots',
  { workspace_id: 'TEXT', kind: ['order', 'offer'], record_id: 'TEXT' },
  { key: ['kind', 'record_id'] },
);
