import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { spec } from '../../support/spec.ts';
import { demoId, useSandbox } from '../sandbox.ts';
import { makeOrder } from './orders.ts';

const opened = useSandbox();
const { call } = opened;

const create = (orderId: string, fields: object = {}) =>
  call('ProForma/CreateProForma', { orderId, idempotencyKey: randomUUID(), ...fields });

describe('ProForma/CreateProForma', () => {
  it('creates one document for the current version of the order', spec('4.7.17', '4.7.18', '4.7.20'), async () => {
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
    const responses = await Promise.all(Array.from({ length: 5 }, () => create(orderId)));
    expect(responses.map(({ body }) => body.proForma)).toEqual(Array(5).fill(proForma));
    expect((await call('ProForma/GetProForma', { id: proForma.id })).body.proForma).toEqual(proForma);
  });
});

describe('ProForma/ListProFormas', () => {
  it('lists demo documents, optionally of one order', async () => {
    const { proFormas } = (await call('ProForma/ListProFormas', { customerId: demoId('customer 0'), orderId: demoId('order 3') })).body;
    expect(proFormas).toMatchObject([{ id: demoId('pro-forma 3'), orderId: demoId('order 3') }]);
  });
});
