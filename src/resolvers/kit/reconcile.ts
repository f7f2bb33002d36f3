import type { Context } from '../../context.ts';
import type { Entity } from '../../schema/kit/registry.ts';
import type { Sent } from './perform.ts';

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null;

/** Default values, which the upstream may omit. */
const isDefault = (value: unknown) => value === '' || value === 0 || value === '0' || value === false;

/**
 * Whether a record contains everything that was sent. Ignores fields that only the record has. A value that the upstream normalizes doesn't match,
 * so the outcome stays unknown rather than being reported wrongly.
 */
export function matchesInput(record: unknown, sent: unknown): boolean {
  if (sent === undefined) return true;
  if (Array.isArray(sent)) {
    const list: readonly unknown[] = Array.isArray(record) ? record : [];
    return list.length === sent.length && sent.every((each, index) => matchesInput(list[index], each));
  }
  if (isObject(sent))
    return Object.entries(sent).every(([name, value]) => matchesInput(isObject(record) ? record[name] : undefined, value));
  // Compare as strings: 64-bit integers are strings on the wire but may be numbers in a request.
  return record === undefined || record === null ? isDefault(sent) : String(record) === String(sent);
}

/**
 * Creates a `reconcile` function for mutations that set fields of the record `request.id`: re-reads the record and compares it with what was sent.
 * `expected` maps the request to field names of the record; `member` is the response field that contains the record.
 */
export const reconcileByValues =
  <Request extends { readonly id?: string }, RecordShape extends object, Member extends string>(
    entity: Entity<RecordShape>,
    member: Member,
    expected: (request: Request) => object,
  ) =>
  async ({ request, context }: Sent<Request>): Promise<Record<Member, RecordShape> | undefined> => {
    const record = await fetchCurrent(entity, request.id, context);
    // TypeScript widens a computed property name to string.
    return record && matchesInput(record, expected(request)) ? ({ [member]: record } as unknown as Record<Member, RecordShape>) : undefined;
  };

/** Fetches the current record. Null if it doesn't exist or `id` is missing. */
export const fetchCurrent = <RecordShape extends object>(
  entity: Pick<Entity<RecordShape>, 'load'>,
  id: string | undefined,
  context: Context,
): Promise<RecordShape | null> => (id ? entity.load(id, context) : Promise.resolve(null));

/**
 * Finds the record that a create request made: the only match created since the request started. Undefined if there is none, or more than one.
 * `createdAt` has a resolution of one second, so a record created within the same second doesn't count: another request may have created it.
 */
export function findCreated<RecordShape extends { readonly createdAt: string }>(
  records: readonly RecordShape[],
  expected: object,
  startedAt: Date,
): RecordShape | undefined {
  const matches = records.filter((record) => matchesInput(record, expected) && Number(record.createdAt) * 1000 >= startedAt.getTime());
  return matches.length === 1 ? matches[0] : undefined;
}
