import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  AnalyticsColumnSchema,
  AnalyticsFieldType,
  AnalyticsQuery,
} from '../../src/upstream/contract/generated/publicapi/v1/analytics_pb.ts';
import { AnalyticsSortDirection as SortDirection } from '../../src/upstream/contract/generated/publicapi/v1/analytics_pb.ts';
import type { Store } from '../kernel/store.ts';
import type { CatalogEntity } from './catalog.ts';
import { type Cell, compareCells } from './cells.ts';
import type { Compiler } from './compile.ts';
import type { Range } from './ranges.ts';

/** A column of the result. */
export type Column = MessageInitShape<typeof AnalyticsColumnSchema> & { readonly id: string; readonly type: AnalyticsFieldType };

/** The complete result, before sorting and limiting. */
export interface QueryResult {
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly Cell[])[];
  readonly warnings: readonly string[];
}

/** The rows of a query, in the form `FROM … WHERE …`. */
export interface Source {
  readonly store: Store;
  readonly entity: CatalogEntity;
  readonly query: AnalyticsQuery;
  readonly range: Range | undefined;
  readonly compiler: Compiler;
  readonly sql: string;
  /** Throws if the time limit has been exceeded. */
  readonly checkTime: () => void;
}

/** SQL for whether a row's amounts are unresolved. */
export const createUnresolvedSql = ({ snapshots }: CatalogEntity): string =>
  snapshots
    ? `EXISTS (SELECT 1 FROM unresolved_snapshots WHERE workspace_id = :workspaceId AND kind = '${snapshots}' AND record_id = row.id)`
    : 'FALSE';

/** Warns of records with unresolved amounts. */
export const createUnresolvedWarnings = (count: number): string[] =>
  count === 0
    ? []
    : [`The amounts of ${count} ${count === 1 ? 'record' : 'records'} aren’t settled. Cells that need them are unavailable.`];

/** Sorts the rows as requested. The dimensions break ties, then all columns. */
export function sortRows({ columns, rows }: QueryResult, { sort, aggregate }: AnalyticsQuery): (readonly Cell[])[] {
  const given = sort.map(({ column, direction }) => ({
    at: columns.findIndex(({ id }) => id === column),
    direction: direction === SortDirection.DESC ? (-1 as const) : (1 as const),
  }));
  // Records are sorted by ID by default.
  if (!aggregate && given.length === 0) return [...rows];
  const order = [...given, ...columns.map((_column, at) => ({ at, direction: 1 as const }))];
  return rows.toSorted((one, other) => {
    for (const { at, direction } of order) {
      const [left, right] = [one[at], other[at]];
      const compared = left && right ? compareCells(left, right, direction) : 0;
      if (compared !== 0) return compared;
    }
    return 0;
  });
}
