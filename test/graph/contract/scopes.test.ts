import { randomUUID } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { memberRoleTable } from '../../../sandbox/kernel/memberships.ts';
import { teamMemberTable } from '../../../sandbox/people/memberRecords.ts';
import { type Coordinate, exposedBy } from '../../../scripts/exposure.ts';
import { toGlobalId } from '../../../src/schema/kit/globalIds.ts';
import { operations } from '../../../src/upstream/contract/generated/operations.ts';
import type { AnyOperation } from '../../../src/upstream/contract/operation.ts';
import { ALL_SCOPES, makeKey } from '../../sandbox/makeKey.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { CONDITIONAL_SCOPES, DOCUMENTED, documentedScopes, UNDOCUMENTED } from '../../support/contract/scopes.ts';
import { documentsFor, type ReachingDocument } from '../../support/documentFor.ts';
import { getGraph } from '../../support/getGraph.ts';
import { type GraphResult, useTestGraph } from '../../support/testGraph.ts';

const { schema: graph } = getGraph();
const testGraph = useTestGraph();

/** Several roles and teams are read from their lists, and single ones by ID. */
beforeAll(() => {
  const { store } = testGraph.sandbox.world;
  const member_id = demoId('member owner');
  memberRoleTable.insert(store, { member_id, role_id: demoId('role planner') });
  for (const team of ['planning', 'sales']) teamMemberTable.insert(store, { member_id, team_id: demoId(`team ${team}`) });
});

const shortName = (name: string) => name.slice(name.indexOf('/') + 1);
const isDocumented = ({ name }: AnyOperation) => DOCUMENTED.has(shortName(name));
/** Those of the documentation, not of the contract, if there are any. */
const scopesOf = (operation: AnyOperation) =>
  isDocumented(operation) ? (documentedScopes(shortName(operation.name)) ?? []) : operation.scopes;

/** Tests of single operations. */
const ownTests = globSync('test/graph/*/*.test.ts').map((file) => readFileSync(file, 'utf8'));

describe('the scopes of the contract', () => {
  it.each(operations.filter(isDocumented).map((operation) => [operation.name, operation] as const))(
    'of %s are those that are stated',
    (name, operation) => {
      const stated = documentedScopes(shortName(name));
      expect(operation.scopes).toEqual(stated ?? []);
      expect(operation.scopesUnknown ?? false).toBe(stated === null);
      expect(operation.conditionalScopes).toEqual(CONDITIONAL_SCOPES[shortName(name)]);
    },
  );

  it('are stated for every documented operation, but for six', () => {
    expect([...DOCUMENTED].filter((name) => documentedScopes(name) === null).sort()).toEqual(UNDOCUMENTED.toSorted());
  });

  it('include those of every documented operation', () => {
    expect(
      operations
        .filter(isDocumented)
        .map(({ name }) => shortName(name))
        .sort(),
    ).toEqual([...DOCUMENTED].sort());
    expect(DOCUMENTED.size).toBe(166);
  });

  it('are stated by a test that names the operation and each scope, for operations that the table lacks', () => {
    const isStated = ({ name, scopes }: AnyOperation) =>
      ownTests.some((text) => [name, ...scopes].every((word) => text.includes(`'${word}'`)));
    expect(operations.filter((operation) => !isDocumented(operation) && !isStated(operation)).map(({ name }) => name)).toEqual([]);
  });

  it('are not told by the documentation for these of its operations', () => {
    const unstated = operations.map(({ name }) => name).filter((name) => UNDOCUMENTED.includes(shortName(name)));
    expect(unstated.toSorted()).toEqual([
      'ActionRequest/CancelActionRequest',
      'ActionRequest/GetActionRequest',
      'ActionRequest/ListActionRequests',
      'ActionRequest/ResendActionRequestNotification',
      'Member/RemoveMember',
      'Workspace/GetCompanyProfile',
    ]);
  });
});

/** Arguments that reach an operation where the required ones alone do not. */
const GIVEN: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'Appointment/ListAppointments': { scheduledBetween: { to: '2026-06-02T09:00:00Z' } },
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

/** Coordinates to reach. Those of payloads lie behind mutations that are done: payloads.test.ts has these. */
const reached: readonly Coordinate[] = exposedBy(graph).filter(({ type }) => !type.endsWith('Payload'));

const cases = reached.flatMap((coordinate) =>
  documentsFor(coordinate, GIVEN[coordinate.operation.name]).map((document): Case => [document.title, document, coordinate.operation]),
);

