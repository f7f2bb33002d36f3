import type { FieldFunctionOptions, FieldPolicy, InMemoryCacheConfig, Reference, StoreObject, TypePolicies } from '@apollo/client';
import { relayStylePagination } from '@apollo/client/utilities';
import { createPossibleTypes, FAILURES } from '../core/possibleTypes.ts';
import { CONNECTIONS } from '../generated/connections.gen.ts';

/** A list in the cache. Its nodes are stored in its edges, so that `edges` and `nodes` always agree. */
interface StoredList {
  readonly edges?: readonly Edge[];
  readonly pageInfo?: object;
}

/** Without a cursor if only `nodes` were selected. Apollo’s policy adds those of `pageInfo` to the first and the last edge of a page. */
type Edge = StoreObject & { readonly node?: Item };
type Item = StoreObject | Reference;

interface IncomingList extends StoredList {
  readonly nodes?: readonly Item[];
}

/** The edges of a page, with the fields that were selected in `nodes`. Undefined if neither was selected. */
function joinEdges({ edges, nodes }: IncomingList, { mergeObjects }: FieldFunctionOptions): readonly Edge[] | undefined {
  if (!nodes) return edges;
  return nodes.map((item, index) => ({ ...edges?.[index], node: mergeObjects(edges?.[index]?.node ?? item, item) }));
}

/** Merges the pages of a list. Lists that the key can’t read stay null; Apollo’s own policy would make them empty. */
function createPagePolicy(keyArgs: readonly string[]): FieldPolicy {
  const { read, merge, ...policy } = relayStylePagination([...keyArgs]) as Pick<FieldPolicy, 'keyArgs'> & {
    read(list: StoredList, options: FieldFunctionOptions): Required<StoredList>;
    merge(list: StoredList, page: StoredList, options: FieldFunctionOptions): StoredList;
  };
  return {
    ...policy,
    read: (list: StoredList | null | undefined, options) => {
      if (!list?.edges) return list;
      const { edges, ...others } = read(list, options);
      // Apollo’s policy makes up cursors where no query has selected any.
      return { ...others, edges, nodes: edges.map((edge) => options.readField('node', edge)), pageInfo: list.pageInfo };
    },
    merge: (list: StoredList | null | undefined, incoming: IncomingList | null, options) => {
      if (!incoming) return incoming;
      const edges = joinEdges(incoming, options);
      if (edges) return merge({ edges: [], ...list }, { ...incoming, edges }, options);
      // Without items, the page must neither move the end of the list nor make it look empty.
      return { ...list, ...incoming, pageInfo: { ...incoming.pageInfo, ...list?.pageInfo } };
    },
  };
}

function createTypePolicies(): TypePolicies {
  const policies: TypePolicies = {};
  for (const [type, connections] of Object.entries(CONNECTIONS)) {
    const fields: Record<string, FieldPolicy> = {};
    for (const [field, keyArgs] of Object.entries(connections)) fields[field] = createPagePolicy(keyArgs);
    policies[type] = { fields };
  }
  // Slots have no ID, so a new response replaces all previous ones.
  policies.Agenda = { fields: { ...policies.Agenda?.fields, availableSlots: { merge: false } } };
  return policies;
}

/**
 * Options for `InMemoryCache`: fragments match all types, including error types that are newer than the program, and pages of lists are merged. Merge your own
 * options into it.
 */
export const cacheConfig = {
  // A pattern, so that error types added later keep their fields.
  possibleTypes: /* @__PURE__ */ createPossibleTypes([...FAILURES, '.+Error']),
  typePolicies: /* @__PURE__ */ createTypePolicies(),
} satisfies InMemoryCacheConfig;
