import { graphql } from 'relay-runtime';

/** Corrects stock. Unlike other mutations, the graph can't find out whether it was applied if the upstream's response is lost. */
export const adjust = graphql`
  mutation adjustStockMutation($input: InventoryAdjustInput!) {
    inventoryAdjust(input: $input) {
      __typename
      ... on InventoryAdjustPayload {
        effect
      }
      ... on MutationError {
        code
        message
        retry
      }
      ... on RateLimitedError {
        retryAfterSeconds
      }
      ... on OperationInProgressError {
        retryAfterSeconds
      }
    }
  }
`;
