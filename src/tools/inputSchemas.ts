import {
  type DocumentNode,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredInputField,
  type OperationDefinitionNode,
  TypeInfo,
  typeFromAST,
  valueFromASTUntyped,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { getCalledOperations } from '../schema/cost/fieldCalls.ts';
import { OTHER } from '../schema/kit/enums.ts';
import type { BoundExtensions } from '../schema/kit/inputs.ts';
import { getEntityOfType } from '../schema/kit/registry.ts';
import { DEFAULT_SIZE, MAX_SIZE } from '../schema/paging/window.ts';
import type { MessageField } from '../upstream/contract/fields.ts';

export type JsonSchema = Readonly<Record<string, unknown>>;

/** An argument of a tool: a variable of its document. */
export interface Argument {
  readonly name: string;
  readonly isRequired: boolean;
  readonly schema: JsonSchema;
  /** A valid value, for the cost check, which depends on the variables. For page sizes, the maximum. */
  readonly sample: unknown;
  /** Types of the records that IDs in the value refer to, by their paths, such as `lines.productId`. */
  readonly idTypes: IdTypes;
}

type IdTypes = Readonly<Record<string, string>>;

interface InputForm {
  readonly schema: JsonSchema;
  readonly sample: unknown;
  /** Types of the records that IDs in the value refer to, by their paths within it. */
  readonly idTypes: IdTypes;
}

const createStringForm = (more: JsonSchema, sample: unknown): InputForm => ({ schema: { type: 'string', ...more }, sample, idTypes: {} });
const createScalarForm = (schema: JsonSchema, sample: unknown): InputForm => ({ schema, sample, idTypes: {} });

/** Forms of the scalars. */
const SCALARS: Readonly<Record<string, InputForm>> = {
  ID: createStringForm({ minLength: 1 }, 'id'),
  String: createStringForm({}, 'text'),
  Int: createScalarForm({ type: 'integer' }, 100),
  Float: createScalarForm({ type: 'number' }, 1),
  Boolean: createScalarForm({ type: 'boolean' }, true),
  DateTime: createStringForm({ format: 'date-time' }, '2026-01-01T00:00:00Z'),
  Date: createStringForm({ format: 'date' }, '2026-01-01'),
  Int64: createStringForm({ pattern: '^-?[0-9]+$' }, '1'),
  Decimal: createStringForm({ pattern: '^-?[0-9]+(\\.[0-9]+)?$' }, '1'),
  Version: createStringForm({}, '1'),
  CurrencyCode: createStringForm({ pattern: '^[A-Z]{3}$' }, 'EUR'),
  CountryCode: createStringForm({ pattern: '^[A-Z]{2}$' }, 'NL'),
  TimeZone: createStringForm({}, 'Europe/Amsterdam'),
  HexColor: createStringForm({ pattern: '^#[0-9a-fA-F]{6}$' }, '#000000'),
  URL: createStringForm({ format: 'uri' }, 'https://example.com'),
  JSON: createScalarForm({}, {}),
};

/**
 * The limits of a contract field as JSON Schema keywords, for a value with this JSON type. Empty for timestamps, amounts, and IDs, because they have another
 * form in the graph, and for numbers that are strings. A rehearsal checks their limits.
 */
function toLimitKeywords(
  { list, minItems, maxItems, minLength, maxLength, maxBytes, refers, unit, kind, gt, gte, lte }: MessageField,
  type: unknown,
): JsonSchema {
  const omitUndefined = (limits: Readonly<Record<string, number | undefined>>) =>
    Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== undefined));
  if (list) return omitUndefined({ minItems, maxItems });
  if (refers || unit) return {};
  // A character has at least one byte.
  if (kind === 'string') return omitUndefined({ minLength, maxLength: maxLength ?? maxBytes });
  return type === 'integer' ? omitUndefined({ minimum: gte ?? (gt === undefined ? undefined : gt + 1), maximum: lte }) : {};
}

const toDescription = (description: string | null | undefined): JsonSchema => (description ? { description } : {});

type DescribedInput = Pick<GraphQLInputField, 'type' | 'description' | 'extensions'>;

function createFieldForm({ type, description, extensions }: DescribedInput, seen: readonly string[]): InputForm {
  const { bound } = extensions as BoundExtensions;
  const { schema, sample, idTypes } = createForm(type, seen);
  return {
    schema: { ...schema, ...(bound && 'type' in schema && toLimitKeywords(bound, schema.type)), ...toDescription(description) },
    sample,
    idTypes: bound?.refers ? { '': bound.refers } : idTypes,
  };
}

/** Paths of the IDs of a member, relative to the object that contains it. */
const prefixPaths = (name: string, idTypes: IdTypes): IdTypes =>
  Object.fromEntries(Object.entries(idTypes).map(([path, type]) => [path === '' ? name : `${name}.${path}`, type]));

