import type { AnalyticsFilter, AnalyticsQuery } from '../../src/upstream/contract/generated/publicapi/v1/analytics_pb.ts';
import type { CallContext } from '../kernel/call.ts';
import { SandboxError } from '../kernel/errors.ts';
import { hasFullVisibility } from '../kernel/visibility.ts';
import type { CatalogEntity } from './catalog.ts';
import { entityByName } from './entities.ts';
import { requireRelationship } from './invalidQuery.ts';

/** The root, and the roots that a filter of its rows leads to through relationships. */
function* collectEntities(entity: CatalogEntity, filter: AnalyticsFilter | undefined): Generator<CatalogEntity> {
  for (const child of [...(filter?.all?.children ?? []), ...(filter?.any?.children ?? [])]) yield* collectEntities(entity, child);
  if (!filter?.related) return;
  const other = entityByName.get(requireRelationship(entity, filter.related.relationship, '').entity);
  if (!other) return;
  yield other;
  yield* collectEntities(other, filter.related.filter);
}

/**
 * Throws if some records that the query counts are hidden from the caller, because totals are never partial. Assumed: any restricting Customer View or folder
 * selection counts, regardless of the query. Full access to planning, which the domain requires anyway, includes appointments in private agendas.
 */
export function requireFullAccess(call: CallContext, { filter, aggregate }: AnalyticsQuery, entity: CatalogEntity): void {
  const filters = [filter, ...(aggregate?.measures ?? []).map(({ condition }) => condition)];
  const roots = new Set([entity, ...filters.flatMap((each) => [...collectEntities(entity, each)])]);
  for (const { name, permission } of roots) {
    if (!call.principal.permissions.has(permission))
      throw new SandboxError(
        'permission_denied',
        `The key’s member doesn’t have the permission ${permission}, which is required for totals of ${name}.`,
      );
  }
  if (!hasFullVisibility(call))
    throw new SandboxError('permission_denied', 'The key’s member can’t see all records. Totals of only a part of them aren’t available.');
}
