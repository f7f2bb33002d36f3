import type { InputObjectRef } from '@pothos/core';
import { invalidInput, type ValidationError } from '../../failures/failures.ts';
import type { JsonObject } from '../../lib/json.ts';
import { toPlural, toWords } from '../../lib/words.ts';
import { builder, type Types } from '../../schema/kit/builder.ts';
import { describeValues, type WireEnum } from '../../schema/kit/enums.ts';
import type { Binder, InputMembers } from '../../schema/kit/inputs.ts';
import type { Entity } from '../../schema/kit/registry.ts';
import { SortDirection } from '../../schema/kit/sortDirection.ts';
import type { MessageFields } from '../../upstream/contract/fields.ts';
import type { AnyOperation, Operation } from '../../upstream/contract/operation.ts';
import type { ListRow } from '../../upstream/contract/rows.ts';
import {
  type Comparable,
  createAmountCondition,
  createReferenceCondition,
  createStatusCondition,
  createTimeCondition,
  type GetComparable,
  getAmount,
  getTime,
  type ListCondition,
} from './conditions.ts';
import { ARGUMENT, declareFilter, type ListFilter } from './filters.ts';

interface SortOrder {
  readonly field: string;
  readonly direction: 'ASC' | 'DESC';
}

interface CriteriaOptions<Message extends MessageFields, Entry> {
  /** Conditions that the upstream applies. */
  readonly conditions?: (f: Binder<Message>) => InputMembers;
  readonly status: WireEnum<string, string>;
  /** Conditions on the records that a row refers to, by name, with the member of the row that has the ID. */
  readonly references?: Readonly<Record<string, readonly [to: Pick<Entity<object>, 'name'>, member: keyof Entry & string]>>;
  /** Timestamps to filter and sort by, with what happens to the record then: `created`. */
  readonly times?: { readonly [Name in keyof Entry & string]?: string };
  /** Amounts to filter and sort by. The member of `totalOnce` is `totalOnceMinor`. */
  readonly amounts?: Readonly<Record<string, string>>;
  /** The order in which the upstream returns the list. Its field is one of `times`. Undefined if the list can't be sorted. */
  readonly upstreamOrder?: SortOrder;
  /** Sort value of a row in the upstream's order. See the option of `list` with the same name. */
  readonly sortedBy: (row: Entry) => number | undefined;
  /** What to do if the list is too long, as a sentence. */
  readonly alternative: string;
}

/** A value to sort by. */
interface SortValue<Entry> {
  readonly description: string;
  readonly getValue: GetComparable<Entry>;
  readonly isTime: boolean;
}

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
const ASSUMED_ROWS = 200;

/** What a list can be filtered and sorted by. */
export interface Criteria<Entry> {
  /** Input type of the sort order. Undefined if the list can't be sorted. */
  readonly orderBy?: InputObjectRef<Types, SortOrder> | undefined;
  /** Assumed number of rows to read for these arguments. Undefined for those of one page. See `CostExtensions`. */
  readonly countRows: (args: CriteriaArgs) => number | undefined;
  /** Returns how to filter and sort the list in memory. Undefined if the upstream does. Throws ValidationError for invalid conditions. */
  readonly compile: (args: CriteriaArgs) => Refinement<Entry> | undefined;
}

/** Name of the condition on the status. */
const STATUSES = 'statuses';

/** `CREATED_AT` for `createdAt`. */
const toEnumName = (name: string) => toWords(name).replaceAll(' ', '_').toUpperCase();

const compare = <Value extends bigint | string>(one: Value, other: Value): number => (one < other ? -1 : Number(one > other));

/** Compares values by currency, then by size. Missing values are last in both directions. */
function compareValues(one: Comparable | undefined, other: Comparable | undefined, sign: number): number {
  if (!one || !other) return Number(!one) - Number(!other);
  return compare(one.currency, other.currency) || sign * compare(one.value, other.value);
}

