// Generated from src/ by `npm run codegen`. Do not edit.
export default {
  "Contact": {
    "portfolios": []
  },
  "Customer": {
    "comments": [],
    "files": [
      "filter"
    ],
    "orders": [
      "filter"
    ],
    "quotes": [
      "filter"
    ],
    "timelineEvents": [
      "filter"
    ]
  },
  "InventoryLocation": {
    "balances": [
      "filter"
    ],
    "movements": [
      "filter"
    ]
  },
  "InventoryMovePayload": {
    "movements": []
  },
  "InventoryReceipt": {
    "lines": []
  },
  "InventoryReturnPayload": {
    "movements": []
  },
  "Order": {
    "reservations": [],
    "stockDemand": []
  },
  "Product": {
    "discounts": [],
    "inventoryBalances": [
      "filter"
    ],
    "inventoryMovements": [
      "filter"
    ]
  },
  "Query": {
    "contacts": [
      "query"
    ],
    "customers": [
      "query"
    ],
    "discounts": [
      "filter"
    ],
    "inventoryBackorders": [
      "filter"
    ],
    "inventoryBalances": [
      "filter"
    ],
    "inventoryLocations": [
      "query"
    ],
    "inventoryMovements": [
      "filter"
    ],
    "inventoryTransfers": [
      "filter"
    ],
    "products": [
      "query"
    ]
  }
};
