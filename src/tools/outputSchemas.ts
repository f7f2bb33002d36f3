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

const createStringSchema = (description: string): JsonSchema => ({ type: 'string', description });

const ERRORS = {
  type: 'array',
  description: 'What went wrong. If `data` is present too, only parts of it failed.',
  items: {
    type: 'object',
    properties: { message: { type: 'string' }, code: { type: 'string' }, path: { type: 'string' }, argument: { type: 'string' } },
    required: ['message'],
  },
};

const TRUNCATED = {
  type: 'object',
  description: 'Set if the result was too large: `lists` has the paths of the lists that were shortened, and their original lengths.',
};

/** The properties of a result with a plan. */
const PLAN_PROPERTIES = {
  plan: {
    type: 'array',
    items: { type: 'string' },
    description: 'Lines of text to show to a person: what would be done, and the current records.',
  },
  arguments: { type: 'object', description: 'The arguments of the plan.' },
  version: createStringSchema('Version of the record that the plan is for.'),
  confirmation: createStringSchema('Pass this with the same arguments to execute the plan.'),
  expiresAt: { type: 'string', format: 'date-time', description: 'When the confirmation expires.' },
  next: createStringSchema('What to do next.'),
};

/** The properties of the result of a write. */
const WRITE_PROPERTIES = {
  done: { type: 'boolean', description: 'True if the write was executed, but its result was too large to be returned.' },
  message: { type: 'string' },
};

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
  return SCALARS[type.name] ?? { type: 'string' };
}

/** The schema of the structured results of a tool, from the fields that its operation and its plan select. */
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
      truncated: TRUNCATED,
    },
  };
}
