import { graphql } from 'relay-runtime';

// GraphQL documents of a screen's components. No file imports this one: relay-compiler reads it, and relay.test.ts runs the artifacts.

/** The screen: a customer with quotes, from the first one or from a cursor on. */
export const screen = graphql`
  query quotesScreenQuery($id: ID!, $count: Int!, $cursor: String, $filter: QuoteFilterInput) {
    customer(id: $id) {
      title
      ...quotesScreen_quotes @arguments(first: $count, after: $cursor, filter: $filter)
    }
  }
`;

/** A list that goes on at both ends. */
export const quotes = graphql`
  fragment quotesScreen_quotes on Customer
  @refetchable(queryName: "quotesScreenPageQuery")
  @argumentDefinitions(
    first: { type: "Int" }
    after: { type: "String" }
    last: { type: "Int" }
    before: { type: "String" }
    filter: { type: "QuoteFilterInput" }
  ) {
    quotes(first: $first, after: $after, last: $last, before: $before, filter: $filter)
      @connection(key: "quotesScreen_quotes", filters: ["filter"]) {
      __id
      edges {
        node {
          id
          ...quotesScreen_quote
        }
      }
    }
  }
`;

/** A quote that can be read again alone, through \`node(id:)\`. */
export const quote = graphql`
  fragment quotesScreen_quote on Quote @refetchable(queryName: "quotesScreenQuoteQuery") {
    id
    status
    version
    totalOnce {
      amount
      currencyCode
    }
  }
`;

/** A list that hangs off the query itself. */
export const products = graphql`
  query quotesScreenProductsQuery($count: Int!) {
    ...quotesScreen_products @arguments(first: $count)
  }
`;

export const productsList = graphql`
  fragment quotesScreen_products on Query
  @refetchable(queryName: "quotesScreenProductsPageQuery")
  @argumentDefinitions(first: { type: "Int" }, after: { type: "String" }) {
    products(first: $first, after: $after) @connection(key: "quotesScreen_products") {
      edges {
        node {
          id
          name
        }
      }
    }
  }
`;

export const confirm = graphql`
  mutation quotesScreenConfirmMutation($input: QuoteConfirmInput!) {
    quoteConfirm(input: $input) {
      __typename
      ... on QuoteConfirmPayload {
        quote {
          status
          version
          order {
            status
          }
        }
      }
      ... on TransitionBlockedError {
        fromText
        blockers {
          code
          message
        }
      }
      ... on MutationError {
        code
        message
      }
    }
  }
`;

/** Each arm has its alias: beside an arm of an interface, Relay would else type all of them as one object of optional fields. */
export const discard = graphql`
  mutation quotesScreenDiscardMutation($input: QuoteDiscardInput!) {
    quoteDiscard(input: $input) {
      ... on QuoteDiscardPayload @alias(as: "done") {
        quote {
          status
        }
      }
      ... on TransitionBlockedError @alias(as: "blocked") {
        fromText
        blockers {
          code
        }
      }
      ... on MutationError @alias(as: "failure") {
        code
        retry
      }
    }
  }
`;

/** A new quote goes to the front of the lists of it that are on screen. */
export const create = graphql`
  mutation quotesScreenCreateMutation($input: QuoteCreateInput!, $connections: [ID!]!) {
    quoteCreate(input: $input) {
      __typename
      ... on QuoteCreatePayload {
        quote @prependNode(connections: $connections, edgeTypeName: "QuoteEdge") {
          id
          ...quotesScreen_quote
        }
      }
      ... on MutationError {
        code
      }
    }
  }
`;

/** A page of which a part may be missing: what is caught is told beside the rest. */
export const partial = graphql`
  query quotesScreenPartialQuery($id: ID!) {
    customer(id: $id) {
      id
      title
      quotes(first: 1) {
        nodes {
          ...quotesScreen_total
        }
      }
      orders(first: 1) @catch(to: RESULT) {
        nodes {
          id
          version
          totalOnce {
            amount
          }
        }
      }
    }
  }
`;

/** A part that throws when one of its fields could not be read, so that none of them is null in its type. */
export const total = graphql`
  fragment quotesScreen_total on Quote @throwOnFieldError {
    version
    totalOnce {
      amount
    }
  }
`;
