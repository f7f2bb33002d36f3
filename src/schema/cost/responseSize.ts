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
import type { ByteExtensions } from '../kit/costExtensions.ts';

/** Estimated size of a response, or of a part of it, before execution. Lists have their requested or assumed length. */
export interface ResponseSize {
  /** Number of objects. */
  readonly nodes: number;
  /** Number of scalar and enum values, including null. */
  readonly leaves: number;
  /** JSON bytes. A low estimate: strings and lists may be longer. */
  readonly bytes: number;
  /** JSON bytes of introspection and SDL, included in `bytes`. */
  readonly schemaBytes: number;
}

/** JSON bytes of a value and its name, such as `"name":"Anna",`. Chosen: less than half of the 35 bytes of an average value in examples/02. */
export const VALUE_BYTES = 16;

/** JSON bytes of an incremental payload without its values. `@defer` and `@stream` create one per object. Chosen: its path and braces have 60 to 100. */
export const PART_BYTES = 64;

export const NOTHING: ResponseSize = { nodes: 0, leaves: 0, bytes: 0, schemaBytes: 0 };

export const addSizes = (one: ResponseSize, other: ResponseSize): ResponseSize => ({
  nodes: one.nodes + other.nodes,
  leaves: one.leaves + other.leaves,
  bytes: one.bytes + other.bytes,
  schemaBytes: one.schemaBytes + other.schemaBytes,
});

export const getLarger = (one: ResponseSize, other: ResponseSize): ResponseSize => (other.bytes > one.bytes ? other : one);

export const multiplySize = (size: ResponseSize, count: number): ResponseSize => ({
  nodes: size.nodes * count,
  leaves: size.leaves * count,
  bytes: size.bytes * count,
  schemaBytes: size.schemaBytes * count,
});

export const sizeObjects = (count: number): ResponseSize => ({ nodes: count, leaves: 0, bytes: count * VALUE_BYTES, schemaBytes: 0 });

/** Size of incremental payloads, without their values. */
export const sizeLaterParts = (count: number): ResponseSize => ({ nodes: 0, leaves: 0, bytes: count * PART_BYTES, schemaBytes: 0 });

/** Counts all bytes as schema bytes. */
export const markAsSchema = (size: ResponseSize): ResponseSize => ({ ...size, schemaBytes: size.bytes });

/** Estimates the JSON bytes of one value of a leaf field. */
export function estimateLeafBytes({ type, extensions }: Pick<GraphQLField<unknown, unknown>, 'type' | 'extensions'>): number {
  return (extensions as ByteExtensions).bytes ?? (getNamedType(type).extensions as ByteExtensions).bytes ?? VALUE_BYTES;
}

export function sizeLeaves(field: Pick<GraphQLField<unknown, unknown>, 'type' | 'extensions'>, count: number): ResponseSize {
  return { nodes: 0, leaves: count, bytes: count * estimateLeafBytes(field), schemaBytes: 0 };
}

/** Average number of wrappers of a type: `[Quote!]!` has three, `String` has none. Chosen: each level is present half of the time. */
const AVERAGE_WRAPPERS = 0.5;

type Sizes = ReadonlyMap<string, number>;

function measureSchema(schema: GraphQLSchema): Sizes {
  const types = Object.values(schema.getTypeMap());
  const average = (getSize: (type: GraphQLNamedType) => number) => types.reduce((total, type) => total + getSize(type), 0) / types.length;
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
    ['__Type.ofType', AVERAGE_WRAPPERS],
    ['__Field.args', args / fields.length],
  ]);
}

const sizesBySchema = new WeakMap<GraphQLSchema, Sizes>();

/** Average number of objects in an introspection field. Null for other fields. */
export function getIntrospectionListSize(schema: GraphQLSchema, parent: GraphQLNamedType, field: string): number | null {
  const sizes = sizesBySchema.get(schema) ?? measureSchema(schema);
  sizesBySchema.set(schema, sizes);
  return sizes.get(`${parent.name}.${field}`) ?? null;
}
