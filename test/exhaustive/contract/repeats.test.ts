import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Input } from '../../support/contract/inputs.ts';
import { EACH_VARIANT, MUTATIONS, type Mutation, useMutations } from '../../support/contract/mutations.ts';

const testGraph = useMutations();
const { ask: send, newInput } = testGraph;
// Created records must not look older than the request that creates them.
beforeAll(() => {
  testGraph.sandbox.now = Math.floor(Date.now() / 1000) + 3_600;
});
afterEach(() => testGraph.sandbox.faults.clear());

let keys = 0;
/** Input of a new operation with its own idempotency key. */
const createInput = async (mutation: Mutation): Promise<Input> => {
  keys += 1;
  return { ...(await newInput(mutation)), idempotencyKey: `repeat ${keys}` };
};

const PAYLOAD = { __typename: expect.stringMatching(/Payload$/) };

describe('repeated request', () => {
  it.each(EACH_VARIANT)('replays the result without a second effect: %s', async (_title, mutation) => {
    const input = await createInput(mutation);
    const first = await send(mutation, input);
    expect(first).toMatchObject({ result: { ...PAYLOAD, effect: 'DONE' }, errors: undefined });
    expect(first.calls).toContain(mutation.operation.name);
    expect(first.writes).toBeGreaterThan(0);
    const sent = testGraph.sandbox.received.findLast(({ operation }) => operation === mutation.operation.name);
    expect(JSON.stringify(sent?.request).includes(String(input.idempotencyKey))).toBe(mutation.passesKeyUpstream);
    const replay = await send(mutation, input);
    const omitted = Object.fromEntries(mutation.returnedOnce.map((member) => [member, null]));
    expect(replay.result).toEqual({ ...first.result, ...omitted, effect: 'REPLAYED' });
    expect([replay.calls, replay.writes]).toEqual([[], 0]);
  });

  it.each(EACH_VARIANT)('returns OperationInProgressError while the first one is running: %s', async (_title, mutation) => {
    const input = await createInput(mutation);
    const heldCalls = testGraph.gate.hold(mutation.operation.name);
    const first = send(mutation, input);
    await heldCalls.arrived;
    const concurrent = await send(mutation, input);
    heldCalls.release();
    expect((await first).result).toMatchObject({ ...PAYLOAD, effect: 'DONE' });
    expect(concurrent.result).toMatchObject({ __typename: 'OperationInProgressError', code: 'OPERATION_IN_PROGRESS', retry: 'SAME_KEY' });
    expect([concurrent.calls.includes(mutation.operation.name), concurrent.writes]).toEqual([false, 0]);
    // If the second request were also sent, it would wait at the gate, and this test would time out.
  });
});

describe('repeated request with another key', () => {
  /** Mutations that write even equal values, and one that doesn't reveal whether an upload was already completed. */
  const excluded = ['customerCustomFieldsUpdate', 'customerFileUploadComplete', 'customerUpdate', 'portfolioCustomFieldsUpdate'];
  /** Excludes mutations whose key the upstream stores, because that write hides whether there are others. */
  const compared = EACH_VARIANT.filter(([, { passesKeyUpstream, field }]) => !passesKeyUpstream && !excluded.includes(field));

  it.each(compared)('returns DONE only if it writes something: %s', async (_title, mutation) => {
    const input = await createInput(mutation);
    expect((await send(mutation, input)).result).toMatchObject(PAYLOAD);
    const { result, writes } = await send(mutation, { ...input, idempotencyKey: `another ${input.idempotencyKey}` });
    if (result.effect !== undefined) expect(result.effect).toBe(writes > 0 ? 'DONE' : 'UNCHANGED');
  });
});

describe('other request with a used key', () => {
  it.each(EACH_VARIANT)('returns an error without a write: %s', async (_title, mutation) => {
    const input = await createInput(mutation);
    expect((await send(mutation, input)).result).toMatchObject(PAYLOAD);
    const other = await send(mutation, { ...(await newInput(mutation)), idempotencyKey: input.idempotencyKey });
    expect(other.result).toMatchObject({ __typename: 'IdempotencyKeyReusedError', code: 'IDEMPOTENCY_KEY_REUSED', retry: 'NEVER' });
    expect([other.calls.includes(mutation.operation.name), other.writes]).toEqual([false, 0]);
  });
});

