import type { ResultOf } from '@graphql-typed-document-node/core';
import { type Graph, mutate, type Partly, query } from './client.ts';
import { graphql } from './gql/gql.ts';
import { unwrap } from './unwrap.ts';

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

/** The customer that carries a reference number; undefined when the key sees none. */
export async function findCustomer(graph: Graph, referenceNumber: string) {
  const { customersByIdentifier } = await query(graph, FindCustomer, { referenceNumber });
  return customersByIdentifier?.[0];
}

/** A quote, as far as this program reads one. */
export type Quote = NonNullable<NonNullable<ResultOf<typeof QuotesPage>['customer']>['quotes']>['nodes'][number];

/** An amount with its currency; says so where the graph knows no currency, or the amount could not be read. */
export const amountOf = (money: Partly<Quote['totalOnce']> | null | undefined): string =>
  money ? `${money.amount} ${money.currencyCode}` : 'an unknown amount';

/** All quotes of a customer, newest first, page by page as they are taken. */
export async function* quotesOf(graph: Graph, customerId: string): AsyncGenerator<Quote> {
  let after: string | null = null;
  do {
    const { customer }: ResultOf<typeof QuotesPage> = await query(graph, QuotesPage, { customerId, after });
    yield* customer?.quotes?.nodes ?? [];
    after = customer?.quotes?.pageInfo.hasNextPage ? customer.quotes.pageInfo.endCursor : null;
  } while (after);
}

/** Turns a quote into an order. Throws MutationFailure when it does not come to that; `errors` say what of the order could not be read. */
export async function confirmQuote(graph: Graph, quoteId: string) {
  const { data, errors } = await mutate(graph, ConfirmQuote, { quoteId });
  return { order: unwrap(data.quoteConfirm).order, errors };
}
