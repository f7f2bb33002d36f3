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
import { OTHER } from '../schema/kit/enums.ts';
import type { BoundExtensions } from '../schema/kit/inputs.ts';
import { getEntityOfType } from '../schema/kit/registry.ts';
import { getCanonicalName } from '../schema/kit/typeNames.ts';
import { DEFAULT_SIZE, MAX_SIZE } from '../schema/kit/window.ts';
import type { Field } from '../upstream/contract/fields.ts';

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

interface Form {
  readonly schema: JsonSchema;
  readonly sample: unknown;
  /** Types of the records that IDs in the value refer to, by their paths within it. */
  readonly idTypes: IdTypes;
}

const text = (more: JsonSchema, sample: unknown): Form => ({ schema: { type: 'string', ...more }, sample, idTypes: {} });
const scalar = (schema: JsonSchema, sample: unknown): Form => ({ schema, sample, idTypes: {} });

/** Forms of the scalars, by their own names. */
const SCALARS: Readonly<Record<string, Form>> = {
  ID: text({ minLength: 1 }, 'id'),
  String: text({}, 'text'),
  Int: scalar({ type: 'integer' }, 100),
  Float: scalar({ type: 'number' }, 1),
  Boolean: scalar({ type: 'boolean' }, true),
  DateTime: text({ format: 'date-time' }, '2026-01-01T00:00:00Z'),
  Date: text({ format: 'date' }, '2026-01-01'),
  Int64: text({ pattern: '^-?[0-9]+$' }, '1'),
  Decimal: text({ pattern: '^-?[0-9]+(\\.[0-9]+)?$' }, '1'),
  Version: text({}, '1'),
  CurrencyCode: text({ pattern: '^[A-Z]{3}$' }, 'EUR'),
  CountryCode: text({ pattern: '^[A-Z]{2}$' }, 'NL'),
  TimeZone: text({}, 'Europe/Amsterdam'),
  HexColor: text({ pattern: '^#[0-9a-fA-F]{6}$' }, '#000000'),
  URL: text({ format: 'uri' }, 'https://example.com'),
  JSON: scalar({}, {}),
};

/** Limits of a contract field as JSON Schema keywords. Timestamps, amounts, and IDs have other forms in the graph, so their limits don't apply. */
function limitsOf({ list, minItems, maxItems, minLength, maxLength, refers, unit, kind, gt, gte, lte }: Field): JsonSchema {
  const defined = (limits: Readonly<Record<string, number | undefined>>) =>
    Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== undefined));
  if (list) return defined({ minItems, maxItems });
  if (refers || unit) return {};
  if (kind === 'string') return defined({ minLength, maxLength });
  return kind === 'int' ? defined({ minimum: gte ?? (gt === undefined ? undefined : gt + 1), maximum: lte }) : {};
}

const describedBy = (description: string | null | undefined): JsonSchema => (description ? { description } : {});

type Place = Pick<GraphQLInputField, 'type' | 'description' | 'extensions'>;

function ofField({ type, description, extensions }: Place, seen: readonly string[]): Form {
  const { bound } = extensions as BoundExtensions;
  const { schema, sample, idTypes } = formOf(type, seen);
  const limits = bound ? limitsOf(bound) : {};
  return {
    schema: { ...schema, ...('type' in schema && limits), ...describedBy(description) },
    sample,
    idTypes: bound?.refers ? { '': bound.refers } : idTypes,
  };
}

/** The paths of the IDs of a member, from the object that has it. */
const within = (name: string, idTypes: IdTypes): IdTypes =>
  Object.fromEntries(Object.entries(idTypes).map(([path, type]) => [path === '' ? name : `${name}.${path}`, type]));

