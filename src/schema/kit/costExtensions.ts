import type { FieldNode, GraphQLObjectType } from 'graphql';
import type { Index, IndexColumns } from '../../upstream/contract/fields.ts';
import type { AnyOperation } from '../../upstream/contract/operation.ts';
import type { DocumentScope } from './lookahead.ts';

/** Extensions of types that contain records which are already loaded: pages of a list, mutation payloads, and version conflicts. Their edges cost nothing. */
export const HOLDS_RECORDS = { holdsRecords: true };

/** Extensions of a field whose record is read by ID, although its parent contains loaded records. */
export const FETCHED_BY_ID = { isFetchedById: true };

/** Lengths of the lists in an object, by field name. */
export type ListSizes = Readonly<Record<string, number>>;

/** What a selection of a search needs. */
export interface SearchSelection {
  /** Whether anything of the page is selected. */
  readonly hasPage: boolean;
  /** Whether `totalCount` or `facets` is selected. */
  readonly hasCounts: boolean;
  /** Names of the selected fields of the records that need more than their IDs. */
  readonly values: readonly string[];
  /** Those that the index lacks. Without any, no record is read by ID. */
  readonly uncovered: readonly string[];
}

/** Returns the columns of an index whose values its rows can provide instead of records. */
export type GetRowColumns = (index: Index) => IndexColumns;

/** Extensions of a field whose calls or cost don't follow from its own operation or its type. */
export interface CostExtensions {
  /** Called for each object, whatever is selected. */
  readonly calls?: AnyOperation;
  /** Called for each object if more than keys is selected, to read the record that contains the object. */
  readonly reads?: AnyOperation;
  /** Called once for all objects, because each looks up its value in the same response. */
  readonly sharedCall?: AnyOperation;
  /** Whether each row of the field that the response of `sharedCall` lacks is read by ID. */
  readonly readsMissingRows?: boolean;
  /** See `FETCHED_BY_ID`. */
  readonly isFetchedById?: boolean;
  /** For mutations: number of calls that search for the records that it may have created. */
  readonly candidateCalls?: number;
  /** Whether the field calls the search of the mutation whose result contains it. */
  readonly readsCandidates?: boolean;
  /** Called before the field's own operation, to compare the record that it changes. */
  readonly compares?: AnyOperation;
  /** For searches: what the selection needs of the index, and of records. */
  readonly analyzeSearch?: (
    nodes: readonly FieldNode[],
    connection: GraphQLObjectType,
    getRowColumns: GetRowColumns,
    scope: DocumentScope,
  ) => SearchSelection;
  /** Called instead of the field's own operation, depending on its arguments. */
  readonly alsoCalls?: readonly AnyOperation[];
  /** Whether each object of the field's list can need a call. */
  readonly isReadByItem?: boolean;
  /** Assumed number of objects in a list. */
  readonly assumedSize?: number;
  /** Returns the maximum lengths of lists in the field's object. Replaces their assumed sizes. */
  readonly countListItems?: (args: Readonly<Record<string, unknown>>) => ListSizes;
  /** Returns the number of calls that the arguments need, in addition to those of the field's operation. */
  readonly countReads?: (args: Readonly<Record<string, unknown>>) => { readonly reads: number; readonly expensiveReads: number };
  /**
   * Identifies the conditions of the query that counts the list's rows in an index if `totalCount` is selected. The lists of up to 100 objects share one.
   * Undefined if the list is read as a whole, or if the index can't express the conditions.
   */
  readonly identifyCount?: (args: Readonly<Record<string, unknown>>) => string | undefined;
  /** Returns the assumed number of rows to read. Undefined if it's the page size that the arguments request. */
  readonly countRows?: (args: Readonly<Record<string, unknown>>) => number | undefined;
}

/** Extensions of a field or a scalar whose values are larger than most: their JSON bytes. */
export interface ByteExtensions {
  readonly bytes?: number;
}
