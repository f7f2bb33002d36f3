import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { Fault } from '../../../sandbox/kernel/faults.ts';
import { SqliteLedgerStore } from '../../../src/ledger/sqliteStore.ts';
import { Clock, type DurableSandbox, type Graph, openDurableSandbox, openGraph, useFolder } from '../../support/faults/harness.ts';
import { postQuery } from '../../support/testGraph.ts';

const folder = useFolder();
let sandbox: DurableSandbox;
let graph: Graph;
beforeAll(async () => {
  sandbox = await openDurableSandbox(folder.path);
  const store = new SqliteLedgerStore(join(folder.path, 'ledger.sqlite'));
  graph = await openGraph({ upstreamUrl: sandbox.url, clock: new Clock(), store });
  await graph.reset();
});
afterAll(async () => {
  await graph.close();
  await sandbox.close();
});
afterEach(() => sandbox.faults.clear());

const ORDER = ['Contact/CreateContact', 'Inventory/AdjustInventory', 'Inventory/CreateInventoryReceipt', 'Contact/UpdateContact'];

const DOCUMENT = `mutation (
  $made: ContactCreateInput!, $adjusted: InventoryAdjustInput!, $received: InventoryReceiptCreateInput!, $changed: ContactUpdateInput!
) {
  made: contactCreate(input: $made) { __typename ... on MutationError { code } }
  adjusted: inventoryAdjust(input: $adjusted) { __typename ... on MutationError { code } }
  received: inventoryReceiptCreate(input: $received) { __typename ... on MutationError { code } }
  changed: contactUpdate(input: $changed) { __typename ... on MutationError { code } }
}`;

/** Prepares four writes that contain the mark, for one document. */
async function prepare(mark: string) {
  const { call, productId, from, to } = sandbox.workspace;
  const { contact } = await call('Contact/CreateContact', { lastName: `${mark} before` });
  return {
    made: { lastName: mark, idempotencyKey: mark },
    adjusted: { productId, locationId: from, reason: mark, change: { quantityDelta: 1 }, idempotencyKey: mark },
    received: { locationId: to, reference: mark, idempotencyKey: mark },
    changed: { contactId: contact.id, lastName: `${mark} after`, idempotencyKey: mark },
  };
}

/** Counts how often each write was applied. */
const countApplied = (mark: string) =>
  [
    'contacts WHERE last_name = :mark',
    'inventory_movements WHERE reason = :mark',
    'inventory_receipts WHERE reference = :mark',
    "contact_writes WHERE last_name = :mark || ' after'",
  ].map((rows) => sandbox.workspace.store.get<{ count: number }>(`SELECT count(*) AS count FROM ${rows}`, { mark })?.count);

const run = async (variables: object) => {
  const before = sandbox.received.length;
  const { data } = await postQuery(graph.url, 'demo-owner', DOCUMENT, variables);
  const results = Object.values<{ __typename: string; code?: string } | null>(data).map((result) => result?.code ?? result?.__typename);
  return { results, calls: sandbox.received.slice(before).filter((operation) => ORDER.includes(operation)) };
};

const PAYLOADS = ['ContactCreatePayload', 'InventoryAdjustPayload', 'InventoryReceiptCreatePayload', 'ContactUpdatePayload'];

it('executes all fields of a mutation once, in order', async () => {
  const variables = await prepare('all');
  expect(await run(variables)).toEqual({ results: PAYLOADS, calls: ORDER });
  expect(await run(variables)).toEqual({ results: PAYLOADS, calls: [] });
  expect(countApplied('all')).toEqual([1, 1, 1, 1]);
});

it.each<[string, Omit<Fault, 'operation'>, string, number]>([
  ['is rejected', { status: 429, times: 1 }, 'RATE_LIMITED', 0],
  ['gets no response', { cut: 'before', times: 1 }, 'OUTCOME_UNKNOWN', 0],
  ['is applied, but gets no response', { cut: 'after', times: 1 }, 'OUTCOME_UNKNOWN', 1],
])('executes the other fields once, also when retried, if a field in the middle %s', async (name, fault, code, count) => {
  const variables = await prepare(name);
  sandbox.faults.add({ operation: 'Inventory/AdjustInventory', ...fault });
  const [first, , ...others] = PAYLOADS;
  const firstRun = await run(variables);
  expect(firstRun.results).toEqual([first, code, ...others]);
  expect(firstRun.calls).toEqual(ORDER);
  expect(countApplied(name)).toEqual([1, count, 1, 1]);
  await run(variables);
  expect(countApplied(name)).toEqual([1, code === 'RATE_LIMITED' ? 1 : count, 1, 1]);
});
