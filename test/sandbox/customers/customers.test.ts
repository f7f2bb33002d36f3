import { describe, expect, it } from 'vitest';
import { spec } from '../../support/spec.ts';
import { demoId, START, useSandbox } from '../sandbox.ts';

const opened = useSandbox();
const { call, callAs } = opened;

interface Customer {
  readonly id: string;
  readonly title: string;
  readonly email: string;
  readonly phone: string;
  readonly referenceNumber: string;
  readonly customerName: string;
  readonly contactId?: string;
  readonly createdAt: string;
}

const createCustomer = async (request: Record<string, unknown>): Promise<Customer> =>
  (await call('Customer/CreateCustomer', { title: 'Made for a test', ...request })).body.customer;
const searchCustomers = async (request: Record<string, unknown>): Promise<Customer[]> =>
  (await call('Customer/SearchCustomers', { pageSize: 100, ...request })).body.customers ?? [];
const lookUpIds = async (request: Record<string, unknown>): Promise<string[]> =>
  ((await call('Customer/LookupCustomersByIdentifier', request)).body.customers ?? []).map(({ id }: Customer) => id);

/** Summaries of a customer's timeline events, newest first. */
const listSummaries = async (customerId: string): Promise<{ eventType: string; summary: string }[]> =>
  (await call('Customer/ListCustomerTimelineEvents', { customerId })).body.events ?? [];

describe('Customer/CreateCustomer', () => {
  it('returns 201 with a customer that GetCustomer returns', spec('2.2.1', '2.2.14'), async () => {
    opened.requiresDemoData();
    const request = {
      title: 'Roof',
      customFields: { budget: '25000', 'no such field': 'kept' },
      expectedCloseDate: '1775000000',
      customerName: 'Ada Adler',
      email: 'Ada@Example.com',
      phone: '020 555 0100',
      phoneCountry: 'NL',
    };
    const response = await call('Customer/CreateCustomer', request);
    const { phoneCountry: _, ...stored } = request;
    expect(response).toMatchObject({ status: 201, body: { customer: { ...stored, phone: '+31205550100', createdAt: String(START) } } });
    expect((await call('Customer/GetCustomer', { id: response.body.customer.id })).body).toEqual(response.body);
  });

  it('assigns consecutive reference numbers', spec('2.2.3'), async () => {
    const [first, second] = [await createCustomer({}), await createCustomer({})];
    expect(first.referenceNumber).toMatch(/^C-\d{6}$/);
    expect(Number(second.referenceNumber.slice(2))).toBe(Number(first.referenceNumber.slice(2)) + 1);
  });

  it('creates another customer when repeated', async () => {
    expect((await createCustomer({ title: 'Twice' })).id).not.toBe((await createCustomer({ title: 'Twice' })).id);
  });

  it('accepts an international phone number without a country, and rejects a local one', spec('2.2.11', '2.2.12'), async () => {
    expect((await createCustomer({ phone: '+49 30 1234567' })).phone).toBe('+49301234567');
    expect((await call('Customer/CreateCustomer', { title: 'Local', phone: '030 1234567' })).status).toBe(400);
    expect((await call('Customer/CreateCustomer', { title: 'Local', phone: '030 1234567', phoneCountry: 'de' })).status).toBe(400);
  });

  it('requires a title or a customer name', spec('2.2.10'), async () => {
    expect((await call('Customer/CreateCustomer', { title: ' ', customerName: '' })).status).toBe(400);
    expect((await call('Customer/CreateCustomer', { customerName: 'Ada' })).status).toBe(201);
  });

  it('validates data fields by type, and creates no customer if they’re invalid', spec('2.2.7'), async () => {
    const before = (await searchCustomers({ query: 'Refused one' })).length;
    expect((await call('Customer/CreateCustomer', { title: 'Refused one', customFields: { budget: '1.50' } })).status).toBe(400);
    expect(await searchCustomers({ query: 'Refused one' })).toHaveLength(before);
  });

  it('adds a timeline event', async () => {
    const { id } = await createCustomer({});
    expect(await listSummaries(id)).toMatchObject([{ eventType: 'customer_created', entityType: 'customer', entityId: id }]);
  });

  it('rejects an account with read-only access to customers', async () => {
    expect((await callAs('demo-restricted', 'Customer/CreateCustomer', { title: 'No' })).status).toBe(403);
  });
});

describe('Customer/GetCustomer', () => {
  it('returns a customer with a value for every kind of data field', spec('2.2.2', '4.2.1'), async () => {
    opened.requiresDemoData();
    const { body } = await call('Customer/GetCustomer', { id: demoId('customer 0') });
    const { dataFields } = (await call('DataField/ListDataFields', {})).body;
    for (const { name } of dataFields) expect(Object.keys(body.customer.customFields)).toContain(name);
    expect(body.customer.journeyStatusId).not.toBe('');
  });

  it('returns portfolios with their contact', async () => {
    const { body } = await call('Customer/GetCustomer', { id: demoId('portfolio 0') });
    expect(body.customer).toMatchObject({ id: demoId('portfolio 0'), contactId: demoId('contact 0') });
  });

  it('returns not found for customers of another workspace', spec('4.2.1'), async () => {
    const { body } = await callAs('demo-neighbour', 'Customer/SearchCustomers', { pageSize: 1 });
    const { status, body: refusal } = await call('Customer/GetCustomer', { id: body.customers[0].id });
    expect({ status, code: refusal.code }).toEqual({ status: 404, code: 'not_found' });
  });

  it('accepts an account with read-only access to customers', async () => {
    expect((await callAs('demo-restricted', 'Customer/GetCustomer', { id: demoId('customer 0') })).status).toBe(200);
  });
});

