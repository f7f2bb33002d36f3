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
import { ProblemTemplate } from '../src/upstream/contract/generated/publicapi/v1/problem_templates_pb.ts';
import { Problem } from '../src/upstream/contract/generated/publicapi/v1/problems_pb.ts';
import { Quote } from '../src/upstream/contract/generated/publicapi/v1/quotes_pb.ts';
import { Role } from '../src/upstream/contract/generated/publicapi/v1/roles_pb.ts';
import { Team } from '../src/upstream/contract/generated/publicapi/v1/teams_pb.ts';
import { WorkOrderTemplate } from '../src/upstream/contract/generated/publicapi/v1/work_order_templates_pb.ts';
import { WorkOrder } from '../src/upstream/contract/generated/publicapi/v1/work_orders_pb.ts';
import { WorkflowAutomation } from '../src/upstream/contract/generated/publicapi/v1/workflow_automations_pb.ts';
import { Workspace } from '../src/upstream/contract/generated/publicapi/v1/workspace_pb.ts';
import { analytics } from './analytics/analytics.ts';
import { seedAnalytics } from './analytics/analyticsDemo.ts';
import { seedInvoices, seedProFormas } from './billing/billingDemo.ts';
import { invoices } from './billing/invoices.ts';
import { payments } from './billing/payments.ts';
import { proFormas } from './billing/proFormas.ts';
import { products } from './catalog/catalog.ts';
import { seedProducts } from './catalog/catalogDemo.ts';
import { discounts } from './catalog/discounts.ts';
import { seedDiscounts } from './catalog/discountsDemo.ts';
import { comments } from './customers/comments.ts';
import { seedComments } from './customers/commentsDemo.ts';
import { contacts } from './customers/contacts.ts';
import { seedContacts } from './customers/contactsDemo.ts';
import { customers } from './customers/customers.ts';
import { seedCustomers } from './customers/customersDemo.ts';
import { dataFields } from './customers/dataFields.ts';
import { seedDataFields } from './customers/dataFieldsDemo.ts';
import { files } from './customers/files.ts';
import { seedFiles } from './customers/filesDemo.ts';
import { journey } from './customers/journey.ts';
import { seedJourney } from './customers/journeyDemo.ts';
import { portfolios } from './customers/portfolios.ts';
import { timeline } from './customers/timeline.ts';
import { backorders } from './inventory/backorders.ts';
import { seedBackorders } from './inventory/backordersDemo.ts';
import { identifiers } from './inventory/identifiers.ts';
import { seedIdentifiers } from './inventory/identifiersDemo.ts';
import { inventory } from './inventory/inventory.ts';
import { seedInventory } from './inventory/inventoryDemo.ts';
import { receipts } from './inventory/receipts.ts';
import { seedReceipts } from './inventory/receiptsDemo.ts';
import { reservations } from './inventory/reservations.ts';
import { seedReservations } from './inventory/reservationsDemo.ts';
import { transfers } from './inventory/transfers.ts';
import { seedTransfers } from './inventory/transfersDemo.ts';
import { type Endpoint, type Service, service } from './kernel/service.ts';
import { correspondence } from './messages/correspondence.ts';
import { documentTemplates } from './messages/documentTemplates.ts';
import { emailTemplates } from './messages/emailTemplates.ts';
import { seedDocumentTemplates, seedEmailTemplates } from './messages/templatesDemo.ts';
import { invitations } from './people/invitations.ts';
import { members } from './people/members.ts';
import { roles } from './people/roles.ts';
import { teams } from './people/teams.ts';
import { orders } from './sales/orders.ts';
import { seedSales } from './sales/ordersDemo.ts';
import { quotes } from './sales/quotes.ts';
import { actionRequests } from './work/actionRequests.ts';
import { seedActionRequests } from './work/actionRequestsDemo.ts';
import { advancedTasks } from './work/advancedTasks.ts';
import { agendas } from './work/agendas.ts';
import { appointments } from './work/appointments.ts';
import { seedAppointments } from './work/appointmentsDemo.ts';
import { problems } from './work/problems.ts';
import { seedProblems } from './work/problemsDemo.ts';
import { problemTemplates } from './work/problemTemplates.ts';
import { workflowAutomations } from './work/workflowAutomations.ts';
import { workOrders } from './work/workOrders.ts';
import { seedWork } from './work/workOrdersDemo.ts';
import { workOrderTemplates } from './work/workOrderTemplates.ts';
import { workspace } from './workspace/workspace.ts';

/**
 * Every domain of the sandbox, by the service of the contract whose operations it handles. Demo data is made in this order, so a domain stands
 * behind those that its data builds on.
 */
export const services: readonly Service[] = [
  service(Workspace, [workspace]),
  service(Role, [roles]),
  service(Member, [members]),
  service(Team, [teams]),
  service(Invitation, [invitations]),
  service(Contact, [{ ...contacts, demo: seedContacts }]),
  service(DataField, [{ ...dataFields, demo: seedDataFields }]),
  service(Journey, [{ ...journey, demo: seedJourney }]),
  service(Customer, [{ ...customers, demo: seedCustomers }, timeline, { ...files, demo: seedFiles }, { ...comments, demo: seedComments }]),
  service(Portfolio, [portfolios]),
  service(Catalog, [
    { ...products, demo: seedProducts },
    { ...discounts, demo: seedDiscounts },
  ]),
  service(Quote, [quotes]),
  service(Order, [{ ...orders, demo: seedSales }]),
  service(Payment, [payments]),
  service(Invoice, [{ ...invoices, demo: seedInvoices }]),
  service(ProForma, [{ ...proFormas, demo: seedProFormas }]),
  service(ActionRequest, [{ ...actionRequests, demo: seedActionRequests }]),
  service(EmailTemplate, [{ ...emailTemplates, demo: seedEmailTemplates }]),
  service(DocumentTemplate, [{ ...documentTemplates, demo: seedDocumentTemplates }]),
  service(Correspondence, [correspondence]),
  service(Inventory, [
    { ...inventory, demo: seedInventory },
    { ...receipts, demo: seedReceipts },
    { ...backorders, demo: seedBackorders },
    { ...transfers, demo: seedTransfers },
    { ...identifiers, demo: seedIdentifiers },
    { ...reservations, demo: seedReservations },
  ]),
  service(AdvancedTask, [advancedTasks]),
  service(ProblemTemplate, [problemTemplates]),
  service(Problem, [{ ...problems, demo: seedProblems }]),
  service(WorkOrderTemplate, [workOrderTemplates]),
  service(WorkOrder, [{ ...workOrders, demo: seedWork }]),
  service(WorkflowAutomation, [workflowAutomations]),
  service(Appointment, [agendas, { ...appointments, demo: seedAppointments }]),
  service(AnalyticsService, [{ ...analytics, demo: seedAnalytics }]),
];

/** Every operation that the sandbox serves. */
export const endpoints: readonly Endpoint[] = services.flatMap((each) => each.endpoints);
