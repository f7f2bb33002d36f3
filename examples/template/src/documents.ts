import { graphql } from './gql/gql.ts';

export const DraftQuotes = graphql(`
  query DraftQuotes($after: String) {
    quoteSearch(filter: { statuses: [CONCEPT] }, first: 20, after: $after) {
      nodes { id referenceNumber title totalOnce { amount currencyCode } }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

export const QuoteToEdit = graphql(`
  query QuoteToEdit($id: ID!) {
    quote(id: $id) { ...EditedQuote }
  }
  fragment EditedQuote on Quote {
    id version totalOnce { amount currencyCode }
    lines { id productId productName quantity priceType }
    discounts { discountId }
  }
`);

export const UpdateQuote = graphql(`
  mutation UpdateQuote($input: QuoteUpdateInput!) {
    quoteUpdate(input: $input) {
      ... on QuoteUpdatePayload { quote { ...EditedQuote } }
      ... on VersionConflictError { current { ... on Quote { ...EditedQuote } } }
      __typename ...Failure
    }
  }
`);