describe('Customer/SearchCustomers', () => {
  it.each([
    ['title', { title: 'Pergola zq-title' }, 'ZQ-TITLE'],
    ['customer name', { customerName: 'Wilma zq-name' }, 'zq-name'],
    ['email', { email: 'zq-mail@example.com' }, 'ZQ-mail@'],
    ['phone number', { phone: '+31207654321' }, '7654321'],
  ])('finds customers by a part of their %s', spec('4.2.2'), async (_which, request, query) => {
    const { id } = await createCustomer(request);
    expect((await searchCustomers({ query })).map((customer) => customer.id)).toEqual([id]);
  });

  it('finds a customer by its reference number', async () => {
    const { id, referenceNumber } = await createCustomer({});
    expect((await searchCustomers({ query: referenceNumber })).map((customer) => customer.id)).toEqual([id]);
  });

  it('treats % and _ literally', async () => {
    const { id } = await createCustomer({ title: '100%_zq' });
    expect((await searchCustomers({ query: '100%_' })).map((customer) => customer.id)).toEqual([id]);
  });

  it('lists customers and portfolios, newest first', async () => {
    const newest = await createCustomer({});
    const customers = await searchCustomers({});
    expect(customers[0]?.createdAt).toBe(newest.createdAt);
    const times = customers.map(({ createdAt }) => Number(createdAt));
    expect(times).toEqual(times.toSorted((one, other) => other - one));
    expect(new Set(customers.map(({ contactId = '' }) => contactId === ''))).toEqual(new Set([true, false]));
  });

  it('filters portfolios by contact', async () => {
    const contactId = demoId('contact 3');
    const customers = await searchCustomers({ contactId });
    expect(customers.map(({ id }) => id)).toContain(demoId('portfolio 3'));
    expect(new Set(customers.map((customer) => customer.contactId))).toEqual(new Set([contactId]));
    expect(await searchCustomers({ contactId, query: 'no such title' })).toEqual([]);
    expect(await searchCustomers({ contactId: 'absent' })).toEqual([]);
  });

  it('paginates without gaps', async () => {
    const whole = await searchCustomers({});
    const pages = await Promise.all([1, 2].map((page) => searchCustomers({ page, pageSize: 30 })));
    expect(pages.flat()).toEqual(whole.slice(0, 60));
    const { body } = await call('Customer/SearchCustomers', {});
    expect(body).toMatchObject({ page: 1, pageSize: 25, hasMore: true });
    expect(body.customers).toHaveLength(25);
  });
});

describe('Customer/LookupCustomersByIdentifier', () => {
  it('finds a complete email address, ignoring case', spec('4.2.3'), async () => {
    const { id } = await createCustomer({ email: 'Lookup@Example.com' });
    expect(await lookUpIds({ email: 'lookup@example.COM' })).toEqual([id]);
    expect(await lookUpIds({ email: 'lookup@example' })).toEqual([]);
  });

  it('finds customers and portfolios with the same email address', async () => {
    const email = 'contact2@example.com';
    const own = await createCustomer({ email });
    expect(await lookUpIds({ email })).toEqual(expect.arrayContaining([own.id, demoId('portfolio 2')]));
  });

  it('finds a phone number in any format', spec('4.2.3'), async () => {
    const { id } = await createCustomer({ phone: '+31208887777' });
    expect(await lookUpIds({ phone: '+31 (0)20 888 7777' })).toEqual([id]);
  });

  it('rejects a blank phone number, and one without a country code', async () => {
    expect((await call('Customer/LookupCustomersByIdentifier', { phone: '020 888 7777' })).status).toBe(400);
    expect((await call('Customer/LookupCustomersByIdentifier', { phone: ' ' })).status).toBe(400);
  });

  it('finds an exact reference number', spec('4.2.3'), async () => {
    const { id, referenceNumber } = await createCustomer({});
    expect(await lookUpIds({ referenceNumber })).toEqual([id]);
    expect(await lookUpIds({ referenceNumber: referenceNumber.slice(0, -1) })).toEqual([]);
    expect(await lookUpIds({ referenceNumber: referenceNumber.toLowerCase() })).toEqual([]);
  });

  it('finds any other identifier among data field values and reference numbers', async () => {
    const { id, referenceNumber } = await createCustomer({ customFields: { meter_number: 'M-lookup', budget: '77777' } });
    expect(await lookUpIds({ identifier: 'M-lookup' })).toEqual([id]);
    expect(await lookUpIds({ identifier: '77777' })).toEqual([id]);
    expect(await lookUpIds({ identifier: referenceNumber })).toEqual([id]);
    expect(await lookUpIds({ identifier: 'M-look' })).toEqual([]);
  });

  it('requires exactly one identifier', async () => {
    expect((await call('Customer/LookupCustomersByIdentifier', {})).status).toBe(400);
    expect((await call('Customer/LookupCustomersByIdentifier', { email: 'a@example.com', identifier: 'x' })).status).toBe(400);
  });

  it('finds nothing in another workspace', async () => {
    const { email } = await createCustomer({ email: 'only-here@example.com' });
    const { body } = await callAs('demo-neighbour', 'Customer/LookupCustomersByIdentifier', { email });
    expect(body.customers ?? []).toEqual([]);
  });
});

