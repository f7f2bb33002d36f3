import { create, type MessageInitShape, type MessageShape, toJsonString } from '@bufbuild/protobuf';
import {
  type AnalyticsQuery,
  AnalyticsResultSchema,
  AnalyticsResultStatus as ResultStatus,
} from '../../src/upstream/contract/generated/publicapi/v1/analytics_pb.ts';
import type { CallContext } from '../kernel/call.ts';
import { failedPrecondition, SandboxError } from '../kernel/errors.ts';
import { getWorkspace } from '../workspace/workspace.ts';
import { requireFullAccess } from './access.ts';
import { executeAggregate } from './aggregate.ts';
import type { CatalogEntity } from './catalog.ts';
import { toCell } from './cells.ts';
import { checkQuery } from './check.ts';
import { Compiler } from './compile.ts';
import { entityByName } from './entities.ts';
import { normalize } from './ids.ts';
import { requireField } from './invalidQuery.ts';
import { LIMITS } from './limits.ts';
import { executeProjection } from './projection.ts';
import type { QueryResult, Source } from './queryResult.ts';
import { type Range, resolveRange } from './ranges.ts';
import { formatTimestamp } from './values.ts';

/** Returns a function that throws after the time limit of the execution. Statements aren't interrupted, because they return few rows. */
function startDeadline({ world }: CallContext): () => void {
  const start = world.now();
  return () => {
    if (world.now() - start > LIMITS.deadlineSeconds)
      throw new SandboxError('deadline_exceeded', `The query timed out after ${LIMITS.deadlineSeconds} seconds. Reduce its scope.`);
  };
}

/** The rows of the query before grouping. */
function createSource(call: CallContext, query: AnalyticsQuery, entity: CatalogEntity, range: Range | undefined): Source {
  const { workspaceId, principal, now } = call;
  const compiler = new Compiler({ workspaceId, memberId: principal.memberId, now });
  const conditions = [
    compiler.createOwnershipCondition(entity, 'row'),
    ...(range && query.timeRange
      ? [compiler.createRangeCondition(requireField(entity, query.timeRange.field, 'time_range.field'), range)]
      : []),
    ...(query.filter ? [compiler.createFilterCondition(entity, query.filter)] : []),
  ];
  const sql = `FROM ${entity.table} AS row WHERE ${conditions.join(' AND ')}`;
  return { store: call.store, entity, query, range, compiler, sql, checkTime: startDeadline(call) };
}

function computeResult(source: Source): QueryResult {
  const { aggregate, records } = source.query;
  if (aggregate) return executeAggregate(source, aggregate);
  if (records) return executeProjection(source, records);
  throw new Error('The query must be validated before it is executed.');
}

/** Returns the result, or throws if it's too large. Results are never truncated. */
function checkResultSize(init: MessageInitShape<typeof AnalyticsResultSchema>): MessageShape<typeof AnalyticsResultSchema> {
  const result = create(AnalyticsResultSchema, init);
  const size = Buffer.byteLength(toJsonString(AnalyticsResultSchema, result));
  if (size > LIMITS.maxResultBytes)
    throw failedPrecondition(`The result must be at most ${LIMITS.maxResultBytes} bytes, but has ${size}. Request fewer rows or columns.`);
  return result;
}

/** Executes a query on the current records. Throws if it's invalid. */
export function execute(call: CallContext, given: AnalyticsQuery): MessageShape<typeof AnalyticsResultSchema> {
  checkQuery(given);
  const entity = entityByName.get(given.entity);
  if (!entity) throw new Error(`There must be a root ${given.entity}.`);
  requireFullAccess(call, given, entity);
  const query = normalize(given, getWorkspace(call).time_zone);
  const range = query.timeRange && resolveRange(query.timeRange, { now: call.now, zone: query.timezone });
  const source = createSource(call, query, entity, range);
  const result = computeResult(source);
  const rows = result.rows.slice(0, query.limit);
  const isTruncated = result.rows.length > rows.length;
  source.checkTime();
  return checkResultSize({
    columns: [...result.columns],
    rows: rows.map((cells) => ({ cells: cells.map((cell, index) => toCell(cell, result.columns[index]?.type ?? 0)) })),
    normalizedQuery: query,
    generatedAt: formatTimestamp(call.now),
    ...(range && { resolvedTimeRange: { start: range.start.toString(), end: range.end.toString() } }),
    timezone: query.timezone,
    status: rows.length > 0 ? ResultStatus.READY : ResultStatus.EMPTY,
    truncated: isTruncated,
    warnings: [...result.warnings, ...(isTruncated ? [`There are more rows than the limit of ${query.limit}.`] : [])],
    aggregationComplete: true,
  });
}
