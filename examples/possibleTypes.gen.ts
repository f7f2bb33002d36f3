// Generated from src/ by `npm run codegen`. Do not edit.

      export interface PossibleTypesResultData {
        possibleTypes: {
          [key: string]: string[]
        }
      }
      const result: PossibleTypesResultData = {
  "possibleTypes": {
    "ContactCreateResult": [
      "ContactCreatePayload",
      "ForbiddenError",
      "IdempotencyKeyReusedError",
      "NotFoundError",
      "OperationInProgressError",
      "OutcomeUnknownError",
      "RateLimitedError",
      "UpstreamRejectedError",
      "ValidationError"
    ],
    "ContactUpdateResult": [
      "ContactUpdatePayload",
      "ForbiddenError",
      "IdempotencyKeyReusedError",
      "NotFoundError",
      "OperationInProgressError",
      "OutcomeUnknownError",
      "RateLimitedError",
      "UpstreamRejectedError",
      "ValidationError"
    ],
    "CustomerCommentCreateResult": [
      "CustomerCommentCreatePayload",
      "ForbiddenError",
      "IdempotencyKeyReusedError",
      "NotFoundError",
      "OperationInProgressError",
      "OutcomeUnknownError",
      "RateLimitedError",
      "UpstreamRejectedError",
      "ValidationError"
    ],
    "CustomerCreateResult": [
      "CustomerCreatePayload",
      "ForbiddenError",
      "IdempotencyKeyReusedError",
      "NotFoundError",
      "OperationInProgressError",
      "OutcomeUnknownError",
      "RateLimitedError",
      "UpstreamRejectedError",
      "ValidationError"
    ],
    "CustomerDataFieldsUpdateResult": [
      "CustomerDataFieldsUpdatePayload",
      "ForbiddenError",
      "IdempotencyKeyReusedError",
      "NotFoundError",
      "OperationInProgressError",
      "OutcomeUnknownError",
      "RateLimitedError",
      "UpstreamRejectedError",
      "ValidationError"
    ],
    "CustomerEventCreateResult": [
      "CustomerEventCreatePayload",
      "ForbiddenError",
      "IdempotencyKeyReusedError",
      "NotFoundError",
      "OperationInProgressError",
      "OutcomeUnknownError",
      "RateLimitedError",
      "UpstreamRejectedError",
      "ValidationError"
    ],
    "CustomerFileUploadCompleteResult": [
      "CustomerFileUploadCompletePayload",
      "ForbiddenError",
      "IdempotencyKeyReusedError",
      "NotFoundError",
      "OperationInProgressError",
      "OutcomeUnknownError",
      "RateLimitedError",
      "TransitionBlockedError",
      "UpstreamRejectedError",
      "ValidationError"
    ],
    "CustomerFileUploadCreateResult": [
      "CustomerFileUploadCreatePayload",
      "ForbiddenError",
      "IdempotencyKeyReusedError",
      "NotFoundError",
      "OperationInProgressError",
      "OutcomeUnknownError",
      "RateLimitedError",
      "UpstreamRejectedError",
      "ValidationError"
    ],
    "CustomerJourneyStatusClearResult": [
      "CustomerJourneyStatusClearPayload",
      "ForbiddenError",
      "IdempotencyKeyReusedError",
      "NotFoundError",
      "OperationInProgressError",
      "OutcomeUnknownError",
      "RateLimitedError",
      "TransitionBlockedError",
      "UpstreamRejectedError",
      "ValidationError"
    ],
    "CustomerJourneyStatusSetResult": [
      "CustomerJourneyStatusSetPayload",
      "ForbiddenError",
      "IdempotencyKeyReusedError",
      "NotFoundError",
      "OperationInProgressError",
      "OutcomeUnknownError",
      "RateLimitedError",
      "TransitionBlockedError",
      "UpstreamRejectedError",
      "ValidationError"
    ],
    "CustomerUpdateResult": [
      "CustomerUpdatePayload",
      "ForbiddenError",
      "IdempotencyKeyReusedError",
      "NotFoundError",
      "OperationInProgressError",
      "OutcomeUnknownError",
      "RateLimitedError",
      "UpstreamRejectedError",
      "ValidationError"
    ],
    "InventoryAdjustResult": [
      "ForbiddenError",
      "IdempotencyKeyReusedError",
      "InventoryAdjustPayload",
      "NotFoundError",
      "OperationInProgressError",
      "OutcomeUnknownError",
      "RateLimitedError",
      "TransitionBlockedError",
      "UpstreamRejectedError",
      "ValidationError"
    ],
    "InventoryBackorderCreateResult": [
      "ForbiddenError",
      "IdempotencyKeyReusedError",
      "InventoryBackorderCreatePayload",
      "NotFoundError",
      "OperationInProgressError",
      "OutcomeUnknownError",
      "RateLimitedError",
      "UpstreamRejectedError",
      "ValidationError"
    ],
    "InventoryBackorderEtaUpdateResult": [
      "ForbiddenError",
      "IdempotencyKeyReusedError",
      "InventoryBackorderEtaUpdatePayload",
      "NotFoundError",
      "OperationInProgressError",
      "OutcomeUnknownError",
      "RateLimitedError",
      "TransitionBlockedError",
      "UpstreamRejectedError",
      "ValidationError"
    ],
    "InventoryLocationCreateResult": [
      "ForbiddenError",
      "IdempotencyKeyReusedError",
      "InventoryLocationCreatePayload",
      "NotFoundError",
      "OperationInProgressError",
      "OutcomeUnknownError",
      "RateLimitedError",
      "UpstreamRejectedError",
      "ValidationError"
    ],
    "InventoryMoveResult": [
      "ForbiddenError",
      "IdempotencyKeyReusedError",
      "InventoryMovePayload",
      "NotFoundError",
      "OperationInProgressError",
      "OutcomeUnknownError",
      "RateLimitedError",
      "TransitionBlockedError",
      "UpstreamRejectedError",
      "ValidationError"
    ],
    "InventoryReceiptCreateResult": [
      "ForbiddenError",
      "IdempotencyKeyReusedError",
      "InventoryReceiptCreatePayload",
      "NotFoundError",
      "OperationInProgressError",
      "OutcomeUnknownError",
      "RateLimitedError",
      "UpstreamRejectedError",
      "ValidationError"
    ],
    "InventoryReceiptLineAddResult": [
      "ForbiddenError",
      "IdempotencyKeyReusedError",
      "InventoryReceiptLineAddPayload",
      "NotFoundError",
      "OperationInProgressError",
      "OutcomeUnknownError",
      "RateLimitedError",
      "TransitionBlockedError",
      "UpstreamRejectedError",
      "ValidationError"
    ],
    "InventoryReceiptPostResult": [
      "ForbiddenError",
      "InventoryReceiptPostPayload",
      "NotFoundError",
      "OutcomeUnknownError",
      "RateLimitedError",
      "TransitionBlockedError",
      "UpstreamRejectedError",
      "ValidationError"
    ],
    "InventoryReturnResult": [
      "ForbiddenError",
      "IdempotencyKeyReusedError",
      "InventoryReturnPayload",
      "NotFoundError",
      "OperationInProgressError",
      "OutcomeUnknownError",
      "RateLimitedError",
      "TransitionBlockedError",
      "UpstreamRejectedError",
      "ValidationError"
    ],
    "InventoryTransferCompleteResult": [
      "ForbiddenError",
      "IdempotencyKeyReusedError",
      "InventoryTransferCompletePayload",
      "NotFoundError",
      "OperationInProgressError",
      "OutcomeUnknownError",
      "RateLimitedError",
      "TransitionBlockedError",
      "UpstreamRejectedError",
      "ValidationError"
    ],
    "InventoryTransferStartResult": [
      "ForbiddenError",
      "IdempotencyKeyReusedError",
      "InventoryTransferStartPayload",
      "NotFoundError",
      "OperationInProgressError",
      "OutcomeUnknownError",
      "RateLimitedError",
      "TransitionBlockedError",
      "UpstreamRejectedError",
      "ValidationError"
    ],
    "MutationError": [
      "ForbiddenError",
      "IdempotencyKeyReusedError",
      "NotFoundError",
      "OperationInProgressError",
      "OutcomeUnknownError",
      "RateLimitedError",
      "TransitionBlockedError",
      "UpstreamRejectedError",
      "ValidationError",
      "VersionConflictError"
    ],
    "Node": [
      "Contact",
      "Customer",
      "DataField",
      "Discount",
      "InventoryLocation",
      "InventoryReceipt",
      "Order",
      "Portfolio",
      "Product",
      "Quote"
    ],
    "OrderCancelResult": [
      "ForbiddenError",
      "IdempotencyKeyReusedError",
      "NotFoundError",
      "OperationInProgressError",
      "OrderCancelPayload",
      "OutcomeUnknownError",
      "RateLimitedError",
      "TransitionBlockedError",
      "UpstreamRejectedError",
      "ValidationError",
      "VersionConflictError"
    ],
    "OrderReservationCreateResult": [
      "ForbiddenError",
      "IdempotencyKeyReusedError",
      "NotFoundError",
      "OperationInProgressError",
      "OrderReservationCreatePayload",
      "OutcomeUnknownError",
      "RateLimitedError",
      "TransitionBlockedError",
      "UpstreamRejectedError",
      "ValidationError"
    ],
    "OrderStockAllocateResult": [
      "ForbiddenError",
      "IdempotencyKeyReusedError",
      "NotFoundError",
      "OperationInProgressError",
      "OrderStockAllocatePayload",
      "OutcomeUnknownError",
      "RateLimitedError",
      "TransitionBlockedError",
      "UpstreamRejectedError",
      "ValidationError"
    ],
    "PortfolioCreateResult": [
      "ForbiddenError",
      "IdempotencyKeyReusedError",
      "NotFoundError",
      "OperationInProgressError",
      "OutcomeUnknownError",
      "PortfolioCreatePayload",
      "RateLimitedError",
      "UpstreamRejectedError",
      "ValidationError"
    ],
    "PortfolioDataFieldsUpdateResult": [
      "ForbiddenError",
      "IdempotencyKeyReusedError",
      "NotFoundError",
      "OperationInProgressError",
      "OutcomeUnknownError",
      "PortfolioDataFieldsUpdatePayload",
      "RateLimitedError",
      "UpstreamRejectedError",
      "ValidationError"
    ],
    "ProductCreateResult": [
      "ForbiddenError",
      "IdempotencyKeyReusedError",
      "NotFoundError",
      "OperationInProgressError",
      "OutcomeUnknownError",
      "ProductCreatePayload",
      "RateLimitedError",
      "UpstreamRejectedError",
      "ValidationError"
    ],
    "ProductIdentifierAddResult": [
      "ForbiddenError",
      "IdempotencyKeyReusedError",
      "NotFoundError",
      "OperationInProgressError",
      "OutcomeUnknownError",
      "ProductIdentifierAddPayload",
      "RateLimitedError",
      "UpstreamRejectedError",
      "ValidationError"
    ],
    "ProductIdentifierDeleteResult": [
      "ForbiddenError",
      "IdempotencyKeyReusedError",
      "NotFoundError",
      "OperationInProgressError",
      "OutcomeUnknownError",
      "ProductIdentifierDeletePayload",
      "RateLimitedError",
      "UpstreamRejectedError",
      "ValidationError"
    ],
    "ProductUpdateResult": [
      "ForbiddenError",
      "IdempotencyKeyReusedError",
      "NotFoundError",
      "OperationInProgressError",
      "OutcomeUnknownError",
      "ProductUpdatePayload",
      "RateLimitedError",
      "UpstreamRejectedError",
      "ValidationError"
    ],
    "QuoteConfirmResult": [
      "ForbiddenError",
      "NotFoundError",
      "OutcomeUnknownError",
      "QuoteConfirmPayload",
      "RateLimitedError",
      "TransitionBlockedError",
      "UpstreamRejectedError",
      "ValidationError"
    ],
    "QuoteCreateResult": [
      "ForbiddenError",
      "IdempotencyKeyReusedError",
      "NotFoundError",
      "OperationInProgressError",
      "OutcomeUnknownError",
      "QuoteCreatePayload",
      "RateLimitedError",
      "UpstreamRejectedError",
      "ValidationError"
    ],
    "QuoteDiscardResult": [
      "ForbiddenError",
      "IdempotencyKeyReusedError",
      "NotFoundError",
      "OperationInProgressError",
      "OutcomeUnknownError",
      "QuoteDiscardPayload",
      "RateLimitedError",
      "TransitionBlockedError",
      "UpstreamRejectedError",
      "ValidationError"
    ],
    "QuoteUpdateResult": [
      "ForbiddenError",
      "IdempotencyKeyReusedError",
      "NotFoundError",
      "OperationInProgressError",
      "OutcomeUnknownError",
      "QuoteUpdatePayload",
      "RateLimitedError",
      "TransitionBlockedError",
      "UpstreamRejectedError",
      "ValidationError",
      "VersionConflictError"
    ],
    "ReservationConsumeResult": [
      "ForbiddenError",
      "IdempotencyKeyReusedError",
      "NotFoundError",
      "OperationInProgressError",
      "OutcomeUnknownError",
      "RateLimitedError",
      "ReservationConsumePayload",
      "TransitionBlockedError",
      "UpstreamRejectedError",
      "ValidationError"
    ],
    "ReservationReleaseResult": [
      "ForbiddenError",
      "IdempotencyKeyReusedError",
      "NotFoundError",
      "OperationInProgressError",
      "OutcomeUnknownError",
      "RateLimitedError",
      "ReservationReleasePayload",
      "TransitionBlockedError",
      "UpstreamRejectedError",
      "ValidationError"
    ]
  }
};
      export default result;
    