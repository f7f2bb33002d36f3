import type { FieldPolicy, InMemoryCacheConfig, TypePolicies } from '@apollo/client';
import { relayStylePagination } from '@apollo/client/utilities';
import { createPossibleTypes, FAILURES } from '../core/possibleTypes.ts';
import { CONNECTIONS } from '../generated/connections.gen.ts';

/** Merges the pages of a list. Lists that the key can’t read stay null; Apollo’s own policy would make them empty. */
function createPagePolicy(keyArgs: readonly string[]): FieldPolicy {
  const { merge, ...policy } = relayStylePagination(keyArgs.length > 0 ? [...keyArgs] : false);
  return {
    ...policy,
    merge: (existing, incoming, options) =>
      incoming === null || typeof merge !== 'function' ? incoming : merge(existing ?? undefined, incoming, options),
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
