import type { Session } from '../upstream/client.ts';
import type { AnyOperation, Operation } from '../upstream/contract/operation.ts';
import type { RequestLists } from '../upstream/traffic/requestLists.ts';
import { coveringLoaderFor } from './cover.ts';
import { type Loader, loaderFromGet, presentRecord } from './loader.ts';

const made = new Map<AnyOperation, (upstream: Session) => Loader<object>>();

/** The field of a request that holds the id, and the member of the response that holds the record. Fails at the start where they are not one each. */
function placesOf({ name, request, answers }: AnyOperation): readonly [id: string, member: string] {
  const [id, ...otherIds] = Object.keys(request.fields).filter((field) => request.fields[field]?.required);
  const [member, ...otherMembers] = Object.keys(answers);
  if (id === undefined || member === undefined || otherIds.length > 0 || otherMembers.length > 0)
    throw new Error(`${name} must fetch one record by one ID. Give its entity its own loader.`);
  return [id, member];
}

/**
 * The factory of the loader over an operation that gets one record by its id: one for each operation, so that all who read by it share what was read. Where
 * the contract names a list that covers the operation, pages of it answer batches for which that takes fewer calls.
 */
export function loaderOver<Entry extends object>(operation: AnyOperation): (upstream: Session) => Loader<Entry> {
  const known = made.get(operation);
  if (known) return known as (upstream: Session) => Loader<Entry>;
  const [idField, member] = placesOf(operation);
  const get = (upstream: Session, id: string) =>
    upstream.call(operation as Operation<object, Readonly<Record<string, Entry | undefined>>>, { [idField]: id });
  const entryIn = (response: Readonly<Record<string, Entry | undefined>>) => response[member];
  const getEntry = async (upstream: Session, id: string) => {
    const entry = presentRecord(entryIn(await get(upstream, id)));
    if (entry instanceof Error) throw entry;
    return entry;
  };
  /** By the list: each upstream may have another one. */
  const covering = new Map<string, (upstream: Session, lists: RequestLists) => Loader<Entry>>();
  const coveringFor = (list: string) => {
    const cover = covering.get(list) ?? coveringLoaderFor<Entry>(list, getEntry);
    covering.set(list, cover);
    return cover;
  };
  const factory = (upstream: Session) => {
    const { lists } = upstream;
    const list = upstream.operation(operation).cover?.list;
    return lists && list !== undefined ? coveringFor(list)(upstream, lists) : loaderFromGet((id) => get(upstream, id), entryIn);
  };
  made.set(operation, factory);
  return factory;
}
