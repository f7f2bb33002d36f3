import {
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  Kind,
  type OperationDefinitionNode,
  type ValueNode,
  valueFromASTUntyped,
} from 'graphql';
import type { JsonObject } from '../lib/json.ts';
import { isJsonObject } from '../lib/json.ts';
import type { PlannedField } from '../schema/cost/callPlan.ts';
import { toMoney } from '../schema/kit/money.ts';
import { formatDateTime, formatEnumValue, formatIfMoney, formatValue, toLabel } from './displayValues.ts';
import { listFieldsOf } from './selectedFields.ts';
import { GUARDS } from './toolDirectives.ts';

/** A labeled value, or a labeled group of entries. Items of a list have no label. */
interface PlanEntry {
  readonly label: string;
  readonly value?: string;
  readonly entries?: readonly PlanEntry[];
}

/** Locale and data for formatting a plan. */
interface Locale {
  readonly timeZone: string;
  /** Default currency of amounts without a currency. */
  readonly currency: string | null;
  /** Names of the records that the plan contains, by the ID that the caller passed. Null for records without one. */
  readonly names: ReadonlyMap<unknown, string | null>;
}

/** Scalars that aren't meaningful to people. */
const HIDDEN = new Set(['ID', 'Version', 'TimeZone']);

/** A group of entries, or a single value if it has only one. */
const groupEntries = (label: string, entries: readonly PlanEntry[]): PlanEntry => {
  const [only, ...others] = entries;
  return only?.value !== undefined && others.length === 0 ? { label, value: only.value } : { label, entries };
};

const isEmpty = ({ value, entries = [] }: PlanEntry): boolean => value === undefined && entries.length === 0;

/** A list of records, or of values on one line. Null if its items contain nothing for people. */
function createListEntry(label: string, items: readonly PlanEntry[]): PlanEntry | null {
  const filled = items.filter((item) => !isEmpty(item));
  if (items.length === 0) return { label, value: 'none' };
  if (filled.length === 0) return null;
  const values = filled.flatMap(({ value }) => value ?? []);
  return values.length === filled.length ? { label, value: values.join(', ') } : { label, entries: filled };
}

function formatLeaf(value: unknown, type: { readonly name: string }, { timeZone }: Locale): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (type.name === 'DateTime') return formatDateTime(String(value), timeZone);
  return isEnumType(type) ? formatEnumValue(String(value)) : formatValue(value);
}

/** The entries of a record that are meaningful to people: without IDs, versions, and missing values. */
function createRecordEntries(fields: readonly PlannedField[], record: JsonObject, locale: Locale): PlanEntry[] {
  return fields.flatMap((field) => {
    const { key, target } = field;
    const value = record[key];
    if (value === null || value === undefined || key === '__typename' || HIDDEN.has(target.name)) return [];
    const label = toLabel(key);
    const createEntry = (each: unknown, entryLabel: string): PlanEntry => {
      const money = formatIfMoney(each);
      if (money !== null || !isJsonObject(each)) return { label: entryLabel, value: money ?? formatLeaf(each, target, locale) };
      const inner = listFieldsOf(field, each);
      return isConnection(each)
        ? createConnectionEntry(entryLabel, inner, each, locale)
        : groupEntries(entryLabel, createRecordEntries(inner, each, locale));
    };
    const items = Array.isArray(value) ? value.map((each) => createEntry(each, '')) : null;
    return (items ? createListEntry(label, items) : createEntry(value, label)) ?? [];
  });
}

const isConnection = (value: JsonObject): boolean => Array.isArray(value.nodes);

function createConnectionEntry(label: string, fields: readonly PlannedField[], { nodes, pageInfo }: JsonObject, locale: Locale): PlanEntry {
  const [found] = createRecordEntries(
    fields.filter(({ key }) => key === 'nodes'),
    { nodes },
    locale,
  );
  const more = isJsonObject(pageInfo) && pageInfo.hasNextPage === true ? [{ label: '', entries: [{ label: 'And more', value: '…' }] }] : [];
  return found?.entries ? { label, entries: [...found.entries, ...more] } : { label, value: found?.value ?? 'none' };
}

/** The entries of an input object's fields. */
const createInputEntries = (type: GraphQLInputObjectType, value: JsonObject, locale: Locale): PlanEntry[] =>
  Object.values(type.getFields()).flatMap(
    (field) => createInputEntry(toInputLabel(field.name), value[field.name], field.type, locale) ?? [],
  );

/** The entry of a value that is passed to the mutation. Null for missing values, and for records without a name, because the plan lists them anyway. */
function createInputEntry(label: string, value: unknown, declared: GraphQLInputType, locale: Locale): PlanEntry | null {
  if (value === null || value === undefined) return null;
  const type = getNullableType(declared);
  if (isListType(type))
    return createListEntry(
      label,
      [value].flat().flatMap((each) => createInputEntry('', each, type.ofType, locale) ?? []),
    );
  if (isInputObjectType(type) && isJsonObject(value))
    return type.name === 'MoneyInput'
      ? { label, value: formatAmount(value, locale) }
      : { label, entries: createInputEntries(type, value, locale) };
  if (getNamedType(type).name === 'ID' && locale.names.has(value)) {
    const name = locale.names.get(value) ?? null;
    return name === null ? null : { label, value: formatValue(name) };
  }
  return { label, value: isLeafType(type) ? formatLeaf(value, type, locale) : formatValue(value) };
}

/** `customerId` becomes `Customer`, because the plan names the customer. */
const toInputLabel = (name: string): string => toLabel(name.replace(/Id$/, ''));

