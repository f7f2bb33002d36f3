// Generated from the files of the areas by `npm run codegen`. Do not edit, but for the order of a list that says so.
import { ActionRequest } from '../src/upstream/contract/generated/publicapi/v1/action_requests_pb.ts';
import { AdvancedTask } from '../src/upstream/contract/generated/publicapi/v1/advanced_tasks_pb.ts';
import { AnalyticsService } from '../src/upstream/contract/generated/publicapi/v1/analytics_pb.ts';
import { Appointment } from '../src/upstream/contract/generated/publicapi/v1/appointments_pb.ts';
import { Catalog } from '../src/upstream/contract/generated/publicapi/v1/catalog_pb.ts';
import { Contact } from '../src/upstream/contract/generated/publicapi/v1/contacts_pb.ts';
import { Correspondence } from '../src/upstream/contract/generated/publicapi/v1/correspondence_pb.ts';
import { Customer } from '../src/upstream/contract/generated/publicapi/v1/customers_pb.ts';
import { DataField } from '../src/upstream/contract/generated/publicapi/v1/data_fields_pb.ts';
import { DocumentTemplate } from '../src/upstream/contract/generated/publicapi/v1/document_templates_pb.ts';
import { EmailTemplate } from '../src/upstream/contract/generated/publicapi/v1/email_templates_pb.ts';
import { Inventory } from '../src/upstream/contract/generated/publicapi/v1/inventory_pb.ts';
import { Invitation } from '../src/upstream/contract/generated/publicapi/v1/invitations_pb.ts';
import { Invoice } from '../src/upstream/contract/generated/publicapi/v1/invoices_pb.ts';
import { Journey } from '../src/upstream/contract/generated/publicapi/v1/journey_pb.ts';
import { Member } from '../src/upstream/contract/generated/publicapi/v1/members_pb.ts';
import { Order } from '../src/upstream/contract/generated/publicapi/v1/orders_pb.ts';
import { Payment } from '../src/upstream/contract/generated/publicapi/v1/payments_pb.ts';
import { Portfolio } from '../src/upstream/contract/generated/publicapi/v1/portfolios_pb.ts';
import { ProForma } from '../src/upstream/contract/generated/publicapi/v1/pro_formas_pb.ts';
import { Problem } from '../src/upstream/contract/generated/publicapi/v1/problems_pb.ts';
import { ProblemTemplate } from '../src/upstream/contract/generated/publicapi/v1/problem_templates_pb.ts';
import { Quote } from '../src/upstream/contract/generated/publicapi/v1/quotes_pb.ts';
import { Role } from '../src/upstream/contract/generated/publicapi/v1/roles_pb.ts';
import { Team } from '../src/upstream/contract/generated/publicapi/v1/teams_pb.ts';
import { WorkOrder } from '../src/upstream/contract/generated/publicapi/v1/work_orders_pb.ts';
import { WorkOrderTemplate } from '../src/upstream/contract/generated/publicapi/v1/work_order_templates_pb.ts';
import { WorkflowAutomation } from '../src/upstream/contract/generated/publicapi/v1/workflow_automations_pb.ts';
import { Workspace } from '../src/upstream/contract/generated/publicapi/v1/workspace_pb.ts';
import { actionRequests } from './work/actionRequests.ts';
import { actionRequestsDemo } from './work/actionRequestsDemo.ts';
import { advancedTasks } from './work/advancedTasks.ts';
import { agendas } from './work/agendas.ts';
import { analytics } from './analytics/analytics.ts';
import { analyticsDemo } from './analytics/analyticsDemo.ts';
import { appointments } from './work/appointments.ts';
import { appointmentsDemo } from './work/appointmentsDemo.ts';
import { backorders } from './inventory/backorders.ts';
import { backordersDemo } from './inventory/backordersDemo.ts';
import { comments } from './customers/comments.ts';
import { commentsDemo } from './customers/commentsDemo.ts';
import { contacts } from './customers/contacts.ts';
import { contactsDemo } from './customers/contactsDemo.ts';
import { correspondence } from './messages/correspondence.ts';
import { customers } from './customers/customers.ts';
import { customersDemo } from './customers/customersDemo.ts';
import { dataFields } from './customers/dataFields.ts';
import { dataFieldsDemo } from './customers/dataFieldsDemo.ts';
import { discounts } from './catalog/discounts.ts';
import { discountsDemo } from './catalog/discountsDemo.ts';
import { documentTemplates } from './messages/documentTemplates.ts';
import { documentTemplatesDemo } from './messages/templatesDemo.ts';
import { emailTemplates } from './messages/emailTemplates.ts';
import { emailTemplatesDemo } from './messages/templatesDemo.ts';
import { files } from './customers/files.ts';
import { filesDemo } from './customers/filesDemo.ts';
import { identifiers } from './inventory/identifiers.ts';
import { identifiersDemo } from './inventory/identifiersDemo.ts';
import { inventory } from './inventory/inventory.ts';
import { inventoryDemo } from './inventory/inventoryDemo.ts';
import { invitations } from './people/invitations.ts';
import { invoices } from './billing/invoices.ts';
import { invoicesDemo } from './billing/billingDemo.ts';
import { journey } from './customers/journey.ts';
import { journeyDemo } from './customers/journeyDemo.ts';
import { members } from './people/members.ts';
import { orders } from './sales/orders.ts';
import { payments } from './billing/payments.ts';
import { peopleDemo } from './people/peopleDemo.ts';
import { portfolios } from './customers/portfolios.ts';
import { proFormas } from './billing/proFormas.ts';
import { proFormasDemo } from './billing/billingDemo.ts';
import { problemTemplates } from './work/problemTemplates.ts';
import { problems } from './work/problems.ts';
import { problemsDemo } from './work/problemsDemo.ts';
import { products } from './catalog/catalog.ts';
import { productsDemo } from './catalog/catalogDemo.ts';
import { quotes } from './sales/quotes.ts';
import { receipts } from './inventory/receipts.ts';
import { receiptsDemo } from './inventory/receiptsDemo.ts';
import { reservations } from './inventory/reservations.ts';
import { reservationsDemo } from './inventory/reservationsDemo.ts';
import { roles } from './people/roles.ts';
import { salesDemo } from './sales/ordersDemo.ts';
import { teams } from './people/teams.ts';
import { timeline } from './customers/timeline.ts';
import { transfers } from './inventory/transfers.ts';
import { transfersDemo } from './inventory/transfersDemo.ts';
import { workDemo } from './work/workOrdersDemo.ts';
import { workOrderTemplates } from './work/workOrderTemplates.ts';
import { workOrders } from './work/workOrders.ts';
import { workflowAutomations } from './work/workflowAutomations.ts';
import { workflowAutomationsDemo } from './work/workflowAutomationsDemo.ts';
import { workspace } from './workspace/workspace.ts';
import type { DemoData } from './kernel/demoData.ts';
import { type Service, service } from './kernel/service.ts';

