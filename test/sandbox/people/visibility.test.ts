import { describe, expect, it } from 'vitest';
import { endpoints } from '../../../sandbox/index.ts';
import { Effect } from '../../../src/upstream/contract/generated/publicapi/v1/options_pb.ts';
import { spec } from '../../support/spec.ts';
import { FORBIDDEN, summarizeError } from '../errors.ts';
import { makeKey } from '../makeKey.ts';
import { createRequestFor } from '../requestFor.ts';
import { demoId, useSandbox } from '../sandbox.ts';

const opened = useSandbox();
const { call, callAs } = opened;

const DENIED = { ...FORBIDDEN, message: expect.stringContaining('doesn’t have access to') };
const summarizeRejection = async (...args: Parameters<typeof callAs>) => {
  const response = await callAs(...args);
  return { ...summarizeError(response), message: response.body.message };
};

type Row = Readonly<Record<string, unknown>> & { readonly id: string };
const listIds = (rows: readonly Row[] = []) => rows.map(({ id }) => id);

/** All customers and portfolios that a key can see. */
const listCustomerIds = async (key: string) => listIds((await callAs(key, 'Customer/SearchCustomers', { pageSize: 100 })).body.customers);

/** Request fields that contain an ID of a customer or its records, apart from `id` in these services. */
const OF_CUSTOMERS =
  /^(customer|portfolio|contact|comment|file|upload|quote|order|orderLine|payment|proForma|reservation|problem|workOrder|actionRequest)Id$/;
const BY_ID = /^(Contact|Customer|Portfolio|Quote|Order|Payment|ProForma|Problem|WorkOrder|ActionRequest)\//;
/** Lists of the whole workspace return no rows for a filter, whether or not its record exists. */
const FILTERING = new Set([
  'AdvancedTask/ListAdvancedTaskInstances',
  'Appointment/ListAppointments',
  'Customer/SearchCustomers',
  'Problem/ListProblems',
  'WorkOrder/ListWorkOrders',
]);

const naming = endpoints.filter(({ name, method }) =>
  method.input.fields.some(({ jsonName }) => OF_CUSTOMERS.test(jsonName) || (jsonName === 'id' && BY_ID.test(name))),
);
const reads = endpoints.filter(({ options }) => options.effect === Effect.READ);
const named = (list: typeof endpoints) => list.map((endpoint) => [endpoint.name, endpoint] as const);

describe('member who sees no customers', () => {
  const createBlindKey = () => makeKey(opened.sandbox.world, { view: { customers: 'teams' } });

  it.each(named(naming.filter(({ name }) => !FILTERING.has(name))))(
    'can’t access a customer’s records with %s',
    spec('5.13', '5.33', '7.6'),
    async (operation, endpoint) => {
      const upload = { customerId: demoId('customer 1'), fileName: 'plan.pdf', contentType: 'application/pdf', sizeBytes: '1' };
      const { body } = await call('Customer/CreateCustomerDocumentUpload', upload);
      const request = createRequestFor(opened.sandbox.world, endpoint);
      const validRequest = 'uploadId' in request ? { uploadId: body.upload.id } : request;
      expect(await summarizeRejection(createBlindKey(), operation, validRequest)).toEqual(DENIED);
    },
  );

  it.each(named(reads))('gets no customer data from %s', spec('5.13'), async (operation, endpoint) => {
    const { store } = opened.sandbox.world;
    const tables = [
      'customers',
      'contacts',
      'quotes',
      'orders',
      'payments',
      'refunds',
      'invoices',
      'pro_formas',
      'order_reservations',
      'problems',
      'problem_comments',
      'work_orders',
      'work_order_tasks',
      'advanced_tasks',
      'appointments',
      'action_requests',
    ];
    const hidden = tables.flatMap((table) => store.all<{ id: string }>(`SELECT id FROM ${table}`).map(({ id }) => id));
    const entries = Object.entries(createRequestFor(opened.sandbox.world, endpoint));
    const open = entries.filter(([name]) => !OF_CUSTOMERS.test(name) && !['query', 'kind', 'status', 'operationId', 'page'].includes(name));
    const { body } = await callAs(createBlindKey(), operation, { ...Object.fromEntries(open), pageSize: 100 });
    const { message: _refusal, ...rejection } = body;
    const text = JSON.stringify(rejection);
    expect(hidden.filter((id) => text.includes(id))).toEqual([]);
  });

  it('can’t create a customer, which it couldn’t see', async () => {
    const before = await listCustomerIds('demo-owner');
    expect(await summarizeRejection(createBlindKey(), 'Customer/CreateCustomer', { title: 'Unseen' })).toEqual(DENIED);
    expect(await listCustomerIds('demo-owner')).toEqual(before);
  });

  it('can’t determine whether an ID of another workspace exists', async () => {
    const response = await callAs(createBlindKey(), 'Customer/GetCustomer', { id: (await listCustomerIds('demo-neighbour'))[0] });
    expect(summarizeError(response)).toEqual({ status: 404, code: 'not_found' });
  });
});

