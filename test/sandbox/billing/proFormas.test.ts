import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { demoId, useSandbox } from '../sandbox.ts';
import { changeOrder, makeOrder } from './orders.ts';
import { BLOCKED, MISSING, REUSED, refusalOf, STALE } from './refusals.ts';

const opened = useSandbox();
const { call, callAs } = opened;

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

  it('makes another of a changed order, and leaves the first as it was', async () => {
    const orderId = await makeOrder(opened);
    const idempotencyKey = randomUUID();
    const first = (await create(orderId, { idempotencyKey })).body.proForma;
    changeOrder(opened, orderId);
    expect((await create(orderId, { idempotencyKey })).body.proForma).toEqual(first);
    const second = (await create(orderId)).body.proForma;
    expect(second).toMatchObject({ orderVersion: '2', totalOnceMinor: '2500' });
    expect((await list({ customerId: demoId('customer 1'), orderId })).proFormas).toEqual([second, first]);
  });

  it('refuses another version than is expected, a key that was used for something else, and a cancelled order', async () => {
    const orderId = await makeOrder(opened);
    const idempotencyKey = randomUUID();
    await create(orderId, { idempotencyKey, expectedOrderVersion: '1' });
    expect(refusalOf(await create(orderId, { idempotencyKey }))).toEqual(REUSED);
    expect(refusalOf(await create(orderId, { expectedOrderVersion: '2' }))).toEqual(STALE);
    await call('Order/CancelOrder', { id: orderId, expectedVersion: '1' });
    expect(refusalOf(await create(orderId))).toEqual(BLOCKED);
  });

  it('does not find an order of another workspace', async () => {
    const request = { orderId: demoId('order 0'), idempotencyKey: randomUUID() };
    expect(refusalOf(await callAs('demo-neighbour', 'ProForma/CreateProForma', request))).toEqual(MISSING);
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

  it('does not find records of another workspace', async () => {
    expect(refusalOf(await callAs('demo-neighbour', 'ProForma/ListProFormas', { customerId: demoId('customer 0') }))).toEqual(MISSING);
    expect(refusalOf(await callAs('demo-neighbour', 'ProForma/GetProForma', { id: demoId('pro-forma 0') }))).toEqual(MISSING);
  });
});
