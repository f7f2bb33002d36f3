import type { EnumRef, InputRef, ObjectRef } from '@pothos/core';
import type { Index, IndexColumns } from '../../upstream/contract/fields.ts';
import { enums } from '../../upstream/contract/generated/messages.ts';
import { builder, type Types } from '../kit/builder.ts';
import { describeValues } from '../kit/enums.ts';
import { NULL_ONLY_WITH_ERROR } from '../kit/nullability.ts';
import type { Entity } from '../kit/registry.ts';
import { SortDirection } from '../kit/sortDirection.ts';
import { ConnectionPage, defineConnection } from '../paging/connections.ts';
import type { Fingerprint, Position } from '../paging/cursors.ts';
import type { TruncatableSlice } from '../paging/window.ts';
import { compare, type IndexCondition } from './conditions.ts';
import { type Counts, defineFacets, type FacetFields, sumCounts } from './facets.ts';
import { declareSearchFilter, type FilterBinder, type FilterFields, type IndexUse, type SearchFilter } from './filters.ts';
import { type CellRow, getIndex, markAsMissing, toRecordMembers } from './indexes.ts';
import type { Direction, Segment, SortKey } from './keyset.ts';

/** Member that breaks ties. Every row has a value. */
const TIE_BREAKER = 'createdAt';

/** A text that `query` searches: a member of the record, or columns of the root that a relationship leads to. */
export type SearchedText = string | { readonly relationship: string; readonly columns: readonly string[] };

/** All texts of a related customer that the index has. */
export const searchCustomer = (relationship = 'customer'): SearchedText => ({ relationship, columns: ['title', 'reference_number'] });

/** Texts of a customer that the upstream's own search knows. */
const CUSTOMER_TEXTS = 'title, name, email address, phone number or reference number';

/** Describes a `query` that searches a text of the record, and its customer. */
export const describeQuery = (text: string, customer = 'customer'): string =>
  `Text in the ${text}, or in the ${CUSTOMER_TEXTS} of the ${customer}. Without \`customer:read\`, only title and number are searched there.`;

/** What rows can be sorted by, if its name isn't that of the member. */
interface SortField {
  readonly member: string;
  readonly description: string;
}

interface SearchOptions<RecordShape extends object> {
  /** Name of the root in the analytics catalog. */
  readonly root: string;
  /** Decodes the upstream's JSON of the record. */
  decode(members: object): RecordShape;
  readonly query: {
    readonly description: string;
    readonly texts: readonly SearchedText[];
    /** Columns with the IDs of customers, which are also found by all texts that the upstream's own search knows. */
    readonly customers: readonly string[];
  };
  readonly filter: (f: FilterBinder) => FilterFields;
  /** What rows can be sorted by, with descriptions: timestamps, integers and enums. Named after their members, unless another one is specified. */
  readonly orderBy: Readonly<Record<string, string | SortField>>;
  /** Default: the connection has no facets. */
  readonly facets?: FacetFields;
}

/** The order of a search's results. */
export interface SearchSort {
  /** Value of the search's enum of sort fields. */
  readonly field: string;
  readonly direction: Direction;
}

/** A search over an index. */
export interface Search<RecordShape extends object> {
  readonly target: Entity<RecordShape>;
  /** The records, in the plural. */
  readonly noun: string;
  readonly index: Index;
  readonly filter: SearchFilter;
  readonly query: SearchOptions<RecordShape>['query'];
  readonly sortInput: InputRef<SearchSort>;
  readonly connection: ObjectRef<Types, ConnectionPage<RecordShape>>;
  /** Columns of the facets. */
  readonly facetColumns: readonly string[];
  /** What the search can use of the index. */
  readonly uses: readonly IndexUse[];
  readonly createSegments: (order: SearchSort) => { readonly segments: readonly Segment[]; readonly uses: readonly IndexUse[] };
  /**
   * Converts a row to a record that has only the members of these columns. If a value isn't available, returns null, or with `isPartial` a record that throws
   * when it's read.
   */
  readonly toRecord: (row: CellRow, columns: IndexColumns, isPartial?: boolean) => RecordShape | null;
}

/** A page of a search, and the counts of all its results, which are only read on demand. */
export class SearchPage<RecordShape> extends ConnectionPage<RecordShape> {
  readonly #readCounts: () => Promise<Counts>;
  #counts: Promise<Counts> | undefined;

  constructor(slice: TruncatableSlice<RecordShape, Position>, fingerprint: Fingerprint, readCounts: () => Promise<Counts>) {
    super(slice, fingerprint, { isTruncated: slice.isTruncated });
    this.#readCounts = readCounts;
  }

  override async countRows(): Promise<number> {
    return sumCounts(await this.readCounts());
  }

  /** One query counts for the total and all facets. */
  readCounts(): Promise<Counts> {
    this.#counts ??= this.#readCounts();
    return this.#counts;
  }
}

const toEnumName = (member: string) => member.replaceAll(/([A-Z])/g, '_$1').toUpperCase();

/** Creates the segments of a list that is sorted by a member. */
function createSegments({ columns, record }: Index, member: string, direction: Direction): readonly Segment[] {
  const createKey = (name: string, kind: SortKey['kind']): SortKey => ({ column: columns[name] ?? '', kind, direction });
  const tie = createKey(TIE_BREAKER, 'timestamp');
  if (member === TIE_BREAKER) return [{ condition: undefined, keys: [tie] }];
  const { kind, type = '', presence, unit } = record.fields[member] ?? {};
  const column = columns[member] ?? '';
  if (kind === 'enum') {
    const values = (enums[type] ?? []).slice(1).map(({ name }) => ({ text: name }));
    const known = values.map((value) => compare(column, 'EQ', value));
    // Values that the contract doesn't have come last, in both directions.
    const conditions = [...(direction === 'ASC' ? known : known.reverse()), compare(column, 'NOT_IN', ...values)];
    return conditions.map((condition) => ({ condition, keys: [tie] }));
  }
  const keys = [createKey(member, unit === 'MOMENT' ? 'timestamp' : 'integer'), tie];
  if (presence !== 'optional') return [{ condition: undefined, keys }];
  return [
    { condition: compare(column, 'IS_NOT_NULL'), keys },
    { condition: compare(column, 'IS_NULL'), keys: [tie] },
  ];
}

