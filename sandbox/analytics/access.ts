import type { AnalyticsFilter, AnalyticsQuery } from '../../src/upstream/contract/generated/publicapi/v1/analytics_pb.ts';
import type { CallContext } from '../kernel/call.ts';
import { SandboxError } from '../kernel/errors.ts';
import { seesEverything } from '../kernel/visibility.ts';
import type { CatalogEntity } from './catalog.ts';
import { entityByName } from './entities.ts';
import { relationshipAt } from './refusals.ts';

/** The roots that a filter over rows of this root leads to. */
function* rootsOf(entity: CatalogEntity, filter: AnalyticsFilter | undefined): Generator<CatalogEntity> {
  for (const child of [...(filter?.all?.children ?? []), ...(filter?.any?.children ?? [])]) yield* rootsOf(entity, child);
  if (!filter?.related) return;
  const other = entityByName.get(relationshipAt(entity, filter.related.relationship, '').entity);
  if (!other) return;
  yield other;
  yield* rootsOf(other, filter.related.filter);
}

/**
 * Refuses callers who do not see all that the query counts: partial totals are given to nobody. Assumed: a Customer View or folders that hide anything at all count, whatever
 * the query is about. Appointments in private agendas are seen with full access to planning, which their domain takes anyhow.
 */
export function requireFullAccess(call: CallContext, { filter, aggregate }: AnalyticsQuery, entity: CatalogEntity): void {
  const filters = [filter, ...(aggregate?.measures ?? []).map(({ condition }) => condition)];
  const roots = new Set([entity, ...filters.flatMap((each) => [...rootsOf(entity, each)])]);
  for (const { name, permission } of roots) {
    if (!call.principal.permissions.has(permission))
      throw new SandboxError(
        'permission_denied',
        `The key’s member doesn’t have the permission ${permission}, which is required for totals of ${name}.`,
      );
  }
  if (!seesEverything(call))
    throw new SandboxError('permission_denied', 'The key’s member can’t see all records. Totals of only a part of them aren’t available.');
}
