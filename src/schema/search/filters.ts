import type { ImplementableInputObjectRef, InputFieldRef } from '@pothos/core';
import { invalidInput } from '../../failures/failures.ts';
import { countDecimals, formatInstant, type Instant } from '../../lib/instant.ts';
import { toWords } from '../../lib/words.ts';
import type { Index, MessageField } from '../../upstream/contract/fields.ts';
import { builder, type InputFields, type Types } from '../kit/builder.ts';
import type { WireEnum } from '../kit/enums.ts';
import { toRawId } from '../kit/globalIds.ts';
import type { InputPath } from '../kit/inputPaths.ts';
import { countJsonBytes } from '../kit/jsonValues.ts';
import { checkTimeOrder, TimeConditionInput } from '../kit/ranges.ts';
import type { SizeExtensions } from '../kit/valueSizes.ts';
import { all, any, compare, type IndexCondition, measure, type OperatorName } from './conditions.ts';
import { getIndex } from './indexes.ts';
import { MAX_VALUES, NullableTimeConditionInput, type TextCondition, TextConditionInput, type TimeCondition } from './inputs.ts';

type FilterRef = ImplementableInputObjectRef<Types, object>;

/**
 * Limits of a filter. Chosen: less than the upstream's (100 conditions, 8 levels, 32 KiB), because others are added to the filter: up to 12 of `query`, 7 of the
 * position of a page, and their conjunction. The IDs of customers that `query` finds take up to 10 KB.
 */
export const MAX_CONDITIONS = 85;
export const MAX_CONDITIONS_WITH_QUERY = 80;
const MAX_LEVELS = 7;
const MAX_BYTES = 6 * 1024;

/** Maximum number of digits after the decimal point of a timestamp's seconds. Source: the upstream's limits. */
const MAX_DECIMALS = 6;

/** Maximum nesting depth of relationships. Source: the upstream's limits. */
const MAX_RELATIONSHIPS = 2;

/** A column or relationship that a search depends on, with the path of the argument that refers to it. */
export interface IndexUse {
  readonly root: string;
  readonly path: InputPath;
  /** Exactly one of these is set. */
  readonly column?: string;
  readonly relationship?: string;
  /** Operator of the contract that the column must have. */
  readonly operator?: string;
}

/** State of a conversion from a filter to a condition. */
class Conversion {
  readonly uses: IndexUse[] = [];

  compare(
    index: Index,
    column: string,
    path: InputPath,
    ...[operator, ...values]: Parameters<typeof compare> extends [string, ...infer Rest] ? Rest : never
  ) {
    this.uses.push({ root: index.root, column, operator: `ANALYTICS_OPERATOR_${operator}`, path });
    return compare(column, operator, ...values);
  }
}

/** A value of a filter, and where it is. */
interface Located<Value> {
  readonly value: Value;
  readonly path: InputPath;
  readonly conversion: Conversion;
  /** Number of relationships and groups that contain it. */
  readonly hops: number;
  readonly depth: number;
}

/** A field of a filter. */
interface FilterField<Value = never> {
  /** What its conditions can use. */
  readonly uses: readonly IndexUse[];
  readonly declare: (t: InputFields) => InputFieldRef<Types, unknown>;
  readonly toCondition: (located: Located<Value>) => IndexCondition | undefined;
}

export type FilterFields = Readonly<Record<string, FilterField>>;

function checkList(values: readonly unknown[], path: InputPath): void {
  if (values.length === 0) throw invalidInput(path, 'TOO_SHORT', 'must have at least 1 item. Omit it to match everything.', 1);
  if (values.length > MAX_VALUES)
    throw invalidInput(path, 'TOO_LONG', `must have at most ${MAX_VALUES} items, but has ${values.length}.`, MAX_VALUES);
}

/** Rejects text that can't be searched for. U+0000 isn't documented upstream; chosen, because databases can't store it. */
export function requireText(text: string, path: InputPath): string {
  if (text.trim() === '') throw invalidInput(path, 'BLANK', 'must not be blank. Omit it to match everything.');
  if (text.includes('\0')) throw invalidInput(path, 'INVALID_FORMAT', 'must not contain U+0000.');
  return text;
}

