import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Input } from '../../support/contract/inputs.ts';
import { EACH_VARIANT, MUTATIONS, type Mutation, useMutations } from '../../support/contract/mutations.ts';

const testGraph = useMutations();
const { ask, newInput } = testGraph;
// Records that are made now must not look as if they had been made before they were asked for.
beforeAll(() => {
  testGraph.sandbox.now = Math.floor(Date.now() / 1000) + 3_600;
});
afterEach(() => testGraph.sandbox.faults.clear());

let keys = 0;
/** An act that nobody has asked for yet, under a key of its own. */
const newAct = async (mutation: Mutation): Promise<Input> => {
  keys += 1;
  return { ...(await newInput(mutation)), idempotencyKey: `promise ${keys}` };
};

const PAYLOAD = { __typename: expect.stringMatching(/Payload$/) };

describe('the same request', () => {
  it.each(EACH_VARIANT)('is done, and its repeat has no second effect: %s', async (_title, mutation) => {
    const input = await newAct(mutation);
    const first = await ask(mutation, input);
    expect(first).toMatchObject({ told: { ...PAYLOAD, effect: 'DONE' }, errors: undefined });
    expect(first.calls).toContain(mutation.operation.name);
    expect(first.writes).toBeGreaterThan(0);
    const sent = testGraph.sandbox.received.findLast(({ operation }) => operation === mutation.operation.name);
    expect(JSON.stringify(sent?.request).includes(String(input.idempotencyKey))).toBe(mutation.passesKeyUpstream);
    const again = await ask(mutation, input);
    const untold = Object.fromEntries(mutation.returnedOnce.map((member) => [member, null]));
    expect(again.result).toEqual({ ...first.result, ...untold, effect: 'REPLAYED' });
    expect([again.calls, again.writes]).toEqual([[], 0]);
  });

  it.each(EACH_VARIANT)('is told that it is running while it is: %s', async (_title, mutation) => {
    const input = await newAct(mutation);
    const held = testGraph.gate.hold(mutation.operation.name);
    const first = ask(mutation, input);
    await held.arrived;
    const meanwhile = await ask(mutation, input);
    held.release();
    expect((await first).result).toMatchObject({ ...PAYLOAD, effect: 'DONE' });
    expect(meanwhile.result).toMatchObject({ __typename: 'OperationInProgressError', code: 'OPERATION_IN_PROGRESS', retry: 'SAME_KEY' });
    expect([meanwhile.calls.includes(mutation.operation.name), meanwhile.writes]).toEqual([false, 0]);
    // A second one that is sent waits behind the gate as well: then this test times out.
  });
});

describe('the same request under another key', () => {
  /** Updates of values are done even if the values are the same, and nothing shows that an upload was completed before. */
  const others = ['customerCustomFieldsUpdate', 'customerFileUploadComplete', 'customerUpdate', 'portfolioCustomFieldsUpdate'];
  /** The upstream writes a key that it receives, so its other writes don't show. */
  const compared = EACH_VARIANT.filter(([, { passesKeyUpstream, field }]) => !passesKeyUpstream && !others.includes(field));

  it.each(compared)('returns DONE only if it writes something: %s', async (_title, mutation) => {
    const input = await newAct(mutation);
    expect((await ask(mutation, input)).result).toMatchObject(PAYLOAD);
    const { result, writes } = await ask(mutation, { ...input, idempotencyKey: `another ${input.idempotencyKey}` });
    if (result.effect !== undefined) expect(result.effect).toBe(writes > 0 ? 'DONE' : 'UNCHANGED');
  });
});

describe('another request under a key that was used', () => {
  it.each(EACH_VARIANT)('is refused, and not sent: %s', async (_title, mutation) => {
    const input = await newAct(mutation);
    expect((await ask(mutation, input)).result).toMatchObject(PAYLOAD);
    const other = await ask(mutation, { ...(await newInput(mutation)), idempotencyKey: input.idempotencyKey });
    expect(other.result).toMatchObject({ __typename: 'IdempotencyKeyReusedError', code: 'IDEMPOTENCY_KEY_REUSED', retry: 'NEVER' });
    expect([other.calls.includes(mutation.operation.name), other.writes]).toEqual([false, 0]);
  });
});

