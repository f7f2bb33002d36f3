import { MIN_OWNERS, OWNERS_PROBE_CALLS } from '../../loaders/covering/ownersList.ts';
import { MIN_RECORDS, RECORDS_PROBE_CALLS } from '../../loaders/covering/recordList.ts';
import type { AnyOperation } from '../../upstream/contract/operation.ts';

/** What a list whose length is unknown could replace: calls of fields, and how many fields send them. */
interface Replaceable {
  calls: number;
  fields: number;
}

/**
 * Counts the calls with which an operation can find out whether pages of a list replace others: once for the gets of a type of record, and once for each field
 * whose list is a part of another list, if enough of them are sent together.
 */
export class ProbeCounter {
  readonly #replaceable = new Map<AnyOperation, Replaceable>();
  readonly #getCoveringLists: GetCoveringLists;
  /** Calls of the fields that were added. */
  total = 0;

  constructor(getCoveringLists: GetCoveringLists) {
    this.#getCoveringLists = getCoveringLists;
  }

  /** Adds the calls of a field. `isRoot`: whether it's a root field, whose list isn't a part of another one. */
  add(operation: AnyOperation, calls: number, isRoot: boolean): void {
    const { cover, parts } = this.#getCoveringLists(operation);
    if (!cover && (isRoot || !parts)) return;
    const count = parts ? countOwnersProbes : countRecordsProbes;
    const known = this.#replaceable.get(operation) ?? { calls: 0, fields: 0 };
    this.total -= count(known);
    known.calls += calls;
    known.fields += 1;
    this.total += count(known);
    this.#replaceable.set(operation, known);
  }
}

/** Returns the lists whose pages can replace calls of an operation. */
export type GetCoveringLists = (operation: AnyOperation) => Pick<AnyOperation, 'cover' | 'parts'>;

const countRecordsProbes = ({ calls }: Replaceable): number => (calls < MIN_RECORDS ? 0 : RECORDS_PROBE_CALLS);

/** Fields can differ in their filters, and therefore in the list that replaces theirs. */
const countOwnersProbes = ({ calls, fields }: Replaceable): number => Math.min(fields, Math.floor(calls / MIN_OWNERS)) * OWNERS_PROBE_CALLS;