describe('member who sees the customers of its teams', () => {
  const callAsRegional = (operation: string, request: unknown) => callAs('demo-regional', operation, request);
  const [seen, hidden] = ['customer 0', 'customer 1'].map(demoId);

  it('finds only these in lists, searches, and lookups by identifier', spec('5.21'), async () => {
    const all = await listCustomerIds('demo-owner');
    const own = await listCustomerIds('demo-regional');
    expect(own.length).toBeGreaterThan(10);
    expect(all.length).toBeGreaterThan(own.length * 3);
    expect(own).toContain(seen);
    expect(own).not.toContain(hidden);
    const emails = await Promise.all(
      [0, 1].map((index) => callAsRegional('Customer/LookupCustomersByIdentifier', { email: `customer${index}@example.com` })),
    );
    expect(emails.map(({ body }) => listIds(body.customers))).toEqual([[seen], []]);
  });

  it('paginates without gaps, because hidden rows don’t count', async () => {
    const own = await listCustomerIds('demo-regional');
    const paged: string[] = [];
    for (let page = 1, goesOn = true; goesOn; page += 1) {
      const { body } = await callAsRegional('Customer/SearchCustomers', { page, pageSize: 4 });
      expect(body.customers).toHaveLength(body.hasMore ? 4 : own.length % 4 || 4);
      paged.push(...listIds(body.customers));
      goesOn = body.hasMore;
    }
    expect(paged).toEqual(own);
  });

  it('sees contacts of visible portfolios, and those without portfolios', async () => {
    const { body: made } = await call('Contact/CreateContact', { lastName: 'Without a portfolio' });
    const contacts = listIds((await callAsRegional('Contact/ListContacts', { pageSize: 100 })).body.contacts);
    expect(contacts).toContain(made.contact.id);
    expect(contacts).toContain(demoId('contact 0'));
    expect(contacts).not.toContain(demoId('contact 1'));
    expect(await summarizeRejection('demo-regional', 'Contact/UpdateContact', { id: demoId('contact 1'), lastName: 'X' })).toEqual(DENIED);
  });

  it('assigns a new customer to its teams', async () => {
    const { body } = await callAsRegional('Customer/CreateCustomer', { title: 'From the north' });
    expect(await listCustomerIds('demo-regional')).toContain(body.customer.id);
    const other = makeKey(opened.sandbox.world, { view: { customers: 'teams' } });
    expect(await listCustomerIds(other)).toEqual([]);
  });

  it('can’t read the result of another key with the same idempotency key', async () => {
    const order = opened.sandbox.world.store.get<{ id: string }>('SELECT id FROM orders WHERE customer_id = :hidden AND status = 1', {
      hidden: hidden ?? '',
    });
    const made = order?.id ?? (await createOrder(hidden ?? ''));
    const requests = [
      ['ProForma/CreateProForma', { orderId: made, idempotencyKey: 'shared' }],
      ['Payment/CreatePayment', { orderId: made, amountMinor: '100', externalOperationId: 'shared' }],
    ] as const;
    for (const [operation, request] of requests) {
      expect((await call(operation, request)).status).toBe(200);
      expect(await summarizeRejection('demo-regional', operation, request)).toEqual(DENIED);
    }
  });

  it('loses and gains customers with its teams and roles on the next call', spec('5.13'), async () => {
    const ids = { teamId: demoId('team north'), memberId: demoId('member regional planner') };
    const all = await listCustomerIds('demo-owner');
    const own = await listCustomerIds('demo-regional');
    await call('Team/RemoveTeamMember', ids);
    expect(await listCustomerIds('demo-regional')).toEqual([]);
    await call('Team/AddTeamMember', ids);
    expect(await listCustomerIds('demo-regional')).toEqual(own);
    const give = (...roles: string[]) => call('Member/ReplaceMemberRoles', { memberId: ids.memberId, roleIds: roles.map(demoId) });
    await give('role planner');
    expect(await listCustomerIds('demo-regional')).toEqual(all);
    await give('role planner', 'role regional planner');
    expect(await listCustomerIds('demo-regional')).toEqual(own);
    await give('role regional planner');
    expect(await listCustomerIds('demo-regional')).toEqual(own);
  });
});

