import { getNamedType, isObjectType } from 'graphql';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { decodeGlobalId } from '../../../src/schema/kit/globalIds.ts';
import { getOperation } from '../../../src/schema/kit/operations.ts';
import { operations } from '../../../src/upstream/contract/generated/operations.ts';
import { makeKey } from '../../sandbox/makeKey.ts';
import { listFields, listLeaves } from '../../support/contract/graph.ts';
import type { Input } from '../../support/contract/inputs.ts';
import { EACH_VARIANT, MUTATIONS, type Mutation, useMutations } from '../../support/contract/mutations.ts';

const testGraph = useMutations();
// Created records must not look older than the request that creates them.
beforeAll(() => {
  testGraph.sandbox.now = Math.floor(Date.now() / 1000) + 3_600;
});
afterEach(() => testGraph.sandbox.faults.clear());

/** Fields of a record that are returned from its ID alone. */
const IDS = ['id', 'rawId'];

const payloadName = ({ field }: Mutation) => `${field.charAt(0).toUpperCase()}${field.slice(1)}Payload`;

/** Fields of a payload that contain its records. Links to other records and lists of movements are read by every request. */
function recordFields(mutation: Mutation): readonly (readonly [field: string, type: string])[] {
  const LINKS = new Set(['customer', 'portfolio', 'order', 'problem', 'workOrder', 'movements', 'recordIds']);
  const contained = mutation.operation.answers;
  return listFields(payloadName(mutation))
    .filter((field) => isObjectType(getNamedType(field.type)) && !getOperation(field))
    .filter(({ name }) => name in contained || !LINKS.has(name))
    .map((field) => [field.name, getNamedType(field.type).name]);
}

/** The mutation with every plain value of its records. */
function documentWithValues(mutation: Mutation): string {
  const records = recordFields(mutation).map(([name, type]) => `${name} { __typename ${listLeaves(type).join(' ')} }`);
  return `mutation ($input: ${mutation.input.name}!) { ${mutation.field}(input: $input) {
    __typename ... on MutationPayload { effect recordIds { field value } } ... on ${payloadName(mutation)} { ${records.join(' ')} }
    ... on MutationError { code message } } }`;
}

let keys = 0;
const createInput = async (mutation: Mutation): Promise<Input> => {
  keys += 1;
  return { ...(await testGraph.newInput(mutation)), idempotencyKey: `replay ${keys}` };
};

/** Sends the mutation twice with one key, and changes the world in between. */
async function replay(mutation: Mutation, key: string, meanwhile: (recordIds: readonly string[]) => void) {
  const withValues = { ...mutation, document: documentWithValues(mutation) };
  const input = await createInput(mutation);
  const first = await testGraph.ask(withValues, input, key);
  expect(first.result, JSON.stringify(first.errors)).toMatchObject({ __typename: payloadName(mutation), effect: 'DONE' });
  meanwhile(first.result.recordIds.map(({ value }: { readonly value: string }) => value));
  return { first, again: await testGraph.ask(withValues, input, key) };
}

/** Values of a record other than its IDs, as far as any was returned. */
const listValues = (record: Readonly<Record<string, unknown>> | null) =>
  Object.entries(record ?? {}).filter(([name, value]) => name !== '__typename' && !IDS.includes(name) && value !== null);

/** Expects the effect and the IDs, and no value of any record. */
function expectNoValues(mutation: Mutation, { first, again }: Awaited<ReturnType<typeof replay>>): void {
  const { effect, recordIds } = again.result;
  expect([effect, recordIds]).toEqual(['REPLAYED', first.result.recordIds]);
  expect(again.writes).toBe(0);
  for (const [name] of recordFields(mutation)) {
    const records = [again.result[name]].flat();
    for (const record of records) expect(listValues(record), name).toEqual([]);
  }
}

const READS = operations.filter(({ effect, name }) => effect === 'READ' && name !== 'Workspace/Me');

const FAILURES = { 403: 'permission_denied', 404: 'not_found', 503: 'unavailable' } as const;

const failReads = (status: keyof typeof FAILURES) => {
  const body = JSON.stringify({ code: FAILURES[status], message: 'Injected fault.', details: [] });
  for (const { name } of READS) testGraph.sandbox.faults.add({ operation: name, status, body });
};

const listErrorCodes = ({ errors }: { readonly errors: readonly { readonly extensions: object }[] | undefined }) => [
  ...new Set((errors ?? []).map(({ extensions }) => (extensions as { code: string }).code)),
];

