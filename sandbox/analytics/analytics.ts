import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  type AnalyticsEntitySchema,
  type AnalyticsFieldSchema,
  type AnalyticsQuery,
  AnalyticsService,
  AnalyticsTimeBucketSchema,
  AnalyticsFieldType as FieldType,
  AnalyticsTimeBucket as TimeBucket,
} from '../../src/upstream/contract/generated/publicapi/v1/analytics_pb.ts';
import type { CallContext } from '../kernel/call.ts';
import type { Principal } from '../kernel/keys.ts';
import { domain } from '../kernel/service.ts';
import { countExecution, usageTable } from '../kernel/usage.ts';
import type { World } from '../kernel/world.ts';
import { type CatalogEntity, type CatalogField, FIELDLESS, listAggregations, listOperators } from './catalog.ts';
import { execute } from './engine.ts';
import { ENTITIES } from './entities.ts';
import { LIMITS } from './limits.ts';
import { getExecutionQueue } from './queue.ts';
import { unresolvedSnapshotTable } from './snapshots.ts';
import { parseSql } from './sql/parse.ts';
import { printSql } from './sql/print.ts';
import { SQL_SUPPORT } from './sql/support.ts';

/** Documented: partial totals aren't returned, so the caller must have full access. */
const PERMISSION = 'boardAccess:FULL_ACCESS';

const BUCKETS = AnalyticsTimeBucketSchema.values
  .map(({ number }) => number as TimeBucket)
  .filter((bucket) => bucket !== TimeBucket.UNSPECIFIED);

/** Documented: the maximum size of an analytics request, in bytes. */
const MAX_REQUEST_BYTES = 262_144;

/** Documented: unknown fields are rejected. */
const STRICT = { permission: PERMISSION, maxBytes: MAX_REQUEST_BYTES, isStrict: true } as const;

const QUEUED = {
  ...STRICT,
  acquireSlot: (world: World, principal: Principal) => getExecutionQueue(world).acquire(principal),
} as const;

/** Executes a query, and counts the execution. */
function executeAndCount(call: CallContext, query: AnalyticsQuery) {
  const start = performance.now();
  const result = execute(call, query);
  countExecution(call, { rows: result.rows.length, milliseconds: Math.ceil(performance.now() - start) });
  return result;
}

const toField = (field: CatalogField): MessageInitShape<typeof AnalyticsFieldSchema> => ({
  name: field.name,
  description: field.description,
  type: field.type,
  operators: [...listOperators(field)],
  aggregations: [...listAggregations(field)],
  buckets: field.type === FieldType.TIMESTAMP || field.type === FieldType.DATE ? BUCKETS : [],
  supportsCurrentMember: field.isMember ?? false,
  currencyField: field.currencyField ?? '',
  words: [...(field.enumValues ?? [])],
  isNullable: field.isNullable ?? false,
});

const toEntity = ({ name, description, fields, relationships }: CatalogEntity): MessageInitShape<typeof AnalyticsEntitySchema> => ({
  name,
  description,
  fields: fields.map(toField),
  relationships: relationships.map(({ name, entity, description }) => ({ name, entity, description })),
});

export const analytics = domain(AnalyticsService, {
  tables: [unresolvedSnapshotTable, usageTable],
  handlers: {
    listCatalog: {
      ...STRICT,
      run: () => ({
        entities: ENTITIES.map(toEntity),
        limits: LIMITS,
        authorizationPolicy: 'Full access to boards, and to the domain of each entity in the query.',
        fieldlessAggregations: [...FIELDLESS],
        sqlSupport: SQL_SUPPORT,
      }),
    },
    executeQuery: {
      ...QUEUED,
      run: ({ query }, call) => ({ ...(query && { result: executeAndCount(call, query) }) }),
    },
    executeSQL: {
      ...QUEUED,
      run: ({ sql }, call) => {
        const { query, withPosition: placed } = parseSql(sql);
        try {
          const result = executeAndCount(call, query);
          return { result, normalizedSql: printSql(result.normalizedQuery ?? query) };
        } catch (error) {
          throw placed(error);
        }
      },
    },
  },
});
