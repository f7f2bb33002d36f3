import { invalidInput } from '../../failures/failures.ts';
import type { AnalyticsColumn } from '../../upstream/contract/generated/records.ts';
import { type Entity, getEntityByName } from '../kit/registry.ts';
import { getContractField } from './contractFields.ts';
import { Aggregation } from './enums.ts';
import { findNearest } from './nearest.ts';

/** Entities that the columns of a result refer to by ID, by the columns' names. */
export type RowTargets = ReadonlyMap<string, Entity<object>>;

/** Returns the entity whose IDs a column contains. Undefined for measures, for values that aren't IDs, and for IDs of objects that can't be looked up. */
function getTarget(entity: string, { id, field, aggregation }: AnalyticsColumn): Entity<object> | undefined {
  if (Aggregation.fromWire(aggregation) !== null) return undefined;
  const { refers, list: isList } = getContractField(entity, field || id) ?? {};
  return refers && !isList ? getEntityByName(refers) : undefined;
}

/** Maps the columns of a result that contain IDs to the entities that they refer to. `entity` is the queried entity, by its name in SQL. */
export const getRowTargets = (entity: string, columns: readonly AnalyticsColumn[]): RowTargets =>
  new Map(
    columns.flatMap((column) => {
      const target = getTarget(entity, column);
      return target ? [[column.id, target] as const] : [];
    }),
  );

/** Returns the entity that a column refers to. Throws ValidationError with the names of the columns of IDs if it isn't one of them. */
export function requireTarget(targets: RowTargets, column: string, columns: readonly string[]): Entity<object> {
  const target = targets.get(column);
  if (target) return target;
  const names = [...targets.keys()];
  const suggestion = findNearest(column, names);
  const expected = names.length > 0 ? `must be one of the columns of IDs, ${names.join(', ')}` : 'must be a column of IDs';
  const hint = names.length > 0 ? '' : ' Select one, such as `id`, or group by one.';
  throw invalidInput(
    ['column'],
    columns.includes(column) ? 'NOT_ALLOWED' : 'UNKNOWN_NAME',
    `${expected}, but is ${JSON.stringify(column.slice(0, 100))}${suggestion ? `. Did you mean ${suggestion}?` : '.'}${hint}`,
  );
}
