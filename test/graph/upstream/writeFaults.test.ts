import { describe, expect, it } from 'vitest';
import type { Fault } from '../../../sandbox/kernel/faults.ts';
import { demoId, post } from '../../sandbox/sandbox.ts';
import { DEPOT } from '../../sandbox/stock.ts';
import { spec } from '../../support/spec.ts';
import { useFaultyUpstream } from './faultyUpstream.ts';

const { testGraph, run, runUntilTimeout, addFault } = useFaultyUpstream();

const CREATE = `mutation ($input: ContactCreateInput!) {
  contactCreate(input: $input) {
    __typename
    ... on MutationError { code retry }
    ... on OutcomeUnknownError { operation startedAt idempotencyKey message }
    ... on RateLimitedError { retryAfterSeconds }
  }
}`;
const CREATED = 'Contact/CreateContact';

const countCreated = (lastName: string) =>
  testGraph.sandbox.world.store.all('SELECT 1 FROM contacts WHERE last_name = :lastName', { lastName }).length;

describe('write without native idempotency', () => {
  it.each<[string, Omit<Fault, 'operation'>, number]>([
    ['with a connection error', { cut: 'before' }, 0],
    ['with a lost response', { cut: 'after' }, 1],
    ['with status 500', { status: 500 }, 0],
    ['with status 503', { status: 503 }, 0],
    ['with a malformed response', { body: 'nonsense' }, 1],
    ['with an array as response', { body: '[]' }, 1],
    ['with an empty response', { body: '{}' }, 1],
  ])('costs one call and has an unknown outcome %s', async (name, fault, created) => {
    addFault(CREATED, fault);
    const input = { lastName: `Lost ${name}`, idempotencyKey: `lost ${name}` };
    const { data, codes, calls } = await run(CREATE, { input });
    expect(data.contactCreate).toEqual({
      __typename: 'OutcomeUnknownError',
      code: 'OUTCOME_UNKNOWN',
      retry: 'SAME_KEY',
      operation: 'contactCreate',
      startedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      idempotencyKey: input.idempotencyKey,
      message: expect.stringContaining('Check the affected record'),
    });
    expect({ codes, calls, created: countCreated(input.lastName) }).toEqual({ codes: [], calls: [CREATED], created });
  });

  it.each([400, 403, 409])('has an unknown outcome after a %i of a proxy, which may have passed it on', async (status) => {
    addFault(CREATED, { status, body: '<h1>Blocked</h1>' });
    const { data } = await run(CREATE, { input: { lastName: 'Blocked', idempotencyKey: `blocked ${status}` } });
    expect(data.contactCreate).toMatchObject({ __typename: 'OutcomeUnknownError', retry: 'SAME_KEY' });
  });

  it.each([401, 407])('can be sent again with the same key after a %i of a proxy, because it isn’t applied', async (status) => {
    addFault(CREATED, { status, body: '<h1>Sign in</h1>', times: 1 });
    const input = { lastName: `Refused ${status}`, idempotencyKey: `refused ${status}` };
    expect(await run(CREATE, { input })).toMatchObject({
      data: { contactCreate: null },
      codes: ['UPSTREAM_UNAVAILABLE'],
      calls: [CREATED],
    });
    expect((await run(CREATE, { input })).data.contactCreate).toEqual({ __typename: 'ContactCreatePayload' });
    expect(countCreated(input.lastName)).toBe(1);
  });

  it.each(['not_found', 'resource_exhausted', 'invalid_argument'])(
    'has an unknown outcome after a 502, even if its body has the code %s',
    async (code) => {
      addFault(CREATED, { status: 502, body: JSON.stringify({ code, message: 'No.' }) });
      const { data } = await run(CREATE, { input: { lastName: 'Fallen', idempotencyKey: `fallen ${code}` } });
      expect(data.contactCreate).toMatchObject({ __typename: 'OutcomeUnknownError', retry: 'SAME_KEY' });
    },
  );

  it.each<[string, Omit<Fault, 'operation'>]>([
    ['with a lost response', { cut: 'after' }],
    ['with a malformed response', { body: 'nonsense' }],
    ['with an empty response', { body: '{}' }],
    ['with status 500', { status: 500 }],
  ])('sends no further call under the same key after an attempt %s', async (name, fault) => {
    addFault(CREATED, { ...fault, times: 1 });
    const input = { lastName: `Again ${name}`, idempotencyKey: `again ${name}` };
    const first = await run(CREATE, { input });
    const again = await run(CREATE, { input });
    expect(again.data.contactCreate).toMatchObject({ __typename: 'OutcomeUnknownError', startedAt: first.data.contactCreate?.startedAt });
    expect(again.calls).toEqual([]);
    expect(countCreated(input.lastName)).toBeLessThanOrEqual(1);
  });

  it('costs one call without a key, too', async () => {
    addFault(CREATED, { cut: 'after' });
    const { data, calls } = await run(CREATE, { input: { lastName: 'Keyless' } });
    expect(data.contactCreate).toMatchObject({ __typename: 'OutcomeUnknownError', idempotencyKey: null });
    expect({ calls, created: countCreated('Keyless') }).toEqual({ calls: [CREATED], created: 1 });
  });

  it('has an unknown outcome after a timeout', spec('7.11'), async () => {
    const { data, calls } = await runUntilTimeout(CREATED, CREATE, { input: { lastName: 'Late' } });
    expect(data.contactCreate).toMatchObject({ __typename: 'OutcomeUnknownError', operation: 'contactCreate' });
    expect(calls).toEqual([CREATED]);
  });

  it.each([
    [429, 'RateLimitedError'],
    [400, 'ValidationError'],
    [404, 'NotFoundError'],
    [403, 'ForbiddenError'],
    [409, 'RejectedError'],
    [418, 'RejectedError'],
  ])('returns after a %i the type %s, and can be retried with its key', async (status, typename) => {
    addFault(CREATED, { status, body: JSON.stringify({ message: 'No.' }), times: 1 });
    const input = { lastName: `Refused ${status}`, idempotencyKey: `refused ${status}` };
    const rejected = await run(CREATE, { input });
    expect(rejected).toMatchObject({ data: { contactCreate: { __typename: typename } }, codes: [], calls: [CREATED] });
    expect(await run(CREATE, { input })).toMatchObject({
      data: { contactCreate: { __typename: 'ContactCreatePayload' } },
      calls: [CREATED],
    });
    expect(countCreated(input.lastName)).toBe(1);
  });

  it.each([
    ['202', { status: 202, body: '{}' }],
    ['204', { status: 204, body: '' }],
    ['302', { status: 302, body: '' }],
    ['408', { status: 408, body: '{}' }],
    ['499', { status: 499, body: '{}' }],
    ['the code canceled', { status: 400, body: JSON.stringify({ code: 'canceled', message: 'Gone.' }) }],
    ['null as the record', { body: JSON.stringify({ contact: null }) }],
    ['a record without an ID', { body: JSON.stringify({ contact: { lastName: 'Half' } }) }],
  ])('has an unknown outcome and isn’t resent under its key after %s', async (name, fault) => {
    addFault(CREATED, { ...fault, times: 1 });
    const input = { lastName: `Half ${name}`, idempotencyKey: `half ${name}` };
    const first = await run(CREATE, { input });
    expect(first).toMatchObject({ data: { contactCreate: { __typename: 'OutcomeUnknownError' } }, codes: [], calls: [CREATED] });
    const again = await run(CREATE, { input });
    expect(again).toMatchObject({ data: { contactCreate: { __typename: 'OutcomeUnknownError' } }, calls: [] });
  });

  it('returns the upstream’s message without URLs and keys', async () => {
    addFault(CREATED, { status: 400, body: JSON.stringify({ message: `No, says ${testGraph.sandbox.url}/x of demo-owner.` }) });
    const { data } = await run('mutation { contactCreate(input: { lastName: "X" }) { ... on ValidationError { message } } }');
    expect(data.contactCreate).toEqual({ message: 'No, says [address] of [key].' });
  });
});

