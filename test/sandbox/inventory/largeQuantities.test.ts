import { describe, expect, it } from 'vitest';
import { spec } from '../../support/spec.ts';
import { demoId, useSandbox } from '../sandbox.ts';
import { BLOCKED, createIdempotencyKey, createStockHelpers, DEPOT, INVALID, MAIN, SHELF, summarizeError } from '../stock.ts';

const test = useSandbox();
const { call } = test;
const { newProduct, movements } = createStockHelpers(call);

const MAX = '9223372036854775807';
const MIN = '-9223372036854775808';
/** The first integer that a double can't represent. */
const ODD = '9007199254740993';

const adjust = (request: object) => call('Inventory/AdjustInventory', { locationId: MAIN, reason: 'Count', ...request });

/** Exact numbers of units on hand, available, reserved and inbound. */
async function balance(productId: string, locationId = MAIN) {
  const { body } = await call('Inventory/ListInventoryBalances', { productId, locationId });
  const { onHand = '0', available = '0', reserved = '0', inbound = '0' } = body.balances?.[0] ?? {};
  return [onHand, available, reserved, inbound];
}

const backorder = (productId: string, ...quantities: string[]) =>
  call('Inventory/CreateInventoryBackorder', {
    destinationLocationId: DEPOT,
    lines: quantities.map((quantity) => ({ productId, quantity })),
    expectedArrivalAt: String(test.sandbox.now + 100),
    idempotencyKey: createIdempotencyKey(),
  });

const transfer = (productId: string, quantity: string, from = MAIN, to = DEPOT) =>
  call('Inventory/StartInventoryTransfer', {
    sourceLocationId: from,
    destinationLocationId: to,
    lines: [{ productId, quantity }],
  });

const move = (productId: string, quantity: string) =>
  call('Inventory/MoveInventory', {
    destinationLocationId: DEPOT,
    lines: [{ productId, sourceLocationId: MAIN, quantity }],
    idempotencyKey: createIdempotencyKey(),
  });

async function createReceipt(productId: string, ...quantities: string[]): Promise<string> {
  const { body } = await call('Inventory/CreateInventoryReceipt', { locationId: MAIN, idempotencyKey: createIdempotencyKey() });
  for (const quantity of quantities) {
    const line = { receiptId: body.receiptId, productId, quantity, idempotencyKey: createIdempotencyKey() };
    expect((await call('Inventory/AddInventoryReceiptLine', line)).status).toBe(200);
  }
  return body.receiptId;
}

