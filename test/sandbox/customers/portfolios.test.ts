import { describe, expect, it } from 'vitest';
import { spec } from '../../support/spec.ts';
import { demoId, useSandbox } from '../sandbox.ts';

const { call, callAs } = useSandbox();

const contact = async (): Promise<string> => (await call('Contact/CreateContact', { lastName: 'Adler' })).body.contact.id;

describe('Portfolio/CreatePortfolio', () => {
  it('returns 201 with a portfolio of the contact, which GetCustomer returns as a customer', spec('2.3.1', '2.3.4'), async () => {
    const request = {
      title: 'Two houses',
      contactId: await contact(),
      customFields: { budget: '500', unheard_of: 'kept' },
      customerName: 'Ada Adler',
      email: 'ada@example.com',
      expectedCloseDate: '1775000000',
    };
    const { status, body } = await call('Portfolio/CreatePortfolio', { ...request, phone: '020 555 0100', phoneCountry: 'NL' });
    expect({ status, portfolio: body.portfolio }).toMatchObject({ status: 201, portfolio: { ...request, phone: '+31205550100' } });
    expect(body.portfolio.referenceNumber).toMatch(/^C-\d{6}$/);
    const read = await call('Customer/GetCustomer', { id: body.portfolio.id });
    expect(read.body.customer).toEqual(body.portfolio);
  });

  it('adds the portfolio to those of the contact', spec('2.3.3'), async () => {
    const contactId = await contact();
    const { body } = await call('Portfolio/CreatePortfolio', { title: 'Found again', contactId });
    const search = await call('Customer/SearchCustomers', { contactId });
    expect(search.body.customers.map(({ id }: { id: string }) => id)).toEqual([body.portfolio.id]);
  });

  it('requires an existing contact', spec('2.3.2'), async () => {
    expect((await call('Portfolio/CreatePortfolio', { title: 'Unassigned' })).status).toBe(400);
    const { status, body } = await call('Portfolio/CreatePortfolio', { title: 'Unassigned', contactId: 'absent' });
    expect({ status, code: body.code }).toEqual({ status: 404, code: 'not_found' });
  });

  it('requires a contact of the same workspace', async () => {
    const { body } = await callAs('demo-neighbour', 'Contact/ListContacts', { pageSize: 1 });
    expect((await call('Portfolio/CreatePortfolio', { title: 'Foreign', contactId: body.contacts[0].id })).status).toBe(404);
  });

  it('validates data fields by type', async () => {
    const customFields = { billing_company: '{}' };
    expect((await call('Portfolio/CreatePortfolio', { title: 'No', contactId: await contact(), customFields })).status).toBe(400);
  });

  it('adds a timeline event', async () => {
    const { id } = (await call('Portfolio/CreatePortfolio', { title: 'Notified', contactId: await contact() })).body.portfolio;
    const { body } = await call('Customer/ListCustomerTimelineEvents', { customerId: id });
    expect(body.events).toMatchObject([{ eventType: 'portfolio_created', entityType: 'portfolio', entityId: id }]);
  });
});

describe('Portfolio/PatchPortfolioDataFields', () => {
  const patchFields = (portfolioId: string, fields: Record<string, unknown>) =>
    call('Portfolio/PatchPortfolioDataFields', { portfolioId, fields });

  it('sets the specified fields, clears those that are null, and preserves the others', spec('2.3.5', '2.3.7', '2.3.9'), async () => {
    const customFields = { budget: '100', meter_number: 'M-1', access_notes: 'stays' };
    const { id } = (await call('Portfolio/CreatePortfolio', { title: 'Patched', contactId: await contact(), customFields })).body.portfolio;
    const { status, body } = await patchFields(id, { budget: '200', meter_number: null });
    expect({ status, fields: body.portfolio.customFields }).toEqual({ status: 200, fields: { budget: '200', access_notes: 'stays' } });
    expect((await call('Customer/GetCustomer', { id })).body.customer).toEqual(body.portfolio);
  });

  it('validates values by type', spec('2.3.10'), async () => {
    const id = demoId('portfolio 0');
    expect((await patchFields(id, { budget: 25_000 })).status).toBe(400);
    expect((await patchFields(id, { site_address: '{"latitude":51}' })).status).toBe(400);
    expect((await patchFields(id, { billing_company: '{"owner":"Ada"}' })).status).toBe(400);
  });

  it('returns not found for a plain customer, and doesn’t change it', async () => {
    const id = demoId('customer 0');
    const before = await call('Customer/GetCustomer', { id });
    const { status, body } = await patchFields(id, { meter_number: 'M-changed' });
    expect({ status, code: body.code }).toEqual({ status: 404, code: 'not_found' });
    expect((await call('Customer/GetCustomer', { id })).body).toEqual(before.body);
  });

  it('returns not found for portfolios of another workspace', async () => {
    const { status } = await callAs('demo-neighbour', 'Portfolio/PatchPortfolioDataFields', {
      portfolioId: demoId('portfolio 0'),
      fields: { meter_number: 'M-changed' },
    });
    expect(status).toBe(404);
  });
});