describe('retryable write', () => {
  const RECEIPT = `mutation ($input: InventoryReceiptCreateInput!) {
    inventoryReceiptCreate(input: $input) {
      __typename
      ... on InventoryReceiptCreatePayload { receipt { rawId } }
      ... on OutcomeUnknownError { idempotencyKey retry }
    }
  }`;
  const countReceipts = (reference: string) =>
    testGraph.sandbox.world.store.all('SELECT 1 FROM inventory_receipts WHERE reference = :reference', { reference }).length;

  it.each<[string, Omit<Fault, 'operation'>]>([
    ['a lost response', { cut: 'after', times: 1 }],
    ['a connection error', { cut: 'before', times: 1 }],
    ['a 503', { status: 503, times: 1 }],
  ])('succeeds after a retry with native idempotency and applies once after %s', async (name, fault) => {
    addFault('Inventory/CreateInventoryReceipt', fault);
    const input = { locationId: DEPOT, reference: name, idempotencyKey: name };
    const { data, calls } = await run(RECEIPT, { input });
    expect(data.inventoryReceiptCreate).toEqual({ __typename: 'InventoryReceiptCreatePayload', receipt: { rawId: expect.any(String) } });
    expect(calls).toEqual(['Inventory/CreateInventoryReceipt', 'Inventory/CreateInventoryReceipt']);
    expect(countReceipts(name)).toBe(1);
  });

  it('has an unknown outcome if the retries are lost, too, which the same key resolves', async () => {
    addFault('Inventory/CreateInventoryReceipt', { cut: 'after', times: 3 });
    addFault('Inventory/GetInventoryReceipt', { status: 403 });
    const input = { locationId: DEPOT, reference: 'twice', idempotencyKey: 'twice' };
    const lost = await run(RECEIPT, { input });
    expect(lost.data.inventoryReceiptCreate).toEqual({ __typename: 'OutcomeUnknownError', idempotencyKey: 'twice', retry: 'SAME_KEY' });
    const reconciled = await run(RECEIPT, { input });
    expect(reconciled.data.inventoryReceiptCreate?.__typename).toBe('InventoryReceiptCreatePayload');
    expect(countReceipts('twice')).toBe(1);
  });

  it('has an unknown outcome if the first response is lost and the retry is denied', async () => {
    addFault('Inventory/CreateInventoryReceipt', { cut: 'after', times: 1 });
    addFault('Inventory/CreateInventoryReceipt', { status: 403, times: 1 });
    addFault('Inventory/GetInventoryReceipt', { status: 403 });
    const input = { locationId: DEPOT, reference: 'door', idempotencyKey: 'door' };
    const { data, calls } = await run(RECEIPT, { input });
    expect(data.inventoryReceiptCreate).toEqual({ __typename: 'OutcomeUnknownError', idempotencyKey: 'door', retry: 'SAME_KEY' });
    expect({ calls, created: countReceipts('door') }).toEqual({
      calls: ['Inventory/CreateInventoryReceipt', 'Inventory/CreateInventoryReceipt', 'Inventory/GetInventoryReceipt'],
      created: 1,
    });
  });

  it('has an unknown outcome if the retry finds another version, because the first attempt may have changed it', async () => {
    addFault('Order/CancelOrder', { cut: 'after', times: 1 });
    addFault('Order/CancelOrder', { status: 409, body: JSON.stringify({ code: 'aborted', message: 'Stale.' }), times: 1 });
    const order = testGraph.sandbox.world.store.get<{ id: string; version: number }>(
      'SELECT id, version FROM orders JOIN order_money ON order_id = id WHERE status = 1 AND refundable_minor > 0 AND workspace_id = :workspaceId',
      { workspaceId: demoId('workspace') },
    );
    const CANCEL = 'mutation ($input: OrderCancelInput!) { orderCancel(input: $input) { __typename } }';
    const input = {
      orderId: order?.id,
      expectedVersion: String(order?.version),
      refund: { amount: { minorUnits: '1' } },
      idempotencyKey: 'guarded',
    };
    const { data, calls } = await run(CANCEL, { input });
    expect(data.orderCancel).toEqual({ __typename: 'OutcomeUnknownError' });
    expect(calls.slice(0, 2)).toEqual(['Order/CancelOrder', 'Order/CancelOrder']);
  });

  it('succeeds after a retry and applies once if it settles a state', async () => {
    const { body } = await post(testGraph.sandbox.url, 'demo-owner', 'Quote/CreateQuote', {
      customerId: demoId('customer 0'),
      lineItems: [{ productId: demoId('product 1'), quantity: 1 }],
    });
    const { id } = body.quote;
    addFault('Quote/ConfirmQuote', { cut: 'after', times: 1 });
    const CONFIRM = `mutation ($id: ID!) {
      quoteConfirm(input: { quoteId: $id }) { __typename ... on QuoteConfirmPayload { order { rawId } } }
    }`;
    const { data, calls } = await run(CONFIRM, { id });
    expect(data.quoteConfirm).toEqual({ __typename: 'QuoteConfirmPayload', order: { rawId: expect.any(String) } });
    expect(calls).toEqual(['Quote/GetQuote', 'Quote/ConfirmQuote', 'Quote/ConfirmQuote']);
    expect(testGraph.sandbox.world.store.all('SELECT 1 FROM orders WHERE quote_id = :id', { id })).toHaveLength(1);
  });
});