describe('quantity of up to 64 bits', () => {
  it('can be adjusted without rounding', async () => {
    const productId = await newProduct();
    const { status, body } = await adjust({ productId, quantityDelta: MAX });
    expect({ status, onHand: body.balance.onHand, available: body.balance.available }).toEqual({
      status: 200,
      onHand: MAX,
      available: MAX,
    });
    expect((await adjust({ productId, targetAvailable: ODD })).status).toBe(200);
    expect(await balance(productId)).toEqual([ODD, ODD, '0', '0']);
    expect((await movements({ productId })).map(({ quantityDelta }: { quantityDelta: string }) => quantityDelta)).toEqual([
      String(BigInt(ODD) - BigInt(MAX)),
      MAX,
    ]);
  });

  it('can be moved in part', async () => {
    const productId = await newProduct();
    await adjust({ productId, quantityDelta: MAX });
    expect((await move(productId, ODD)).status).toBe(200);
    expect([await balance(productId), await balance(productId, DEPOT)]).toEqual([
      ['9214364837600034814', '9214364837600034814', '0', '0'],
      [ODD, ODD, '0', '0'],
    ]);
  });

  it('can be received, and is returned by its receipt line', spec('4.11.11'), async () => {
    const productId = await newProduct();
    const receiptId = await createReceipt(productId, ODD, '1');
    const { lines } = (await call('Inventory/GetInventoryReceipt', { receiptId })).body;
    expect(lines.map(({ quantity }: { quantity: string }) => quantity).sort()).toEqual(['1', ODD]);
    expect((await call('Inventory/ReceiveInventory', { receiptId })).status).toBe(200);
    expect(await balance(productId)).toEqual(['9007199254740994', '9007199254740994', '0', '0']);
  });

  it('can be expected in backorders and transfers, and arrive', async () => {
    const productId = await newProduct();
    await adjust({ productId, quantityDelta: ODD });
    expect((await backorder(productId, ODD, '1')).body.backorder.lines).toMatchObject([{ quantity: ODD }, { quantity: '1' }]);
    const started = (await transfer(productId, ODD)).body.transfer;
    expect(started.lines).toMatchObject([{ quantity: ODD }]);
    expect(await balance(productId, DEPOT)).toEqual(['0', '0', '0', '18014398509481987']);
    expect((await call('Inventory/CompleteInventoryTransfer', { transferId: started.id })).status).toBe(200);
    expect(await balance(productId, DEPOT)).toEqual([ODD, ODD, '0', '9007199254740994']);
  });

  it('can be the demand of an order, across all locations', async () => {
    const productId = await newProduct();
    await adjust({ productId, quantityDelta: ODD });
    await adjust({ productId, locationId: SHELF, quantityDelta: ODD });
    const lineItems = [{ productId, quantity: 5 }];
    const { quote } = (await call('Quote/CreateQuote', { customerId: demoId('customer 1'), lineItems })).body;
    const { order } = (await call('Quote/ConfirmQuote', { id: quote.id })).body;
    const { demand } = (await call('Inventory/ListOrderStockDemand', { orderId: order.id })).body;
    expect(demand).toMatchObject([{ ordered: '5', outstanding: '5', available: '18014398509481986' }]);
    const line = { orderId: order.id, orderLineId: order.lineItems[0].id, locationId: MAIN };
    expect(summarizeError(await call('Inventory/CreateOrderReservation', { ...line, quantity: MAX }))).toEqual(BLOCKED);
    const allocated = (await call('Inventory/AllocateOrderStock', { orderId: order.id })).body;
    expect(allocated.reservations).toMatchObject([{ quantity: '5', status: 'PUBLIC_RESERVATION_STATUS_ACTIVE' }]);
    expect(await balance(productId, allocated.reservations[0].locationId)).toEqual([ODD, '9007199254740988', '5', '0']);
    const { impact } = (await call('Order/GetOrderCancellationImpact', { orderId: order.id })).body;
    expect(impact.releasedQuantity).toBe('5');
    const reservationId = allocated.reservations[0].id;
    expect((await call('Inventory/ConsumeReservation', { reservationId })).status).toBe(200);
    const back = { ...line, quantity: MAX, reason: 'Too many' };
    expect(summarizeError(await call('Inventory/ReturnInventory', back))).toEqual(BLOCKED);
    expect((await call('Inventory/ReturnInventory', { ...back, quantity: '5' })).status).toBe(200);
    const { summary } = (await call('Inventory/GetOrderInventorySummary', { orderId: order.id })).body;
    expect(summary).toMatchObject({ ordered: '5', consumed: '5', returned: '5' });
  });

  it('can’t exceed 64 bits', async () => {
    const productId = await newProduct();
    for (const quantityDelta of ['9223372036854775808', '-9223372036854775809', '1'.repeat(40)]) {
      expect(summarizeError(await adjust({ productId, quantityDelta }))).toEqual(INVALID);
    }
    expect(summarizeError(await adjust({ productId, quantityDelta: MIN }))).toEqual(BLOCKED);
  });
});

