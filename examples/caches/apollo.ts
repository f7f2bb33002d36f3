import { InMemoryCache } from '@apollo/client';
import { relayStylePagination } from '@apollo/client/utilities';
import connections from '../connections.gen.ts'; // the connections of each type, and the arguments that identify a list: `query`, `filter`
import possibleTypes from '../possibleTypes.gen.ts'; // lets fragments on MutationError and Node match

const typePolicies = { Customer: { fields: { quotes: relayStylePagination(connections.Customer.quotes) } } };

export function createCache() {
  const cache = new InMemoryCache({ ...possibleTypes, typePolicies });
  cache.policies.addPossibleTypes({ MutationError: ['.+Error'] }); // a pattern, so that errors added later keep their fields
  return cache;
}