/** The ID of a new order for a customer. */
async function createOrder(customerId: string): Promise<string> {
  const line = { productId: demoId('product 1'), quantity: 1, priceType: 'PUBLIC_PRICE_TYPE_ONCE' };
  const { body } = await call('Quote/CreateQuote', { customerId, title: 'Made', lineItems: [line] });
  return (await call('Quote/ConfirmQuote', { id: body.quote.id })).body.order.id;
}

describe('member with a narrow Customer View', () => {
  const callAsSubcontractor = (operation: string, request: unknown) => callAs('demo-subcontractor', operation, request);
  const SEEN = ['access_notes', 'building_type', 'has_parking', 'site_address'];
  const id = demoId('customer 0');
  const listFields = async (key: string) => (await callAs(key, 'Customer/GetCustomer', { id })).body.customer.customFields;

  it('sees the data fields of the view in every response', async () => {
    const all = await listFields('demo-owner');
    const seen = Object.fromEntries(Object.entries(all).filter(([name]) => SEEN.includes(name)));
    expect(Object.keys(all).length).toBeGreaterThan(Object.keys(seen).length);
    expect(Object.keys(seen).toSorted()).toEqual(SEEN);
    expect(await listFields('demo-subcontractor')).toEqual(seen);
    const { body: found } = await callAsSubcontractor('Customer/SearchCustomers', { query: 'customer0@' });
    expect(found.customers[0].customFields).toEqual(seen);
    const { body: changed } = await callAsSubcontractor('Customer/PatchCustomer', { id, title: 'Solar roof' });
    expect(changed.customer.customFields).toEqual(seen);
    expect(await listFields('demo-owner')).toEqual(all);
  });

  it('sees only the definitions of these fields', async () => {
    const { body } = await callAsSubcontractor('DataField/ListDataFields', {});
    expect(body.dataFields.map(({ name }: { name: string }) => name).toSorted()).toEqual(SEEN);
  });

  it('finds no customer by a hidden value', async () => {
    const { meter_number: identifier } = await listFields('demo-owner');
    expect(listIds((await call('Customer/LookupCustomersByIdentifier', { identifier })).body.customers)).toEqual([id]);
    expect(listIds((await callAsSubcontractor('Customer/LookupCustomersByIdentifier', { identifier })).body.customers)).toEqual([]);
  });

  it.each(['budget', 'legacy_code', 'never heard of'])('can’t change %s, and nothing changes', async (name) => {
    const before = await listFields('demo-owner');
    const portfolioId = demoId('portfolio 0');
    const refusals = [
      await summarizeRejection('demo-subcontractor', 'Customer/PatchCustomerDataFields', {
        customerId: id,
        fields: { access_notes: 'No', [name]: '1' },
      }),
      await summarizeRejection('demo-subcontractor', 'Portfolio/PatchPortfolioDataFields', { portfolioId, fields: { [name]: null } }),
      await summarizeRejection('demo-subcontractor', 'Customer/CreateCustomer', { title: 'X', customFields: { [name]: '1' } }),
    ];
    expect(refusals).toEqual(
      refusals.map(() => ({ ...FORBIDDEN, message: expect.stringContaining(`doesn’t include the data field ${name}`) })),
    );
    expect(await listFields('demo-owner')).toEqual(before);
  });

  it('changes visible fields, and preserves hidden ones', async () => {
    const before = await listFields('demo-owner');
    const { body } = await callAsSubcontractor('Customer/PatchCustomerDataFields', {
      customerId: id,
      fields: { access_notes: 'Knock.', has_parking: null },
    });
    const { has_parking: _cleared, ...rest } = before;
    expect(await listFields('demo-owner')).toEqual({ ...rest, access_notes: 'Knock.' });
    expect(body.customer.customFields).toEqual(await listFields('demo-subcontractor'));
  });

  it('preserves its view when its role is updated without one', spec('2.7.10'), async () => {
    const before = await listFields('demo-subcontractor');
    const { body } = await call('Role/GetRole', { id: demoId('role subcontractor') });
    const { id: roleId, name } = body.role;
    expect((await call('Role/UpdateRole', { id: roleId, name, access: body.access, isDefault: true })).status).toBe(200);
    expect(await listFields('demo-subcontractor')).toEqual(before);
  });

  it('sees the intersection of several views', async () => {
    const key = makeKey(opened.sandbox.world, { view: { customers: 'all', fields: ['budget', 'access_notes'] } });
    expect(Object.keys(await listFields(key)).toSorted()).toEqual(['access_notes', 'budget']);
    const roleIds = [`role ${key}`, demoId('role subcontractor')];
    await call('Member/ReplaceMemberRoles', { memberId: `member ${key}`, roleIds });
    expect(Object.keys(await listFields(key))).toEqual(['access_notes']);
  });
});

