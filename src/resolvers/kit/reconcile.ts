import type { Context } from '../../context.ts';
import { ApiError } from '../../failures/failures.ts';
import { MAX_CANDIDATES } from '../../schema/kit/candidates.ts';
import type { Entity } from '../../schema/kit/registry.ts';
import { brandRecord } from '../../schema/kit/subjects.ts';
import { readLost, type SentRequest } from './perform.ts';

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
    const record: RecordShape | null = await fetchCurrent(entity, request.id, context);
    // TypeScript widens a computed property name to string.
    return record && matchesInput(record, expected(request)) ? ({ [member]: record } as Record<Member, RecordShape>) : undefined;
  };

/** Fetches the current record. Null if it doesn't exist or `id` is missing. */
export const fetchCurrent = <RecordShape extends object>(
  entity: Pick<Entity<RecordShape>, 'load'>,
  id: string | undefined,
  context: Context,
): Promise<RecordShape | null> => (id ? entity.load(id, context) : Promise.resolve(null));

/** Tolerance for differences between the clocks of the upstream's hosts, in milliseconds. Chosen: larger than the usual error of synchronized clocks. */
const CLOCK_TOLERANCE_MS = 2_000;

/** A create request, and since when its record may exist. */
export type SentCreation<Request> = Pick<SentRequest<Request>, 'request' | 'startedAt' | 'context'>;

/** How to search for the record that a mutation creates. */
export interface CreationSearch<Request> {
  /** Maximum number of calls. */
  readonly calls: number;
  /** Finds all records that contain the whole input and were created since the request began. Null if they can't be searched for. */
  readonly find: (sent: SentCreation<Request>) => Promise<readonly object[] | null>;
}

/**
 * Creates the `reconcile` function of a mutation with a search: if the upstream reported success, the only match is its record. Otherwise, the request may never
 * have arrived, and the match may belong to another one. `member` is the response field that contains the record.
 */
export const reconcileCreated =
  <Request>({ find }: CreationSearch<Request>, member: string) =>
  async (sent: SentRequest<Request>): Promise<object | undefined> => {
    const [found, ...others] = sent.isAccepted ? ((await find(sent)) ?? []) : [];
    return found && others.length === 0 ? { [member]: found } : undefined;
  };

/** Reads the records that a creation with an unknown outcome may have created, branded with the type. Null if they can't be read. */
export async function findCandidates<Request>(
  { find }: CreationSearch<Request>,
  type: Pick<Entity<object>, 'name'>,
  sent: SentCreation<Request>,
): Promise<readonly object[] | null> {
  try {
    const found = await readLost(find, sent);
    return found?.slice(0, MAX_CANDIDATES).map((record) => brandRecord(type, record)) ?? null;
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
}

/** The records that contain what was sent and were created since the request began. `createdAt` has a resolution of one second and uses the upstream's clock. */
export const filterCreated = <RecordShape extends { readonly createdAt: string }>(
  records: readonly RecordShape[],
  expected: object,
  startedAt: Date,
): readonly RecordShape[] =>
  records.filter(
    (record) => Number(record.createdAt) * 1000 + 999 >= startedAt.getTime() - CLOCK_TOLERANCE_MS && matchesInput(record, expected),
  );
