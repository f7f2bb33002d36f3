import {
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isUnionType,
} from 'graphql';
import { getCanonicalName } from '../kit/typeNames.ts';

/** Size of an answer, or of a part of it, as far as a document tells before it is executed. Lists count as long as they are asked for, or assumed. */
export interface ResponseSize {
  /** Objects. */
  readonly nodes: number;
  /** Values that hold no others: texts, numbers, and null. */
  readonly leaves: number;
  /** Of its JSON. A low guess: texts and lists may be longer. */
  readonly bytes: number;
  /** The bytes among them that tell the schema. */
  readonly schemaBytes: number;
}

/** JSON bytes of a value with its name, such as `"name":"Anna",`. Ours: less than half of the 35 that a value of examples/02 takes. */
export const VALUE_BYTES = 16;
/** JSON bytes of a value of any shape. Ours: a customer of the sandbox, whole, takes 740. */
const JSON_BYTES = 512;

/** JSON bytes of a later part of an answer without its values: `@defer` and `@stream` make one for each object. Ours: its path and braces take 60 to 100. */
export const PART_BYTES = 64;

/** In a field's extensions: the JSON bytes of its value, where its type does not tell. */
export interface SizeExtensions {
  readonly bytes?: number;
}

export const NOTHING: ResponseSize = { nodes: 0, leaves: 0, bytes: 0, schemaBytes: 0 };

export const addSizes = (one: ResponseSize, other: ResponseSize): ResponseSize => ({
  nodes: one.nodes + other.nodes,
  leaves: one.leaves + other.leaves,
  bytes: one.bytes + other.bytes,
  schemaBytes: one.schemaBytes + other.schemaBytes,
});

export const selectLarger = (one: ResponseSize, other: ResponseSize): ResponseSize => (other.bytes > one.bytes ? other : one);

export const multiplySize = (size: ResponseSize, count: number): ResponseSize => ({
  nodes: size.nodes * count,
  leaves: size.leaves * count,
  bytes: size.bytes * count,
  schemaBytes: size.schemaBytes * count,
});

export const sizeObjects = (count: number): ResponseSize => ({ nodes: count, leaves: 0, bytes: count * VALUE_BYTES, schemaBytes: 0 });

/** Later parts of an answer, without the values in them. */
export const sizeLaterParts = (count: number): ResponseSize => ({ nodes: 0, leaves: 0, bytes: count * PART_BYTES, schemaBytes: 0 });

/** All of it tells the schema. */
export const markAsSchema = (size: ResponseSize): ResponseSize => ({ ...size, schemaBytes: size.bytes });

/** JSON bytes of one value of a field that answers no objects. */
export function estimateLeafBytes({ type, extensions }: Pick<GraphQLField<unknown, unknown>, 'type' | 'extensions'>): number {
  const { bytes } = extensions as SizeExtensions;
  return bytes ?? (getCanonicalName(getNamedType(type)) === 'JSON' ? JSON_BYTES : VALUE_BYTES);
}

export function sizeLeaves(field: Pick<GraphQLField<unknown, unknown>, 'type' | 'extensions'>, count: number): ResponseSize {
  return { nodes: 0, leaves: count, bytes: count * estimateLeafBytes(field), schemaBytes: 0 };
}

/** Types that a type is wrapped in on average: `[Quote!]!` is wrapped in three, `String` in none. Ours: each level is there half of the time. */
const WRAPPED = 0.5;

type Sizes = ReadonlyMap<string, number>;

function measureSchema(schema: GraphQLSchema): Sizes {
  const types = Object.values(schema.getTypeMap());
  const average = (sizeOf: (type: GraphQLNamedType) => number) => types.reduce((total, type) => total + sizeOf(type), 0) / types.length;
  const fields = types.flatMap((type) => (isObjectType(type) || isInterfaceType(type) ? Object.values(type.getFields()) : []));
  const args = fields.reduce((total, field) => total + field.args.length, 0);
  return new Map([
    ['__Schema.types', types.length],
    ['__Schema.directives', schema.getDirectives().length],
    ['__Type.fields', fields.length / types.length],
    ['__Type.interfaces', average((type) => (isObjectType(type) || isInterfaceType(type) ? type.getInterfaces().length : 0))],
    ['__Type.possibleTypes', average((type) => (isUnionType(type) || isInterfaceType(type) ? schema.getPossibleTypes(type).length : 0))],
    ['__Type.enumValues', average((type) => (isEnumType(type) ? type.getValues().length : 0))],
    ['__Type.inputFields', average((type) => (isInputObjectType(type) ? Object.keys(type.getFields()).length : 0))],
    ['__Type.ofType', WRAPPED],
    ['__Field.args', args / fields.length],
  ]);
}

const known = new WeakMap<GraphQLSchema, Sizes>();

/** How many objects a field of introspection answers on average; null for other fields. */
export function getIntrospectionListSize(schema: GraphQLSchema, parent: GraphQLNamedType, field: string): number | null {
  const sizes = known.get(schema) ?? measureSchema(schema);
  known.set(schema, sizes);
  return sizes.get(`${parent.name}.${field}`) ?? null;
}
