import { type DirectiveNode, type DocumentNode, type OperationDefinitionNode, valueFromASTUntyped, visit } from 'graphql';
import type { JsonObject } from '../lib/json.ts';
import { isJsonObject } from '../lib/json.ts';
import type { PlannedField } from '../schema/cost/callPlan.ts';
import { formatValue } from './displayValues.ts';
import { listFieldsOf } from './selectedFields.ts';

/**
 * Directives of tool documents, with their arguments. They configure the tool, and are removed before the document is executed:
 *
 * - `@require` on a field of a plan rejects the plan with `message` if the value doesn't meet the condition.
 * - `@keep` on a list omits the entries that don't meet the condition.
 * - `@from` on a variable of a plan collects its value from an argument of the tool, such as `lines.productId`.
 *
 * A condition compares the value itself, what `field` names within it, or `otherwise` if that is missing. A missing value meets every condition, and so does one that
 * is compared with an argument that the caller omitted. `ifPassed` and `ifOmitted` limit a condition to calls with or without an argument, and `anyPassed` is met if
 * the caller passed any of several arguments. `forEach: "lines.productId"` tests each of the `lines` whose `productId` is the ID of the record; its members are variables.
 */
const DIRECTIVES: Readonly<Record<string, { readonly takes: readonly string[]; readonly requires: readonly string[] }>> = {
  require: {
    takes: [
      ...['field', 'otherwise', 'in', 'notIn', 'contains', 'isEmpty', 'plus', 'atLeast', 'atMost'],
      ...['anyPassed', 'ifPassed', 'ifOmitted', 'forEach', 'message'],
    ],
    requires: ['message'],
  },
  keep: { takes: ['field', 'in', 'notIn', 'lessThan'], requires: [] },
  from: { takes: ['argument'], requires: ['argument'] },
};

/** The variables of a mutation that the server sets if plans are confirmed. */
export const GUARDS: ReadonlySet<string> = new Set(['idempotencyKey', 'expectedVersion']);

const isToolDirective = ({ name }: DirectiveNode): boolean => Object.hasOwn(DIRECTIVES, name.value);

/** The names of the variables that a node uses. */
function listVariables(node: DirectiveNode): string[] {
  const names: string[] = [];
  visit(node, { Variable: ({ name }) => void names.push(name.value) });
  return names;
}

/** Finds invalid tool directives in a document. `args` are the names of the tool's arguments. */
export function findDirectiveProblems(document: DocumentNode, args: ReadonlySet<string>): readonly string[] {
  const problems: string[] = [];
  visit(document, {
    Directive: (node) => {
      if (!isToolDirective(node)) return;
      const { takes = [], requires = [] } = DIRECTIVES[node.name.value] ?? {};
      const names = (node.arguments ?? []).map(({ name }) => name.value);
      const at = `@${node.name.value}`;
      for (const name of names) if (!takes.includes(name)) problems.push(`${at} has no argument ${name}, only ${takes.join(', ')}`);
      for (const name of requires) if (!names.includes(name)) problems.push(`${at} must have the argument ${name}`);
      const isPerEntry = names.includes('forEach');
      for (const name of isPerEntry ? [] : listVariables(node))
        if (!args.has(name)) problems.push(`${at} uses $${name}, which isn’t an argument of the tool`);
    },
  });
  return problems;
}

/** Removes the tool directives of a document, and the variables that only they use. */
export function removeToolDirectives(document: DocumentNode): DocumentNode {
  const removed = new Set<string>();
  const stripped = visit(document, {
    Directive: (node) => {
      if (!isToolDirective(node)) return undefined;
      for (const name of listVariables(node)) removed.add(name);
      return null;
    },
  });
  const remaining = new Set<string>();
  visit(stripped, { VariableDefinition: () => false, Variable: ({ name }) => void remaining.add(name.value) });
  return visit(stripped, {
    VariableDefinition: ({ variable: { name } }) => (removed.has(name.value) && !remaining.has(name.value) ? null : undefined),
  });
}

const evaluateArguments = (node: DirectiveNode, variables: JsonObject): JsonObject =>
  Object.fromEntries((node.arguments ?? []).map(({ name, value }) => [name.value, valueFromASTUntyped(value, variables)]));