/** Mutations that return a record or a list with entries. */
const WITH_RECORDS = EACH_VARIANT.filter(([, mutation]) => recordFields(mutation).length > 0);

describe('replay while all reads fail', () => {
  it.each(WITH_RECORDS)('returns the effect and the IDs, but no outdated field: %s', async (_title, mutation) => {
    const replayed = await replay(mutation, 'demo-owner', () => failReads(503));
    expectNoValues(mutation, replayed);
    const { length } = replayed.first.result.recordIds;
    if (length > 0) expect(listErrorCodes(replayed.again)).toEqual(['UPSTREAM_UNAVAILABLE']);
  });
});

describe('replay with a key that lost access to the records', () => {
  it.each(WITH_RECORDS)('returns the effect and the IDs, but no other field: %s', async (_title, mutation) => {
    const replayed = await replay(mutation, 'demo-owner', () => failReads(403));
    expectNoValues(mutation, replayed);
    if (replayed.first.result.recordIds.length > 0) expect(listErrorCodes(replayed.again)).toEqual(['FORBIDDEN']);
  });

  it.each(WITH_RECORDS)('returns null without an error if they are reported as missing: %s', async (_title, mutation) => {
    const replayed = await replay(mutation, 'demo-owner', () => failReads(404));
    expectNoValues(mutation, replayed);
    // Receipts are returned with their IDs, and each other field fails. Locations are read from a list, which isn't missing when one of them is.
    const hasErrors = mutation.field.startsWith('inventoryReceipt') || mutation.field === 'inventoryLocationCreate';
    if (!hasErrors) expect(replayed.again.errors).toBeUndefined();
  });
});

describe('replay after a record was deleted', () => {
  /** Of records that no operation returns, only the owner is read. A balance is a sum, and can't be deleted. */
  const UNREADABLE = ['customerFileUploadCreate', 'correspondenceMessageAdd', 'inventoryAdjust', 'inventoryReceiptLineAdd'];
  const deletable = WITH_RECORDS.filter(([, { field }]) => !UNREADABLE.includes(field));

  /** Deletes the row of a record without checking references. */
  function deleteRow(recordId: string): void {
    const { store } = testGraph.sandbox.world;
    const { typename, id = '' } = decodeGlobalId(recordId) ?? {};
    const [owner = '', ...more] = id.split('/');
    store.exec('PRAGMA foreign_keys = OFF');
    if (typename === 'Invoice') store.run('DELETE FROM invoices WHERE order_id = :owner', { owner });
    else if (more.length === 0) {
      for (const { name } of store.all<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table'")) {
        const columns = store.all<{ name: string }>(`SELECT name FROM pragma_table_info('${name}')`);
        if (columns.some((column) => column.name === 'id')) store.run(`DELETE FROM ${name} WHERE id = :id`, { id });
      }
    }
    store.exec('PRAGMA foreign_keys = ON');
  }

  it.each(deletable)('succeeds with the effect and the IDs: %s', async (_title, mutation) => {
    const replayed = await replay(mutation, 'demo-owner', (recordIds) => recordIds.forEach(deleteRow));
    expectNoValues(mutation, replayed);
  });
});

describe('replay with a key that can only write', () => {
  /** Operations whose scopes aren't documented are tried with any key. */
  const scopeless = new Set(operations.filter(({ scopesUnknown }) => scopesUnknown).map(({ name }) => name));
  const scoped = WITH_RECORDS.filter(([, { operation }]) => !scopeless.has(operation.name));

  it.each(scoped)('returns the effect and the IDs: %s', async (_title, mutation) => {
    const { scopes, conditionalScopes = [] } = mutation.operation;
    const writeOnly = makeKey(testGraph.sandbox.world, {
      scopes: ['me:read', ...scopes, ...conditionalScopes.map(({ scope }) => scope)],
    });
    const { first, again } = await replay(mutation, writeOnly, () => {});
    expect([again.result.effect, again.result.recordIds]).toEqual(['REPLAYED', first.result.recordIds]);
    expect(again.calls.filter((name) => !scopeless.has(name))).toEqual([]);
  });
});

it('covers every mutation that returns records', () => {
  const without = MUTATIONS.filter((mutation) => recordFields(mutation).length === 0).map(({ field }) => field);
  expect(without.sort()).toEqual(['inventoryMove', 'inventoryReturn', 'memberRemove', 'productIdentifierDelete']);
});
