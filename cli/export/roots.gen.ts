// Generated from src/ by `npm run codegen`. Do not edit.
export const ROOTS = {
  "appointments": {
    "search": "appointmentSearch",
    "scopes": [
      "analytics:read",
      "appointment:read"
    ],
    "columns": [
      {
        "name": "id",
        "type": "ID",
        "kind": "TEXT",
        "isDefault": true,
        "path": [
          "id"
        ],
        "rawPath": [
          "rawId"
        ]
      },
      {
        "name": "status",
        "type": "AppointmentStatus",
        "kind": "TEXT",
        "isDefault": true,
        "path": [
          "status"
        ]
      },
      {
        "name": "statusText",
        "type": "String",
        "kind": "TEXT",
        "isDefault": false,
        "path": [
          "statusText"
        ]
      },
      {
        "name": "source",
        "type": "AppointmentSource",
        "kind": "TEXT",
        "isDefault": true,
        "path": [
          "source"
        ]
      },
      {
        "name": "sourceText",
        "type": "String",
        "kind": "TEXT",
        "isDefault": false,
        "path": [
          "sourceText"
        ]
      },
      {
        "name": "agendaId",
        "type": "ID",
        "kind": "TEXT",
        "isDefault": true,
        "path": [
          "agenda",
          "id"
        ],
        "rawPath": [
          "agenda",
          "rawId"
        ]
      },
      {
        "name": "appointmentTypeId",
        "type": "ID",
        "kind": "TEXT",
        "isDefault": true,
        "path": [
          "appointmentType",
          "id"
        ],
        "rawPath": [
          "appointmentType",
          "rawId"
        ]
      },
      {
        "name": "memberId",
        "type": "ID",
        "kind": "TEXT",
        "isDefault": true,
        "path": [
          "member",
          "id"
        ],
        "rawPath": [
          "member",
          "rawId"
        ]
      },
      {
        "name": "customerId",
        "type": "ID",
        "kind": "TEXT",
        "isDefault": true,
        "path": [
          "customer",
          "id"
        ],
        "rawPath": [
          "customer",
          "rawId"
        ]
      },
      {
        "name": "workOrderId",
        "type": "ID",
        "kind": "TEXT",
        "isDefault": true,
        "path": [
          "workOrder",
          "id"
        ],
        "rawPath": [
          "workOrder",
          "rawId"
        ]
      },
      {
        "name": "startsAt",
        "type": "DateTime",
        "kind": "TIMESTAMP",
        "isDefault": true,
        "path": [
          "startsAt"
        ]
      },
      {
        "name": "endsAt",
        "type": "DateTime",
        "kind": "TIMESTAMP",
        "isDefault": true,
        "path": [
          "endsAt"
        ]
      },
      {
        "name": "createdAt",
        "type": "DateTime",
        "kind": "TIMESTAMP",
        "isDefault": true,
        "path": [
          "createdAt"
        ]
      },
      {
        "name": "updatedAt",
        "type": "DateTime",
        "kind": "TIMESTAMP",
        "isDefault": true,
        "path": [
          "updatedAt"
        ]
      },
      {
        "name": "cancelledAt",
        "type": "DateTime",
        "kind": "TIMESTAMP",
        "isDefault": true,
        "path": [
          "cancelledAt"
        ]
      }
    ],
    "record": "id status statusText source sourceText startsAt endsAt agenda { id } appointmentType { id } member { id } customer { id } workOrder { id } description result { code { id name isSuccess } notes recordedBy { id } recordedAt } createdAt updatedAt cancelledAt",
    "rawRecord": "rawId status statusText source sourceText startsAt endsAt agenda { rawId } appointmentType { rawId } member { rawId } customer { rawId } workOrder { rawId } description result { code { rawId name isSuccess } notes recordedBy { rawId } recordedAt } createdAt updatedAt cancelledAt"
  },
  "payments": {
    "search": "paymentSearch",
    "scopes": [
      "analytics:read",
      "payment:read"
    ],
    "columns": [
      {
        "name": "id",
        "type": "ID",
        "kind": "TEXT",
        "isDefault": true,
        "path": [
          "id"
        ],
        "rawPath": [
          "rawId"
        ]
      },
      {
        "name": "orderId",
        "type": "ID",
        "kind": "TEXT",
        "isDefault": true,
        "path": [
          "order",
          "id"
        ],
        "rawPath": [
          "order",
          "rawId"
        ]
      },
      {
        "name": "customerId",
        "type": "ID",
        "kind": "TEXT",
        "isDefault": true,
        "path": [
          "customer",
          "id"
        ],
        "rawPath": [
          "customer",
          "rawId"
        ]
      },
      {
        "name": "provider",
        "type": "PaymentProvider",
        "kind": "TEXT",
        "isDefault": true,
        "path": [
          "provider"
        ]
      },
      {
        "name": "providerText",
        "type": "String",
        "kind": "TEXT",
        "isDefault": false,
        "path": [
          "providerText"
        ]
      },
      {
        "name": "status",
        "type": "PaymentStatus",
        "kind": "TEXT",
        "isDefault": true,
        "path": [
          "status"
        ]
      },
      {
        "name": "statusText",
        "type": "String",
        "kind": "TEXT",
        "isDefault": false,
        "path": [
          "statusText"
        ]
      },
      {
        "name": "currencyCode",
        "type": "CurrencyCode",
        "kind": "TEXT",
        "isDefault": true,
        "path": [
          "currencyCode"
        ]
      },
      {
        "name": "amount",
        "type": "Money",
        "kind": "MONEY",
        "isDefault": true,
        "path": [
          "amount"
        ]
      },
      {
        "name": "received",
        "type": "Money",
        "kind": "MONEY",
        "isDefault": true,
        "path": [
          "received"
        ]
      },
      {
        "name": "createdAt",
        "type": "DateTime",
        "kind": "TIMESTAMP",
        "isDefault": true,
        "path": [
          "createdAt"
        ]
      },
      {
        "name": "updatedAt",
        "type": "DateTime",
        "kind": "TIMESTAMP",
        "isDefault": true,
        "path": [
          "updatedAt"
        ]
      },
      {
        "name": "paidAt",
        "type": "DateTime",
        "kind": "TIMESTAMP",
        "isDefault": true,
        "path": [
          "paidAt"
        ]
      }
    ],
    "record": "id status statusText provider providerText description externalOperationId order { id } customer { id } currencyCode amount { amount currencyCode } received { amount currencyCode } refunded { amount currencyCode } refundable { amount currencyCode } createdAt updatedAt paidAt",
    "rawRecord": "rawId status statusText provider providerText description externalOperationId order { rawId } customer { rawId } currencyCode amount { amount currencyCode } received { amount currencyCode } refunded { amount currencyCode } refundable { amount currencyCode } createdAt updatedAt paidAt"
  },
  "customers": {
    "search": "customerSearch",
    "scopes": [
      "analytics:read",
      "customer:read"
    ],
    "columns": [
      {
        "name": "id",
        "type": "ID",
        "kind": "TEXT",
        "isDefault": true,
        "path": [
          "id"
        ],
        "rawPath": [
          "rawId"
        ]
      },
      {
        "name": "title",
        "type": "String",
        "kind": "TEXT",
        "isDefault": true,
        "path": [
          "title"
        ]
      },
      {
        "name": "referenceNumber",
        "type": "String",
        "kind": "TEXT",
        "isDefault": true,
        "path": [
          "referenceNumber"
        ]
      },
      {
        "name": "contactId",
        "type": "ID",
        "kind": "TEXT",
        "isDefault": true,
        "path": [
          "contact",
          "id"
        ],
        "rawPath": [
          "contact",
          "rawId"
        ]
      },
      {
        "name": "journeyStatusId",
        "type": "ID",
        "kind": "TEXT",
        "isDefault": true,
        "path": [
          "journeyStatus",
          "id"
        ],
        "rawPath": [
          "journeyStatus",
          "rawId"
        ]
      },
      {
        "name": "expectedCloseAt",
        "type": "DateTime",
        "kind": "TIMESTAMP",
        "isDefault": true,
        "path": [
          "expectedCloseAt"
        ]
      },
      {
        "name": "createdAt",
        "type": "DateTime",
        "kind": "TIMESTAMP",
        "isDefault": true,
        "path": [
          "createdAt"
        ]
      },
      {
        "name": "updatedAt",
        "type": "DateTime",
        "kind": "TIMESTAMP",
        "isDefault": true,
        "path": [
          "updatedAt"
        ]
      }
    ],
    "record": "id title referenceNumber customerName email phone expectedCloseAt contact { id } createdAt updatedAt customFields { name value address { street houseNumber postalCode city countryCode countryText latitude longitude fullAddress } company { companyName registrationNumber vatNumber } }",
    "rawRecord": "rawId title referenceNumber customerName email phone expectedCloseAt contact { rawId } createdAt updatedAt customFields { name value address { street houseNumber postalCode city countryCode countryText latitude longitude fullAddress } company { companyName registrationNumber vatNumber } }"
  },
  "orders": {
    "search": "orderSearch",
    "scopes": [
      "analytics:read",
      "order:read"
    ],
    "columns": [
      {
        "name": "id",
        "type": "ID",
        "kind": "TEXT",
        "isDefault": true,
        "path": [
          "id"
        ],
        "rawPath": [
          "rawId"
        ]
      },
      {
        "name": "customerId",
        "type": "ID",
        "kind": "TEXT",
        "isDefault": true,
        "path": [
          "customer",
          "id"
        ],
        "rawPath": [
          "customer",
          "rawId"
        ]
      },
      {
        "name": "quoteId",
        "type": "ID",
        "kind": "TEXT",
        "isDefault": true,
        "path": [
          "quote",
          "id"
        ],
        "rawPath": [
          "quote",
          "rawId"
        ]
      },
      {
        "name": "status",
        "type": "OrderStatus",
        "kind": "TEXT",
        "isDefault": true,
        "path": [
          "status"
        ]
      },
      {
        "name": "statusText",
        "type": "String",
        "kind": "TEXT",
        "isDefault": false,
        "path": [
          "statusText"
        ]
      },
      {
        "name": "referenceNumber",
        "type": "String",
        "kind": "TEXT",
        "isDefault": true,
        "path": [
          "referenceNumber"
        ]
      },
      {
        "name": "currencyCode",
        "type": "CurrencyCode",
        "kind": "TEXT",
        "isDefault": true,
        "path": [
          "currencyCode"
        ]
      },
      {
        "name": "totalOnce",
        "type": "Money",
        "kind": "MONEY",
        "isDefault": true,
        "path": [
          "totalOnce"
        ]
      },
      {
        "name": "totalMonthly",
        "type": "Money",
        "kind": "MONEY",
        "isDefault": true,
        "path": [
          "totalMonthly"
        ]
      },
      {
        "name": "totalYearly",
        "type": "Money",
        "kind": "MONEY",
        "isDefault": true,
        "path": [
          "totalYearly"
        ]
      },
      {
        "name": "createdAt",
        "type": "DateTime",
        "kind": "TIMESTAMP",
        "isDefault": true,
        "path": [
          "createdAt"
        ]
      },
      {
        "name": "updatedAt",
        "type": "DateTime",
        "kind": "TIMESTAMP",
        "isDefault": true,
        "path": [
          "updatedAt"
        ]
      },
      {
        "name": "cancelledAt",
        "type": "DateTime",
        "kind": "TIMESTAMP",
        "isDefault": true,
        "path": [
          "cancelledAt"
        ]
      }
    ],
    "record": "id status statusText referenceNumber customer { id } quote { id } lines { id productId product { id } productName quantity priceType priceTypeText unitPrice { amount currencyCode } vatRate total { amount currencyCode } } currencyCode totalOnce { amount currencyCode } totalMonthly { amount currencyCode } totalYearly { amount currencyCode } paid { amount currencyCode } refunded { amount currencyCode } createdAt updatedAt cancelledAt cancellationReason version",
    "rawRecord": "rawId status statusText referenceNumber customer { rawId } quote { rawId } lines { rawId productId product { rawId } productName quantity priceType priceTypeText unitPrice { amount currencyCode } vatRate total { amount currencyCode } } currencyCode totalOnce { amount currencyCode } totalMonthly { amount currencyCode } totalYearly { amount currencyCode } paid { amount currencyCode } refunded { amount currencyCode } createdAt updatedAt cancelledAt cancellationReason version",
    "customerField": "orders"
  },
  "quotes": {
    "search": "quoteSearch",
    "scopes": [
      "analytics:read",
      "quote:read"
    ],
    "columns": [
      {
        "name": "id",
        "type": "ID",
        "kind": "TEXT",
        "isDefault": true,
        "path": [
          "id"
        ],
        "rawPath": [
          "rawId"
        ]
      },
      {
        "name": "customerId",
        "type": "ID",
        "kind": "TEXT",
        "isDefault": true,
        "path": [
          "customer",
          "id"
        ],
        "rawPath": [
          "customer",
          "rawId"
        ]
      },
      {
        "name": "status",
        "type": "QuoteStatus",
        "kind": "TEXT",
        "isDefault": true,
        "path": [
          "status"
        ]
      },
      {
        "name": "statusText",
        "type": "String",
        "kind": "TEXT",
        "isDefault": false,
        "path": [
          "statusText"
        ]
      },
      {
        "name": "referenceNumber",
        "type": "String",
        "kind": "TEXT",
        "isDefault": true,
        "path": [
          "referenceNumber"
        ]
      },
      {
        "name": "pricingCountryCode",
        "type": "CountryCode",
        "kind": "TEXT",
        "isDefault": true,
        "path": [
          "pricingCountryCode"
        ]
      },
      {
        "name": "version",
        "type": "Version",
        "kind": "TEXT",
        "isDefault": true,
        "path": [
          "version"
        ]
      },
      {
        "name": "currencyCode",
        "type": "CurrencyCode",
        "kind": "TEXT",
        "isDefault": true,
        "path": [
          "currencyCode"
        ]
      },
      {
        "name": "totalOnce",
        "type": "Money",
        "kind": "MONEY",
        "isDefault": true,
        "path": [
          "totalOnce"
        ]
      },
      {
        "name": "totalMonthly",
        "type": "Money",
        "kind": "MONEY",
        "isDefault": true,
        "path": [
          "totalMonthly"
        ]
      },
      {
        "name": "totalYearly",
        "type": "Money",
        "kind": "MONEY",
        "isDefault": true,
        "path": [
          "totalYearly"
        ]
      },
      {
        "name": "orderId",
        "type": "ID",
        "kind": "TEXT",
        "isDefault": true,
        "path": [
          "order",
          "id"
        ],
        "rawPath": [
          "order",
          "rawId"
        ]
      },
      {
        "name": "createdAt",
        "type": "DateTime",
        "kind": "TIMESTAMP",
        "isDefault": true,
        "path": [
          "createdAt"
        ]
      },
      {
        "name": "updatedAt",
        "type": "DateTime",
        "kind": "TIMESTAMP",
        "isDefault": true,
        "path": [
          "updatedAt"
        ]
      }
    ],
    "record": "id status statusText title referenceNumber pricingCountryCode customer { id } lines { id productId product { id } productName quantity priceType priceTypeText unitPrice { amount currencyCode } vatRate total { amount currencyCode } } discounts { discountId discount { id } name amountOnce { amount currencyCode } amountMonthly { amount currencyCode } amountYearly { amount currencyCode } } currencyCode totalOnce { amount currencyCode } totalMonthly { amount currencyCode } totalYearly { amount currencyCode } createdAt updatedAt version order { id }",
    "rawRecord": "rawId status statusText title referenceNumber pricingCountryCode customer { rawId } lines { rawId productId product { rawId } productName quantity priceType priceTypeText unitPrice { amount currencyCode } vatRate total { amount currencyCode } } discounts { discountId discount { rawId } name amountOnce { amount currencyCode } amountMonthly { amount currencyCode } amountYearly { amount currencyCode } } currencyCode totalOnce { amount currencyCode } totalMonthly { amount currencyCode } totalYearly { amount currencyCode } createdAt updatedAt version order { rawId }",
    "customerField": "quotes"
  },
  "work-orders": {
    "search": "workOrderSearch",
    "scopes": [
      "analytics:read",
      "work_order:read"
    ],
    "columns": [
      {
        "name": "id",
        "type": "ID",
        "kind": "TEXT",
        "isDefault": true,
        "path": [
          "id"
        ],
        "rawPath": [
          "rawId"
        ]
      },
      {
        "name": "customerId",
        "type": "ID",
        "kind": "TEXT",
        "isDefault": true,
        "path": [
          "customer",
          "id"
        ],
        "rawPath": [
          "customer",
          "rawId"
        ]
      },
      {
        "name": "templateId",
        "type": "ID",
        "kind": "TEXT",
        "isDefault": true,
        "path": [
          "template",
          "id"
        ],
        "rawPath": [
          "template",
          "rawId"
        ]
      },
      {
        "name": "status",
        "type": "WorkOrderStatus",
        "kind": "TEXT",
        "isDefault": true,
        "path": [
          "status"
        ]
      },
      {
        "name": "statusText",
        "type": "String",
        "kind": "TEXT",
        "isDefault": false,
        "path": [
          "statusText"
        ]
      },
      {
        "name": "title",
        "type": "String",
        "kind": "TEXT",
        "isDefault": true,
        "path": [
          "title"
        ]
      },
      {
        "name": "createdAt",
        "type": "DateTime",
        "kind": "TIMESTAMP",
        "isDefault": true,
        "path": [
          "createdAt"
        ]
      },
      {
        "name": "updatedAt",
        "type": "DateTime",
        "kind": "TIMESTAMP",
        "isDefault": true,
        "path": [
          "updatedAt"
        ]
      },
      {
        "name": "completedAt",
        "type": "DateTime",
        "kind": "TIMESTAMP",
        "isDefault": true,
        "path": [
          "completedAt"
        ]
      },
      {
        "name": "cancelledAt",
        "type": "DateTime",
        "kind": "TIMESTAMP",
        "isDefault": true,
        "path": [
          "cancelledAt"
        ]
      }
    ],
    "record": "id title description status statusText customer { id } template { id } location { id label isPreferred } createdAt updatedAt completedAt cancelledAt",
    "rawRecord": "rawId title description status statusText customer { rawId } template { rawId } location { rawId label isPreferred } createdAt updatedAt completedAt cancelledAt"
  },
  "problems": {
    "search": "problemSearch",
    "scopes": [
      "analytics:read",
      "problem:read"
    ],
    "columns": [
      {
        "name": "id",
        "type": "ID",
        "kind": "TEXT",
        "isDefault": true,
        "path": [
          "id"
        ],
        "rawPath": [
          "rawId"
        ]
      },
      {
        "name": "title",
        "type": "String",
        "kind": "TEXT",
        "isDefault": true,
        "path": [
          "title"
        ]
      },
      {
        "name": "status",
        "type": "ProblemStatus",
        "kind": "TEXT",
        "isDefault": true,
        "path": [
          "status"
        ]
      },
      {
        "name": "statusText",
        "type": "String",
        "kind": "TEXT",
        "isDefault": false,
        "path": [
          "statusText"
        ]
      },
      {
        "name": "portfolioId",
        "type": "ID",
        "kind": "TEXT",
        "isDefault": true,
        "path": [
          "portfolio",
          "customer",
          "id"
        ],
        "rawPath": [
          "portfolio",
          "rawId"
        ]
      },
      {
        "name": "customerId",
        "type": "ID",
        "kind": "TEXT",
        "isDefault": true,
        "path": [
          "customer",
          "id"
        ],
        "rawPath": [
          "customer",
          "rawId"
        ]
      },
      {
        "name": "templateId",
        "type": "ID",
        "kind": "TEXT",
        "isDefault": true,
        "path": [
          "template",
          "id"
        ],
        "rawPath": [
          "template",
          "rawId"
        ]
      },
      {
        "name": "isManualSolvingDisabled",
        "type": "Boolean",
        "kind": "BOOLEAN",
        "isDefault": true,
        "path": [
          "isManualSolvingDisabled"
        ]
      },
      {
        "name": "createdAt",
        "type": "DateTime",
        "kind": "TIMESTAMP",
        "isDefault": true,
        "path": [
          "createdAt"
        ]
      },
      {
        "name": "updatedAt",
        "type": "DateTime",
        "kind": "TIMESTAMP",
        "isDefault": true,
        "path": [
          "updatedAt"
        ]
      },
      {
        "name": "resolvedAt",
        "type": "DateTime",
        "kind": "TIMESTAMP",
        "isDefault": true,
        "path": [
          "resolvedAt"
        ]
      }
    ],
    "record": "id title description status statusText portfolio { listed: customer { id } } customer { id } template { id } isManualSolvingDisabled incompleteAdvancedTaskCount createdAt updatedAt resolvedAt",
    "rawRecord": "rawId title description status statusText portfolio { rawId } customer { rawId } template { rawId } isManualSolvingDisabled incompleteAdvancedTaskCount createdAt updatedAt resolvedAt"
  }
} as const;
