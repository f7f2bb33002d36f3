import { InMemoryCache } from '@apollo/client';
import { relayStylePagination } from '@apollo/client/utilities';
import connections from '../connections.gen.ts'; // of each type: its connections, and the arguments that tell one list from another: `query`, `filter`
import possibleTypes from '../possibleTypes.gen.ts'; // so that fragments on MutationError and Node match

const typePolicies = { Customer: { fields: { quotes: relayStylePagination(connections.Customer.quotes) } } };

export function createCache() {
  const cache = new InMemoryCache({ ...possibleTypes, typePolicies });
  cache.policies.addPossibleTypes({ MutationError: ['.+Error'] }); // a pattern: a failure that is newer than the program keeps its fields
  return cache;
}
