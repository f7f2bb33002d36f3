import { type GraphQLEnumType, type GraphQLInputField, type GraphQLInputObjectType, getNamedType, isEnumType } from 'graphql';
import type { Random } from '../../../sandbox/kernel/random.ts';
import type { World } from '../../../sandbox/kernel/world.ts';
import { decodeGlobalId, toGlobalId } from '../../../src/schema/kit/globalIds.ts';
import { enums, indexes } from '../../../src/upstream/contract/generated/messages.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { listRows, SEARCHES, type SearchTraits, schema } from './searches.ts';

export type Row = Readonly<Record<string, unknown>>;
export type Filter = Readonly<Record<string, unknown>>;

const GROUPS = ['and', 'or'];

const toSnakeCase = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Columns that aren't named after their filter. */
const COLUMNS: Readonly<Record<string, string>> = {
  currencyCodes: 'currency',
  statuses: 'status',
  expectedCloseAt: 'expected_close_date',
  isViewer: 'member_id',
};
/** A filter with several values has a plural name. */
const toColumn = (field: string) => COLUMNS[field] ?? toSnakeCase(field.replace(/s$/, ''));

/** How rows are related: by the column of the row, or by columns of the other rows. */
const LINKS: Readonly<Record<string, { readonly own?: string; readonly other?: readonly string[] }>> = {
  customer: { own: 'customer_id' },
  order: { own: 'order_id' },
  quote: { own: 'quote_id' },
  portfolio: { own: 'portfolio_id' },
  workOrder: { own: 'work_order_id' },
  'orders.payments': { other: ['order_id'] },
  'work_orders.appointments': { other: ['work_order_id'] },
  'customers.orders': { other: ['customer_id'] },
  'customers.quotes': { other: ['customer_id'] },
  'customers.workOrders': { other: ['customer_id'] },
  'customers.problems': { other: ['customer_id', 'portfolio_id'] },
  'customers.payments': { other: ['customer_id'] },
  'customers.appointments': { other: ['customer_id'] },
};

export const getFilterInput = ({ type }: SearchTraits) => schema.getType(`${type}SearchFilterInput`) as GraphQLInputObjectType;

/** Fields of a search's filter, from the schema. */
export const listFilterFields = (traits: SearchTraits): readonly GraphQLInputField[] =>
  Object.values(getFilterInput(traits).getFields()).filter(({ name }) => !GROUPS.includes(name));

const isPresent = (value: unknown) => value !== null && value !== undefined && value !== '';

/** Converts only A to Z to lower case, as searches compare texts. */
export const lowerCase = (text: unknown) => String(text).replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());

const toInstant = (seconds: unknown) => new Date(Number(seconds) * 1000).toISOString().replace('.000Z', 'Z');

const toSeconds = (timestamp: string) => Date.parse(timestamp) / 1000;

/** Number of an enum value upstream. */
function toNumber({ name }: GraphQLEnumType, value: string): number {
  const wire = `PUBLIC${toSnakeCase(name).toUpperCase()}_${value}`;
  return (enums[`Public${name}`] ?? []).findIndex((each) => each.name === wire);
}

function toEnumValue(type: GraphQLEnumType, number: unknown): string {
  const value = type.getValues().find((each) => toNumber(type, each.name) === number);
  if (!value) throw new Error(`${type.name} has no value ${number}.`);
  return value.name;
}

/** GraphQL type of the record that an ID filter refers to. */
function getReferredType({ root }: SearchTraits, field: string): string {
  const refers = (indexes[root].record.fields as Readonly<Record<string, { readonly refers?: string }>>)[field.replace(/s$/, '')]?.refers;
  if (!refers) throw new Error(`${root}.${field} refers to no record.`);
  return refers;
}

const getRelated = (field: GraphQLInputField): SearchTraits | undefined =>
  SEARCHES.find(({ type }) => `${type}SearchFilterInput` === getNamedType(field.type).name);

/** Evaluates filters of searches row by row, over the tables of the sandbox. */
export class Model {
  readonly #world: World;
  readonly #tables = new Map<string, readonly Row[]>();

  constructor(world: World) {
    this.#world = world;
  }

  list({ table }: SearchTraits): readonly Row[] {
    const rows = this.#tables.get(table) ?? listRows<Row>(this.#world, table);
    this.#tables.set(table, rows);
    return rows;
  }