describe('Customer/PatchCustomer', () => {
  it('updates specified fields, and preserves the others', spec('4.2.4'), async () => {
    const before = await createCustomer({ email: 'old@example.com', customerName: 'Old name', customFields: { budget: '100' } });
    opened.sandbox.now += 60;
    const { status, body } = await call('Customer/PatchCustomer', {
      id: before.id,
      title: 'New title',
      phone: '020 555 0111',
      phoneCountry: 'NL',
    });
    expect(status).toBe(200);
    expect(body.customer).toEqual({ ...before, title: 'New title', phone: '+31205550111', updatedAt: String(opened.sandbox.now) });
  });

  it('removes fields set to an empty string', async () => {
    const { id } = await createCustomer({ email: 'old@example.com', phone: '+31205550100' });
    const { body } = await call('Customer/PatchCustomer', { id, email: '', phone: '' });
    expect([body.customer.email ?? '', body.customer.phone ?? '']).toEqual(['', '']);
  });

  it('rejects removing both title and customer name', async () => {
    const { id } = await createCustomer({ title: 'Only a title' });
    expect((await call('Customer/PatchCustomer', { id, title: '' })).status).toBe(400);
    expect((await call('Customer/PatchCustomer', { id, title: '', customerName: 'A name' })).status).toBe(200);
  });

  it('adds an audit event with the changed fields but without values, and none for a repetition', async () => {
    const { id } = await createCustomer({});
    await call('Customer/PatchCustomer', { id, email: 'secret@example.com', title: 'Made for a test' });
    await call('Customer/PatchCustomer', { id, email: 'secret@example.com' });
    const updates = (await listSummaries(id)).filter(({ eventType }) => eventType === 'customer_updated');
    expect(updates.map(({ summary }) => summary)).toEqual(['Changed: email.']);
    const { body } = await callAs('demo-restricted', 'Customer/ListCustomerTimelineEvents', { customerId: id });
    expect(body.events.map(({ eventType }: { eventType: string }) => eventType)).toEqual(['customer_created']);
  });

  it('returns not found for an unknown customer', async () => {
    expect((await call('Customer/PatchCustomer', { id: 'absent', title: 'x' })).status).toBe(404);
  });
});

describe('Customer/PatchCustomerDataFields', () => {
  it('sets the specified fields, clears those that are null, and preserves the others', spec('2.3.21', '4.2.5'), async () => {
    const { id } = await createCustomer({ customFields: { budget: '100', meter_number: 'M-1', access_notes: 'stays' } });
    const { status, body } = await call('Customer/PatchCustomerDataFields', {
      customerId: id,
      fields: { budget: '200', meter_number: null },
    });
    expect({ status, fields: body.customer.customFields }).toEqual({ status: 200, fields: { budget: '200', access_notes: 'stays' } });
    expect((await call('Customer/GetCustomer', { id })).body).toEqual(body);
  });

  it('accepts portfolios', spec('2.3.21'), async () => {
    const fields = { meter_number: 'M-9' };
    const { body } = await call('Customer/PatchCustomerDataFields', { customerId: demoId('portfolio 1'), fields });
    expect(body.customer.customFields).toMatchObject(fields);
  });

  it('adds an audit event with the changed fields, and none for a repetition', async () => {
    const { id } = await createCustomer({});
    const patch = { customerId: id, fields: { budget: '200', meter_number: null } };
    const first = await call('Customer/PatchCustomerDataFields', patch);
    expect((await call('Customer/PatchCustomerDataFields', patch)).body).toEqual(first.body);
    expect((await listSummaries(id)).map(({ summary }) => summary).filter((summary) => summary.startsWith('Changed'))).toEqual([
      'Changed: budget.',
    ]);
  });

  it('requires at least one field', async () => {
    expect((await call('Customer/PatchCustomerDataFields', { customerId: demoId('customer 1'), fields: {} })).status).toBe(400);
  });

  it('rejects a number that JSON can’t represent', async () => {
    const response = await opened.fetch('/public-api/publicapi.v1.Customer/PatchCustomerDataFields', {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer demo-owner' },
      body: `{"customerId":"${demoId('customer 1')}","fields":{"floor_area":1e999}}`,
    });
    expect(response.status).toBe(400);
  });
});
