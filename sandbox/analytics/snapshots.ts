import { plainTable } from '../kernel/table.ts';

/**
 * Orders and quotes with an unresolved commercial snapshot. Their amounts are unknown, and so is any total that includes them. The upstream only documents that
 * they exist. The demo data contains some, and no operation creates any.
 */
export const unresolvedSnapshotTable = plainTable(
  'unresolved_snapshots',
  { workspace_id: 'TEXT', kind: ['order', 'offer'], record_id: 'TEXT' },
  { key: ['kind', 'record_id'] },
);
