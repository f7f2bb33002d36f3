import { graphql } from 'relay-runtime';

// GraphQL documents of a screen's components. No file imports this file: relay-compiler reads it, and relay.test.ts executes the artifacts.

/** The screen: a customer with quotes, from the start or from a cursor. */
export const screen = graphql`
  query quotesScreenQuery($id: ID!, $count: Int!, $cursor: String, $filter: QuoteFilterInput) {
    customer(id: $id) {
      title
      ...quotesScreen_quotes @arguments(first: $count, after: $cursor, filter: $filter)
    }
  }
`;

/** A list that paginates in both directions. */
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

/** The same screen, whose list is delivered later. */
export const deferredScreen = graphql`
  query quotesScreenDeferredQuery($id: ID!) {
    customer(id: $id) {
      title
      ...quotesScreen_quotes @arguments(first: 4) @defer(label: "quotes")
    }
  }
`;

/** A quote that can be refetched individually through \`node(id:)\`. */
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

/** A root list. */
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

/** Each fragment has an alias. Otherwise, Relay would type all fragments as a single object with optional fields, because one of them is on an interface. */
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

/** Prepends a new quote to the displayed lists. */
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

/** A page with a nullable part: @catch separates its errors from the rest. */
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

/** A fragment that throws if one of its fields has an error, so that no field is null in its type. */
export const total = graphql`
  fragment quotesScreen_total on Quote @throwOnFieldError {
    version
    totalOnce {
      amount
    }
  }
`;