/** The JSON Schema of a type, and a valid value. A type that contains itself is described once. */
function formOf(declared: GraphQLInputType, seen: readonly string[] = []): Form {
  const type = getNullableType(declared);
  if (isListType(type)) {
    const { schema, sample, idTypes } = formOf(type.ofType, seen);
    return { schema: { type: 'array', items: schema }, sample: [sample], idTypes };
  }
  if (isEnumType(type)) {
    const words = type.getValues().flatMap(({ name }) => (name === OTHER ? [] : [name]));
    return scalar({ type: 'string', enum: words }, words[0]);
  }
  if (!isInputObjectType(type)) return SCALARS[getCanonicalName(type)] ?? text(describedBy(type.description), 'text');
  if (seen.includes(type.name)) return scalar({ type: 'object' }, {});
  const fields = Object.values(type.getFields()).map((field) => ({ field, ...ofField(field, [...seen, type.name]) }));
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
    idTypes: Object.assign({}, ...fields.map(({ field, idTypes }) => within(field.name, idTypes))),
  };
}

/** An argument or input field that a variable is passed to. */
interface Use {
  readonly place: Place & { readonly name: string };
  /** Response name of the field that has the argument. */
  readonly on: string;
  /** Type that the field returns. */
  readonly returns: GraphQLNamedType | undefined;
}

/** The first use of each variable. */
function usesOf(schema: GraphQLSchema, operation: OperationDefinitionNode, document: DocumentNode): ReadonlyMap<string, Use> {
  const uses = new Map<string, Use>();
  const types = new TypeInfo(schema);
  let [on, returns]: [string, GraphQLNamedType | undefined] = ['', undefined];
  const note = (name: string, place: Use['place'] | null | undefined) => {
    if (place && !uses.has(name)) uses.set(name, { place, on, returns });
  };
  const look = visitWithTypeInfo(types, {
    Field: ({ alias, name }) => {
      on = (alias ?? name).value;
      returns = getNamedType(types.getFieldDef()?.type) ?? undefined;
    },
    Argument: ({ value }) => {
      if (value.kind === 'Variable') note(value.name.value, types.getArgument());
    },
    // While an ObjectField is visited, the input type is that of the field; the object's type is the parent.
    ObjectField: ({ name, value }) => {
      const parent = getNamedType(types.getParentInputType());
      if (value.kind === 'Variable' && isInputObjectType(parent)) note(value.name.value, parent.getFields()[name.value]);
    },
  });
  visit(operation, look);
  for (const definition of document.definitions) if (definition.kind === 'FragmentDefinition') visit(definition, look);
  return uses;
}

/** Limits and descriptions of the arguments of connections, which have the same meaning in every tool. */
function pageArgument({ place: { name }, on }: Use, standard: unknown): JsonSchema {
  if (name === 'first') {
    const size = typeof standard === 'number' ? standard : DEFAULT_SIZE;
    return {
      minimum: 1,
      maximum: MAX_SIZE,
      default: size,
      description: `Maximum number of \`${on}\` to return. 1–${MAX_SIZE}, default ${size}.`,
    };
  }
  return name === 'after' ? { description: `The \`endCursor\` of the previous page of \`${on}\`. Omit it for the first page.` } : {};
}

/** The type of the record that an argument such as `customer(id:)` looks up. */
function lookedUp({ place: { name }, returns }: Use): IdTypes {
  const entity = name === 'id' && returns ? getEntityOfType(returns) : undefined;
  return entity ? { '': entity.name } : {};
}

/** The arguments of a tool: the variables of its operation. Their descriptions and limits are those of the first field that each is passed to. */
export function argumentsOf(schema: GraphQLSchema, operation: OperationDefinitionNode, document: DocumentNode): readonly Argument[] {
  const uses = usesOf(schema, operation, document);
  return (operation.variableDefinitions ?? []).map(({ variable, type: node, defaultValue }) => {
    const name = variable.name.value;
    const type = typeFromAST(schema, node as never) as GraphQLInputType;
    const use = uses.get(name);
    const { description, extensions = {} } = use?.place ?? { description: null };
    const form = ofField({ type, description, extensions }, []);
    const standard = defaultValue && valueFromASTUntyped(defaultValue);
    return {
      name,
      isRequired: isNonNullType(type) && !defaultValue,
      schema: { ...form.schema, ...(standard !== undefined && { default: standard }), ...(use && pageArgument(use, standard)) },
      sample: form.sample,
      idTypes: within(name, { ...(use && lookedUp(use)), ...form.idTypes }),
    };
  });
}