/** Mutations whose lost response is reconciled, with the calls that do so. Transitions also read the record before, to detect that nothing changes. */
const RECONCILING_CALLS: Readonly<Record<string, readonly string[]>> = {
  actionRequestCancel: ['ActionRequest/GetActionRequest'],
  appointmentCancel: ['Appointment/GetAppointment', 'Appointment/GetAppointment'],
  appointmentUpdate: ['Appointment/GetAppointment'],
  contactUpdate: ['Contact/GetContact'],
  customerUpdate: ['Customer/GetCustomer'],
  inventoryBackorderReschedule: ['Inventory/ListInventoryBackorders'],
  inventoryReceiptCreate: ['Inventory/GetInventoryReceipt'],
  inventoryReceiptPost: ['Inventory/GetInventoryReceipt', 'Inventory/GetInventoryReceipt'],
  memberRemove: ['Member/GetMember'],
  memberRolesSet: ['Member/GetMember'],
  orderCancel: ['Order/GetOrder'],
  paymentReceivedTotalSet: ['Payment/GetPayment', 'Payment/GetPayment'],
  problemArchive: ['Problem/GetProblem', 'Problem/GetProblem'],
  problemClose: ['Problem/GetProblem', 'Problem/GetProblem'],
  problemResolve: ['Problem/GetProblem', 'Problem/GetProblem'],
  problemUpdate: ['Problem/GetProblem'],
  productUpdate: ['Catalog/GetProduct'],
  quoteConfirm: ['Quote/GetQuote', 'Quote/GetQuote', 'Order/GetOrder'],
  quoteDiscard: ['Quote/GetQuote', 'Quote/GetQuote'],
  quoteUpdate: ['Quote/GetQuote'],
  teamMemberAdd: ['Team/GetTeam', 'Team/GetTeam', 'Member/GetMember'],
  teamMemberRemove: ['Team/GetTeam', 'Team/GetTeam', 'Member/GetMember'],
  teamUpdate: ['Team/GetTeam'],
  workOrderCancel: ['WorkOrder/GetWorkOrder', 'WorkOrder/GetWorkOrder'],
  workOrderComplete: ['WorkOrder/GetWorkOrder', 'WorkOrder/GetWorkOrder'],
  workOrderTemplateArchive: ['WorkOrderTemplate/GetWorkOrderTemplate', 'WorkOrderTemplate/GetWorkOrderTemplate'],
  workOrderTemplateUpdate: ['WorkOrderTemplate/GetWorkOrderTemplate'],
  workOrderUpdate: ['WorkOrder/GetWorkOrder', 'WorkOrder/GetWorkOrder'],
};

/** Creations whose record can be searched for, with the calls that do so. */
const SEARCHES: Readonly<Record<string, readonly string[]>> = {
  actionRequestCreate: ['ActionRequest/ListActionRequests'],
  appointmentCreate: ['Appointment/ListAppointments'],
  customerCreate: ['Customer/LookupCustomersByIdentifier'],
  memberInvitationCreate: ['Invitation/ListMemberInvitations'],
  problemCommentAdd: ['Problem/GetProblem'],
  problemCreate: ['Problem/ListProblems'],
  productCreate: ['Catalog/SearchProducts'],
  quoteCreate: ['Quote/ListQuotes'],
  workOrderCreate: ['WorkOrder/ListWorkOrders', 'WorkOrder/GetWorkOrder'],
};

/** The retry advice if the outcome is unknown. */
function retryAdvice({ field, operation, isDeduplicatedUpstream }: Mutation, hasKey: boolean): string {
  if (field in SEARCHES) return 'CHECK_FIRST';
  if (hasKey) return 'SAME_KEY';
  return isDeduplicatedUpstream && operation.effect === 'SETTLED' ? 'SAFE' : 'CHECK_FIRST';
}

const UNKNOWN = { __typename: 'OutcomeUnknownError', code: 'OUTCOME_UNKNOWN' };

/** Each mutation with an idempotency key, and also without one if the key is optional. */
const EACH_WITH_AND_WITHOUT_KEY = MUTATIONS.flatMap((mutation) =>
  [true, false]
    .filter((hasKey) => hasKey || !mutation.requiresKey)
    .map((hasKey) => [`${mutation.title} ${hasKey ? 'with a key' : 'without a key'}`, hasKey, mutation] as const),
);

