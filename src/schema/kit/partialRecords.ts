import { defaultFieldResolver, type GraphQLField, type GraphQLObjectType, type GraphQLSchema, isNonNullType, isObjectType } from 'graphql';
import type { Context } from '../../context.ts';
import { getLoadFailure } from './edges.ts';
import { KEY_FIELDS, type KeyServedExtensions } from './lookahead.ts';
import { getEntityOfType, type KnownFields } from './registry.ts';

type Field = GraphQLField<object, Context>;

/** Whether a field is available on every object with an ID. */
const isAlwaysAvailable = ({ name, extensions }: Field) =>
  KEY_FIELDS.has(name) || (extensions as KeyServedExtensions).isServedByKey === true;

function guardField({ name: typeName }: GraphQLObjectType, field: Field, knownFields: KnownFields): void {
  const { name, type, resolve = defaultFieldResolver } = field;
  if (isNonNullType(type))
    throw new Error(`${typeName}.${name} must be nullable, because mutations return ${typeName} in part and may not include it.`);
  field.resolve = (source, args, context, info) => {
    const failure = getLoadFailure(source, knownFields[name]);
    if (failure) throw failure;
    return resolve(source, args, context, info);
  };
}

/** Makes the fields of partial records fail one by one if the full record can't be read. Partial records are those that mutations return in part. */
export function withPartialRecords(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    const knownFields = getEntityOfType(type)?.knownFields ?? {};
    if (!isObjectType(type) || Object.keys(knownFields).length === 0) continue;
    for (const field of Object.values(type.getFields())) if (!isAlwaysAvailable(field)) guardField(type, field, knownFields);
  }
  return schema;
}
