// Generated from src/ by `npm run codegen`. Do not edit.
export const POSSIBLE_TYPES = {
  "CreatedRecord": [
    "ActionRequest",
    "Appointment",
    "Customer",
    "MemberInvitation",
    "Problem",
    "ProblemComment",
    "Product",
    "Quote",
    "WorkOrder"
  ],
  "Node": [
    "ActionRequest",
    "AdvancedTaskDefinition",
    "Agenda",
    "Appointment",
    "AppointmentType",
    "Contact",
    "CustomFieldDefinition",
    "Customer",
    "Discount",
    "DocumentTemplate",
    "EmailTemplate",
    "InventoryLocation",
    "InventoryReceipt",
    "Invoice",
    "Member",
    "Order",
    "Payment",
    "Portfolio",
    "ProForma",
    "Problem",
    "ProblemTemplate",
    "Product",
    "Quote",
    "Role",
    "Team",
    "WorkOrder",
    "WorkOrderLocationField",
    "WorkOrderTemplate",
    "WorkflowAutomation"
  ],
  "CustomerRecord": [
    "Customer",
    "Portfolio"
  ],
  "VersionedRecord": [
    "Order",
    "Quote"
  ],
  "TransitionSubject": [
    "ActionRequest",
    "Appointment",
    "Customer",
    "InventoryReceipt",
    "Invoice",
    "Order",
    "Payment",
    "Problem",
    "Quote",
    "WorkOrder"
  ],
  "AnalyticsQueryResult": [
    "AnalyticsQueryError",
    "AnalyticsResult"
  ],
  "TimelineSubject": [
    "ActionRequest",
    "Appointment",
    "Contact",
    "Customer",
    "Order",
    "Portfolio",
    "Problem",
    "Product",
    "Quote",
    "WorkOrder"
  ],
  "AdvancedTaskOwner": [
    "Problem",
    "WorkOrder"
  ]
} as const;
