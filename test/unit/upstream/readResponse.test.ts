import { describe, expect, it } from 'vitest';
import { ApiError } from '../../../src/failures/failures.ts';
import { type CallFacts, readResponse } from '../../../src/upstream/calls/outcomes.ts';
import { operations } from '../../../src/upstream/contract/generated/operations.ts';
import { type AnyOperation, isRead } from '../../../src/upstream/contract/operation.ts';

const all: readonly AnyOperation[] = operations;

const getCode = (operation: AnyOperation, body: object): string | null => {
  const facts: CallFacts = {
    operation,
    body: '{}',
    startedAt: 0,
    timeoutMs: 0,
    requiredScopes: [],
    grantedScopes: null,
    idempotencyKey: null,
    expectedVersion: null,
    apiKey: 'key',
  };
  const { error } = readResponse({ status: 200, headers: {}, body: JSON.stringify(body) }, facts);
  return error instanceof ApiError ? error.code : null;
};

const hasMembers = ({ response }: AnyOperation) => Object.keys(response.fields).length > 0;

/** Reads whose response always contains fields with values. Other reads return only lists. */
const NEVER_EMPTY = all.filter(
  (operation) => isRead(operation) && !/\/(List|Search|Lookup|PrepareWorkOrder|GetInventoryReceipt)/.test(operation.name),
);

describe('readResponse', () => {
  it('rejects a body without a known field, for every operation whose response has fields', () => {
    const foreign = all.filter(hasMembers);
    expect(foreign.length).toBeGreaterThan(160);
    for (const operation of foreign)
      expect([operation.name, getCode(operation, { data: {} })]).toEqual([
        operation.name,
        isRead(operation) ? 'UPSTREAM_INVALID_RESPONSE' : 'OUTCOME_UNKNOWN',
      ]);
  });

  it('accepts a body with one known field, whatever its value', () => {
    for (const operation of all)
      for (const name of Object.keys(operation.response.fields))
        expect([operation.name, getCode(operation, { new_member: 1, [name]: null })]).toEqual([operation.name, null]);
  });

  it('accepts an empty body for lists and writes, and rejects it for gets', () => {
    const rejected = all.filter((operation) => getCode(operation, {}) !== null).map(({ name }) => name);
    // A catalog without limits isn't valid.
    expect(rejected.toSorted()).toEqual([...NEVER_EMPTY.map(({ name }) => name), 'AnalyticsService/ListCatalog'].toSorted());
  });

  it('distinguishes an error body from every response, because no response has a field of that name', () => {
    for (const { response } of all)
      expect(Object.keys(response.fields)).not.toEqual(expect.arrayContaining([expect.stringMatching(/^(code|error)$/)]));
  });
});
