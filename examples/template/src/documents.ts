import { graphql } from './gql/gql.ts';

export const DraftQuotes = graphql(`
  query DraftQuotes($query: String, $after: String) {
    quoteSearch(query: $query, filter: { statuses: [CONCEPT] }, first: 20, after: $after) {
      nodes { id referenceNumber title createdAt customer { id title } totalOnce { amount currencyCode } }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

export const QuoteById = graphql(`
  query QuoteById($id: ID!) {
    quote(id: $id) { ...QuoteDetails }
  }
  fragment QuoteDetails on Quote {
    id version referenceNumber title status createdAt updatedAt
    customer { id title }
    lines { id productId productName quantity priceType vatRate unitPrice { amount currencyCode } total { amount currencyCode } }
    discounts {
      discountId name
      amountOnce { amount currencyCode } amountMonthly { amount currencyCode } amountYearly { amount currencyCode }
    }
    totalOnce { amount currencyCode }
    totalMonthly { amount currencyCode }
    totalYearly { amount currencyCode }
  }
`);

export const UpdateQuote = graphql(`
  mutation UpdateQuote($input: QuoteUpdateInput!) {
    quoteUpdate(input: $input) {
      ... on QuoteUpdatePayload { quote { ...QuoteDetails } }
      ... on VersionConflictError { current { ... on Quote { ...QuoteDetails } } }
      __typename ...Failure
    }
  }
`);
