import { defaultFieldResolver, type GraphQLField, type GraphQLObjectType, type GraphQLSchema, isNonNullType, isObjectType } from 'graphql';
import type { Context } from '../../context.ts';
import { failureOf } from './edges.ts';
import { KEYS, type KeyServedExtensions } from './lookahead.ts';
import { RAW_RECORD } from './rawRecords.ts';
import type { Told } from './registry.ts';

type Field = GraphQLField<object, Context>;

/** Fields that every object has that knows its id. `upstreamRecord` shows what was told. */
const isAtHand = ({ name, extensions }: Field) =>
  KEYS.has(name) || name === RAW_RECORD || (extensions as KeyServedExtensions).isServedByKey === true;

function guard({ name: typeName }: GraphQLObjectType, field: Field, told: Told): void {
  const { name, type, resolve = defaultFieldResolver } = field;
  if (isNonNullType(type))
    throw new Error(`${typeName}.${name} must be nullable, because mutations return ${typeName} in part and may not include it.`);
  field.resolve = (source, args, context, info) => {
    const failure = failureOf(source, told[name]);
    if (failure) throw failure;
    return resolve(source, args, context, info);
  };
}

/** The schema with records that a mutation has told in part: their other fields fail one by one when the record cannot be read. */
export function withPartialRecords(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    const { told } = type.extensions as { readonly told?: Told };
    if (!isObjectType(type) || !told) continue;
    for (const field of Object.values(type.getFields())) if (!isAtHand(field)) guard(type, field, told);
  }
  return schema;
}
