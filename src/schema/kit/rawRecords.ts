import { type GraphQLSchema, isObjectType } from 'graphql';
import type { ObjectFields } from './builder.ts';

/** The field that shows an upstream answer whole. Left out of the graph unless a deployment wants it. */
export const RAW_RECORD = 'upstreamRecord';

/** The field that shows an upstream answer whole. Members that the graph adds are named by symbols, which JSON leaves out. */
export const rawRecord = <Shape extends object>(t: ObjectFields<Shape>) => ({
  [RAW_RECORD]: t.field({
    type: 'JSON',
    tag: ['raw'],
    description: 'Unprocessed record as returned by the Workspace API. Unsupported, because it can change without notice.',
    resolve: (answer: Shape) => answer,
  }),
});

/** The schema with or without the records as the upstream answered them. */
export function withRawRecords(schema: GraphQLSchema, hasRawRecords: boolean): GraphQLSchema {
  for (const type of hasRawRecords ? [] : Object.values(schema.getTypeMap())) if (isObjectType(type)) delete type.getFields()[RAW_RECORD];
  return schema;
}
