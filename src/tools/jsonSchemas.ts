import {
  type DocumentNode,
  type GraphQLInputField,
  type GraphQLInputType,
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
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { OTHER } from '../schema/kit/enums.ts';
import type { BoundExtensions } from '../schema/kit/inputs.ts';
import { ownNameOf } from '../schema/kit/typeNames.ts';
import type { Field } from '../upstream/contract/fields.ts';

export type JsonSchema = Readonly<Record<string, unknown>>;

/** An argument of a tool: a variable of its document. */
export interface Argument {
  readonly name: string;
  readonly isRequired: boolean;
  readonly schema: JsonSchema;
  /** A value that the type takes: for the count of costs, which reads the variables. As large as a page may be. */
  readonly sample: unknown;
}

interface ScalarForm {
  readonly schema: JsonSchema;
  readonly sample: unknown;
}

const text = (more: JsonSchema, sample: unknown): ScalarForm => ({ schema: { type: 'string', ...more }, sample });

/** Forms of the scalars, by their own names. */
const SCALARS: Readonly<Record<string, ScalarForm>> = {
  ID: text({}, 'id'),
  String: text({}, 'text'),
  Int: { schema: { type: 'integer' }, sample: 100 },
  Float: { schema: { type: 'number' }, sample: 1 },
  Boolean: { schema: { type: 'boolean' }, sample: true },
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
  JSON: { schema: {}, sample: {} },
};

/** The limits of a field of the contract, as JSON Schema tells them. Moments, amounts and ids have another form in the graph. */
function limitsOf({ list, minItems, maxItems, minLength, maxLength, refers, unit, kind, gt, gte, lte }: Field): JsonSchema {
  const given = (limits: Readonly<Record<string, number | undefined>>) =>
    Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== undefined));
  if (list) return given({ minItems, maxItems });
  if (refers || unit) return {};
  if (kind === 'string') return given({ minLength, maxLength });
  return kind === 'int' ? given({ minimum: gte ?? (gt === undefined ? undefined : gt + 1), maximum: lte }) : {};
}

const describedBy = (description: string | null | undefined): JsonSchema => (description ? { description } : {});

function ofField(
  { type, description, extensions }: Pick<GraphQLInputField, 'type' | 'description' | 'extensions'>,
  seen: readonly string[],
) {
  const { bound } = extensions as BoundExtensions;
  const { schema, sample } = formOf(type, seen);
  const limits = bound ? limitsOf(bound) : {};
  return { schema: { ...schema, ...('type' in schema && limits), ...describedBy(description) }, sample };
}

/** The JSON Schema of a type, with a value that it takes. A type that holds itself is told once. */
function formOf(declared: GraphQLInputType, seen: readonly string[] = []): ScalarForm {
  const type = getNullableType(declared);
  if (isListType(type)) {
    const { schema, sample } = formOf(type.ofType, seen);
    return { schema: { type: 'array', items: schema }, sample: [sample] };
  }
  if (isEnumType(type)) {
    const words = type.getValues().flatMap(({ name }) => (name === OTHER ? [] : [name]));
    return { schema: { type: 'string', enum: words }, sample: words[0] };
  }
  if (!isInputObjectType(type)) return SCALARS[ownNameOf(type)] ?? text(describedBy(type.description), 'text');
  if (seen.includes(type.name)) return { schema: { type: 'object' }, sample: {} };
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
  };
}

type Place = Pick<GraphQLInputField, 'description' | 'extensions'>;

/** The argument or input field that each variable is first given to. */
function placesOf(schema: GraphQLSchema, operation: OperationDefinitionNode, document: DocumentNode): ReadonlyMap<string, Place> {
  const places = new Map<string, Place>();
  const types = new TypeInfo(schema);
  const note = (name: string, place: Place | null | undefined) => {
    if (place && !places.has(name)) places.set(name, place);
  };
  const look = visitWithTypeInfo(types, {
    Argument: ({ value }) => {
      if (value.kind === 'Variable') note(value.name.value, types.getArgument());
    },
    // Within the field, the type at hand is its own; that of the object is one step out.
    ObjectField: ({ name, value }) => {
      const parent = getNamedType(types.getParentInputType());
      if (value.kind === 'Variable' && isInputObjectType(parent)) note(value.name.value, parent.getFields()[name.value]);
    },
  });
  visit(operation, look);
  for (const definition of document.definitions) if (definition.kind === 'FragmentDefinition') visit(definition, look);
  return places;
}

/** The arguments that a tool has for the variables of an operation: described, and limited, by the fields of the graph that they are given to. */
export function argumentsOf(schema: GraphQLSchema, operation: OperationDefinitionNode, document: DocumentNode): readonly Argument[] {
  const places = placesOf(schema, operation, document);
  return (operation.variableDefinitions ?? []).map(({ variable, type: node, defaultValue }) => {
    const name = variable.name.value;
    const type = typeFromAST(schema, node as never) as GraphQLInputType;
    const { description, extensions = {} } = places.get(name) ?? { description: null };
    return { name, isRequired: isNonNullType(type) && !defaultValue, ...ofField({ type, description, extensions }, []) };
  });
}
