// Generated from src/ by `npm run codegen`. Do not edit.
export default {
  "Product": {
    "discounts": [],
    "inventoryBalances": [
      "filter"
    ],
    "inventoryMovements": [
      "filter"
    ]
  },
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
  "Order": {
    "reservations": [],
    "stockDemand": []
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
  "Query": {
    "products": [
      "query"
    ],
    "discounts": [
      "filter"
    ],
    "contacts": [
      "query"
    ],
    "customers": [
      "query"
    ],
    "inventoryBackorders": [
      "filter"
    ],
    "inventoryLocations": [
      "query"
    ],
    "inventoryBalances": [
      "filter"
    ],
    "inventoryMovements": [
      "filter"
    ],
    "inventoryTransfers": [
      "filter"
    ]
  }
};
