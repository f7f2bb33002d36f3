import type { ObjectRef } from '@pothos/core';
import type { Context } from '../../context.ts';
import { NotFoundError } from '../../failures/failures.ts';
import { readLargestPage } from '../../loaders/listScan.ts';
import type { Types } from '../../schema/kit/builder.ts';
import { getKeyMembers, OWNER, type OwnedPart } from '../../schema/kit/parts.ts';
import type { Entity } from '../../schema/kit/registry.ts';
import type { Operation } from '../../upstream/contract/operation.ts';
import type { ListRow } from '../../upstream/contract/rows.ts';

/** Reads candidates for a record. They include the record if it still exists and the key can read it. */
type ReadCandidates<RecordShape> = (record: RecordShape, context: Context) => Promise<readonly RecordShape[]>;

const candidateReaders = new Map<string, ReadCandidates<object>>();

/**
 * Declares how a replay re-reads records of a type that isn't an entity. A payload can only contain records of types that can be re-read, so that no replay
 * returns outdated records, or records that the key can no longer read.
 */
export const registerReread = <RecordShape extends object>(
  { name }: ObjectRef<Types, RecordShape>,
  readCandidates: ReadCandidates<NoInfer<RecordShape> & OwnedPart>,
): void => void candidateReaders.set(name, readCandidates as unknown as ReadCandidates<object>);

export const canReread = (type: string): boolean => candidateReaders.has(type);

/** Reads the first page of a list, with the maximum page size. */
export const readFirstPage =
  <Request, Response>(
    operation: Operation<Request, Response>,
    request: (record: ListRow<Response> & OwnedPart) => Omit<Request, 'page' | 'pageSize'>,
  ) =>
  async (record: ListRow<Response> & OwnedPart, { upstream }: Context): Promise<readonly ListRow<Response>[]> =>
    (await readLargestPage(upstream, operation, request(record))).rows;

/** Returns the stored record if the key can still read its owner. For records that never change and that no operation returns. */
export const reuseIfOwnerVisible =
  <RecordShape extends object>(
    owner: Pick<Entity<object>, 'load'>,
    getOwnerId: (record: RecordShape) => string | undefined,
  ): ReadCandidates<RecordShape> =>
  async (record, context) =>
    (await owner.load(getOwnerId(record) ?? '', context)) ? [record] : [];

/** Returns nothing. For records that no operation returns and that have no owner. */
export const rereadNothing = async (): Promise<readonly never[]> => [];

/** Re-reads records of a type that all have the same owner. Omits missing records. Throws if they can't be read. */
export async function rereadRecords(type: string, records: readonly object[], context: Context): Promise<readonly object[]> {
  const [first] = records;
  const readCandidates = candidateReaders.get(type);
  if (!first || !readCandidates) return [];
  const keys = getKeyMembers(type).filter((key) => key !== OWNER);
  const identify = (record: object) => JSON.stringify(keys.map((key) => (record as Readonly<Record<PropertyKey, unknown>>)[key]));
  const candidates = await readCandidates(first, context).catch((error: unknown) => {
    // The owner was deleted, and its records with it.
    if (error instanceof NotFoundError) return [];
    throw error;
  });
  const found = new Map(candidates.map((candidate) => [identify(candidate), candidate]));
  return records.flatMap((record: OwnedPart) => {
    const current = found.get(identify(record));
    return current ? [{ ...current, ...(OWNER in record && { [OWNER]: record[OWNER] }) }] : [];
  });
}
