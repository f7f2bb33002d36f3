import { describe, expect, it } from 'vitest';
import { spec } from '../../support/spec.ts';
import { useSandbox } from '../sandbox.ts';

const opened = useSandbox();
const { call, callAs } = opened;

describe('Contact/CreateContact', () => {
  it('creates a contact that GetContact returns', spec('4.2.19'), async () => {
    const created = await call('Contact/CreateContact', { firstName: 'Ada', lastName: 'Adler', email: 'ada@example.com' });
    expect(created).toMatchObject({ status: 200, body: { contact: { firstName: 'Ada', lastName: 'Adler', email: 'ada@example.com' } } });
    const read = await call('Contact/GetContact', { id: created.body.contact.id });
    expect(read.body).toEqual(created.body);
  });

  it('normalizes a local phone number using its country', async () => {
    const { body } = await call('Contact/CreateContact', { lastName: 'Local', phone: '020 555 0100', phoneCountry: 'NL' });
    expect(body.contact.phone).toBe('+31205550100');
  });

  it('rejects a local phone number without a country', async () => {
    const { status, body } = await call('Contact/CreateContact', { lastName: 'Local', phone: '020 555 0100' });
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'invalid_argument' });
  });

  it('rejects a blank last name', async () => {
    expect((await call('Contact/CreateContact', { firstName: 'Ada', lastName: ' ' })).status).toBe(400);
  });
});

describe('Contact/ListContacts', () => {
  it('paginates without gaps, and returns hasMore', spec('2.1.7', '4.2.20'), async () => {
    opened.requiresDemoData();
    const whole = await call('Contact/ListContacts', { pageSize: 100 });
    const first = await call('Contact/ListContacts', { page: 1, pageSize: 20 });
    const second = await call('Contact/ListContacts', { page: 2, pageSize: 20 });
    expect(first.body.hasMore).toBe(true);
    expect([...first.body.contacts, ...second.body.contacts]).toEqual(whole.body.contacts.slice(0, 40));
    expect(whole.body.hasMore ?? false).toBe(false);
  });

  it('rejects a page size above 100', async () => {
    expect((await call('Contact/ListContacts', { pageSize: 101 })).status).toBe(400);
  });
});

describe('Contact/GetContact', () => {
  it('returns not found for a contact of another workspace', async () => {
    const { body } = await callAs('demo-neighbour', 'Contact/ListContacts', { pageSize: 1 });
    expect((await call('Contact/GetContact', { id: body.contacts[0].id })).status).toBe(404);
  });
});