/** Variables with an idempotency key that nobody has used: the answer for a used one is another question. */
function unused({ input, ...variables }: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const isKeyed = typeof input === 'object' && input !== null && 'idempotencyKey' in input;
  return { ...variables, ...(input !== undefined && { input: isKeyed ? { ...input, idempotencyKey: randomUUID() } : input }) };
}

const keyWith = (scopes: readonly string[]) => makeKey(testGraph.sandbox.world, { scopes });

const keyWithout = (missing: string) => keyWith(ALL_SCOPES.filter((scope) => scope !== missing));

/** Refusals for scopes in an answer, as members of a result union or as errors. */
function denials({ data, errors }: GraphResult): unknown[] {
  const members = Object.values<{ __typename?: string } | null>(data ?? {}).filter((value) => value?.__typename === 'ForbiddenError');
  const thrown = (errors ?? []).filter(({ extensions }) => extensions.code === 'FORBIDDEN').map(({ extensions }) => extensions);
  return [...members, ...thrown].map((denial) => {
    const { reason, missingScopes } = denial as Record<string, unknown>;
    return { reason, missingScopes };
  });
}

describe('a key with every scope', () => {
  it.each(cases)('reaches %s', async (_title, { query, variables }, operation) => {
    if (operation.name === 'Workspace/Me') return expect((await testGraph.execute(query, variables)).data.viewer).not.toBeNull();
    const [answer, calls] = await testGraph.recordCalls(() => testGraph.execute(query, variables));
    expect(calls, JSON.stringify({ query, variables, answer })).toContain(operation.name);
    expect(denials(answer)).toEqual([]);
  });
});

/** Coordinates with each scope that they take. Without `me:read` nobody can tell the scopes of a key. */
const guarded = cases.flatMap(([title, document, operation]) =>
  scopesOf(operation)
    .filter((scope) => scope !== 'me:read')
    .map((scope) => [title, scope, document, operation] as const),
);

describe('a key that lacks a scope', () => {
  it.each(guarded)('is refused %s without %s, and nothing is sent', async (_title, scope, document, operation) => {
    const [answer, calls] = await testGraph.recordCalls(() =>
      testGraph.executeAs(keyWithout(scope), document.query, unused(document.variables)),
    );
    expect(denials(answer), JSON.stringify(answer)).toContainEqual({ reason: 'MISSING_SCOPE', missingScopes: [scope] });
    expect(calls).not.toContain(operation.name);
    if (document.isDirect) expect(calls).toEqual([]);
  });

  it.each(guarded)('is refused %s when it has no scope at all, not only without %s', async (_title, scope, document) => {
    const [answer, calls] = await testGraph.recordCalls(() =>
      testGraph.executeAs(keyWith(['me:read']), document.query, unused(document.variables)),
    );
    const [denial] = denials(answer) as { readonly reason: string; readonly missingScopes: readonly string[] }[];
    expect(denial, JSON.stringify(answer)).toMatchObject({ reason: 'MISSING_SCOPE' });
    if (document.isDirect) expect(denial?.missingScopes).toContain(scope);
    expect(calls).toEqual([]);
  });
});

describe('a key that has a scope by a wildcard only, which the upstream does not count,', () => {
  /** One document per scope of an operation, for which a wildcard counts or doesn't, wherever the operation is reached from. */
  const ofOperations = Map.groupBy(guarded, ([, scope, , { name }]) => `${scope} of ${name}`);
  const wild = [...ofOperations.values()]
    .flatMap((documents) => documents.slice(0, 1))
    // No wildcard stands for it, as is documented: test/analytics/ has what becomes of such a key.
    .filter(([, scope]) => scope !== 'analytics:read')
    .flatMap(([title, scope, ...more]) => ['*', `${scope.split(':')[0]}:*`].map((word) => [title, word, scope, ...more] as const));

  it.each(wild)('is not told that it has the scopes: %s with %s for %s', async (_title, wildcard, scope, document, operation) => {
    const key = keyWith([...ALL_SCOPES.filter((each) => each !== scope), wildcard]);
    const [answer, calls] = await testGraph.recordCalls(() => testGraph.executeAs(key, document.query, unused(document.variables)));
    expect(denials(answer), JSON.stringify(answer)).toContainEqual({ reason: 'UNDETERMINED', missingScopes: [] });
    expect(denials(answer)).not.toContainEqual(expect.objectContaining({ reason: 'PERMISSION_OR_RESOURCE' }));
    // Fields that lead to the operation may take the same scope.
    expect(calls.length).toBeGreaterThan(0);
    if (document.isDirect) expect(calls).toContain(operation.name);
  });
});
