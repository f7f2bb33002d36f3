import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { memberRoleTable } from '../../../sandbox/kernel/memberships.ts';
import { teamMemberTable } from '../../../sandbox/people/memberRecords.ts';
import { type Coordinate, listExposedOperations } from '../../../scripts/contract/exposure.ts';
import { toGlobalId } from '../../../src/schema/kit/globalIds.ts';
import type { AnyOperation } from '../../../src/upstream/contract/operation.ts';
import { ALL_SCOPES, makeKey } from '../../sandbox/makeKey.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { DOCUMENTED, getDocumentedScopes } from '../../support/contract/scopes.ts';
import { createDocuments, type ReachingDocument } from '../../support/documentFor.ts';
import { getGraph } from '../../support/getGraph.ts';
import { type GraphResult, useTestGraph } from '../../support/testGraph.ts';

const { schema: graph } = getGraph();
const testGraph = useTestGraph();

/** With several IDs, roles and teams are read from lists. With one ID, they are read by ID. */
beforeAll(() => {
  const { store } = testGraph.sandbox.world;
  const member_id = demoId('member owner');
  memberRoleTable.insert(store, { member_id, role_id: demoId('role planner') });
  for (const team of ['planning', 'sales']) teamMemberTable.insert(store, { member_id, team_id: demoId(`team ${team}`) });
});

const getShortName = (name: string) => name.slice(name.indexOf('/') + 1);
const isDocumented = ({ name }: AnyOperation) => DOCUMENTED.has(getShortName(name));
/** The documented scopes. The contract's if the operation isn't documented. */
const getScopes = (operation: AnyOperation) =>
  isDocumented(operation) ? (getDocumentedScopes(getShortName(operation.name)) ?? []) : operation.scopes;

/** Arguments without which a document doesn't call the operation. */
const ADDITIONAL_ARGUMENTS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'Appointment/ListAppointments': { scheduledBetween: { lt: '2026-06-02T09:00:00Z' } },
  'Catalog/SearchProducts': { query: 'x' },
  'Member/SearchMembers': { query: 'x' },
  'Problem/SearchProblems': { query: 'x' },
  'Role/SearchRoles': { query: 'x' },
  'Team/SearchTeams': { query: 'x' },
  'WorkOrder/SearchWorkOrders': { query: 'x' },
  'Customer/CreateCustomerDocumentUpload': { input: { contentType: 'application/pdf' } },
  'Customer/CreateCustomerPhotoUpload': { input: { kind: 'PHOTO', contentType: 'image/png' } },
  'Customer/CompleteCustomerPhotoUpload': { input: { uploadId: toGlobalId('CustomerFileUpload', 'PHOTO/x') } },
};

type Case = readonly [title: string, document: ReachingDocument, operation: AnyOperation];

/** The coordinates to test. Payload fields require a successful mutation: payloads.test.ts covers them. */
const coordinates: readonly Coordinate[] = listExposedOperations(graph).filter(({ type }) => !type.endsWith('Payload'));

const cases = coordinates.flatMap((coordinate) =>
  createDocuments(coordinate, ADDITIONAL_ARGUMENTS[coordinate.operation.name]).map(
    (document): Case => [document.title, document, coordinate.operation],
  ),
);

/** Variables with an unused idempotency key: a used one would replay the stored result. */
function withUnusedKey({ input, ...variables }: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const isKeyed = typeof input === 'object' && input !== null && 'idempotencyKey' in input;
  return { ...variables, ...(input !== undefined && { input: isKeyed ? { ...input, idempotencyKey: randomUUID() } : input }) };
}

const keys = new Map<string, string>();

/** A key with these scopes, which tests share: each new key costs a call for its scopes. */
function getKey(scopes: readonly string[]): string {
  const name = scopes.join(' ');
  const key = keys.get(name) ?? makeKey(testGraph.sandbox.world, { scopes });
  keys.set(name, key);
  return key;
}

const getKeyWithout = (missing: string) => getKey(ALL_SCOPES.filter((scope) => scope !== missing));

