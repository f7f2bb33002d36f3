import type { ApolloCache } from '@apollo/client';
import { useApolloClient, useQuery } from '@apollo/client/react';
import type { OrderCardPartsFragment } from '../gql/graphql.ts';
import { CustomerTitle, CustomerTitles } from './documents.ts';

/** Maximum number of items of a condition in a filter. */
const MAX_ITEMS = 100;

/** The numbers of orders whose customers' titles the cache doesn't have, one for each customer. */
function listUntitled(orders: readonly OrderCardPartsFragment[], cache: ApolloCache): string[] {
  const numbers = new Map<string, string>();
  for (const { customer, referenceNumber } of orders) {
    if (!customer || !referenceNumber) continue;
    const id = cache.identify({ __typename: 'Customer', id: customer.id });
    if (id && !cache.readFragment({ id, fragment: CustomerTitle })) numbers.set(customer.id, referenceNumber);
  }
  return [...numbers.values()].slice(0, MAX_ITEMS);
}

/** Reads the missing titles of the orders' customers into the cache, where the cards get them. */
export function useCustomerTitles(orders: readonly OrderCardPartsFragment[]) {
  const { cache } = useApolloClient();
  const referenceNumbers = listUntitled(orders, cache);
  return useQuery(CustomerTitles, {
    variables: { referenceNumbers },
    skip: referenceNumbers.length === 0,
    fetchPolicy: 'network-only',
    errorPolicy: 'all',
  });
}
