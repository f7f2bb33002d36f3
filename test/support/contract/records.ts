import { endpoints } from '../../../sandbox/index.ts';
import { dispatch } from '../../../sandbox/kernel/dispatch.ts';
import { authenticate } from '../../../sandbox/kernel/keys.ts';
import { memberTable } from '../../../sandbox/kernel/memberships.ts';
import { createUuid } from '../../../sandbox/kernel/random.ts';
import type { World } from '../../../sandbox/kernel/world.ts';
import { toGlobalId } from '../../../src/schema/kit/globalIds.ts';
import { PublicMemberKind } from '../../../src/upstream/contract/generated/publicapi/v1/members_pb.ts';
import { recordPayment } from '../../sandbox/receive.ts';
import { type CallResult, SEED } from '../../sandbox/sandbox.ts';
import { EXAMPLES } from '../examples.ts';

/** The workspace to create records in: the demo's or its neighbor's. */
export interface Workspace {
  readonly apiKey: string;
  /** Prefix of the names of its demo records. */
  readonly slug: string;
}

export const DEMO: Workspace = { apiKey: 'demo-owner', slug: 'demo' };
export const NEIGHBOR: Workspace = { apiKey: 'demo-neighbour', slug: 'neighbour' };

interface Sandbox {
  readonly url: string;
  readonly world: World;
}

let createdCount = 0;

/** Records for one operation. They're created on first use, without the graph, and not shared with other operations. */
export class Records {
  readonly #sandbox: Sandbox;
  readonly #workspace: Workspace;
  readonly #ids = new Map<string, Promise<string>>();
  /** A unique text. */
  readonly mark: string;

  constructor(sandbox: Sandbox, workspace: Workspace = DEMO) {
    this.#sandbox = sandbox;
    this.#workspace = workspace;
    createdCount += 1;
    this.mark = `Act ${createdCount}`;
  }

  /** The raw ID of a record of this type. For an upload, the global ID, because its raw ID doesn't include the type. */
  id(type: string): Promise<string> {
    const known = this.#ids.get(type);
    if (known) return known;
    const id = FACTORIES[type]?.(this) ?? Promise.resolve(this.#example(type));
    this.#ids.set(type, id);
    return id;
  }

  /** The ID of a demo record. */
  getDemoId(name: string): string {
    return createUuid(SEED, `${this.#workspace.slug} ${name}`);
  }

  #example(type: string): string {
    const [name] = EXAMPLES[type] ?? [];
    if (!name) throw new Error(`No record of type ${type}. Add one to the examples of its demo data, or create it in CREATORS.`);
    return this.getDemoId(name);
  }

  /** A timestamp in this many days, in Unix seconds. */
  getFutureTimestamp(days: number): number {
    return this.#sandbox.world.now() + days * 86_400;
  }

  /** Calls the sandbox directly, without HTTP. Throws if the call fails. */
  async call(operation: string, request: object): Promise<CallResult['body']> {
    const { url: baseUrl, world } = this.#sandbox;
    const endpoint = endpoints.find(({ name }) => name === operation);
    if (!endpoint) throw new Error(`The sandbox serves no operation ${operation}.`);
    const headers = { authorization: `Bearer ${this.#workspace.apiKey}`, apiKey: undefined, address: '127.0.0.1' };
    const principal = authenticate({ store: world.store, now: world.now() }, headers);
    return JSON.parse(dispatch(endpoint, { world, principal, body: JSON.stringify(request), sendsDefaults: true, baseUrl }));
  }

  /** Adds a member without roles and teams. No operation accepts an invitation. */
  addMember(): string {
    const { world } = this.#sandbox;
    const id = this.getDemoId(this.mark);
    const workspace_id = this.getDemoId('workspace');
    const email = `${this.mark.replace(' ', '.')}@members.example.com`;
    memberTable.insert(world.store, { id, workspace_id, name: this.mark, email, kind: PublicMemberKind.PERSON, joined_at: world.now() });
    return id;
  }