/** Mutations whose lost response is reconciled, with the operations that are read: for transitions also before, to detect that nothing changes. */
const FOUND: Readonly<Record<string, readonly string[]>> = {
  actionRequestCancel: ['ActionRequest/GetActionRequest'],
  actionRequestCreate: ['ActionRequest/ListActionRequests'],
  appointmentCancel: ['Appointment/GetAppointment', 'Appointment/GetAppointment'],
  appointmentCreate: ['Appointment/ListAppointments'],
  appointmentUpdate: ['Appointment/GetAppointment'],
  contactUpdate: ['Contact/GetContact'],
  customerCreate: ['Customer/LookupCustomersByIdentifier'],
  customerUpdate: ['Customer/GetCustomer'],
  inventoryBackorderReschedule: ['Inventory/ListInventoryBackorders'],
  inventoryReceiptCreate: ['Inventory/GetInventoryReceipt'],
  inventoryReceiptPost: ['Inventory/GetInventoryReceipt', 'Inventory/GetInventoryReceipt'],
  memberInvitationCreate: ['Invitation/ListMemberInvitations'],
  memberRemove: ['Member/GetMember'],
  memberRolesSet: ['Member/GetMember'],
  orderCancel: ['Order/GetOrder'],
  paymentReceivedTotalSet: ['Payment/GetPayment', 'Payment/GetPayment'],
  problemArchive: ['Problem/GetProblem', 'Problem/GetProblem'],
  problemClose: ['Problem/GetProblem', 'Problem/GetProblem'],
  problemCommentAdd: ['Problem/GetProblem'],
  problemCreate: ['Problem/ListProblems'],
  problemResolve: ['Problem/GetProblem', 'Problem/GetProblem'],
  problemUpdate: ['Problem/GetProblem'],
  productCreate: ['Catalog/SearchProducts', 'Catalog/GetProduct'],
  productUpdate: ['Catalog/GetProduct'],
  quoteConfirm: ['Quote/GetQuote', 'Quote/GetQuote', 'Order/GetOrder'],
  quoteCreate: ['Quote/ListQuotes'],
  quoteDiscard: ['Quote/GetQuote', 'Quote/GetQuote'],
  quoteUpdate: ['Quote/GetQuote'],
  teamMemberAdd: ['Team/GetTeam', 'Team/GetTeam', 'Member/GetMember'],
  teamMemberRemove: ['Team/GetTeam', 'Team/GetTeam', 'Member/GetMember'],
  teamUpdate: ['Team/GetTeam'],
  workOrderCancel: ['WorkOrder/GetWorkOrder', 'WorkOrder/GetWorkOrder'],
  workOrderComplete: ['WorkOrder/GetWorkOrder', 'WorkOrder/GetWorkOrder'],
  workOrderCreate: ['WorkOrder/ListWorkOrders', 'WorkOrder/GetWorkOrder'],
  workOrderTemplateArchive: ['WorkOrderTemplate/GetWorkOrderTemplate', 'WorkOrderTemplate/GetWorkOrderTemplate'],
  workOrderTemplateUpdate: ['WorkOrderTemplate/GetWorkOrderTemplate'],
  workOrderUpdate: ['WorkOrder/GetWorkOrder', 'WorkOrder/GetWorkOrder'],
};

/** The advice to whom an outcome is unknown, by what a repeat does. */
function adviceFor({ operation, isDeduplicatedUpstream }: Mutation, hasKey: boolean): string {
  if (hasKey) return 'SAME_KEY';
  return isDeduplicatedUpstream && operation.effect === 'SETTLED' ? 'SAFE' : 'CHECK_FIRST';
}

const UNKNOWN = { __typename: 'OutcomeUnknownError', code: 'OUTCOME_UNKNOWN' };

/** Each mutation with a key, and without one where it needs none. */
const EACH_WAY = MUTATIONS.flatMap((mutation) =>
  [true, false]
    .filter((hasKey) => hasKey || !mutation.requiresKey)
    .map((hasKey) => [`${mutation.title} ${hasKey ? 'with a key' : 'without a key'}`, hasKey, mutation] as const),
);

describe('a request whose answer is lost', () => {
  const known = new Map<Mutation, number>();
  /** Rows that the sandbox writes when nothing goes wrong. */
  const usualWrites = async (mutation: Mutation): Promise<number> => {
    const writes = known.get(mutation) ?? (await ask(mutation, await newAct(mutation))).writes;
    known.set(mutation, writes);
    return writes;
  };
  const lose = (mutation: Mutation, cut: 'before' | 'after') => testGraph.sandbox.faults.add({ operation: mutation.operation.name, cut });
  /** Operations that were called beside the mutation's own. */
  const readBy = (calls: readonly string[], { operation }: Mutation) =>
    calls.filter((name) => name !== operation.name && name !== 'DataField/ListDataFields');

  it.each(EACH_WAY)('takes effect once, and is found out by reading or unknown: %s', async (_title, hasKey, mutation) => {
    const usual = await usualWrites(mutation);
    const { idempotencyKey, ...keyless } = await newAct(mutation);
    const input = { ...keyless, ...(hasKey && { idempotencyKey }) };
    lose(mutation, 'after');
    const lost = await ask(mutation, input);
    const reads = mutation.variant ? undefined : FOUND[mutation.field];
    if (reads) expect([lost.result, readBy(lost.calls, mutation)]).toMatchObject([{ ...PAYLOAD, effect: 'RECONCILED' }, reads]);
    else expect(lost.result).toMatchObject({ ...UNKNOWN, retry: adviceFor(mutation, hasKey), operation: mutation.field });
    expect(lost.writes).toBe(usual);

    if (!hasKey) return;
    testGraph.sandbox.faults.clear();
    const again = await ask(mutation, input);
    if (reads) expect(again.result).toMatchObject({ ...PAYLOAD, effect: 'REPLAYED' });
    else
      expect(again.result).toMatchObject(
        mutation.isDeduplicatedUpstream ? { ...PAYLOAD, effect: 'DONE' } : { ...UNKNOWN, retry: 'SAME_KEY' },
      );
    expect([again.calls.includes(mutation.operation.name), again.writes]).toEqual([mutation.isDeduplicatedUpstream && !reads, 0]);
  });

  it.each(EACH_WAY)('is unknown when it took no effect, and has one at most when it is repeated: %s', async (_title, hasKey, mutation) => {
    const usual = await usualWrites(mutation);
    const { idempotencyKey, ...keyless } = await newAct(mutation);
    const input = { ...keyless, ...(hasKey && { idempotencyKey }) };
    lose(mutation, 'before');
    const lost = await ask(mutation, input);
    expect(lost).toMatchObject({ told: { ...UNKNOWN, retry: adviceFor(mutation, hasKey), operation: mutation.field }, writes: 0 });

    if (!hasKey) return;
    testGraph.sandbox.faults.clear();
    const again = await ask(mutation, input);
    expect(again.result).toMatchObject(
      mutation.isDeduplicatedUpstream ? { ...PAYLOAD, effect: 'DONE' } : { ...UNKNOWN, retry: 'SAME_KEY' },
    );
    expect(again.writes).toBe(mutation.isDeduplicatedUpstream ? usual : 0);
  });
});