/** Every domain of the sandbox, by the service of the contract whose operations it handles. */
export const services: readonly Service[] = [
  service(ActionRequest, [actionRequests]),
  service(AdvancedTask, [advancedTasks]),
  service(AnalyticsService, [analytics]),
  service(Appointment, [agendas, appointments]),
  service(Catalog, [discounts, products]),
  service(Contact, [contacts]),
  service(Correspondence, [correspondence]),
  service(Customer, [comments, customers, files, timeline]),
  service(DataField, [dataFields]),
  service(DocumentTemplate, [documentTemplates]),
  service(EmailTemplate, [emailTemplates]),
  service(Inventory, [backorders, identifiers, inventory, receipts, reservations, transfers]),
  service(Invitation, [invitations]),
  service(Invoice, [invoices]),
  service(Journey, [journey]),
  service(Member, [members]),
  service(Order, [orders]),
  service(Payment, [payments]),
  service(Portfolio, [portfolios]),
  service(ProForma, [proFormas]),
  service(Problem, [problems]),
  service(ProblemTemplate, [problemTemplates]),
  service(Quote, [quotes]),
  service(Role, [roles]),
  service(Team, [teams]),
  service(WorkOrder, [workOrders]),
  service(WorkOrderTemplate, [workOrderTemplates]),
  service(WorkflowAutomation, [workflowAutomations]),
  service(Workspace, [workspace]),
];

/** Demo data in the order in which it is created. Lines can be moved; new ones are added at the end, where they can build on all others. */
export const demos: readonly DemoData[] = [
  peopleDemo,
  contactsDemo,
  dataFieldsDemo,
  journeyDemo,
  customersDemo,
  filesDemo,
  commentsDemo,
  productsDemo,
  discountsDemo,
  salesDemo,
  invoicesDemo,
  proFormasDemo,
  actionRequestsDemo,
  emailTemplatesDemo,
  documentTemplatesDemo,
  inventoryDemo,
  receiptsDemo,
  backordersDemo,
  transfersDemo,
  identifiersDemo,
  reservationsDemo,
  problemsDemo,
  workDemo,
  appointmentsDemo,
  analyticsDemo,
  workflowAutomationsDemo,
];
