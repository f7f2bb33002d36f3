/** Names of the types whose changes are signaled. Chosen: those with an analytics index, where changes that were made elsewhere can be found. */
export const LIVE_TYPES = ['Customer', 'Order', 'Quote', 'Payment', 'WorkOrder', 'Problem', 'Appointment'] as const;

export type LiveType = (typeof LIVE_TYPES)[number];

export const isLiveType = (name: string): name is LiveType => LIVE_TYPES.some((type) => type === name);

/** Records of one type that may have changed. */
export interface Change {
  readonly type: LiveType;
  /** Raw IDs. */
  readonly ids: readonly string[];
  /** Whether others of this type may have changed, too. */
  readonly isTruncated: boolean;
}

/** `GRAPH`: a mutation of this graph. `POLL`: a change that was found in the analytics index. */
export type ChangeSource = 'GRAPH' | 'POLL';

/** Records that changed at the same time. */
export interface ChangeEvent {
  readonly source: ChangeSource;
  readonly changes: readonly Change[];
  /** Set if the permissions of members may have changed. */
  readonly changesRights?: true;
}

/** Identifies a state of a record, as far as its index shows it. */
export const createState = (id: string, { updatedAt = '', status = '' }: { readonly updatedAt?: string; readonly status?: string }) =>
  `${id} ${updatedAt} ${status}`;

/** The changes of which nothing is known but their types. */
export const createUnknownChanges = (types: Iterable<LiveType>): readonly Change[] =>
  Array.from(types, (type) => ({ type, ids: [], isTruncated: true }));

/** The records that a subscription is for. */
export interface Interest {
  readonly types: ReadonlySet<LiveType>;
  /** Raw IDs by type. Null for all records of the types. */
  readonly ids: ReadonlyMap<LiveType, Set<string>> | null;
}

/** The changes that concern a subscription. With IDs, it never learns the IDs of other records. */
export function selectChanges(changes: readonly Change[], { types, ids }: Interest): readonly Change[] {
  const ofTypes = changes.filter(({ type }) => types.has(type));
  if (!ids) return ofTypes;
  return ofTypes
    .map((change) => ({ ...change, ids: change.ids.filter((id) => ids.get(change.type)?.has(id)) }))
    .filter((change) => change.ids.length > 0 || change.isTruncated);
}
