import { graphql } from '../gql/gql.ts';

graphql(`
  fragment LocationParts on InventoryLocation {
    id
    name
    code
    kind
    isActive
  }
`);

graphql(`
  fragment BalanceParts on InventoryBalance {
    id
    onHand
    available
    reserved
    inbound
    location {
      ...LocationParts
    }
  }
`);

// What lacks stock, so that the page can say it in its own words.
graphql(`
  fragment MoveFailure on MutationError {
    ...Failure
    ... on TransitionBlockedError {
      blockers {
        product {
          id
          name
        }
        location {
          id
          name
        }
        availableQuantity
        requiredQuantity
      }
    }
  }
`);

/** Products whose name, SKU, or description contains a text: one call. Without a text, the first active products. */
export const FindProducts = graphql(`
  query FindProducts($query: String) {
    products(query: $query, first: 20) {
      nodes {
        id
        name
        sku
        isActive
      }
      pageInfo {
        hasNextPage
      }
    }
  }
`);

/** The product with a barcode or another identifier: one call. */
export const ProductByCode = graphql(`
  query ProductByCode($code: String!) {
    productIdentifier(value: $code) {
      id
      product {
        id
      }
    }
  }
`);

/** A product with its stock, and the locations that stock can be moved to: four calls. */
export const ProductStock = graphql(`
  query ProductStock($id: ID!) {
    product(id: $id) {
      id
      name
      sku
      kind
      isActive
      hasInfiniteStock
      identifiers {
        id
        kind
        value
      }
      inventoryBalances(first: 100) {
        edges {
          cursor
          node {
            ...BalanceParts
          }
        }
        pageInfo {
          hasNextPage
          endCursor
        }
      }
    }
    inventoryLocations(first: 100) {
      nodes {
        ...LocationParts
      }
    }
  }
`);

export const MoveStock = graphql(`
  mutation MoveStock($input: InventoryMoveInput!) {
    inventoryMove(input: $input) {
      __typename
      ... on InventoryMovePayload {
        effect
        changedBalances {
          ...BalanceParts
        }
      }
      ...MoveFailure
    }
  }
`);
