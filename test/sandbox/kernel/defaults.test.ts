import { describe, expect, it } from 'vitest';
import { endpoints } from '../../../sandbox/index.ts';
import { spec } from '../../support/spec.ts';
import { createRequestFor } from '../requestFor.ts';
import { demoId, useSandbox } from '../sandbox.ts';
import { INVALID, MAIN, summarizeError } from '../stock.ts';

const opened = useSandbox();
const { call } = opened;

const lists = endpoints.filter(({ method }) => method.input.fields.some(({ name }) => name === 'page_size'));
const paged = lists.filter(({ method }) => method.input.fields.some(({ name }) => name === 'page'));

/** A request without a page. */
function unpaged(operation: string) {
  const endpoint = endpoints.find(({ name }) => name === operation);
  if (!endpoint) throw new Error(operation);
  const { page: _page, pageSize: _pageSize, ...request } = createRequestFor(opened.sandbox.world, endpoint);
  return request;
}

describe('page zero', () => {
  it.each(lists.map(({ name }) => name))(
    'selects the first page in %s, and negative numbers are rejected',
    spec('2.1.8', '4.5.10'),
    async (operation) => {
      const request = unpaged(operation);
      const usual = await call(operation, request);
      expect(usual.status).toBe(200);
      const isPaged = paged.some(({ name }) => name === operation);
      for (const zero of [{ pageSize: 0 }, { pageSize: '0' }, ...(isPaged ? [{ page: 0 }, { page: 0, pageSize: 0 }] : [])]) {
        expect(await call(operation, { ...request, ...zero })).toMatchObject({ status: 200, body: usual.body });
      }
      for (const wrong of [{ pageSize: -1 }, ...(isPaged ? [{ page: -1 }, { pageSize: 101 }] : [])]) {
        expect(summarizeError(await call(operation, { ...request, ...wrong }))).toEqual(INVALID);
      }
    },
  );

  it('appears in the response as the actual page', spec('2.1.6'), async () => {
    expect((await call('Contact/ListContacts', { page: 0, pageSize: 0 })).body).toMatchObject({ page: 1, pageSize: 25 });
  });
});

describe('empty string', () => {
  it('doesn’t identify a receipt, so the other identifier is used', spec('4.11.18'), async () => {
    const request = { locationId: MAIN, idempotencyKey: 'defaults' };
    const { receiptId } = (await call('Inventory/CreateInventoryReceipt', request)).body;
    const byKey = await call('Inventory/GetInventoryReceipt', { receiptId: '', idempotencyKey: 'defaults' });
    const byId = await call('Inventory/GetInventoryReceipt', { receiptId, idempotencyKey: '' });
    expect([byKey, byId]).toMatchObject([
      { status: 200, body: { receipt: { receiptId } } },
      { status: 200, body: { receipt: { receiptId } } },
    ]);
    for (const neither of [{}, { receiptId: '' }, { receiptId: '', idempotencyKey: '' }, { receiptId, idempotencyKey: 'defaults' }]) {
      expect(summarizeError(await call('Inventory/GetInventoryReceipt', neither))).toEqual(INVALID);
    }
  });

  it('identifies no customer', async () => {
    const email = 'contact12@example.com';
    await call('Customer/CreateCustomer', { title: 'By email', email });
    const wanted = await call('Customer/LookupCustomersByIdentifier', { email });
    const given = { email, phone: '', referenceNumber: '', identifier: '' };
    expect(await call('Customer/LookupCustomersByIdentifier', given)).toMatchObject({ status: 200, body: wanted.body });
    expect(summarizeError(await call('Customer/LookupCustomersByIdentifier', { ...given, email: '' }))).toEqual(INVALID);
    expect(summarizeError(await call('Customer/LookupCustomersByIdentifier', { ...given, identifier: 'x' }))).toEqual(INVALID);
  });

  it.each([
    ['Customer/ListCustomerTimelineEvents', { customerId: demoId('customer 0') }, 'transactionId'],
    ['Catalog/ListDiscounts', {}, 'folderId'],
    ['Inventory/ListInventoryMovements', {}, 'operationId'],
    ['Inventory/ListInventoryBalances', {}, 'productId'],
    ['Inventory/ListInventoryBackorders', {}, 'status'],
    ['Customer/SearchCustomers', {}, 'contactId'],
  ])('doesn’t filter %s %j by an empty %s', async (operation, request, field) => {
    const all = await call(operation, request);
    expect(Object.values(all.body).flat().length).toBeGreaterThan(3);
    expect(await call(operation, { ...request, [field]: '' })).toMatchObject({ status: 200, body: all.body });
  });
});