  /** Rows that match, newest first. */
  search(traits: SearchTraits, filter: Filter): readonly Row[] {
    const found = this.list(traits).filter((row) => this.#matches(traits, row, filter));
    return found.toSorted(
      (one, other) => Number(other.created_at) - Number(one.created_at) || (String(one.id) < String(other.id) ? 1 : -1),
    );
  }

  #matches(traits: SearchTraits, row: Row, filter: Filter): boolean {
    const fields = getFilterInput(traits).getFields();
    return Object.entries(filter).every(([name, value]) => {
      const field = fields[name];
      if (!field) throw new Error(`The filter of ${traits.name} has no field ${name}.`);
      if (name === 'and') return (value as Filter[]).every((each) => this.#matches(traits, row, each));
      if (name === 'or') return (value as Filter[]).some((each) => this.#matches(traits, row, each));
      return this.#matchesField(traits, row, field, value);
    });
  }

  #matchesField(traits: SearchTraits, row: Row, field: GraphQLInputField, value: unknown): boolean {
    const related = getRelated(field);
    if (related) return this.#listRelated(traits, row, field).some((other) => this.#matches(related, other, value as Filter));
    const cell = row[toColumn(field.name)];
    const type = getNamedType(field.type);
    if (cell === undefined) throw new Error(`${traits.table} has no column for ${field.name}.`);
    if (isEnumType(type)) return (value as string[]).some((each) => toNumber(type, each) === cell);
    switch (type.name) {
      case 'ID':
        return (value as string[]).some((id) => decodeGlobalId(id)?.id === cell);
      case 'CurrencyCode':
        return (value as unknown[]).includes(cell);
      case 'Boolean':
        return (cell === demoId('member owner')) === value;
      case 'TextConditionInput': {
        const { eq, contains, anyOf } = value as { eq?: string; contains?: string; anyOf?: readonly string[] };
        if (eq !== undefined) return cell === eq;
        return contains === undefined ? (anyOf ?? []).includes(String(cell)) : lowerCase(cell).includes(lowerCase(contains));
      }
      case 'TimeConditionInput':
      case 'NullableTimeConditionInput': {
        const { gte, lt, isNull } = value as { gte?: string; lt?: string; isNull?: boolean };
        if (isNull !== undefined && isNull !== (cell === null)) return false;
        if (gte !== undefined && !(cell !== null && Number(cell) >= toSeconds(gte))) return false;
        return !(lt !== undefined && !(cell !== null && Number(cell) < toSeconds(lt)));
      }
      default:
        throw new Error(`Filters of type ${type.name} aren’t modeled.`);
    }
  }

  #listRelated({ table }: SearchTraits, row: Row, field: GraphQLInputField): readonly Row[] {
    const { own, other } = LINKS[`${table}.${field.name}`] ?? LINKS[field.name] ?? {};
    const target = getRelated(field);
    if (!target || (!own && !other)) throw new Error(`The relationship ${table}.${field.name} isn’t modeled.`);
    if (own) return this.list(target).filter(({ id }) => id === row[own]);
    return this.list(target).filter((each) => other?.some((column) => each[column] === row.id));
  }

  /** Conditions on a field, with values of two rows and with values that no row has. `levels`: how many more relationships they follow. */
  listConditions(traits: SearchTraits, field: GraphQLInputField, pick: (count: number) => number, levels = 1): readonly unknown[] {
    const related = getRelated(field);
    if (related) {
      const inner = listFilterFields(related).filter((each) => levels > 1 || !getRelated(each));
      const chosen = inner[pick(inner.length)] as GraphQLInputField;
      return [{}, ...this.listConditions(related, chosen, pick, levels - 1).map((each) => ({ [chosen.name]: each }))];
    }
    const present = this.list(traits).filter((row) => isPresent(row[toColumn(field.name)]));
    const cells = [0, 1].map(() => present[pick(present.length)]?.[toColumn(field.name)]);
    return this.#toConditions(traits, field, cells.filter(isPresent));
  }

  /** A random filter with values of rows, groups of up to this many levels, and up to two relationships. */
  createFilter(traits: SearchTraits, random: Random, levels: number): Filter {
    const pick = (count: number) => random.nextInteger(0, count - 1);
    const fields = listFilterFields(traits);
    const chosen = [0, 1].slice(pick(2)).map(() => fields[pick(fields.length)] as GraphQLInputField);
    const leaves = chosen.map((field) => {
      const conditions = this.listConditions(traits, field, pick, 2);
      return [field.name, conditions[pick(conditions.length)]];
    });
    const groups = levels > 0 ? GROUPS.filter(() => random.nextBoolean(0.5)) : [];
    const createGroup = () =>
      Array.from({ length: 1 + pick(3) }, () => (random.nextBoolean(0.1) ? {} : this.createFilter(traits, random, levels - 1)));
    return { ...Object.fromEntries(leaves), ...Object.fromEntries(groups.map((group) => [group, createGroup()])) };
  }

  #toConditions(traits: SearchTraits, field: GraphQLInputField, cells: readonly unknown[]): readonly unknown[] {
    const type = getNamedType(field.type);
    const lists = (values: readonly unknown[], missing: unknown) => [
      [missing],
      ...(values.length > 0 ? [[values[0]], [...values, missing]] : []),
    ];
    if (isEnumType(type)) {
      const all = type.getValues().map(({ name }) => name);
      const known = all.filter((name) => name !== 'OTHER');
      return [...known.map((each) => [each]), known, cells.map((cell) => toEnumValue(type, cell)), [known[0], known[0]]];
    }
    switch (type.name) {
      case 'ID': {
        const toId = (raw: unknown) => toGlobalId(getReferredType(traits, field.name), String(raw));
        return lists(cells.map(toId), toId('nothing'));
      }
      case 'CurrencyCode':
        return lists(cells, 'ISK');
      case 'Boolean':
        return [true, false];
      case 'TextConditionInput': {
        const texts = cells.map(String);
        const parts = texts.flatMap((text) => [text.slice(1, 5), text.slice(0, 3).toUpperCase()]).filter((text) => text.trim() !== '');
        return [
          { eq: 'Nothing' },
          ...texts.map((eq) => ({ eq })),
          ...parts.map((contains) => ({ contains })),
          { anyOf: ['Nothing', ...texts] },
        ];
      }
      case 'TimeConditionInput':
      case 'NullableTimeConditionInput': {
        const [gte = '2025-01-01T00:00:00Z', lt = '2026-01-01T00:00:00Z'] = cells.map(toInstant).toSorted();
        const nullability = type.name === 'NullableTimeConditionInput' ? [{ isNull: true }, { isNull: false }, { isNull: true, gte }] : [];
        return [{ gte }, { lt }, ...(gte < lt ? [{ gte, lt }] : []), {}, ...nullability];
      }
      default:
        throw new Error(`Filters of type ${type.name} aren’t modeled.`);
    }
  }
}
