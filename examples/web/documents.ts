import { graphql } from './gql/gql.ts';

// Documents refer to these fragments by name, so they don't need to be exported.

graphql(`
  fragment MoneyParts on Money {
    amount
    currencyCode
    minorUnits
  }
`);

graphql(`
  fragment StockParts on Product {
    id
    hasInfiniteStock
    inventoryBalances(first: 5) {
      nodes {
        id
        available
        location {
          id
          name
        }
      }
    }
  }
`);

graphql(`
  fragment QuoteParts on Quote {
    id
    referenceNumber
    title
    status
    version
    totalOnce {
      ...MoneyParts
    }
    totalMonthly {
      ...MoneyParts
    }
    totalYearly {
      ...MoneyParts
    }
    discounts {
      discountId
      name
      amountOnce {
        ...MoneyParts
      }
      amountMonthly {
        ...MoneyParts
      }
      amountYearly {
        ...MoneyParts
      }
    }
    lines {
      id
      productId
      quantity
      priceType
      productName
      total {
        ...MoneyParts
      }
      product {
        ...StockParts
      }
    }
  }
`);

graphql(`
  fragment OrderParts on Order {
    id
    referenceNumber
    status
    totalOnce {
      ...MoneyParts
    }
    totalMonthly {
      ...MoneyParts
    }
    totalYearly {
      ...MoneyParts
    }
    lines {
      id
      quantity
      priceType
      productName
      total {
        ...MoneyParts
      }
      product {
        ...StockParts
      }
    }
  }
`);

graphql(`
  fragment QuotePage on QuoteConnection {
    edges {
      cursor
      node {
        ...QuoteParts
      }
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
`);

graphql(`
  fragment OrderPage on OrderConnection {
    edges {
      cursor
      node {
        ...OrderParts
      }
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
`);

/** Customers whose title, name, email address, phone number, or reference number contains a text: one call. Without a text, the first customers. */
export const FindCustomers = graphql(`
  query FindCustomers($query: String) {
    customers(query: $query, first: 20) {
      nodes {
        id
        title
        referenceNumber
        customerName
        email
        phone
      }
      pageInfo {
        hasNextPage
      }
    }
  }
`);

/** A customer, and the first page of both lists. */
export const CustomerByNumber = graphql(`
  query CustomerByNumber($referenceNumber: String!) {
    customersByIdentifier(by: { referenceNumber: $referenceNumber }) {
      id
      title
      referenceNumber
      customerName
      email
      phone
      quotes(first: 3) {
        ...QuotePage
      }
      orders(first: 3) {
        ...OrderPage
      }
    }
  }
`);

export const MoreQuotes = graphql(`
  query MoreQuotes($customerId: ID!, $after: String) {
    customer(id: $customerId) {
      id
      quotes(first: 3, after: $after) {
        ...QuotePage
      }
    }
  }
`);

export const MoreOrders = graphql(`
  query MoreOrders($customerId: ID!, $after: String) {
    customer(id: $customerId) {
      id
      orders(first: 3, after: $after) {
        ...OrderPage
      }
    }
  }
`);

export const QuoteNow = graphql(`
  query QuoteNow($id: ID!) {
    quote(id: $id) {
      ...QuoteParts
    }
  }
`);

// Error types that the page doesn't handle, including those added later, have a message, too.
graphql(`
  fragment FailureParts on MutationError {
    ...Failure
    ... on VersionConflictError {
      current {
        __typename
        ... on Quote {
          ...QuoteParts
        }
      }
    }
    ... on TransitionBlockedError {
      current {
        __typename
        ... on Quote {
          ...QuoteParts
        }
      }
    }
  }
`);

export const ConfirmQuote = graphql(`
  mutation ConfirmQuote($input: QuoteConfirmInput!) {
    quoteConfirm(input: $input) {
      __typename
      ... on QuoteConfirmPayload {
        quote {
          ...QuoteParts
        }
        order {
          id
          referenceNumber
        }
      }
      ...FailureParts
    }
  }
`);

export const UpdateQuote = graphql(`
  mutation UpdateQuote($input: QuoteUpdateInput!) {
    quoteUpdate(input: $input) {
      __typename
      ... on QuoteUpdatePayload {
        effect
        quote {
          ...QuoteParts
        }
      }
      ...FailureParts
    }
  }
`);