/** Creates the fields of a filter from the columns of an index. Members are those of the record. */
export class FilterBinder {
  readonly #index: Index;

  constructor(index: Index) {
    this.#index = index;
  }

  #bind(member: string): readonly [column: string, field: MessageField] {
    const column = this.#index.columns[member];
    const field = this.#index.record.fields[member];
    if (!column || !field) throw new Error(`${member} isn’t a column of ${this.#index.root}.`);
    return [column, field];
  }

  /** What conditions on a column with these operators use. */
  #listUses(column: string, ...operators: readonly OperatorName[]): readonly IndexUse[] {
    return operators.map((operator) => ({ root: this.#index.root, column, operator: `ANALYTICS_OPERATOR_${operator}`, path: [] }));
  }

  #anyOf(
    member: string,
    type: unknown,
    description: string,
    toText: (value: string, path: InputPath) => string,
  ): FilterField<readonly string[]> {
    const [column] = this.#bind(member);
    return {
      uses: this.#listUses(column, 'IN'),
      declare: (t) =>
        t.field({
          type: [type] as ['String'],
          description: `${description} Up to ${MAX_VALUES} items.`,
          extensions: { maxItems: MAX_VALUES } satisfies SizeExtensions,
        }),
      toCondition: ({ value, path, conversion }) => {
        checkList(value, path);
        const texts = value.map((each, index) => ({ text: toText(each, [...path, String(index)]) }));
        return conversion.compare(this.#index, column, path, 'IN', ...texts);
      },
    };
  }

  /** Rows with any of these values of an enum. */
  enumValues<Member extends string>(member: string, { ref, toWire }: WireEnum<Member, string>, description: string) {
    return this.#anyOf(member, ref, description, (value, path) => toWire(value as Member, path));
  }

  /** Rows that refer to any of these records. */
  ids(member: string, description: string) {
    const [, { refers = '' }] = this.#bind(member);
    return this.#anyOf(member, 'ID', description, (id, path) => requireText(toRawId(refers, id, path), path));
  }

  currencies(member: string, description: string) {
    return this.#anyOf(member, 'CurrencyCode', description, (code) => code);
  }

  text(member: string, description: string): FilterField<TextCondition> {
    const [column] = this.#bind(member);
    return {
      uses: this.#listUses(column, 'EQ', 'CONTAINS', 'IN'),
      declare: (t) => t.field({ type: TextConditionInput, description }),
      toCondition: ({ value: { eq, contains, anyOf }, path, conversion }) => {
        if (typeof eq === 'string') return conversion.compare(this.#index, column, path, 'EQ', { text: requireText(eq, [...path, 'eq']) });
        if (typeof contains === 'string')
          return conversion.compare(this.#index, column, path, 'CONTAINS', { text: requireText(contains, [...path, 'contains']) });
        const at = [...path, 'anyOf'];
        checkList(anyOf ?? [], at);
        const values = (anyOf ?? []).map((text, index) => ({ text: requireText(text, [...at, String(index)]) }));
        return conversion.compare(this.#index, column, at, 'IN', ...values);
      },
    };
  }

  /** A time range. Columns that can be empty also have `isNull`. */
  time(member: string, description: string): FilterField<TimeCondition> {
    const [column, { presence }] = this.#bind(member);
    const type = presence === 'optional' ? NullableTimeConditionInput : TimeConditionInput;
    const toValue = (instant: Instant, path: InputPath) => {
      if (countDecimals(instant) > MAX_DECIMALS)
        throw invalidInput(path, 'INVALID_FORMAT', `must have at most ${MAX_DECIMALS} digits of fractional seconds.`);
      return { timestamp: formatInstant(instant) };
    };
    return {
      uses: this.#listUses(column, 'GTE', 'LT', ...(presence === 'optional' ? (['IS_NULL', 'IS_NOT_NULL'] as const) : [])),
      declare: (t) => t.field({ type, description }),
      toCondition: ({ value, path, conversion }) => {
        const { gte, lt, isNull } = value;
        checkTimeOrder(value, path);
        return all(
          gte ? conversion.compare(this.#index, column, [...path, 'gte'], 'GTE', toValue(gte, [...path, 'gte'])) : undefined,
          lt ? conversion.compare(this.#index, column, [...path, 'lt'], 'LT', toValue(lt, [...path, 'lt'])) : undefined,
          typeof isNull === 'boolean'
            ? conversion.compare(this.#index, column, [...path, 'isNull'], isNull ? 'IS_NULL' : 'IS_NOT_NULL')
            : undefined,
        );
      },
    };
  }

  boolean(member: string, description: string): FilterField<boolean> {
    const [column] = this.#bind(member);
    return {
      uses: this.#listUses(column, 'EQ'),
      declare: (t) => t.boolean({ description }),
      toCondition: ({ value, path, conversion }) => conversion.compare(this.#index, column, path, 'EQ', { boolean: value }),
    };
  }

  /** Whether a column of member IDs has the member who owns the API key. Rows without a member don't. */
  isViewer(member: string, description: string): FilterField<boolean> {
    const [column] = this.#bind(member);
    const viewer = { currentMember: true };
    return {
      uses: this.#listUses(column, 'EQ', 'NEQ', 'IS_NULL'),
      declare: (t) => t.boolean({ description }),
      toCondition: ({ value, path, conversion }) => {
        if (value) return conversion.compare(this.#index, column, path, 'EQ', viewer);
        const isOther = conversion.compare(this.#index, column, path, 'NEQ', viewer);
        return any([isOther, conversion.compare(this.#index, column, path, 'IS_NULL')]);
      },
    };
  }

  /** Rows with a related row that matches. */
  related(relationship: string, description: string): FilterField<object> {
    const target = this.#index.relationships[relationship];
    if (!target) throw new Error(`${relationship} isn’t a relationship of ${this.#index.root}.`);
    return {
      uses: [{ root: this.#index.root, relationship, path: [] }],
      declare: (t) => t.field({ type: getFilterRef(target), description }),
      toCondition: ({ value, path, conversion, hops, depth }) => {
        if (hops === MAX_RELATIONSHIPS)
          throw invalidInput(path, 'TOO_LONG', `must be nested at most ${MAX_RELATIONSHIPS} relationships deep.`, MAX_RELATIONSHIPS);
        conversion.uses.push({ root: this.#index.root, relationship, path });
        const filter = requireFilter(target).convert({ value, path, conversion, hops: hops + 1, depth: depth + 1 });
        return { related: { relationship, ...(filter && { filter }) } };
      },
    };
  }
}

interface DeclaredFilter {
  readonly convert: (located: Located<object>) => IndexCondition | undefined;
}

/** Filters reference each other in cycles, so their types are created by name, before their definitions. */
const refs = new Map<string, FilterRef>();
const declared = new Map<string, DeclaredFilter>();

function getFilterRef(root: string): FilterRef {
  const known = refs.get(root);
  if (known) return known;
  const ref = builder.inputRef<object>(`${getIndex(root).record.entity}SearchFilterInput`);
  refs.set(root, ref);
  return ref;
}

function requireFilter(root: string): DeclaredFilter {
  const filter = declared.get(root);
  if (!filter) throw new Error(`The search filter of ${root} isn’t declared.`);
  return filter;
}

/** A filter in the upstream's form, with what it depends on. */
export interface ConvertedFilter {
  readonly condition: IndexCondition | undefined;
  readonly uses: readonly IndexUse[];
}

/** The filter of a search. */
export interface SearchFilter {
  readonly ref: FilterRef;
  /** What its conditions can use, except those of related records. */
  readonly uses: readonly IndexUse[];
  /** Throws ValidationError with paths that start with `filter`. */
  readonly toCondition: (filter: object, maxConditions?: number) => ConvertedFilter;
}

const GROUPS = { and: all, or: any } as const;

const GROUP_SIZE = { maxItems: MAX_CONDITIONS } satisfies SizeExtensions;

function convertGroup(
  name: keyof typeof GROUPS,
  filter: DeclaredFilter,
  { value, path, ...rest }: Located<readonly object[]>,
): IndexCondition | undefined {
  if (value.length === 0) throw invalidInput(path, 'TOO_SHORT', 'must have at least 1 item.', 1);
  const conditions = value.map((each, index) =>
    filter.convert({ ...rest, value: each, path: [...path, String(index)], depth: rest.depth + 1 }),
  );
  const present = conditions.filter((each) => each !== undefined);
  if (name === 'and') return all(...present);
  // An alternative without conditions matches everything.
  return present.length === conditions.length ? any(present) : undefined;
}

/** Declares the filter of an index, such as `OrderSearchFilterInput`. All relationships lead to indexes whose filters are declared, too. */
export function declareSearchFilter(root: string, bindFields: (f: FilterBinder) => FilterFields): SearchFilter {
  const index = getIndex(root);
  const fields = bindFields(new FilterBinder(index));
  const ref = getFilterRef(root);
  const noun = toWords(index.record.entity ?? '');
  ref.implement({
    description: `Filters for searched ${noun}s. Conditions are combined with AND.`,
    fields: (t: InputFields) => ({
      ...Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.declare(t)])),
      and: t.field({ type: [ref], description: 'All of these filters match.', extensions: GROUP_SIZE }),
      or: t.field({ type: [ref], description: 'At least one of these filters matches.', extensions: GROUP_SIZE }),
    }),
  });
  const filter: DeclaredFilter = {
    convert: ({ value, path, depth, ...rest }) => {
      if (depth > MAX_LEVELS) throw invalidInput(path, 'TOO_LONG', `must be nested at most ${MAX_LEVELS} levels deep.`, MAX_LEVELS);
      const members = Object.entries(value).filter(([, each]) => each !== undefined && each !== null) as [string, never][];
      const conditions = members.map(([name, each]) => {
        const located = { ...rest, value: each, path: [...path, name], depth };
        if (name === 'and' || name === 'or') return convertGroup(name, filter, located);
        return fields[name]?.toCondition(located);
      });
      return all(...conditions);
    },
  };
  declared.set(root, filter);
  const uses = Object.values(fields).flatMap((field) => field.uses);
  return { ref, uses, toCondition: (value, maxConditions = MAX_CONDITIONS) => convertFilter(filter, value, maxConditions) };
}

function convertFilter(filter: DeclaredFilter, value: object, maxConditions: number): ConvertedFilter {
  const path = ['filter'];
  const conversion = new Conversion();
  const condition = filter.convert({ value, path, conversion, hops: 0, depth: 1 });
  if (condition) checkCondition(condition, path, maxConditions);
  return { condition, uses: conversion.uses };
}

function checkCondition(condition: IndexCondition, path: InputPath, maxConditions: number): void {
  const { nodes, levels } = measure(condition);
  if (levels > MAX_LEVELS)
    throw invalidInput(path, 'TOO_LONG', `must be nested at most ${MAX_LEVELS} levels deep, but has ${levels} levels.`, MAX_LEVELS);
  if (nodes > maxConditions) {
    const combined = maxConditions < MAX_CONDITIONS ? ' with `query`' : '';
    throw invalidInput(path, 'TOO_LONG', `must have at most ${maxConditions} conditions${combined}, but has ${nodes}.`, maxConditions);
  }
  const bytes = countJsonBytes(condition);
  if (bytes > MAX_BYTES)
    throw invalidInput(
      path,
      'TOO_LONG',
      `must be at most ${MAX_BYTES} bytes as sent to the Workspace API, but is ${bytes}. Use fewer or shorter values.`,
      MAX_BYTES,
    );
}