describe('unavailable products', () => {
  const callAsSubcontractor = (operation: string, request: unknown) => callAs('demo-subcontractor', operation, request);
  const OFFERED = ['folder 0', 'folder 1'].map(demoId);
  const listRows = async (key: string, operation: string): Promise<readonly Row[]> =>
    (await callAs(key, operation, { pageSize: 100 })).body.products;

  it.each(['Catalog/ListProducts', 'Catalog/SearchProducts'])('don’t appear in %s', spec('4.5.2', '5.21'), async (operation) => {
    opened.requiresDemoData();
    const offered = (await listRows('demo-owner', operation)).filter(({ folderId }) => OFFERED.includes(String(folderId)));
    expect(offered.length).toBeGreaterThan(3);
    expect(await listRows('demo-subcontractor', operation)).toEqual(offered);
  });

  it('can’t be read or quoted by ID', spec('7.6'), async () => {
    const all = await listRows('demo-owner', 'Catalog/ListProducts');
    const product = all.find(({ folderId }) => !OFFERED.includes(String(folderId)));
    const offer = { customerId: demoId('customer 0'), title: 'Offer', lineItems: [{ productId: product?.id, quantity: 1 }] };
    expect(await summarizeRejection('demo-subcontractor', 'Catalog/GetProduct', { id: product?.id })).toEqual(DENIED);
    expect(await summarizeRejection('demo-subcontractor', 'Quote/CreateQuote', offer)).toEqual(DENIED);
    const stock = await callAsSubcontractor('Inventory/ListInventoryBalances', { productId: product?.id });
    expect(stock.status).toBe(200);
  });
});