/** The value at a path such as `lines.productId` or `nodes.0.available`. Lists on the path are flattened, unless the path has an index. */
const getValueAt = (value: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((current, name) => {
    if (Array.isArray(current) && /^\d+$/.test(name)) return current[Number(name)];
    if (Array.isArray(current)) return current.flatMap((entry) => (isJsonObject(entry) ? entry[name] : undefined));
    return isJsonObject(current) ? current[name] : undefined;
  }, value);

/** Parses a whole number of up to 64 bits, which the graph returns as a number or as a string. Undefined for anything else. */
function toInteger(value: unknown): bigint | undefined {
  const isNumber = typeof value === 'bigint' || Number.isSafeInteger(value) || (typeof value === 'string' && /^-?\d+$/.test(value));
  return isNumber ? BigInt(value as bigint | number | string) : undefined;
}

const isLess = (one: unknown, other: unknown): boolean => {
  const [first, second] = [toInteger(one), toInteger(other)];
  return first !== undefined && second !== undefined && first < second;
};

const isMissing = (value: unknown): value is null | undefined => value === null || value === undefined;

/** Whether a value meets a condition. */
function isMet({ field, otherwise, plus = 0, anyPassed, ...condition }: JsonObject, value: unknown): boolean {
  if (Array.isArray(anyPassed) && anyPassed.every(isMissing)) return false;
  const compared = (typeof field === 'string' ? getValueAt(value, field) : value) ?? otherwise;
  if (isMissing(compared)) return true;
  const { in: allowed, notIn: excluded, contains, isEmpty, atLeast, atMost, lessThan } = condition;
  const known = Array.isArray(allowed) ? allowed.filter((each) => !isMissing(each)) : [];
  if (known.length > 0 && !known.includes(compared)) return false;
  if (Array.isArray(excluded) && excluded.includes(compared)) return false;
  if (!isMissing(contains) && Array.isArray(compared) && !compared.includes(contains)) return false;
  if (!isMissing(isEmpty) && Array.isArray(compared) && (compared.length === 0) !== isEmpty) return false;
  const [sum, added] = [toInteger(compared), toInteger(plus)];
  if (!isMissing(atLeast) && sum !== undefined && added !== undefined && isLess(sum + added, atLeast)) return false;
  if (!isMissing(atMost) && isLess(atMost, compared)) return false;
  const limit = typeof lessThan === 'string' ? getValueAt(value, lessThan) : undefined;
  return isMissing(limit) || isLess(compared, limit);
}

const findDirectives = ({ nodes }: PlannedField, name: string): readonly DirectiveNode[] =>
  nodes.flatMap(({ directives = [] }) => directives.filter((directive) => directive.name.value === name));

/** A requirement of a plan that the records don't meet. */
export interface UnmetRequirement {
  readonly message: string;
  /** Path of the value in the records. */
  readonly path: string;
  /** Arguments of the tool that the value was compared with. Empty if only the state of the records is the reason. */
  readonly comparedWith: readonly string[];
}

/** Fills placeholders: `{title}` and `{customer.title}` are values of the record, `{$quantity}` is an argument of the tool. */
const fillPlaceholders = (template: string, record: JsonObject, args: JsonObject): string =>
  template.replace(/\{(\$?)([\w.]+)\}/g, (_whole, isArgument: string, path: string) =>
    formatValue(getValueAt(isArgument ? args : record, path)),
  );

/**
 * The arguments that a directive is evaluated with: those of the tool. With `forEach`, one set per entry that refers to the record, including the members of
 * the entry.
 */
function createArgumentSets(
  directive: DirectiveNode,
  args: JsonObject,
  { id }: JsonObject,
): readonly { readonly values: JsonObject; readonly prefix: string }[] {
  const { forEach } = evaluateArguments(directive, {});
  if (typeof forEach !== 'string') return [{ values: args, prefix: '' }];
  const list = forEach.slice(0, forEach.lastIndexOf('.'));
  const entries = [getValueAt(args, list)].flat().filter(isJsonObject);
  const named = entries.filter((entry) => getValueAt(entry, forEach.slice(list.length + 1)) === id);
  return named.map((entry) => ({ values: { ...args, ...entry }, prefix: `${list}.` }));
}

/** Finds the requirements of a plan that its records don't meet. */
export function* findUnmetRequirements(
  fields: readonly PlannedField[],
  record: JsonObject,
  args: JsonObject,
  path: readonly string[] = [],
): Generator<UnmetRequirement> {
  for (const field of fields) {
    const value = record[field.key];
    const fieldPath = [...path, field.key];
    const entries = Array.isArray(value) ? value : [value];
    for (const directive of findDirectives(field, 'require')) {
      for (const { values, prefix } of createArgumentSets(directive, args, record)) {
        const { message, ...condition } = evaluateArguments(directive, values);
        if ('ifPassed' in condition && isMissing(condition.ifPassed)) continue;
        if (!isMissing(condition.ifOmitted)) continue;
        const isAboutList = 'isEmpty' in condition || ('contains' in condition && !('field' in condition));
        for (const each of isAboutList ? [value] : entries)
          if (!isMet(condition, each))
            yield {
              message: fillPlaceholders(String(message), isJsonObject(each) && prefix === '' ? each : record, values),
              path: fieldPath.join('.'),
              comparedWith: listVariables(directive).map((name) => prefix + name),
            };
      }
    }
    for (const each of entries) if (isJsonObject(each)) yield* findUnmetRequirements(listFieldsOf(field, each), each, args, fieldPath);
  }
}

/** Removes the list entries that `@keep` omits. */
export function applyKeepDirectives(fields: readonly PlannedField[], data: JsonObject): JsonObject {
  const applyToValue = (field: PlannedField, value: unknown): unknown => {
    if (Array.isArray(value)) {
      const conditions = findDirectives(field, 'keep').map((directive) => evaluateArguments(directive, {}));
      return value.filter((entry) => conditions.every((condition) => isMet(condition, entry))).map((entry) => applyToValue(field, entry));
    }
    return isJsonObject(value) ? applyKeepDirectives(listFieldsOf(field, value), value) : value;
  };
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => {
      const field = fields.find((each) => each.key === key);
      return [key, field ? applyToValue(field, value) : value];
    }),
  );
}

/** The variables of a plan with `@from`, and the argument that each is collected from. */
export const mapCollectedVariables = ({ variableDefinitions = [] }: OperationDefinitionNode): ReadonlyMap<string, string> =>
  new Map(
    variableDefinitions.flatMap(({ variable, directives = [] }) => {
      const from = directives.find(({ name }) => name.value === 'from');
      return from ? [[variable.name.value, String(evaluateArguments(from, {}).argument)]] : [];
    }),
  );

/** The values of the variables with `@from`, without duplicates. */
export const collectVariables = (operation: OperationDefinitionNode, args: JsonObject): JsonObject =>
  Object.fromEntries(
    [...mapCollectedVariables(operation)].map(([name, argument]) => {
      const values = [getValueAt(args, argument)].flat();
      return [name, [...new Set(values.filter((value) => !isMissing(value)))]];
    }),
  );
