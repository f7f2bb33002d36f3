import type { AnyOperation, Operation } from '../upstream/contract/operation.ts';
import type { Session } from '../upstream/session.ts';
import type { RequestLists } from '../upstream/traffic/coveringLists.ts';
import { coveringLoaderFor } from './covering/recordList.ts';
import { checkRecord, type Loader, loaderFromGet } from './loader.ts';

const factories = new Map<AnyOperation, (upstream: Session) => Loader<object>>();

/** Returns the request field with the ID and the response member with the record. Throws at startup if there isn't exactly one of each. */
function findFields({ name, request, answers: records }: AnyOperation): readonly [id: string, member: string] {
  const [id, ...otherIds] = Object.keys(request.fields).filter((field) => request.fields[field]?.required);
  const [member, ...otherMembers] = Object.keys(records);
  if (id === undefined || member === undefined || otherIds.length > 0 || otherMembers.length > 0)
    throw new Error(`${name} must fetch one record by one ID. Give its entity its own loader.`);
  return [id, member];
}

/**
 * Returns the loader factory of an operation that gets one record by ID. There is one factory per operation, so that everything that reads by it shares the
 * records. If the contract has a covering list for the operation, its pages serve batches for which that takes fewer calls.
 */
export function loaderForOperation<Entry extends object>(operation: AnyOperation): (upstream: Session) => Loader<Entry> {
  const known = factories.get(operation);
  if (known) return known as (upstream: Session) => Loader<Entry>;
  const [idField, member] = findFields(operation);
  const get = (upstream: Session, id: string) =>
    upstream.call(operation as Operation<object, Readonly<Record<string, Entry | undefined>>>, { [idField]: id });
  const extractRecord = (response: Readonly<Record<string, Entry | undefined>>) => response[member];
  const fetchEntry = async (upstream: Session, id: string) => {
    const entry = checkRecord(extractRecord(await get(upstream, id)));
    if (entry instanceof Error) throw entry;
    return entry;
  };
  /** By covering list, which can differ between upstreams. */
  const covering = new Map<string, (upstream: Session, lists: RequestLists) => Loader<Entry>>();
  const getCoveringFactory = (list: string) => {
    const cover = covering.get(list) ?? coveringLoaderFor<Entry>(list, fetchEntry);
    covering.set(list, cover);
    return cover;
  };
  const factory = (upstream: Session) => {
    const { lists } = upstream;
    const list = upstream.operation(operation).cover?.list;
    return lists && list !== undefined
      ? getCoveringFactory(list)(upstream, lists)
      : loaderFromGet((id) => get(upstream, id), extractRecord);
  };
  factories.set(operation, factory);
  return factory;
}
