import { graphql } from 'relay-runtime';

// A screen with the stock of an order and of a product, and all stock mutations. No file imports this file: relay-compiler reads it, and stockClients.ts reads
// it for the other clients.

export const screen = graphql`
  query stockScreenQuery($orderId: ID!, $productId: ID!, $locationId: ID!) {
    order(id: $orderId) {
      ...stockScreen_order @relay(mask: false)
    }
    product(id: $productId) {
      identifiers {
        id
        value
      }
      ...stockScreen_product @relay(mask: false)
    }
    inventoryLocation(id: $locationId) {
      ...stockScreen_location @relay(mask: false)
    }
    inventoryTransfers(first: 5) {
      nodes {
        id
        status
      }
    }
    inventoryBackorders(first: 5) {
      nodes {
        id
        expectedArrivalAt
      }
    }
  }
`;

export const order = graphql`
  fragment stockScreen_order on Order {
    id
    inventorySummary {
      reserved
      consumed
      returned
      outstanding
    }
    reservations(first: 10) {
      nodes {
        id
        status
      }
    }
    stockDemand(first: 10) {
      nodes {
        id
        reserved
        consumed
        outstanding
      }
    }
  }
`;

export const product = graphql`
  fragment stockScreen_product on Product {
    id
    inventoryBalances(first: 10) {
      nodes {
        id
        onHand
        available
        reserved
        inbound
      }
    }
  }
`;

export const location = graphql`
  fragment stockScreen_location on InventoryLocation {
    id
    inventoryBalances(first: 100) {
      nodes {
        id
        onHand
      }
    }
  }
`;

/** Releases a reservation, and selects the stock of the order and of the location. */
export const orderReservationRelease = graphql`
  mutation stockScreenOrderReservationReleaseMutation($input: OrderReservationReleaseInput!) {
    orderReservationRelease(input: $input) {
      __typename
      ... on OrderReservationReleasePayload {
        reservation {
          id
          status
          product {
            ...stockScreen_product @relay(mask: false)
          }
        }
        order {
          ...stockScreen_order @relay(mask: false)
        }
      }
      ... on MutationError {
        code
        message
      }
    }
  }
`;

export const orderReservationConsume = graphql`
  mutation stockScreenOrderReservationConsumeMutation($input: OrderReservationConsumeInput!) {
    orderReservationConsume(input: $input) {
      __typename
      ... on OrderReservationConsumePayload {
        reservation {
          id
          status
          product {
            ...stockScreen_product @relay(mask: false)
          }
        }
        order {
          ...stockScreen_order @relay(mask: false)
        }
      }
      ... on MutationError {
        code
        message
      }
    }
  }
`;

/** Adds a row to the list of reservations, which is part of the order. */
export const orderReservationCreate = graphql`
  mutation stockScreenOrderReservationCreateMutation($input: OrderReservationCreateInput!) {
    orderReservationCreate(input: $input) {
      __typename
      ... on OrderReservationCreatePayload {
        reservation {
          id
          product {
            ...stockScreen_product @relay(mask: false)
          }
        }
        order {
          ...stockScreen_order @relay(mask: false)
        }
      }
      ... on MutationError {
        code
        message
      }
    }
  }
`;

export const orderStockAllocate = graphql`
  mutation stockScreenOrderStockAllocateMutation($input: OrderStockAllocateInput!) {
    orderStockAllocate(input: $input) {
      __typename
      ... on OrderStockAllocatePayload {
        reservations {
          id
          product {
            ...stockScreen_product @relay(mask: false)
          }
        }
        order {
          ...stockScreen_order @relay(mask: false)
        }
      }
      ... on MutationError {
        code
        message
      }
    }
  }
`;

export const inventoryReturn = graphql`
  mutation stockScreenInventoryReturnMutation($input: InventoryReturnInput!) {
    inventoryReturn(input: $input) {
      __typename
      ... on InventoryReturnPayload {
        movements(first: 1) {
          nodes {
            id
            product {
              ...stockScreen_product @relay(mask: false)
            }
            location {
              ...stockScreen_location @relay(mask: false)
            }
          }
        }
        order {
          ...stockScreen_order @relay(mask: false)
        }
      }
      ... on MutationError {
        code
        message
      }
    }
  }
`;

/** Moves a single product, so that two movements lead to everything that has changed. */
export const inventoryMove = graphql`
  mutation stockScreenInventoryMoveMutation($input: InventoryMoveInput!) {
    inventoryMove(input: $input) {
      __typename
      ... on InventoryMovePayload {
        movements(first: 2) {
          nodes {
            id
            product {
              ...stockScreen_product @relay(mask: false)
            }
            location {
              ...stockScreen_location @relay(mask: false)
            }
          }
        }
      }
      ... on MutationError {
        code
        message
      }
    }
  }
`;

export const inventoryAdjust = graphql`
  mutation stockScreenInventoryAdjustMutation($input: InventoryAdjustInput!) {
    inventoryAdjust(input: $input) {
      __typename
      ... on InventoryAdjustPayload {
        balance {
          id
          onHand
          available
          reserved
          inbound
        }
      }
      ... on MutationError {
        code
        message
      }
    }
  }
`;

export const inventoryTransferComplete = graphql`
  mutation stockScreenInventoryTransferCompleteMutation($input: InventoryTransferCompleteInput!) {
    inventoryTransferComplete(input: $input) {
      __typename
      ... on InventoryTransferCompletePayload {
        transfer {
          id
          status
          lines {
            id
            product {
              ...stockScreen_product @relay(mask: false)
            }
          }
        }
      }
      ... on MutationError {
        code
        message
      }
    }
  }
`;

export const inventoryBackorderReschedule = graphql`
  mutation stockScreenInventoryBackorderRescheduleMutation($input: InventoryBackorderRescheduleInput!) {
    inventoryBackorderReschedule(input: $input) {
      __typename
      ... on InventoryBackorderReschedulePayload {
        backorder {
          id
          expectedArrivalAt
        }
      }
      ... on MutationError {
        code
        message
      }
    }
  }
`;

export const inventoryReceiptPost = graphql`
  mutation stockScreenInventoryReceiptPostMutation($input: InventoryReceiptPostInput!) {
    inventoryReceiptPost(input: $input) {
      __typename
      ... on InventoryReceiptPostPayload {
        receipt {
          id
          lines(first: 1) {
            nodes {
              id
              product {
                ...stockScreen_product @relay(mask: false)
              }
            }
          }
        }
      }
      ... on MutationError {
        code
        message
      }
    }
  }
`;

export const productIdentifierDelete = graphql`
  mutation stockScreenProductIdentifierDeleteMutation($input: ProductIdentifierDeleteInput!) {
    productIdentifierDelete(input: $input) {
      __typename
      ... on ProductIdentifierDeletePayload {
        deletedIdentifierId @deleteRecord
      }
      ... on MutationError {
        code
        message
      }
    }
  }
`;

/** Selects only the reservation: its ID suffices to update the displayed list. */
export const reservationOnly = graphql`
  mutation stockScreenReservationOnlyMutation($input: OrderReservationReleaseInput!) {
    orderReservationRelease(input: $input) {
      __typename
      ... on OrderReservationReleasePayload {
        reservation {
          id
          status
        }
      }
    }
  }
`;
