import type { Context } from '../../context.ts';
import type { Entity } from '../../schema/kit/registry.ts';
import type { Sent } from './perform.ts';

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null;

/** Values that the upstream may leave out. */
const isDefault = (value: unknown) => value === '' || value === 0 || value === '0' || value === false;

/**
 * Whether what was read has all that was sent. Members that only the one has do not count; a value that the upstream writes in another way
 * than it was sent is not equal, so that nothing is told of it.
 */
export function holds(read: unknown, sent: unknown): boolean {
  if (sent === undefined) return true;
  if (Array.isArray(sent)) {
    const list: readonly unknown[] = Array.isArray(read) ? read : [];
    return list.length === sent.length && sent.every((each, index) => holds(list[index], each));
  }
  if (isObject(sent)) return Object.entries(sent).every(([name, value]) => holds(isObject(read) ? read[name] : undefined, value));
  // 64-bit numbers are texts on the wire, and may be numbers in a request.
  return read === undefined || read === null ? isDefault(sent) : String(read) === String(sent);
}

/**
 * For writes of absolute values to the record of the request's `id`: whether it has them now. `wanted` says in the record's names what was sent, and
 * `member` is the record's place in the answer.
 */
export const hasValues =
  <Request extends { readonly id?: string }, RecordShape extends object, Member extends string>(
    entity: Entity<RecordShape>,
    member: Member,
    wanted: (request: Request) => object,
  ) =>
  async ({ request, context }: Sent<Request>): Promise<Record<Member, RecordShape> | undefined> => {
    const record = await recordNow(entity, request.id, context);
    // A computed name widens to text.
    return record && holds(record, wanted(request)) ? ({ [member]: record } as unknown as Record<Member, RecordShape>) : undefined;
  };

/** The record as it is now; null when there is none. */
export const recordNow = <RecordShape extends object>(
  entity: Entity<RecordShape>,
  id: string | undefined,
  context: Context,
): Promise<RecordShape | null> => (id ? entity.load(id, context) : Promise.resolve(null));

/**
 * The record that a request has made: the only one that has what was sent, and was made since. Undefined when there is none, or several.
 * Its moment has whole seconds, so one that was made within the second of the request does not count: it may be another's.
 */
export function madeBy<RecordShape extends { readonly createdAt?: string | undefined }>(
  records: readonly RecordShape[] | undefined,
  wanted: object,
  startedAt: Date,
): RecordShape | undefined {
  const found = (records ?? []).filter((record) => holds(record, wanted) && Number(record.createdAt) * 1000 >= startedAt.getTime());
  return found.length === 1 ? found[0] : undefined;
}
