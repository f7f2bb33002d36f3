import { type GraphQLSchema, isObjectType } from 'graphql';
import { RAW, type WithRaw } from '../../upstream/contract/rawRecords.ts';
import type { ObjectFields } from './builder.ts';

/** The field that shows an upstream answer whole. Left out of the graph unless a deployment wants it. */
export const RAW_RECORD_FIELD = 'upstreamRecord';

/** The field that shows a record as the upstream returned it. A record that the graph itself made, of what a mutation returned, is shown as it is. */
export const createRawRecordField = <Shape extends object>(t: ObjectFields<Shape>) => ({
  [RAW_RECORD_FIELD]: t.field({
    type: 'JSON',
    tag: ['raw'],
    description: 'Unprocessed record as returned by the Workspace API. Unsupported, because it can change without notice.',
    resolve: (record: Shape & WithRaw) => record[RAW] ?? record,
  }),
});

/** The schema with or without the records as the upstream answered them. */
export function withRawRecords(schema: GraphQLSchema, hasRawRecords: boolean): GraphQLSchema {
  for (const type of hasRawRecords ? [] : Object.values(schema.getTypeMap()))
    if (isObjectType(type)) delete type.getFields()[RAW_RECORD_FIELD];
  return schema;
}
