import type { ResultOf } from '@graphql-typed-document-node/core';
import { unwrap } from '../../client/src/index.ts';
import { type Graph, mutate, type PartialData, query } from './client.ts';
import { graphql } from './gql/gql.ts';

const FindCustomer = graphql(`
  query FindCustomer($referenceNumber: String!) {
    customersByIdentifier(by: { referenceNumber: $referenceNumber }) {
      id
      title
    }
  }
`);

const QuotesPage = graphql(`
  query QuotesPage($customerId: ID!, $after: String) {
    customer(id: $customerId) {
      quotes(first: 50, after: $after) {
        nodes {
          id
          referenceNumber
          title
          status
          totalOnce {
            amount
            currencyCode
          }
        }
        pageInfo {
          hasNextPage
          endCursor
        }
      }
    }
  }
`);

const ConfirmQuote = graphql(`
  mutation ConfirmQuote($quoteId: ID!) {
    quoteConfirm(input: { quoteId: $quoteId }) {
      __typename
      ... on QuoteConfirmPayload {
        order {
          referenceNumber
          totalOnce {
            amount
            currencyCode
          }
        }
      }
      ...Failure
    }
  }
`);

/** The customer with a reference number. Undefined if the key can't access one. */
export async function findCustomer(graph: Graph, referenceNumber: string) {
  const { customersByIdentifier } = await query(graph, FindCustomer, { referenceNumber });
  return customersByIdentifier?.[0];
}

/** A quote with the fields that this program selects. */
export type Quote = NonNullable<NonNullable<ResultOf<typeof QuotesPage>['customer']>['quotes']>['nodes'][number];

/** Formats an amount with its currency. Unknown if the currency isn't known or the amount couldn't be read. */
export const formatAmount = (money: PartialData<Quote['totalOnce']> | null | undefined): string =>
  money ? `${money.amount} ${money.currencyCode}` : 'an unknown amount';

/** All quotes of a customer, newest first. Pages are fetched as the quotes are consumed. */
export async function* listQuotes(graph: Graph, customerId: string): AsyncGenerator<Quote> {
  let after: string | null = null;
  do {
    const { customer }: ResultOf<typeof QuotesPage> = await query(graph, QuotesPage, { customerId, after });
    yield* customer?.quotes?.nodes ?? [];
    after = customer?.quotes?.pageInfo.hasNextPage ? customer.quotes.pageInfo.endCursor : null;
  } while (after);
}

/** Confirms a quote, which creates an order. Throws MutationFailure if that fails. `errors` contains the errors of fields that couldn't be read. */
export async function confirmQuote(graph: Graph, quoteId: string) {
  const { data, errors } = await mutate(graph, ConfirmQuote, { quoteId });
  return { order: unwrap(data.quoteConfirm).order, errors };
}
