import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  AnalyticsColumnSchema,
  AnalyticsFieldType,
  AnalyticsQuery,
} from '../../src/upstream/contract/generated/publicapi/v1/analytics_pb.ts';
import type { Store } from '../kernel/store.ts';
import type { CatalogEntity } from './catalog.ts';
import type { Cell } from './cells.ts';
import type { Compiler } from './compile.ts';
import type { Range } from './ranges.ts';

/** A value of a column in SQL. */
export type Value = string | bigint | null;

/** A column of the result. */
export type Column = MessageInitShape<typeof AnalyticsColumnSchema> & { readonly id: string; readonly type: AnalyticsFieldType };

/** A sorted result. It has more rows than the query's limit if there are more. */
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
    ? `row.id IN (SELECT record_id FROM unresolved_snapshots WHERE workspace_id = :workspaceId AND kind = '${snapshots}')`
    : 'FALSE';

/** Warns of records with unresolved amounts. */
export const createUnresolvedWarnings = (count: number): string[] =>
  count === 0
    ? []
    : [`The amounts of ${count} ${count === 1 ? 'record' : 'records'} aren’t settled. Cells that need them are unavailable.`];