function formatAmount({ minorUnits, currencyCode }: JsonObject, { currency }: Locale): string {
  const money = toMoney(String(minorUnits), typeof currencyCode === 'string' ? currencyCode : currency);
  return formatIfMoney(money) ?? `${minorUnits} minor units`;
}

/** Resolves the variables in the value of an argument. Omits the guards, which the server sets. */
function resolveInputValue(node: ValueNode, args: JsonObject): unknown {
  if (node.kind === Kind.VARIABLE) return GUARDS.has(node.name.value) ? undefined : args[node.name.value];
  if (node.kind === Kind.LIST) return node.values.map((each) => resolveInputValue(each, args));
  if (node.kind === Kind.OBJECT)
    return Object.fromEntries(node.fields.map(({ name, value }) => [name.value, resolveInputValue(value, args)]));
  return valueFromASTUntyped(node);
}

/** The entries of all input values of a mutation. */
function createMutationEntries(
  schema: GraphQLSchema,
  { selectionSet }: OperationDefinitionNode,
  args: JsonObject,
  locale: Locale,
): PlanEntry[] {
  const [node] = selectionSet.selections;
  const field = node?.kind === Kind.FIELD ? schema.getMutationType()?.getFields()[node.name.value] : undefined;
  if (!field || node?.kind !== Kind.FIELD) return [];
  return (node.arguments ?? []).flatMap(({ name, value }) => {
    const declared = field.args.find((arg) => arg.name === name.value);
    const type = declared && getNullableType(declared.type);
    const input = resolveInputValue(value, args);
    // The fields of `input`, which is the only argument of every mutation.
    return isInputObjectType(type) && isJsonObject(input) ? createInputEntries(type, input, locale) : [];
  });
}

/** The first string that a record selects, such as its name or number, or otherwise the first one of a related record. */
function findName(fields: readonly PlannedField[], record: JsonObject): string | null {
  const texts = fields.filter(({ key, target }) => key !== '__typename' && target.name === 'String');
  const ownName = texts.map(({ key }) => record[key]).find((text) => typeof text === 'string' && text.trim() !== '');
  if (typeof ownName === 'string') return ownName;
  for (const field of fields) {
    const value = record[field.key];
    const name = isJsonObject(value) ? findName(listFieldsOf(field, value), value) : null;
    if (name !== null) return name;
  }
  return null;
}

/** The names of the records that a plan looks up by an ID argument. */
function collectNames({ selectionSet }: OperationDefinitionNode, fields: readonly PlannedField[], data: JsonObject, variables: JsonObject) {
  const names = new Map<unknown, string | null>();
  for (const node of selectionSet.selections) {
    if (node.kind !== Kind.FIELD) continue;
    const field = fields.find(({ key }) => key === (node.alias ?? node.name).value);
    const id = node.arguments?.find(({ name }) => name.value === 'id' || name.value === 'ids')?.value;
    if (!field || id?.kind !== Kind.VARIABLE) continue;
    const ids = [variables[id.name.value]].flat();
    for (const [index, record] of [data[field.key]].flat().entries()) {
      if (isJsonObject(record)) names.set(ids[index], findName(listFieldsOf(field, record), record));
    }
  }
  return names;
}

/** The first string in a response whose field is accepted. */
function findValue(fields: readonly PlannedField[], record: JsonObject, accepts: (field: PlannedField) => boolean): string | null {
  for (const field of fields) {
    const value = record[field.key];
    if (typeof value === 'string' && accepts(field)) return value;
    for (const each of [value].flat()) {
      const found = isJsonObject(each) ? findValue(listFieldsOf(field, each), each, accepts) : null;
      if (found !== null) return found;
    }
  }
  return null;
}

const isOfType =
  (name: string) =>
  ({ target }: PlannedField) =>
    target.name === name;

const formatInline = (entries: readonly PlanEntry[]): string =>
  entries.map(({ label, value, entries: inner = [] }) => `${label}: ${value ?? `(${formatInline(inner)})`}`).join(', ');

function render(entries: readonly PlanEntry[], indent: string): string[] {
  return entries.flatMap(({ label, value, entries: inner = [] }) => {
    if (label === '') return [`${indent}- ${value ?? formatInline(inner)}`];
    return value === undefined ? [`${indent}${label}:`, ...render(inner, `${indent}  `)] : [`${indent}${label}: ${value}`];
  });
}

/** Everything that a plan is formatted from. */
export interface PlanParts {
  readonly schema: GraphQLSchema;
  /** Title of the tool. */
  readonly title: string;
  readonly mutation: OperationDefinitionNode;
  /** Arguments of the tool. */
  readonly args: JsonObject;
  readonly query: OperationDefinitionNode;
  readonly variables: JsonObject;
  readonly fields: readonly PlannedField[];
  readonly records: JsonObject;
}

/** Formats a plan as lines of text for a person: what would be done, and the current records. Uses names instead of IDs, and formats money and timestamps. */
export function formatPlan({ schema, title, mutation, args, query, variables, fields, records }: PlanParts): string[] {
  const locale: Locale = {
    timeZone: findValue(fields, records, isOfType('TimeZone')) ?? 'UTC',
    currency: findValue(fields, records, isOfType('CurrencyCode')),
    names: collectNames(query, fields, records, variables),
  };
  return [
    title,
    ...render(createMutationEntries(schema, mutation, args, locale), '  '),
    'Current records',
    ...render(createRecordEntries(fields, records, locale), '  '),
  ];
}