/** The JSON Schema of a type, and a valid value. The schema of a recursive type isn't expanded further within itself. */
function createForm(declared: GraphQLInputType, seen: readonly string[] = []): InputForm {
  const type = getNullableType(declared);
  if (isListType(type)) {
    const { schema, sample, idTypes } = createForm(type.ofType, seen);
    return { schema: { type: 'array', items: schema }, sample: [sample], idTypes };
  }
  if (isEnumType(type)) {
    const values = type.getValues().flatMap(({ name }) => (name === OTHER ? [] : [name]));
    return createScalarForm({ type: 'string', enum: values }, values[0]);
  }
  if (!isInputObjectType(type)) return SCALARS[type.name] ?? createStringForm(toDescription(type.description), 'text');
  if (seen.includes(type.name)) return createScalarForm({ type: 'object' }, {});
  const fields = Object.values(type.getFields()).map((field) => ({ field, ...createFieldForm(field, [...seen, type.name]) }));
  const required = fields.filter(({ field }) => isRequiredInputField(field)).map(({ field }) => field.name);
  const sampled = type.isOneOf ? fields.slice(0, 1) : fields.filter(({ field }) => isRequiredInputField(field));
  return {
    schema: {
      type: 'object',
      properties: Object.fromEntries(fields.map(({ field, schema }) => [field.name, schema])),
      ...(required.length > 0 && { required }),
      ...(type.isOneOf && { minProperties: 1, maxProperties: 1 }),
      additionalProperties: false,
    },
    sample: Object.fromEntries(sampled.map(({ field, sample }) => [field.name, sample])),
    idTypes: Object.assign({}, ...fields.map(({ field, idTypes }) => prefixPaths(field.name, idTypes))),
  };
}

/** An argument or input field that a variable is passed to. */
interface VariableUsage {
  readonly position: DescribedInput & { readonly name: string };
  /** Response name of the field that has the argument. */
  readonly responseName: string;
  /** Type that the field returns. */
  readonly returns: GraphQLNamedType | undefined;
}

/** The first use of each variable. */
function findVariableUses(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  document: DocumentNode,
): ReadonlyMap<string, VariableUsage> {
  const uses = new Map<string, VariableUsage>();
  const types = new TypeInfo(schema);
  let [responseName, returns]: [string, GraphQLNamedType | undefined] = ['', undefined];
  const addUse = (name: string, position: VariableUsage['position'] | null | undefined) => {
    if (position && !uses.has(name)) uses.set(name, { position, responseName, returns });
  };
  const visitor = visitWithTypeInfo(types, {
    Field: ({ alias, name }) => {
      responseName = (alias ?? name).value;
      returns = getNamedType(types.getFieldDef()?.type) ?? undefined;
    },
    Argument: ({ name, value }) => {
      const [argument, field] = [types.getArgument(), types.getFieldDef()];
      if (value.kind !== 'Variable' || !argument || !field) return;
      // Arguments of reads, such as `query`, have the names of request fields.
      const bound = getCalledOperations(field).flatMap(({ request }) => request.fields[name.value] ?? [])[0];
      addUse(value.name.value, { ...argument, extensions: { ...(bound && { bound }), ...argument.extensions } });
    },
    // While an ObjectField is visited, the input type is that of the field; the object's type is the parent.
    ObjectField: ({ name, value }) => {
      const parent = getNamedType(types.getParentInputType());
      if (value.kind === 'Variable' && isInputObjectType(parent)) addUse(value.name.value, parent.getFields()[name.value]);
    },
  });
  visit(operation, visitor);
  for (const definition of document.definitions) if (definition.kind === 'FragmentDefinition') visit(definition, visitor);
  return uses;
}

/** Limits and descriptions of the arguments of connections, which have the same meaning in every tool. */
function describePageArgument(variable: string, { position: { name }, responseName }: VariableUsage, defaultValue: unknown): JsonSchema {
  if (name === 'first') {
    const size = typeof defaultValue === 'number' ? defaultValue : DEFAULT_SIZE;
    return {
      minimum: 1,
      maximum: MAX_SIZE,
      default: size,
      description: 'Maximum number of items per list.',
    };
  }
  return name === 'after'
    ? { description: `\`endCursor\` of the previous page${variable === 'after' ? '' : ` of \`${responseName}\``}.` }
    : {};
}

/** The type of the record that an argument such as `customer(id:)` looks up. */
function getLookedUpType({ position: { name }, returns }: VariableUsage): IdTypes {
  const entity = name === 'id' && returns ? getEntityOfType(returns) : undefined;
  return entity ? { '': entity.name } : {};
}

/**
 * The arguments of a tool, which are the variables of its operation. Each has the description and the limits of the first argument or input field that it's
 * passed to.
 */
export function listArguments(schema: GraphQLSchema, operation: OperationDefinitionNode, document: DocumentNode): readonly Argument[] {
  const uses = findVariableUses(schema, operation, document);
  return (operation.variableDefinitions ?? []).map(({ variable, type: node, defaultValue }) => {
    const name = variable.name.value;
    const type = typeFromAST(schema, node) as GraphQLInputType;
    const use = uses.get(name);
    const { description, extensions = {} } = use?.position ?? { description: null };
    const form = createFieldForm({ type, description, extensions }, []);
    const declaredDefault = defaultValue && valueFromASTUntyped(defaultValue);
    return {
      name,
      isRequired: isNonNullType(type) && !defaultValue,
      schema: {
        ...form.schema,
        ...(declaredDefault !== undefined && { default: declaredDefault }),
        ...(use && describePageArgument(name, use, declaredDefault)),
      },
      sample: form.sample,
      idTypes: prefixPaths(name, { ...(use && getLookedUpType(use)), ...form.idTypes }),
    };
  });
}
