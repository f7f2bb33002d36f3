import { setTimeout as wait } from 'node:timers/promises';
import type { Context } from '../../context.ts';
import type { Evidence } from '../../ledger/ledger.ts';
import type { Entity } from '../../schema/kit/registry.ts';
import type { SentRequest } from './perform.ts';

const isObjectOrArray = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null;

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
  if (isObjectOrArray(sent))
    return Object.entries(sent).every(([name, value]) => matchesInput(isObjectOrArray(record) ? record[name] : undefined, value));
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
  async ({ request, context }: SentRequest<Request>): Promise<Record<Member, RecordShape> | undefined> => {
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

/** Tolerance for differences between the clocks of the upstream's hosts, in milliseconds. Chosen: larger than the usual error of synchronized clocks. */
const CLOCK_TOLERANCE_MS = 2_000;

/** How long to wait for other calls of the API key that are in flight, in milliseconds. Chosen: longer than most calls take. */
const SETTLE_MS = 1_000;

/**
 * Whether the upstream processed the request, and can't have processed another request with the same input instead. Only then does a single matching record
 * belong to this request; otherwise, another caller may have created it. Call this after reading the record.
 */
export async function isOnlyCandidate({ delivery, isContested }: Evidence): Promise<boolean> {
  if (!delivery) return false;
  if (delivery.confirmedAt === null) await Promise.race([delivery.settled, wait(SETTLE_MS, undefined, { ref: false })]);
  return delivery.confirmedAt !== null && !(await isContested());
}

/** Like `isOnlyCandidate`, for records without a creation time. On a repeat, the match can be a record that was created since. */
export const isOnlyUndatedCandidate = async (evidence: Evidence): Promise<boolean> => !evidence.isRepeat && isOnlyCandidate(evidence);

/**
 * Finds the record that a create request created: the only match created between the start of the request and its confirmed delivery. Undefined if there is no
 * match or more than one, or if the request may not have reached the upstream.
 */
export async function findCreated<RecordShape extends { readonly createdAt: string }>(
  records: readonly RecordShape[],
  expected: object,
  sent: Evidence & { readonly startedAt: Date },
): Promise<RecordShape | undefined> {
  if (!(await isOnlyCandidate(sent))) return undefined;
  // `createdAt` has a resolution of one second and uses the upstream's clock. A match from shortly before makes the result ambiguous, so it counts.
  const { startedAt, delivery } = sent;
  const earliest = startedAt.getTime() - CLOCK_TOLERANCE_MS;
  const latest = (delivery?.confirmedAt ?? 0) + CLOCK_TOLERANCE_MS;
  const matches = records.filter((record) => {
    const createdAt = Number(record.createdAt) * 1000 + (delivery?.clockLagMs ?? 0);
    return createdAt + 999 >= earliest && createdAt <= latest && matchesInput(record, expected);
  });
  return matches.length === 1 ? matches[0] : undefined;
}
