// Generated from src/ by `npm run codegen`. Do not edit.
export default {
  "Contact": {
    "portfolios": []
  },
  "Customer": {
    "comments": [],
    "files": [
      "kind"
    ],
    "orders": [
      "status"
    ],
    "quotes": [
      "status"
    ],
    "timelineEvents": [
      "transactionId"
    ]
  },
  "InventoryLocation": {
    "balances": [
      "productId"
    ],
    "movements": []
  },
  "InventoryReceipt": {
    "lines": []
  },
  "Order": {
    "reservations": [],
    "stockDemand": []
  },
  "Product": {
    "inventoryBalances": [
      "locationId"
    ],
    "inventoryMovements": []
  },
  "Query": {
    "contacts": [
      "query"
    ],
    "customers": [
      "query"
    ],
    "discounts": [
      "folderId"
    ],
    "inventoryBackorders": [
      "status"
    ],
    "inventoryBalances": [
      "locationId",
      "productId"
    ],
    "inventoryLocations": [
      "query"
    ],
    "inventoryMovements": [
      "filter"
    ],
    "inventoryTransfers": [
      "status"
    ],
    "products": [
      "query"
    ]
  }
};