/** Operators that sort columns must have, to continue a list after a row. */
const PAGE_OPERATORS = ['EQ', 'LT', 'LTE', 'GT', 'GTE'];

/** Columns and operators that segments depend on. */
function listUses(root: string, segments: readonly Segment[]): readonly IndexUse[] {
  const path = ['orderBy', 'field'];
  return segments.flatMap(({ condition, keys }) => [
    ...listCompared(condition).map(({ field = '', operator = '' }) => ({ root, column: field, operator, path })),
    ...keys.flatMap(({ column }) => PAGE_OPERATORS.map((name) => ({ root, column, operator: `ANALYTICS_OPERATOR_${name}`, path }))),
  ]);
}

/** What a `query` needs to match the customers that the upstream's own search finds. */
export const listCustomerUses = (root: string, { customers }: Search<object>['query']): readonly IndexUse[] =>
  customers.map((column) => ({ root, column, operator: 'ANALYTICS_OPERATOR_IN', path: ['query'] }));

const listCompared = (condition: IndexCondition | undefined) => (condition?.compare ? [condition.compare] : []);

function defineSortInput(name: string, sortFields: ReadonlyMap<string, SortField>, noun: string): InputRef<SearchSort> {
  const values = Object.fromEntries([...sortFields].map(([field, { description }]) => [field, description]));
  const field = builder.enumType(`${name}SortField`, {
    description: `What ${noun} are sorted by. Ties are sorted by creation time, then by ID, in the same direction.`,
    values: describeValues(values),
  }) as EnumRef<Types, string>;
  return builder.inputRef<SearchSort>(`${name}SortInput`).implement({
    description: `Sort order of searched ${noun}.`,
    fields: (t) => ({
      field: t.field({ type: field, required: true, description: 'What to sort by.' }),
      direction: t.field({ type: SortDirection, required: true, defaultValue: 'DESC', description: 'Sort direction. Default `DESC`.' }),
    }),
  });
}

/** Defines the connection type of a search with facets. A search without facets returns the connection of the node's lists. */
function defineSearchConnection<RecordShape extends object>(
  node: ObjectRef<Types, RecordShape>,
  name: string,
  noun: string,
  facets: ObjectRef<Types, Counts>,
): ObjectRef<Types, SearchPage<RecordShape>> {
  const connection = defineConnection(node, name) as ObjectRef<Types, SearchPage<RecordShape>>;
  builder.objectField(connection, 'facets', (t) =>
    t.field({
      type: facets,
      description: `Numbers of matching ${noun} by value, on all pages. Costs 10 calls, once for \`totalCount\` and \`facets\` together.`,
      extensions: NULL_ONLY_WITH_ERROR,
      resolve: (page) => page.readCounts(),
    }),
  );
  return connection;
}

/** Defines the types of a search: its filter, sort orders, connection and facets. */
export function defineSearch<RecordShape extends object>(
  target: Entity<RecordShape>,
  noun: string,
  { root, decode, query, filter, orderBy, facets = {} }: SearchOptions<RecordShape>,
): Search<RecordShape> {
  const name = `${target.name}Search`;
  const index = getIndex(root);
  const facetsRef = Object.keys(facets).length > 0 ? defineFacets(name, index, facets) : undefined;
  const sortFields = new Map(
    Object.entries(orderBy).map(([field, value]) => [
      toEnumName(field),
      typeof value === 'string' ? { member: field, description: value } : value,
    ]),
  );
  const create = ({ field, direction }: SearchSort) => {
    const segments = createSegments(index, sortFields.get(field)?.member ?? TIE_BREAKER, direction);
    return { segments, uses: listUses(root, segments) };
  };
  const declared = declareSearchFilter(root, filter);
  const sortUses = [...sortFields.keys()].flatMap((field) => create({ field, direction: 'ASC' }).uses);
  const search: Search<RecordShape> = {
    target,
    noun,
    index,
    filter: declared,
    query,
    sortInput: defineSortInput(name, sortFields, noun),
    connection: facetsRef ? defineSearchConnection(target.ref, name, noun, facetsRef) : defineConnection(target.ref),
    facetColumns: Object.values(facets).map(({ member }) => index.columns[member] ?? ''),
    uses: [...declared.uses, ...sortUses, ...listCustomerUses(root, query)],
    createSegments: create,
    toRecord: (row, columns, isPartial = false) => {
      const { members, missing } = toRecordMembers(index, columns, row);
      if (missing.length > 0 && !isPartial) return null;
      const decoded = decode(members);
      for (const member of missing) markAsMissing(decoded, member);
      return decoded;
    },
  };
  searches.push(search as unknown as Search<object>);
  return search;
}

const searches: Search<object>[] = [];

/** All searches, once the graph has been built. */
export const listSearches = (): readonly Search<object>[] => searches;

/** Name of a search's root field. */
export const getSearchName = (target: string): string => `${target.charAt(0).toLowerCase()}${target.slice(1)}Search`;

/** Completes the description of a list with a reference to the search of its records, if there is one. */
export function withSearch(description: string, node: string): string {
  const search = searches.find(({ target }) => target.name === node);
  return search ? `${description} To filter, sort and count all ${search.noun}, use \`${getSearchName(node)}\`.` : description;
}
