import { type GraphQLSchema, isObjectType } from 'graphql';
import { RAW, type WithRaw } from '../../upstream/contract/rawRecords.ts';
import type { ObjectFields } from './builder.ts';

/** Name of the field with the unprocessed upstream record. Removed from the schema unless a deployment enables it. */
export const RAW_RECORD_FIELD = 'upstreamRecord';

/** Creates the field with a record as the upstream returned it. A record that the graph assembled from a mutation's response is returned as is. */
export const createRawRecordField = <Shape extends object>(t: ObjectFields<Shape>) => ({
  [RAW_RECORD_FIELD]: t.field({
    type: 'JSON',
    tag: ['raw'],
    description: 'Unprocessed record as returned by the Workspace API. Unsupported, because it can change without notice.',
    resolve: (record: Shape & WithRaw) => record[RAW] ?? record,
  }),
});

/** Removes the unprocessed upstream records from the schema, unless they are enabled. */
export function withRawRecords(schema: GraphQLSchema, hasRawRecords: boolean): GraphQLSchema {
  for (const type of hasRawRecords ? [] : Object.values(schema.getTypeMap()))
    if (isObjectType(type)) delete type.getFields()[RAW_RECORD_FIELD];
  return schema;
}