  /** Receives a payment for the order of these records, so that it can be refunded. */
  async receivePayment(minor: number): Promise<string> {
    return recordPayment(this.#sandbox.world, await this.id('Order'), minor);
  }
}

/** Stock of a new product at the first location. */
const STOCK_UNITS = 20;

const createLine = async (records: Records) => ({ productId: await records.id('Product'), quantity: 2 });

const createOrder = async (records: Records) => (await records.call('Quote/ConfirmQuote', { id: await records.id('Quote') })).order;

async function createUpload(records: Records): Promise<string> {
  const traits = { fileName: 'act.pdf', contentType: 'application/pdf', sizeBytes: '1' };
  const request = { customerId: await records.id('Customer'), ...traits };
  const { upload } = await records.call('Customer/CreateCustomerDocumentUpload', request);
  await fetch(upload.url, { method: 'PUT', headers: { 'content-type': traits.contentType }, body: 'x' });
  return toGlobalId('CustomerFileUpload', `DOCUMENT/${upload.id}`);
}

/** The composite ID of an invoice, as in its global ID. */
async function createInvoice(records: Records): Promise<string> {
  await records.call('Customer/PatchCustomer', { id: await records.id('Customer'), email: 'payer@example.com' });
  const request = {
    orderId: await records.id('Order'),
    integrationId: await records.id('AccountingIntegration'),
    idempotencyKey: records.mark,
  };
  const { invoice } = await records.call('Invoice/CreateInvoice', request);
  return `${invoice.orderId}/${invoice.integrationId}/${invoice.orderVersion}`;
}

/** Creates a pending action request for a customer with contact details. */
async function createActionRequest(records: Records): Promise<string> {
  const customerId = await records.id('Customer');
  await records.call('Customer/PatchCustomer', { id: customerId, email: 'asked@example.com' });
  return (await records.call('ActionRequest/CreateManualActionRequest', { customerId, title: records.mark })).actionRequest.id;
}

/** The operation's customer, with an address to visit. */
async function createCustomerWithAddress(records: Records): Promise<string> {
  const customerId = await records.id('Customer');
  await records.call('Customer/PatchCustomerDataFields', { customerId, fields: { site_address: '{"city":"Utrecht"}' } });
  return customerId;
}

/** The first available time for a site survey in an agenda, some weeks ahead. */
export async function findFreeTime(records: Records): Promise<string> {
  const of = { agendaId: await records.id('Agenda'), appointmentTypeId: await records.id('AppointmentType') };
  for (let days = 20; ; days += 1) {
    const date = new Date(records.getFutureTimestamp(days) * 1000).toISOString().slice(0, 10);
    const { slots = [] } = await records.call('Appointment/ListAvailableAppointmentSlots', { ...of, date });
    if (slots[0]) return slots[0].startsAt;
  }
}

/** Creates a record that an operation can change, by type. Operations on other types use an example record of the demo data. */
const FACTORIES: Readonly<Record<string, (records: Records) => Promise<string>>> = {
  ActionRequest: createActionRequest,
  AdvancedTask: async (records) => {
    const request = { advancedTaskDefinitionId: await records.id('AdvancedTaskDefinition'), problemId: await records.id('Problem') };
    return (await records.call('AdvancedTask/AttachAdvancedTask', request)).task.id;
  },
  AdvancedTaskDefinition: async (records) => records.getDemoId('advanced task definition 2'),
  Appointment: async (records) => {
    const of = { agendaId: await records.id('Agenda'), appointmentTypeId: await records.id('AppointmentType') };
    const request = { ...of, customerId: await records.id('Customer'), startsAt: await findFreeTime(records) };
    return (await records.call('Appointment/CreateAppointment', request)).appointment.id;
  },
  Contact: async (records) => (await records.call('Contact/CreateContact', { lastName: records.mark })).contact.id,
  Customer: async (records) => (await records.call('Customer/CreateCustomer', { title: records.mark })).customer.id,
  CustomerFileUpload: createUpload,
  DocumentTemplate: async (records) =>
    (await records.call('DocumentTemplate/CreateDocumentTemplate', { name: records.mark })).documentTemplate.id,
  EmailTemplate: async (records) => (await records.call('EmailTemplate/CreateEmailTemplate', { name: records.mark })).emailTemplate.id,
  InventoryBackorder: async (records) => {
    const request = { destinationLocationId: await records.id('InventoryLocation'), lines: [await createLine(records)] };
    const more = { expectedArrivalAt: String(records.getFutureTimestamp(3)), idempotencyKey: records.mark };
    return (await records.call('Inventory/CreateInventoryBackorder', { ...request, ...more })).backorder.id;
  },
  InventoryReceipt: async (records) => {
    const request = { locationId: await records.id('InventoryLocation'), idempotencyKey: records.mark };
    const { receiptId } = await records.call('Inventory/CreateInventoryReceipt', request);
    const line = { receiptId, ...(await createLine(records)), idempotencyKey: `line of ${records.mark}` };
    await records.call('Inventory/AddInventoryReceiptLine', line);
    return receiptId;
  },
  InventoryTransfer: async (records) => {
    const way = { sourceLocationId: records.getDemoId('location 0'), destinationLocationId: records.getDemoId('location 1') };
    return (await records.call('Inventory/StartInventoryTransfer', { ...way, lines: [await createLine(records)] })).transfer.id;
  },
  Invoice: createInvoice,
  Payment: async (records) => {
    const request = { orderId: await records.id('Order'), amountMinor: '1000', externalOperationId: records.mark };
    const { payment } = await records.call('Payment/CreatePayment', request);
    await records.call('Payment/RecordManualPayment', { id: payment.id, totalReceivedMinor: '900' });
    return payment.id;
  },
  ProForma: async (records) =>
    (await records.call('ProForma/CreateProForma', { orderId: await records.id('Order'), idempotencyKey: records.mark })).proForma.id,
  Member: async (records) => records.addMember(),
  MemberInvitation: async (records) =>
    (await records.call('Invitation/EmailMemberInvitation', { email: `${records.mark.replace(' ', '.')}@example.com` })).invitation.id,
  Order: async (records) => (await createOrder(records)).id,
  OrderLine: async (records) => (await records.call('Order/GetOrder', { id: await records.id('Order') })).order.lineItems[0].id,
  OrderReservation: async (records) => {
    const of = { orderId: await records.id('Order'), orderLineId: await records.id('OrderLine') };
    const request = { ...of, locationId: await records.id('InventoryLocation'), quantity: 1 };
    return (await records.call('Inventory/CreateOrderReservation', request)).reservation.id;
  },
  Portfolio: async (records) => {
    const request = { contactId: await records.id('Contact'), title: records.mark };
    return (await records.call('Portfolio/CreatePortfolio', request)).portfolio.id;
  },
  Problem: async (records) => {
    const request = { portfolioId: await records.id('Portfolio'), title: records.mark };
    return (await records.call('Problem/CreateProblem', request)).problem.id;
  },
  ProblemTemplate: async (records) =>
    (await records.call('ProblemTemplate/CreateProblemTemplate', { name: records.mark, title: records.mark })).template.id,
  Product: async (records) => {
    const traits = { name: records.mark, priceOnceMinor: 1000, vatRate: 0.21 };
    const { product } = await records.call('Catalog/CreateProduct', traits);
    const stock = { productId: product.id, locationId: records.getDemoId('location 0'), reason: 'Setup', quantityDelta: STOCK_UNITS };
    await records.call('Inventory/AdjustInventory', stock);
    return product.id;
  },
  ProductIdentifier: async (records) => {
    const request = { productId: await records.id('Product'), type: 'PUBLIC_PRODUCT_IDENTIFIER_TYPE_SUPPLIER', value: records.mark };
    return (await records.call('Inventory/AddProductIdentifier', request)).identifier.id;
  },
  Quote: async (records) => {
    const request = { customerId: await records.id('Customer'), title: records.mark, lineItems: [await createLine(records)] };
    return (await records.call('Quote/CreateQuote', request)).quote.id;
  },
  Role: async (records) => (await records.call('Role/CreateRole', { name: records.mark })).role.id,
  Team: async (records) => (await records.call('Team/CreateTeam', { name: records.mark })).team.id,
  WorkOrder: async (records) => {
    const request = { customerId: await createCustomerWithAddress(records), title: records.mark };
    const location = { locationDataFieldId: records.getDemoId('data field site_address') };
    return (await records.call('WorkOrder/CreateWorkOrder', { ...request, ...location, tasks: [{ body: 'Act' }] })).workOrder.id;
  },
  WorkOrderLocation: async (records) => {
    await createCustomerWithAddress(records);
    return records.getDemoId('data field site_address');
  },
  WorkOrderTask: async (records) => (await records.call('WorkOrder/GetWorkOrder', { id: await records.id('WorkOrder') })).tasks[0].taskId,
  WorkOrderTemplate: async (records) =>
    (await records.call('WorkOrderTemplate/CreateWorkOrderTemplate', { name: records.mark, title: records.mark })).workOrderTemplate.id,
};
