import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Fault } from '../../../sandbox/kernel/faults.ts';
import { ALL_SCOPES, makeKey } from '../../sandbox/makeKey.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { findFreeTime, Records } from '../../support/contract/records.ts';
import { createQuoting } from '../../support/quoting.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const testGraph = useTestGraph();
const { createQuote } = createQuoting(testGraph);
beforeAll(() => {
  testGraph.sandbox.now = Math.floor(Date.now() / 1000) + 3_600;
});
afterEach(() => testGraph.sandbox.faults.clear());

const addFault = (operation: string, fault: Omit<Fault, 'operation'>) => testGraph.sandbox.faults.add({ operation, ...fault });
const openRecords = () => new Records({ url: testGraph.sandbox.url, world: testGraph.sandbox.world });

let keys = 0;
const newKey = () => {
  keys += 1;
  return `replayed ${keys}`;
};

/** Sends a mutation. The payload contains the effect, the record IDs, and the selection. */
async function mutate(field: string, selection: string, input: object, key = 'demo-owner') {
  const title = `${field.charAt(0).toUpperCase()}${field.slice(1)}`;
  const document = `mutation ($input: ${title}Input!) { ${field}(input: $input) {
    __typename ... on ${title}Payload { effect recordIds { field value } ${selection} } ... on MutationError { code message } } }`;
  const [{ data, errors }, calls] = await testGraph.recordCalls(() => testGraph.executeAs(key, document, { input }));
  return { payload: data[field], codes: (errors ?? []).map(({ extensions }) => extensions.code), calls };
}

type Result = Awaited<ReturnType<typeof mutate>>;

/** The payload of a replay without the record. */
const withholdRecord = ({ payload }: Result, member: string) => ({ ...payload, effect: 'REPLAYED', [member]: null });

const COMMENT = 'comment { id body }';
const REQUEST = 'actionRequest { id status title }';
const APPOINTMENT = 'appointment { id status description }';
const WORK_ORDER = 'workOrder { id status }';

describe('replay with a key whose member no longer sees the customer', () => {
  const KEY = 'demo-regional';
  const results: Record<string, Result> = {};

  beforeAll(async () => {
    const created = await mutate('customerCreate', 'customer { rawId }', { title: 'From the north' }, KEY);
    const customerId: string = created.payload.customer.rawId;
    const records = openRecords();
    const visit = { agendaId: await records.id('Agenda'), appointmentTypeId: await records.id('AppointmentType') };
    const startsAt = new Date(Number(await findFreeTime(records)) * 1000).toISOString();
    const inputs = {
      comment: { customerId, body: 'Confidential', idempotencyKey: newKey() },
      request: { customerId, title: 'Sign', description: 'Here', idempotencyKey: newKey() },
      appointment: { customerId, ...visit, startsAt, description: 'Confidential', idempotencyKey: newKey() },
    };
    const send = async () => ({
      comment: await mutate('customerCommentCreate', COMMENT, inputs.comment, KEY),
      request: await mutate('actionRequestCreate', REQUEST, inputs.request, KEY),
      appointment: await mutate('appointmentCreate', APPOINTMENT, inputs.appointment, KEY),
    });
    const first = await send();
    testGraph.sandbox.world.store.run('DELETE FROM customer_teams WHERE customer_id = :customerId', { customerId });
    await mutate('appointmentCancel', 'appointment { id }', { appointmentId: first.appointment.payload.appointment.id });
    await mutate('actionRequestCancel', 'actionRequest { id }', { actionRequestId: first.request.payload.actionRequest.id });
    const again = await send();
    for (const [name, result] of Object.entries(first)) results[`first ${name}`] = result;
    for (const [name, result] of Object.entries(again)) results[name] = result;
  });

  const expectWithheld = (name: string, member: string, codes: readonly string[]) => {
    const first = results[`first ${name}`] as Result;
    expect(first.payload).toMatchObject({ effect: 'DONE', recordIds: [{ field: member, value: first.payload[member].id }] });
    expect(results[name]).toMatchObject({ payload: withholdRecord(first, member), codes });
  };

  it('returns the effect and the ID of a comment, but not its text', () => expectWithheld('comment', 'comment', ['FORBIDDEN']));
  it('returns the effect and the ID of an action request, but not its status', () =>
    expectWithheld('request', 'actionRequest', ['FORBIDDEN']));
  it('returns the effect and the ID of an appointment, but not the record', () => expectWithheld('appointment', 'appointment', []));
});