/** Returns how to sort rows by a value, then by creation time and ID. */
function createSort<Entry extends object>({ getValue, isTime }: SortValue<Entry>, { direction }: SortOrder) {
  const sign = direction === 'ASC' ? 1 : -1;
  const getCreation = getTime('createdAt');
  const sort = (rows: readonly Entry[], identify: (row: Entry) => string | undefined): Entry[] => {
    const keyed = rows.map((row) => ({
      row,
      value: getValue(row),
      createdAt: getCreation(row)?.value ?? 0n,
      id: identify(row) ?? '',
    }));
    keyed.sort(
      (one, other) =>
        compareValues(one.value, other.value, sign) || sign * compare(one.createdAt, other.createdAt) || sign * compare(one.id, other.id),
    );
    return keyed.map(({ row }) => row);
  };
  const getRank = (row: Entry) => {
    const comparable = getValue(row);
    return comparable && sign * Number(comparable.value);
  };
  return { sort, getRank: isTime ? getRank : undefined };
}

/** Identifies conditions and an order. Cursors are bound to it, so it has the same form as in 0.2.0, whose replicas may have created them. */
function createKey(
  conditions: readonly { readonly name: string; readonly key: readonly unknown[] }[],
  order: SortOrder | undefined,
): object {
  const [statuses, others] = [conditions.find(({ name }) => name === STATUSES), conditions.filter(({ name }) => name !== STATUSES)];
  const ranges = others.map(({ name, key }) => [name, ...key]);
  return { statuses: statuses?.key, ...((order || ranges.length > 0) && { ranges, order }) };
}

/** Criteria of a list. The upstream applies what it can, and the graph the rest, in memory. */
class ListCriteria<Entry extends object> implements Criteria<Entry> {
  readonly #nouns: string;
  readonly #options: CriteriaOptions<MessageFields, Entry>;
  readonly #conditions = new Map<string, ListCondition<Entry>>();
  readonly #sortValues = new Map<string, SortValue<Entry>>();
  readonly filter: ListFilter<object>;
  readonly orderBy: InputObjectRef<Types, SortOrder> | undefined;

