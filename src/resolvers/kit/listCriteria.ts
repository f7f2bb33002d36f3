import type { InputObjectRef } from '@pothos/core';
import { invalidInput, type ValidationError } from '../../failures/failures.ts';
import type { JsonObject } from '../../lib/json.ts';
import { toWords } from '../../lib/words.ts';
import { builder, type Types } from '../../schema/kit/builder.ts';
import { describeValues, type WireEnum, type WireEnumValue } from '../../schema/kit/enums.ts';
import { type InputMembers, unbound } from '../../schema/kit/inputs.ts';
import { MoneyConditionInput, type MoneyConditionValue, toAmountLimits } from '../../schema/kit/money.ts';
import { type RangeLimits, TimeConditionInput, toTimeLimits } from '../../schema/kit/ranges.ts';
import { SortDirection } from '../../schema/kit/sortDirection.ts';
import type { AnyOperation, Operation } from '../../upstream/contract/operation.ts';
import type { ListRow } from '../../upstream/contract/rows.ts';
import { ARGUMENT, declareFilter, type ListFilter } from './filters.ts';
import { StatusCondition } from './statusCondition.ts';

/** A record in one of a customer's lists: an order, a quote, or an invoice. Timestamps and amounts are integers, as strings. */
interface SalesRecord {
  readonly status: WireEnumValue;
  readonly currency: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly totalOnceMinor: string;
  readonly totalMonthlyMinor: string;
  readonly totalYearlyMinor: string;
}

interface CriteriaOptions<Record> {
  readonly status: WireEnum<string, string>;
  /** Timestamps that only this type has, by what happened to the record then: `canceled`. */
  readonly times?: { readonly [Name in Exclude<keyof Record, keyof SalesRecord> & string]?: string };
  /** What to do if the list is too long, as a sentence. */
  readonly alternative: string;
}

/** A value of a record. Values of different currencies aren’t compared. */
interface Comparable {
  /** Currency of an amount. Empty for a timestamp. */
  readonly currency: string;
  readonly value: bigint;
}

/** A field to filter and sort by. */
interface Criterion<Entry> {
  readonly isTime: boolean;
  /** Undefined if the record has no value, or if it isn’t an integer. */
  readonly getValue: (row: Entry) => Comparable | undefined;
  readonly sortDescription: string;
  readonly filterDescription: string;
}

interface CriterionRange extends RangeLimits {
  readonly currency: string;
}

interface SortOrder {
  readonly field: string;
  readonly direction: 'ASC' | 'DESC';
}

/** Returns the conditions of a list's arguments. */
export const getConditions = ({ filter }: CriteriaArgs): JsonObject => (filter ?? {}) as JsonObject;

/** The order in which the upstream returns these lists. */
const UPSTREAM_ORDER: SortOrder = { field: 'CREATED_AT', direction: 'DESC' };

/** Arguments with conditions and a sort order. */
export interface CriteriaArgs {
  /** Value of the filter input. */
  readonly filter?: unknown;
  readonly orderBy?: SortOrder | null | undefined;
}

/** Filters and sorts a list in memory. */
export interface Refinement<Entry> {
  /** Identifies the conditions and the sort order, in JSON. */
  readonly key: object;
  readonly refine: (rows: readonly Entry[], identify: (row: Entry) => string | undefined) => Entry[];
  /** See `RowOrder`. Undefined if the list isn’t sorted by time: cursors contain no amounts. */
  readonly getRank: ((row: Entry) => number | undefined) | undefined;
  readonly createTooLongError: (maxRows: number) => ValidationError;
}

/**
 * Assumed number of rows of a list that is read as a whole. Chosen: two pages, because few customers have more than a hundred orders. Counting the maximum of
 * ten pages would reject documents that need a tenth of their cost. The limit of calls per request stops an operation that needs more.
 */
export const ASSUMED_ROWS = 200;

/** What a list can be filtered and sorted by. */
export interface Criteria<Entry> {
  /** Input type of the sort order. Undefined if the list can't be sorted. */
  readonly orderBy?: InputObjectRef<Types, SortOrder>;
  /** Assumed number of rows to read for these arguments. Undefined for those of one page. See `CostExtensions`. */
  readonly countRows: (args: CriteriaArgs) => number | undefined;
  /** Returns how to filter and sort the list in memory. Undefined if the upstream does. Throws ValidationError for invalid conditions. */
  readonly compile: (args: CriteriaArgs) => Refinement<Entry> | undefined;
}

const INTEGER = /^-?\d+$/;

const isSet = (value: unknown) => value !== undefined && value !== null;