describe('replay', () => {
  it('returns no outdated status while the record can’t be read, and the current one after that', async () => {
    const records = openRecords();
    const input = { customerId: await records.id('Customer'), locationId: await records.id('WorkOrderLocation'), title: 'Visit' };
    const create = () => mutate('workOrderCreate', WORK_ORDER, { ...input, idempotencyKey: `visit ${input.customerId}` });
    const first = await create();
    expect(first.payload.workOrder.status).toBe('OPEN');
    await mutate('workOrderComplete', WORK_ORDER, { workOrderId: first.payload.workOrder.id });
    addFault('WorkOrder/GetWorkOrder', { status: 503 });
    expect(await create()).toMatchObject({ payload: withholdRecord(first, 'workOrder'), codes: ['UPSTREAM_UNAVAILABLE'] });
    testGraph.sandbox.faults.clear();
    expect((await create()).payload).toEqual({
      ...first.payload,
      effect: 'REPLAYED',
      workOrder: { ...first.payload.workOrder, status: 'COMPLETED' },
    });
  });

  it('returns the IDs to a key that can only write, without a call', async () => {
    const key = makeKey(testGraph.sandbox.world, { scopes: ALL_SCOPES.filter((scope) => scope !== 'contact:read') });
    const input = { lastName: 'Unread', idempotencyKey: newKey() };
    const first = await mutate('contactCreate', 'contact { id lastName }', input, key);
    expect(first.payload).toMatchObject({ effect: 'DONE', contact: { lastName: 'Unread' } });
    const again = await mutate('contactCreate', 'contact { id lastName }', input, key);
    expect(again).toEqual({ payload: withholdRecord(first, 'contact'), codes: ['FORBIDDEN'], calls: [] });
    const ids = await mutate('contactCreate', 'contact { id }', input, key);
    expect(ids).toMatchObject({ payload: { effect: 'REPLAYED', contact: { id: first.payload.contact.id } }, codes: [], calls: [] });
  });

  it('returns a message that can’t be read back only while the key sees its customer', async () => {
    const input = { customerId: demoId('customer 1'), subject: 'Offer', body: 'Confidential', idempotencyKey: newKey() };
    const add = () => mutate('correspondenceMessageAdd', 'correspondenceMessage { id body }', input);
    const first = await add();
    expect(await add()).toEqual({ payload: { ...first.payload, effect: 'REPLAYED' }, codes: [], calls: ['Customer/GetCustomer'] });
    addFault('Customer/GetCustomer', { status: 403, body: '{"code":"permission_denied","message":"No."}' });
    expect(await add()).toMatchObject({ payload: withholdRecord(first, 'correspondenceMessage'), codes: ['FORBIDDEN'] });
  });

  it('doesn’t depend on the record that the currency of an amount was compared with', async () => {
    const input = {
      orderId: await openRecords().id('Order'),
      amount: { minorUnits: '100', currencyCode: 'EUR' },
      idempotencyKey: newKey(),
    };
    const pay = () => mutate('paymentCreate', 'payment { id status }', input);
    const first = await pay();
    expect(first.calls).toEqual(['Order/GetOrder', 'Payment/CreatePayment']);
    addFault('Order/GetOrder', { status: 503 });
    expect(await pay()).toEqual({ payload: { ...first.payload, effect: 'REPLAYED' }, codes: [], calls: ['Payment/GetPayment'] });
  });
});

describe('retry that the upstream recognizes', () => {
  it('returns the current record instead of the response that the upstream stored', async () => {
    const input = { orderId: await openRecords().id('Order'), amount: { minorUnits: '1000' }, idempotencyKey: newKey() };
    const pay = () => mutate('paymentCreate', 'payment { id status }', input);
    addFault('Payment/CreatePayment', { cut: 'after' });
    expect((await pay()).payload.code).toBe('OUTCOME_UNKNOWN');
    testGraph.sandbox.faults.clear();
    const { data } = await testGraph.execute('query ($id: ID!) { order(id: $id) { payments(first: 1) { nodes { id } } } }', {
      id: input.orderId,
    });
    const paymentId: string = data.order.payments.nodes[0].id;
    await mutate('paymentReceivedTotalSet', 'payment { status }', {
      paymentId,
      totalReceived: { minorUnits: '1000' },
      idempotencyKey: newKey(),
    });
    const again = await pay();
    expect(again.payload).toMatchObject({
      effect: 'DONE',
      recordIds: [{ field: 'payment', value: paymentId }],
      payment: { id: paymentId, status: 'PAID' },
    });
    expect(again.calls).toEqual(['Payment/CreatePayment', 'Payment/GetPayment']);
  });

  it('returns REPLAYED during an outage if the mutation succeeded before', async () => {
    const { rawId: quoteId } = await createQuote();
    const confirm = () => mutate('quoteConfirm', 'quote { id } order { id }', { quoteId, idempotencyKey: `confirm ${quoteId}` });
    const first = await confirm();
    addFault('Quote/ConfirmQuote', { status: 503 });
    expect(await confirm()).toEqual({ payload: { ...first.payload, effect: 'REPLAYED' }, codes: [], calls: [] });
  });
});
