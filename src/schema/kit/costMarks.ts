import type { AnyOperation } from '../../upstream/contract/operation.ts';

/**
 * The extensions of types that show records which are at hand when they are: pages of a list, the payload of a mutation, a conflict. To
 * follow one of their fields costs nothing.
 */
export const HOLDS_RECORDS = { holdsRecords: true };

/** The extensions of a field whose object is read by its id, though its parent holds records. */
export const FETCHED_BY_ID = { isFetchedById: true };

/** In a field's extensions: what it costs, where neither an operation of its own nor its type tells. */
export interface CostExtensions {
  /** Called for each object, whatever is asked of it. */
  readonly calls?: AnyOperation;
  /** Called for each object of which more than keys is asked: what the object is part of is read. */
  readonly reads?: AnyOperation;
  /** Its answer is the same for all objects, and is looked in for each: it is called once. */
  readonly sharedCall?: AnyOperation;
  /** See `FETCHED_BY_ID`. */
  readonly isFetchedById?: boolean;
  /** Called before the field's own operation, to compare the record that it changes. */
  readonly compares?: AnyOperation;
  /** How many objects a list is taken to hold. */
  readonly assumedSize?: number;
}