  constructor(operation: AnyOperation, name: string, options: CriteriaOptions<MessageFields, Entry>) {
    this.#nouns = toWords(operation.page?.items ?? '');
    this.#options = options;
    this.#addConditions(operation.request);
    const members = Object.fromEntries([...this.#conditions].map(([condition, { member }]) => [condition, member]));
    this.filter = declareFilter(operation, { name }, (f) => ({ ...options.conditions?.(f as Binder<MessageFields>), ...members }));
    this.orderBy = options.upstreamOrder && this.#declareOrder(name);
  }

  #addConditions(request: MessageFields): void {
    const { status, references = {}, times = {}, amounts = {}, upstreamOrder } = this.#options;
    const nouns = this.#nouns;
    const cost = upstreamOrder ? '' : ` More than one requires reading the whole list, with one upstream call per 100 ${nouns}.`;
    this.#conditions.set(STATUSES, createStatusCondition(`Only ${nouns} with any of these statuses.${cost}`, status, request));
    for (const [name, [target, member]] of Object.entries(references)) {
      const description = `Only ${nouns} of any of these ${toPlural(toWords(name.replace(/Ids$/, '')))}.`;
      this.#conditions.set(name, createReferenceCondition<Entry>(description, target, member));
    }
    for (const [name, event] of Object.entries(times) as [string, string][]) {
      const getValue = getTime(name);
      this.#conditions.set(name, createTimeCondition(`Only ${nouns} that ${event} in this time range.`, getValue));
      this.#sortValues.set(toEnumName(name), { description: `When the ${nouns} ${event}.`, getValue, isTime: true });
    }
    for (const [name, noun] of Object.entries(amounts)) {
      const getValue = getAmount(`${name}Minor`);
      this.#conditions.set(name, createAmountCondition(`Only ${nouns} whose ${noun} is in this range.`, getValue));
      const description = `The ${noun}. Amounts are sorted within their currency, and currencies by their code.`;
      this.#sortValues.set(toEnumName(name), { description, getValue, isTime: false });
    }
  }

  #declareOrder(name: string): InputObjectRef<Types, SortOrder> {
    const Field = builder.enumType(`${name}SortField`, {
      description: `A value to sort ${this.#nouns} by.`,
      values: describeValues(Object.fromEntries([...this.#sortValues].map(([field, { description }]) => [field, description]))),
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

  /** The conditions that are set, with their values. */
  #listConditions({ filter }: CriteriaArgs) {
    const values = (filter ?? {}) as JsonObject;
    return [...this.#conditions].flatMap(([name, condition]) => {
      const value = values[name];
      return value === null || value === undefined ? [] : [{ name, value, condition }];
    });
  }

  #needsSorting({ orderBy }: CriteriaArgs): boolean {
    const { upstreamOrder } = this.#options;
    return !!orderBy && (orderBy.field !== upstreamOrder?.field || orderBy.direction !== upstreamOrder.direction);
  }

  /** Returns the path of the first argument that the upstream can't apply, so that the list is read as a whole. Undefined if it can apply all of them. */
  #findInMemory(args: CriteriaArgs): readonly string[] | undefined {
    if (this.#needsSorting(args)) return ['orderBy'];
    const found = this.#listConditions(args).find(({ condition, value }) => condition.isInMemory(value));
    return found && [ARGUMENT, found.name];
  }

  readonly countRows = (args: CriteriaArgs): number | undefined => (this.#findInMemory(args) ? ASSUMED_ROWS : undefined);

  compile(args: CriteriaArgs): Refinement<Entry> | undefined {
    const compiled = this.#listConditions(args).flatMap(({ name, value, condition }) => {
      const row = condition.compile(value, [ARGUMENT, name]);
      return row ? [{ name, ...row }] : [];
    });
    const path = this.#findInMemory(args);
    if (!path) return undefined;
    const { upstreamOrder, sortedBy, alternative } = this.#options;
    const order = args.orderBy ?? upstreamOrder;
    const sortValue = order && this.#sortValues.get(order.field);
    const sorted = order && sortValue && createSort(sortValue, order);
    const filterRows = (rows: readonly Entry[]) => rows.filter((row) => compiled.every(({ isMatch }) => isMatch(row)));
    return {
      key: createKey(compiled, order),
      refine: (rows, identify) => (sorted ? sorted.sort(filterRows(rows), identify) : filterRows(rows)),
      getRank: sorted ? sorted.getRank : sortedBy,
      createTooLongError: (maxRows) =>
        invalidInput(
          path,
          'OUT_OF_RANGE',
          `requires reading the whole list of ${this.#nouns}, but it has more than ${maxRows}. ${alternative}`,
          maxRows,
        ),
    };
  }
}

/**
 * Defines what a list can be filtered and sorted by: the options `filter`, `criteria` and `sortedBy` of the list. A condition or an order that the upstream doesn't
 * support requires reading the whole list, because pages of several lists can't be merged without gaps. `name` is the prefix of the input types.
 */
export function defineCriteria<Message extends MessageFields, Response>(
  operation: Operation<never, Response> & AnyOperation & { readonly request: Message },
  { name }: { readonly name: string },
  options: CriteriaOptions<Message, ListRow<Response>>,
): {
  readonly filter: ListFilter<object>;
  readonly criteria: Criteria<ListRow<Response>>;
  readonly sortedBy: (row: ListRow<Response>) => number | undefined;
} {
  const criteria = new ListCriteria<ListRow<Response> & object>(operation, name, options as never);
  return { filter: criteria.filter, criteria: criteria as Criteria<ListRow<Response>>, sortedBy: options.sortedBy };
}