describe('stock above 64 bits', () => {
  const outOfRange = { message: expect.stringContaining('64 bits') };

  it('fails at a location, and changes nothing', async () => {
    const productId = await newProduct();
    await adjust({ productId, quantityDelta: MAX });
    const refused = await adjust({ productId, quantityDelta: '1' });
    expect([summarizeError(refused), refused.body]).toMatchObject([BLOCKED, outOfRange]);
    expect(await balance(productId)).toEqual([MAX, MAX, '0', '0']);
  });

  it('fails across all locations, because the demand of orders contains the sum', async () => {
    const productId = await newProduct();
    await adjust({ productId, quantityDelta: MAX });
    expect((await adjust({ productId, locationId: DEPOT, quantityDelta: '1' })).body).toMatchObject(outOfRange);
    expect((await move(productId, '1')).status).toBe(200);
    expect((await adjust({ productId, locationId: SHELF, targetAvailable: '1' })).body).toMatchObject(outOfRange);
  });

  it('fails when a receipt is posted, which remains a draft', spec('4.11.17'), async () => {
    const productId = await newProduct();
    const receiptId = await createReceipt(productId, MAX, MAX);
    expect(summarizeError(await call('Inventory/ReceiveInventory', { receiptId }))).toEqual(BLOCKED);
    const { receipt } = (await call('Inventory/GetInventoryReceipt', { receiptId })).body;
    expect(receipt.status).toBe('PUBLIC_INVENTORY_RECEIPT_STATUS_DRAFT');
    expect(await balance(productId)).toEqual(['0', '0', '0', '0']);
  });

  it('fails for the sum of inbound backorders and transfers', async () => {
    const productId = await newProduct();
    expect(summarizeError(await backorder(productId, MAX, '1'))).toEqual(BLOCKED);
    expect((await backorder(productId, MAX)).status).toBe(200);
    expect((await backorder(productId, '1')).body).toMatchObject(outOfRange);
    await adjust({ productId, quantityDelta: '1' });
    expect((await transfer(productId, '1')).body).toMatchObject(outOfRange);
    expect(await balance(productId)).toEqual(['1', '1', '0', '0']);
    expect(await balance(productId, DEPOT)).toEqual(['0', '0', '0', MAX]);
  });

  it('fails when a transfer arrives, which remains in transit', async () => {
    const productId = await newProduct();
    await adjust({ productId, quantityDelta: MAX });
    const started = (await transfer(productId, MAX)).body.transfer;
    await adjust({ productId, quantityDelta: '1' });
    const arrived = await call('Inventory/CompleteInventoryTransfer', { transferId: started.id });
    expect([summarizeError(arrived), arrived.body]).toMatchObject([BLOCKED, outOfRange]);
    expect(await balance(productId, DEPOT)).toEqual(['0', '0', '0', MAX]);
    await adjust({ productId, quantityDelta: '-1' });
    expect((await call('Inventory/CompleteInventoryTransfer', { transferId: started.id })).status).toBe(200);
  });
});

describe('other 64-bit numbers', () => {
  it('pass validation in refunds, which the status of the order then rejects', async () => {
    const order = (await call('Order/GetOrder', { id: demoId('order 0') })).body.order;
    for (const refundAmountMinor of ['1000000000001', ODD, MAX]) {
      const request = { id: order.id, expectedVersion: order.version, refundAmountMinor, refundRequestId: createIdempotencyKey() };
      const refused = await call('Order/CancelOrder', request);
      expect(summarizeError(refused)).toEqual(BLOCKED);
      expect(refused.body.message).toContain(refundAmountMinor);
    }
  });

  it('can be the cents of a data field', async () => {
    const field = test.sandbox.world.store.get<{ name: string }>('SELECT name FROM data_fields WHERE type = 6')?.name ?? '';
    const patch = (value: string) =>
      call('Customer/PatchCustomerDataFields', { customerId: demoId('customer 1'), fields: { [field]: value } });
    for (const value of [MAX, MIN]) expect((await patch(value)).body.customer.customFields[field]).toBe(value);
    for (const value of ['9223372036854775808', '1.50', '']) expect(summarizeError(await patch(value))).toEqual(INVALID);
  });

  it.each([
    ['Customer/CreateCustomer', 'expectedCloseDate', { title: 'Dated' }],
    ['Customer/PatchCustomer', 'expectedCloseDate', { id: demoId('customer 1') }],
    ['Portfolio/CreatePortfolio', 'expectedCloseDate', { title: 'Dated', contactId: demoId('contact 0') }],
    ['Customer/CreateCustomerEvent', 'occurredAt', { customerId: demoId('customer 1'), eventType: 'x', summary: 'x' }],
  ])('can be timestamps of the years 1 to 9999 in %s', spec('2.2.8', '2.2.9'), async (operation, field, request) => {
    for (const timestamp of ['-62135596800', '-1', '0', '253402300799']) {
      const { status, body } = await call(operation, { ...request, [field]: timestamp });
      expect(status).toBeLessThan(300);
      expect(Object.values<Record<string, string>>(body)[0]?.[field] ?? '0').toBe(timestamp);
    }
    for (const timestamp of ['-62135596801', '253402300800', MAX]) {
      expect(summarizeError(await call(operation, { ...request, [field]: timestamp }))).toEqual(INVALID);
    }
  });

  it('can be arrivals of backorders up to the year 9999', async () => {
    const { id } = (await backorder(await newProduct(), '1')).body.backorder;
    const reschedule = (expectedArrivalAt: string) => call('Inventory/UpdateInventoryBackorderEta', { backorderId: id, expectedArrivalAt });
    expect((await reschedule('253402300799')).body.backorder.expectedArrivalAt).toBe('253402300799');
    expect(summarizeError(await reschedule('253402300800'))).toEqual(INVALID);
  });
});