/** ForbiddenErrors for missing scopes in a result, as union members or as errors. */
function listDenials({ data, errors }: GraphResult): unknown[] {
  const members = Object.values<{ __typename?: string } | null>(data ?? {}).filter((value) => value?.__typename === 'ForbiddenError');
  const thrown = (errors ?? []).filter(({ extensions }) => extensions.code === 'FORBIDDEN').map(({ extensions }) => extensions);
  return [...members, ...thrown].map((denial) => {
    const { reason, missingScopes } = denial as Record<string, unknown>;
    return { reason, missingScopes };
  });
}

/** Calls the upstream only for accounts that have signed in: viewerMember.test.ts covers it. */
const isForAccounts = ([title]: Case) => title.endsWith(' at Viewer.member');

describe('key with every scope', () => {
  it.each(cases.filter((each) => !isForAccounts(each)))('can query %s', async (_title, { query, variables }, operation) => {
    if (operation.name === 'Workspace/Me') return expect((await testGraph.execute(query, variables)).data.viewer).not.toBeNull();
    const [result, calls] = await testGraph.recordCalls(() => testGraph.execute(query, variables));
    expect(calls, JSON.stringify({ query, variables, result })).toContain(operation.name);
    expect(listDenials(result)).toEqual([]);
  });
});

/** Coordinates with each scope that they require. Without `me:read`, a key's scopes are unknown. */
const guarded = cases.flatMap(([title, document, operation]) =>
  getScopes(operation)
    .filter((scope) => scope !== 'me:read')
    .map((scope) => [title, scope, document, operation] as const),
);

describe('key without a scope', () => {
  it.each(guarded)('returns MISSING_SCOPE for %s without %s, before any call', async (_title, scope, document, operation) => {
    const [result, calls] = await testGraph.recordCalls(() =>
      testGraph.executeAs(getKeyWithout(scope), document.query, withUnusedKey(document.variables)),
    );
    expect(listDenials(result), JSON.stringify(result)).toContainEqual({ reason: 'MISSING_SCOPE', missingScopes: [scope] });
    expect(calls).not.toContain(operation.name);
    if (document.isDirect) expect(calls).toEqual([]);
  });

  it.each(cases.filter(([, , operation]) => getScopes(operation).some((scope) => scope !== 'me:read')))(
    'returns MISSING_SCOPE for %s if the key has no scopes, before any call',
    async (_title, document) => {
      const [result, calls] = await testGraph.recordCalls(() =>
        testGraph.executeAs(getKey(['me:read']), document.query, withUnusedKey(document.variables)),
      );
      expect(listDenials(result)[0], JSON.stringify(result)).toMatchObject({ reason: 'MISSING_SCOPE' });
      expect(calls).toEqual([]);
    },
  );
});

describe('key with a wildcard that the upstream doesn’t accept', () => {
  /** One document per scope: whether a wildcard grants it doesn't depend on the operation. */
  const wildcardCases = [...Map.groupBy(guarded, ([, scope]) => scope).values()]
    .flatMap((documents) => documents.slice(0, 1))
    // The documentation excludes wildcards for this scope. test/graph/analytics covers it.
    .filter(([, scope]) => scope !== 'analytics:read')
    .flatMap(([title, scope, ...more]) => ['*', `${scope.split(':')[0]}:*`].map((word) => [title, word, scope, ...more] as const));

  it.each(wildcardCases)(
    'gets an UNDETERMINED error without missing scopes: %s with %s for %s',
    async (_title, wildcard, scope, document, operation) => {
      const key = getKey([...ALL_SCOPES.filter((each) => each !== scope), wildcard]);
      const [result, calls] = await testGraph.recordCalls(() =>
        testGraph.executeAs(key, document.query, withUnusedKey(document.variables)),
      );
      expect(listDenials(result), JSON.stringify(result)).toContainEqual({ reason: 'UNDETERMINED', missingScopes: [] });
      expect(listDenials(result)).not.toContainEqual(expect.objectContaining({ reason: 'PERMISSION_OR_RESOURCE' }));
      // Parent fields can require the same scope.
      expect(calls.length).toBeGreaterThan(0);
      if (document.isDirect) expect(calls).toContain(operation.name);
    },
  );
});
