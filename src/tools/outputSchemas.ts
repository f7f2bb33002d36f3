import { type GraphQLOutputType, getNullableType, isEnumType, isLeafType, isListType, isNonNullType } from 'graphql';
import type { PlannedField } from '../schema/cost/callPlan.ts';
import type { JsonSchema } from './inputSchemas.ts';

/** Scalars that aren't serialized as plain strings, by canonical name. */
const SCALARS: Readonly<Record<string, JsonSchema>> = {
  Int: { type: 'integer' },
  Float: { type: 'number' },
  Boolean: { type: 'boolean' },
  DateTime: { type: 'string', format: 'date-time' },
  Date: { type: 'string', format: 'date' },
  JSON: {},
};

const STRING: JsonSchema = { type: 'string' };

const ERRORS = {
  type: 'array',
  items: { type: 'object', properties: { message: STRING, code: STRING, path: STRING, argument: STRING }, required: ['message'] },
};

/** The properties of a result with a plan. */
const PLAN_PROPERTIES = {
  plan: { type: 'array', items: STRING },
  arguments: { type: 'object' },
  version: STRING,
  confirmation: STRING,
  expiresAt: { type: 'string', format: 'date-time' },
  next: STRING,
};

/** The properties of the result of a write: `done` is true if it was executed, but its result was too large to be returned. */
const WRITE_PROPERTIES = { done: { type: 'boolean' }, message: STRING };

interface Options {
  /** Whether calls without a confirmation return a plan. */
  readonly isPlanned: boolean;
  /** Maps an enum value to its name in the results of the tool. */
  readonly toEnumValue: (value: string) => string;
}

const toNullable = (schema: JsonSchema): JsonSchema => {
  if (schema.anyOf) return { anyOf: [...(schema.anyOf as readonly JsonSchema[]), { type: 'null' }] };
  if (schema.type === undefined) return schema;
  return {
    ...schema,
    type: [schema.type, 'null'],
    ...(schema.enum !== undefined && { enum: [...(schema.enum as readonly unknown[]), null] }),
  };
};

const isConditional = ({ nodes }: PlannedField): boolean =>
  nodes.every(({ directives = [] }) => directives.some(({ name }) => name.value === 'include' || name.value === 'skip'));

function createMembersSchema(fields: readonly PlannedField[], options: Options): JsonSchema {
  const required = fields.filter((field) => !isConditional(field)).map(({ key }) => key);
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map((field) => [field.key, createSchema(field, field.field.type, options)])),
    ...(required.length > 0 && { required }),
  };
}

/** One schema for each set of members. Types that select the same members, such as most errors of a mutation, share one. */
function createObjectSchema(field: PlannedField, options: Options): JsonSchema {
  const byMembers = new Map<string, { readonly names: string[]; readonly fields: readonly PlannedField[] }>();
  for (const type of field.listTypes()) {
    const { fields } = field.select(type);
    const members = JSON.stringify(createMembersSchema(fields, options));
    const same = byMembers.get(members);
    if (same) same.names.push(type.name);
    else byMembers.set(members, { names: [type.name], fields });
  }
  const schemas = [...byMembers.values()].map(({ names, fields }) => {
    const { properties, ...members } = createMembersSchema(fields, options) as {
      readonly properties: Readonly<Record<string, JsonSchema>>;
    };
    const typenames = fields.filter(({ nodes }) => nodes[0]?.name.value === '__typename').map(({ key }) => [key, { enum: names }]);
    return { ...members, properties: { ...properties, ...Object.fromEntries(typenames) } };
  });
  const [only, ...others] = schemas;
  return only && others.length === 0 ? only : { anyOf: schemas };
}

function createSchema(field: PlannedField, declared: GraphQLOutputType, options: Options): JsonSchema {
  const type = getNullableType(declared);
  const schema = isListType(type)
    ? { type: 'array', items: createSchema(field, type.ofType, options) }
    : createNamedSchema(field, type, options);
  return isNonNullType(declared) ? schema : toNullable(schema);
}

function createNamedSchema(field: PlannedField, type: GraphQLOutputType, options: Options): JsonSchema {
  if (!isLeafType(type)) return createObjectSchema(field, options);
  // Codes can be added to this enum in any release.
  if (isEnumType(type) && type.name !== 'ErrorCode')
    return { type: 'string', enum: type.getValues().map(({ name }) => options.toEnumValue(name)) };
  return SCALARS[type.name] ?? STRING;
}

/** The schema that the structured results of a tool are checked against, from the fields that its operation and its plan select. */
export function createOutputSchema(
  { fields, plan }: { readonly fields: readonly PlannedField[]; readonly plan: { readonly fields: readonly PlannedField[] } | null },
  options: Options,
): JsonSchema {
  return {
    type: 'object',
    properties: {
      data: createMembersSchema(fields, options),
      ...(plan && WRITE_PROPERTIES),
      // Records that optional arguments refer to are only present if these arguments are.
      ...(plan &&
        options.isPlanned && {
          ...PLAN_PROPERTIES,
          records: { type: 'object', properties: createMembersSchema(plan.fields, options).properties },
        }),
      errors: ERRORS,
      // Lists that were shortened, because the result was too large.
      truncated: { type: 'object' },
    },
  };
}

/** Levels of objects below `data` that the list of tools describes. Chosen: the fields of records and of rows of lists. Each level more costs hosts 10 kB per session. */
const OUTLINE_DEPTH = 2;

const mapMembers = (members: Members, map: (member: JsonSchema, name: string) => JsonSchema): JsonSchema =>
  Object.fromEntries(Object.entries(members).map(([name, member]) => [name, map(member, name)]));

type Members = Readonly<Record<string, JsonSchema>>;

/** The members of all types that a value can have. Those that differ between types can have any value. */
function mergeAlternatives(alternatives: readonly JsonSchema[], depth: number): JsonSchema {
  const merged: Record<string, JsonSchema> = {};
  for (const { properties = {} } of alternatives as readonly { readonly properties?: Members }[])
    for (const [name, member] of Object.entries(properties)) {
      const outline = outlineValue(member, depth - 1);
      merged[name] = name in merged && JSON.stringify(merged[name]) !== JSON.stringify(outline) ? {} : outline;
    }
  return { type: [...new Set(alternatives.flatMap(({ type }) => type))], properties: merged };
}

function outlineValue({ type, anyOf, items, properties }: JsonSchema, depth: number): JsonSchema {
  if (anyOf !== undefined) return mergeAlternatives(anyOf as readonly JsonSchema[], depth);
  return {
    ...(type !== undefined && { type }),
    ...(items !== undefined && { items: outlineValue(items as JsonSchema, depth) }),
    ...(properties !== undefined &&
      depth > 0 && { properties: mapMembers(properties as Members, (each) => outlineValue(each, depth - 1)) }),
  };
}

/** The part of a result's schema that the list of tools contains. Every result that matches the schema matches the outline, too. */
export const outlineSchema = ({ type, properties }: JsonSchema): JsonSchema => ({
  type,
  properties: mapMembers(properties as Members, (member, name) => outlineValue(member, name === 'data' ? OUTLINE_DEPTH : 0)),
});