/** `CREATED_AT` for `createdAt`. */
const toEnumName = (name: string) => toWords(name).replaceAll(' ', '_').toUpperCase();

const compare = <Value extends bigint | string>(one: Value, other: Value): number => (one < other ? -1 : Number(one > other));

const matches = ({ currency, gte, lt }: CriterionRange, actual: Comparable | undefined): boolean =>
  actual !== undefined && actual.currency === currency && (gte === null || actual.value >= gte) && (lt === null || actual.value < lt);

/** Compares values by currency, then by size. Missing values are last in both directions. */
function compareValues(one: Comparable | undefined, other: Comparable | undefined, sign: number): number {
  if (!one || !other) return Number(!one) - Number(!other);
  return compare(one.currency, other.currency) || sign * compare(one.value, other.value);
}

/** A timestamp. Its field has the name of its member. */
const createTime = <Entry>(nouns: string, member: string, event: string): Criterion<Entry> => ({
  isTime: true,
  getValue: (row) => {
    const seconds = (row as Readonly<Record<string, string | undefined>>)[member];
    return seconds !== undefined && seconds !== '0' && INTEGER.test(seconds) ? { currency: '', value: BigInt(seconds) } : undefined;
  },
  filterDescription: `Only ${nouns} that were ${event} in this time range.`,
  sortDescription: `When the ${nouns} were ${event}.`,
});

/** Totals that all of these records have. */
const TOTALS = { totalOnce: 'one-off total', totalMonthly: 'monthly total', totalYearly: 'yearly total' } as const;

/** An amount of money. Its member is `totalOnceMinor` for `totalOnce`. */
const createTotal = <Entry extends SalesRecord>(nouns: string, name: keyof typeof TOTALS): Criterion<Entry> => ({
  isTime: false,
  getValue: (row) => {
    const minorUnits = row[`${name}Minor`];
    return row.currency !== '' && INTEGER.test(minorUnits) ? { currency: row.currency, value: BigInt(minorUnits) } : undefined;
  },
  filterDescription: `Only ${nouns} whose ${TOTALS[name]} is in this range.`,
  sortDescription: `The ${TOTALS[name]}. Amounts are sorted within their currency, and currencies by their code.`,
});

/** Criteria of lists that the upstream only filters by one status, if at all. The rest is done in memory. */
class SalesCriteria<Entry extends SalesRecord> implements Criteria<Entry> {
  readonly filter: ListFilter<object>;
  readonly orderBy: InputObjectRef<Types, SortOrder>;
  readonly #status: StatusCondition;
  readonly #criteria: ReadonlyMap<string, Criterion<Entry>>;
  readonly #nouns: string;
  readonly #alternative: string;

