import { graphql } from '../gql/gql.ts';

// Only fields that the index has, so that a page of a column takes one call.
graphql(`
  fragment OrderCardParts on Order {
    id
    status
    referenceNumber
    updatedAt
    totalOnce {
      ...MoneyParts
    }
    totalMonthly {
      ...MoneyParts
    }
    totalYearly {
      ...MoneyParts
    }
    customer {
      id
    }
  }
`);

graphql(`
  fragment OrderColumnPage on OrderSearchConnection {
    edges {
      cursor
      node {
        ...OrderCardParts
      }
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
`);

graphql(`
  fragment OrderDetails on Order {
    __typename
    ...OrderCardParts
    version
    createdAt
    cancelledAt
    cancellationReason
    paid {
      ...MoneyParts
    }
    refunded {
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
    }
  }
`);

// The current record, which the page displays immediately.
graphql(`
  fragment OrderFailure on MutationError {
    ...Failure
    ... on VersionConflictError {
      current {
        __typename
        ... on Order {
          ...OrderDetails
        }
      }
    }
    ... on TransitionBlockedError {
      current {
        __typename
        ... on Order {
          ...OrderDetails
        }
      }
    }
  }
`);

/** The first page of each column, and the counts: four calls. */
export const OrderBoard = graphql(`
  query OrderBoard($query: String, $currencies: [CurrencyCode!]) {
    counts: orderSearch(query: $query, filter: { currencyCodes: $currencies }) {
      facets {
        byStatus {
          status
          count
        }
      }
    }
    open: orderSearch(
      query: $query
      filter: { statuses: [OPEN], currencyCodes: $currencies }
      orderBy: { field: UPDATED_AT, direction: DESC }
      first: 25
    ) {
      ...OrderColumnPage
    }
    fulfilled: orderSearch(
      query: $query
      filter: { statuses: [FULFILLED], currencyCodes: $currencies }
      orderBy: { field: UPDATED_AT, direction: DESC }
      first: 25
    ) {
      ...OrderColumnPage
    }
    canceled: orderSearch(
      query: $query
      filter: { statuses: [CANCELLED], currencyCodes: $currencies }
      orderBy: { field: UPDATED_AT, direction: DESC }
      first: 25
    ) {
      ...OrderColumnPage
    }
  }
`);

/** The next page of a column. The same arguments as in the board, so that the cache appends it to the column. */
export const MoreOfColumn = graphql(`
  query MoreOfColumn($query: String, $currencies: [CurrencyCode!], $status: OrderStatus!, $after: String) {
    orderSearch(
      query: $query
      filter: { statuses: [$status], currencyCodes: $currencies }
      orderBy: { field: UPDATED_AT, direction: DESC }
      first: 25
      after: $after
    ) {
      ...OrderColumnPage
    }
  }
`);

/** The currencies of all orders, whatever the board's filter is. */
export const OrderCurrencies = graphql(`
  query OrderCurrencies {
    orderSearch {
      facets {
        byCurrency {
          currencyCode
        }
      }
    }
  }
`);

export const OrderNumber = graphql(`
  fragment OrderNumber on Order {
    id
    referenceNumber
  }
`);

export const CustomerTitle = graphql(`
  fragment CustomerTitle on Customer {
    id
    title
    referenceNumber
  }
`);

/** The customers of some orders: one call for up to 100 of them, where `customer { title }` would take one for each. */
export const CustomerTitles = graphql(`
  query CustomerTitles($referenceNumbers: [String!]!) {
    customerSearch(filter: { orders: { referenceNumber: { anyOf: $referenceNumbers } } }, first: 100) {
      nodes {
        ...CustomerTitle
      }
    }
  }
`);

/** An order with its customer: two calls. */
export const OrderNow = graphql(`
  query OrderNow($id: ID!) {
    order(id: $id) {
      ...OrderDetails
      customer {
        ...CustomerTitle
      }
    }
  }
`);

export const CancelOrder = graphql(`
  mutation CancelOrder($input: OrderCancelInput!) {
    orderCancel(input: $input) {
      __typename
      ... on OrderCancelPayload {
        effect
        order {
          ...OrderDetails
        }
      }
      ...OrderFailure
    }
  }
`);
