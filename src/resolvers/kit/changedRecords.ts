import type { JsonObject } from '../../lib/json.ts';
import { type Change, createState, isLiveType, type LiveType } from '../../live/changes.ts';
import type { TypedRecord } from '../../schema/kit/payloads.ts';
import { type Entity, getEntityByName } from '../../schema/kit/registry.ts';
import type { AffectedRecord, PayloadRecord } from './payloads.ts';

/** Name of a type and the raw ID of one of its records. The ID is null if it's unknown. */
type ChangedRecord = readonly [type: string, id: string | null];

/** The records that a mutation is declared to change: the one in its input, those that it returns, and others that it affects. */
interface ChangedByMutation {
  readonly on: Pick<Entity<object>, 'name'> | undefined;
  /** Raw ID of the `on` record. */
  readonly id: unknown;
  readonly returned: readonly PayloadRecord[];
  readonly affects: Readonly<Record<string, AffectedRecord<object, JsonObject>>> | undefined;
}

/** Groups records by type, and omits types whose changes aren't signaled. */
function groupByType(records: readonly ChangedRecord[]): readonly Change[] {
  const byType = Map.groupBy(records, ([type]) => type);
  return [...byType].flatMap(([type, group]) => {
    if (!isLiveType(type)) return [];
    const ids = new Set(group.flatMap(([, id]) => id ?? []));
    return [{ type: type satisfies LiveType, ids: [...ids], isTruncated: group.some(([, id]) => id === null) }];
  });
}

const listSubject = ({ on, id }: ChangedByMutation): ChangedRecord[] => (on ? [[on.name, String(id)]] : []);

const listAffected = ({ affects = {} }: ChangedByMutation, response: object, request: JsonObject): ChangedRecord[] =>
  Object.values(affects).map(([{ name }, , getId]) => [name, getId(response, request) ?? null]);

/** The changes of a mutation that was applied. `records` are those that it returned. */
export const listChanges = (declared: ChangedByMutation, request: JsonObject, response: object, records: readonly TypedRecord[]) =>
  groupByType([
    ...listSubject(declared),
    ...records.map(([type, record]): ChangedRecord => [type, getEntityByName(type)?.getId(record) ?? null]),
    // One without an ID doesn't exist, such as the work order of an appointment that has none.
    ...listAffected(declared, response, request).filter(([, id]) => id !== null),
  ]);

/** The states of the records that a mutation returned, by type. */
export function listStates(records: readonly TypedRecord[]): ReadonlyMap<LiveType, readonly string[]> {
  const states = new Map<LiveType, string[]>();
  for (const [type, record] of records) {
    const id = getEntityByName(type)?.getId(record);
    if (isLiveType(type) && id !== undefined) states.set(type, [...(states.get(type) ?? []), createState(id, record)]);
  }
  return states;
}

/** The changes of a mutation whose outcome is unknown. The IDs of records that it would have returned are unknown, too. */
export const listPossibleChanges = (declared: ChangedByMutation, request: JsonObject) =>
  groupByType([
    ...listSubject(declared),
    ...declared.returned.flatMap(({ type: { name } }): ChangedRecord[] => (name === declared.on?.name ? [] : [[name, null]])),
    ...listAffected(declared, {}, request),
  ]);