describe('request whose response is lost', () => {
  const writesByMutation = new Map<Mutation, number>();
  /** Number of rows that the sandbox writes if nothing fails. */
  const countUsualWrites = async (mutation: Mutation): Promise<number> => {
    const writes = writesByMutation.get(mutation) ?? (await send(mutation, await createInput(mutation))).writes;
    writesByMutation.set(mutation, writes);
    return writes;
  };
  const loseResponse = (mutation: Mutation, cut: 'before' | 'after') =>
    testGraph.sandbox.faults.add({ operation: mutation.operation.name, cut });
  /** Calls other than the mutation's own. */
  const listReads = (calls: readonly string[], { operation }: Mutation) =>
    calls.filter((name) => name !== operation.name && name !== 'DataField/ListDataFields');

  it.each(EACH_WITH_AND_WITHOUT_KEY)(
    'takes effect once, and is reconciled or has an unknown outcome: %s',
    async (_title, hasKey, mutation) => {
      const usual = await countUsualWrites(mutation);
      const { idempotencyKey, ...keyless } = await createInput(mutation);
      const input = { ...keyless, ...(hasKey && { idempotencyKey }) };
      loseResponse(mutation, 'after');
      const lostResult = await send(mutation, input);
      const reads = mutation.variant ? undefined : RECONCILING_CALLS[mutation.field];
      const candidates = mutation.field in SEARCHES ? [{ rawId: expect.any(String) }] : null;
      const unknown = { ...UNKNOWN, retry: retryAdvice(mutation, hasKey), operation: mutation.field, candidates };
      expect([lostResult.result, listReads(lostResult.calls, mutation)]).toMatchObject([
        reads ? { ...PAYLOAD, effect: 'RECONCILED' } : unknown,
        reads ?? SEARCHES[mutation.field] ?? expect.any(Array),
      ]);
      expect(lostResult.writes).toBe(usual);

      if (!hasKey) return;
      testGraph.sandbox.faults.clear();
      const replay = await send(mutation, input);
      if (reads) expect(replay.result).toMatchObject({ ...PAYLOAD, effect: 'REPLAYED' });
      else expect(replay.result).toMatchObject(mutation.isDeduplicatedUpstream ? { ...PAYLOAD, effect: 'DONE' } : unknown);
      expect([replay.calls.includes(mutation.operation.name), replay.writes]).toEqual([mutation.isDeduplicatedUpstream && !reads, 0]);
    },
  );

  it.each(EACH_WITH_AND_WITHOUT_KEY)(
    'has an unknown outcome if it took no effect, and takes effect at most once when retried: %s',
    async (_title, hasKey, mutation) => {
      const usual = await countUsualWrites(mutation);
      const { idempotencyKey, ...keyless } = await createInput(mutation);
      const input = { ...keyless, ...(hasKey && { idempotencyKey }) };
      loseResponse(mutation, 'before');
      const lostResult = await send(mutation, input);
      expect(lostResult).toMatchObject({
        result: {
          ...UNKNOWN,
          retry: retryAdvice(mutation, hasKey),
          operation: mutation.field,
          candidates: mutation.field in SEARCHES ? [] : null,
        },
        writes: 0,
      });

      if (!hasKey) return;
      testGraph.sandbox.faults.clear();
      const replay = await send(mutation, input);
      expect(replay.result).toMatchObject(
        mutation.isDeduplicatedUpstream ? { ...PAYLOAD, effect: 'DONE' } : { ...UNKNOWN, retry: retryAdvice(mutation, hasKey) },
      );
      expect(replay.writes).toBe(mutation.isDeduplicatedUpstream ? usual : 0);
    },
  );

  it.each(EACH_WITH_AND_WITHOUT_KEY.filter(([, , { field }]) => field in SEARCHES))(
    'returns RECONCILED after a search if the success can’t be read: %s',
    async (_title, hasKey, mutation) => {
      const { idempotencyKey, ...keyless } = await createInput(mutation);
      testGraph.sandbox.faults.add({ operation: mutation.operation.name, body: '{' });
      const { result, calls } = await send(mutation, { ...keyless, ...(hasKey && { idempotencyKey }) });
      expect([result, listReads(calls, mutation)]).toMatchObject([{ ...PAYLOAD, effect: 'RECONCILED' }, SEARCHES[mutation.field]]);
    },
  );
});
