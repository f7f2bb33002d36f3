import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { demoId, useSandbox } from '../sandbox.ts';
import { makeOrder } from './orders.ts';

const opened = useSandbox();
const { call } = opened;

const create = (orderId: string, fields: object = {}) =>
  call('ProForma/CreateProForma', { orderId, idempotencyKey: randomUUID(), ...fields });
const list = async (fields: object) => (await call('ProForma/ListProFormas', fields)).body;

describe('ProForma/CreateProForma', () => {
  it('makes the document of the order as it is, once', async () => {
    const orderId = await makeOrder(opened);
    const { proForma } = (await create(orderId)).body;
    expect(proForma).toMatchObject({
      orderId,
      orderVersion: '1',
      customerId: demoId('customer 1'),
      referenceNumber: expect.stringMatching(/^PF-\d{5}$/),
      currency: 'EUR',
      totalOnceMinor: '2000',
    });
    const answers = await Promise.all(Array.from({ length: 5 }, () => create(orderId)));
    expect(answers.map(({ body }) => body.proForma)).toEqual(Array(5).fill(proForma));
    expect((await call('ProForma/GetProForma', { id: proForma.id })).body.proForma).toEqual(proForma);
  });
});

describe('ProForma/ListProFormas', () => {
  it('reads those of one customer, newest first, page after page', async () => {
    const customerId = demoId('customer 0');
    const { proFormas } = await list({ customerId, pageSize: 100 });
    const times = proFormas.map(({ createdAt }: { createdAt: string }) => Number(createdAt));
    expect(times.length).toBeGreaterThan(6);
    expect(times).toEqual([...times].sort((one, other) => other - one));
    const pages = [await list({ customerId, pageSize: 3 }), await list({ customerId, pageSize: 3, page: 2 })];
    expect(pages.flatMap((page) => page.proFormas)).toEqual(proFormas.slice(0, 6));
    expect(pages[0].hasMore).toBe(true);
    const { proFormas: ofOrder } = await list({ customerId, orderId: demoId('order 3') });
    expect(ofOrder).toMatchObject([{ id: demoId('pro-forma 3'), orderId: demoId('order 3') }]);
  });
});
