// Generated from src/ by `npm run codegen`. Do not edit.
export const CONNECTIONS = {
  "Contact": {
    "portfolios": []
  },
  "Customer": {
    "actionRequests": [
      "filter"
    ],
    "appointments": [
      "filter",
      "orderBy"
    ],
    "invoices": [
      "filter",
      "orderBy"
    ],
    "accountingIntegrations": [],
    "payments": [
      "filter"
    ],
    "proFormas": [],
    "comments": [],
    "files": [
      "filter"
    ],
    "orders": [
      "filter",
      "orderBy"
    ],
    "quotes": [
      "filter",
      "orderBy"
    ],
    "timelineEvents": [
      "filter"
    ],
    "workOrders": [
      "filter"
    ],
    "problems": [
      "filter"
    ]
  },
  "Role": {
    "members": []
  },
  "Team": {
    "members": []
  },
  "Member": {
    "roles": [],
    "teams": []
  },
  "WorkOrder": {
    "appointments": [],
    "tasks": [],
    "advancedTasks": [
      "filter"
    ]
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
  "Order": {
    "payments": [
      "filter"
    ],
    "refunds": [],
    "proFormas": [],
    "reservations": [],
    "stockDemand": []
  },
  "Payment": {
    "refunds": []
  },
  "InventoryLocation": {
    "inventoryBalances": [
      "filter"
    ],
    "inventoryMovements": [
      "filter"
    ]
  },
  "Portfolio": {
    "problems": [
      "filter"
    ]
  },
  "InventoryMovePayload": {
    "movements": []
  },
  "MemberInvitation": {
    "roles": [],
    "teams": []
  },
  "InventoryReceipt": {
    "lines": []
  },
  "InventoryReturnPayload": {
    "movements": []
  },
  "Problem": {
    "advancedTasks": [
      "filter"
    ]
  },
  "Query": {
    "appointmentSearch": [
      "query",
      "filter",
      "orderBy",
      "indexOnly"
    ],
    "paymentSearch": [
      "query",
      "filter",
      "orderBy",
      "indexOnly"
    ],
    "customerSearch": [
      "query",
      "filter",
      "orderBy",
      "indexOnly"
    ],
    "orderSearch": [
      "query",
      "filter",
      "orderBy",
      "indexOnly"
    ],
    "quoteSearch": [
      "query",
      "filter",
      "orderBy",
      "indexOnly"
    ],
    "workOrderSearch": [
      "query",
      "filter",
      "orderBy",
      "indexOnly"
    ],
    "problemSearch": [
      "query",
      "filter",
      "orderBy",
      "indexOnly"
    ],
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
    ],
    "documentTemplates": [],
    "emailTemplates": [],
    "memberInvitations": [],
    "members": [
      "query"
    ],
    "roles": [
      "query"
    ],
    "teams": [
      "query"
    ],
    "actionRequests": [
      "filter"
    ],
    "appointments": [
      "scheduledBetween",
      "filter"
    ],
    "workflowAutomations": [],
    "workOrders": [
      "query",
      "filter"
    ],
    "workOrderTemplates": [
      "filter"
    ],
    "advancedTaskDefinitions": [],
    "advancedTasks": [
      "filter"
    ],
    "problems": [
      "query",
      "filter"
    ],
    "problemTemplates": []
  }
} as const;