  constructor(operation: AnyOperation, name: string, { status, times = {}, alternative }: CriteriaOptions<Entry>) {
    const nouns = toWords(operation.page?.items ?? '');
    this.#nouns = nouns;
    this.#status = new StatusCondition(status, operation.request);
    this.#alternative = alternative;
    const events = { createdAt: 'created', updatedAt: 'last updated', ...times };
    this.#criteria = new Map([
      ...Object.entries(events).map(([member, event]) => [member, createTime<Entry>(nouns, member, event)] as const),
      ...(Object.keys(TOTALS) as (keyof typeof TOTALS)[]).map((total) => [total, createTotal<Entry>(nouns, total)] as const),
    ]);
    this.filter = declareFilter(operation, { name }, () => this.#bindMembers());
    this.orderBy = this.#declareOrder(name);
  }

  #bindMembers(): InputMembers {
    return {
      ...this.#status.bindMembers(this.#nouns),
      ...Object.fromEntries(
        [...this.#criteria].map(([name, { isTime, filterDescription }]) => [
          name,
          unbound(isTime ? TimeConditionInput : MoneyConditionInput, filterDescription),
        ]),
      ),
    };
  }

  #declareOrder(name: string): InputObjectRef<Types, SortOrder> {
    const values = [...this.#criteria].map(([field, { sortDescription }]) => [toEnumName(field), sortDescription]);
    const Field = builder.enumType(`${name}SortField`, {
      description: `A value to sort ${this.#nouns} by.`,
      values: describeValues(Object.fromEntries(values)),
    });
    return builder.inputType(`${name}SortInput`, {
      description: `A sort order of ${this.#nouns}. Equal values are sorted by creation time, then by ID, in the same direction. Missing values are last.`,
      fields: (t) => ({
        field: t.field({ type: Field, required: true, description: 'Value to sort by.' }),
        direction: t.field({
          type: SortDirection,
          required: true,
          defaultValue: 'DESC',
          description: 'Sort direction. Defaults to `DESC`.',
        }),
      }),
    });
  }

  /** Whether the list must be read as a whole, because the upstream doesn’t filter or sort it in this way. */
  #needsWholeList(args: CriteriaArgs): boolean {
    const conditions = getConditions(args);
    return (
      this.#needsSorting(args) ||
      this.#status.needsWholeList(conditions) ||
      [...this.#criteria.keys()].some((name) => Object.values(conditions[name] ?? {}).some(isSet))
    );
  }

  readonly countRows = (args: CriteriaArgs): number | undefined => (this.#needsWholeList(args) ? ASSUMED_ROWS : undefined);

  #needsSorting({ orderBy }: CriteriaArgs): boolean {
    const { field, direction } = orderBy ?? UPSTREAM_ORDER;
    return field !== UPSTREAM_ORDER.field || direction !== UPSTREAM_ORDER.direction;
  }

  #getRanges(args: CriteriaArgs): ReadonlyMap<string, CriterionRange> {
    const ranges = [...this.#criteria].flatMap(([name, { isTime }]): [string, CriterionRange][] => {
      const condition = getConditions(args)[name];
      if (!isSet(condition)) return [];
      const path = [ARGUMENT, name];
      if (isTime) return [[name, { currency: '', ...toTimeLimits(condition as object, path) }]];
      const money = condition as MoneyConditionValue;
      return [[name, { currency: money.currencyCode, ...toAmountLimits(money, path) }]];
    });
    return new Map(ranges.filter(([, { currency, gte, lt }]) => currency !== '' || gte !== null || lt !== null));
  }

  compile(args: CriteriaArgs): Refinement<Entry> | undefined {
    const statuses = this.#status.getStatuses(getConditions(args));
    const ranges = this.#getRanges(args);
    if (!this.#needsWholeList(args)) return undefined;
    const order = args.orderBy ?? UPSTREAM_ORDER;
    const sortedBy = [...this.#criteria].find(([name]) => toEnumName(name) === order.field)?.[1];
    if (!sortedBy) throw new Error(`No list is sorted by ${order.field}.`);
    const sign = order.direction === 'ASC' ? 1 : -1;
    const isMatch = (row: Entry) =>
      this.#status.isMatch(statuses, row.status) &&
      [...ranges].every(([name, range]) => matches(range, this.#criteria.get(name)?.getValue(row)));
    return {
      key: {
        statuses: statuses && [...statuses].sort(),
        ranges: [...ranges].map(([name, { currency, gte, lt }]) => [name, currency, String(gte), String(lt)]),
        order,
      },
      refine: (rows, identify) => sortRows(rows.filter(isMatch), sortedBy, sign, identify),
      getRank: sortedBy.isTime ? (row) => toRank(sortedBy.getValue(row), sign) : undefined,
      createTooLongError: (maxRows) =>
        invalidInput(
          [this.#needsSorting(args) ? 'orderBy' : ARGUMENT],
          'OUT_OF_RANGE',
          `requires reading all ${this.#nouns} of the customer, but there are more than ${maxRows}. ${this.#alternative}`,
          maxRows,
        ),
    };
  }
}

const toRank = (value: Comparable | undefined, sign: number) => (value ? sign * Number(value.value) : undefined);

/** Sorts rows by a value, then by creation time and ID. */
function sortRows<Entry extends SalesRecord>(
  rows: readonly Entry[],
  { getValue }: Criterion<Entry>,
  sign: number,
  identify: (row: Entry) => string | undefined,
): Entry[] {
  const keyed = rows.map((row) => ({
    row,
    value: getValue(row),
    createdAt: BigInt(INTEGER.test(row.createdAt) ? row.createdAt : 0),
    id: identify(row) ?? '',
  }));
  keyed.sort(
    (one, other) =>
      compareValues(one.value, other.value, sign) || sign * compare(one.createdAt, other.createdAt) || sign * compare(one.id, other.id),
  );
  return keyed.map(({ row }) => row);
}

/** Defines what a list of a customer’s records can be filtered and sorted by: the options `filter` and `criteria` of the list. */
export function defineCriteria<Response>(
  operation: Operation<never, Response>,
  { name }: { readonly name: string },
  options: CriteriaOptions<ListRow<Response>>,
): { readonly filter: ListFilter<object>; readonly criteria: Criteria<ListRow<Response>> } {
  const criteria = new SalesCriteria<ListRow<Response> & SalesRecord>(operation, name, options);
  return { filter: criteria.filter, criteria: criteria as Criteria<ListRow<Response>> };
}
