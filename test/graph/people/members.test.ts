import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { toGlobalId } from '../../../src/schema/kit/globalIds.ts';
import { makeKey } from '../../sandbox/makeKey.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { createClockAhead } from '../../support/clock.ts';
import { spec } from '../../support/spec.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const testGraph = useTestGraph();
afterEach(() => testGraph.sandbox.faults.clear());

const FAILURES = `__typename
  ... on ValidationError { issues { path } }
  ... on TransitionBlockedError { blockers { message } current { __typename } }
  ... on MutationError { code retry }`;
const SET = `mutation ($input: MemberRolesSetInput!) { memberRolesSet(input: $input) { ${FAILURES} ... on MemberRolesSetPayload {
  member { displayName isOwner roles(first: 10) { nodes { name } } } effect } } }`;
const REMOVE = `mutation ($input: MemberRemoveInput!) { memberRemove(input: $input) { ${FAILURES}
  ... on MemberRemovePayload { removedMemberId effect } } }`;

const setRoles = async (member: string, roles: readonly string[], key = 'demo-owner') => {
  const input = { memberId: demoId(`member ${member}`), roleIds: roles.map((role) => demoId(`role ${role}`)) };
  return (await testGraph.executeAs(key, SET, { input })).data.memberRolesSet;
};
const remove = async (memberId: string, idempotencyKey: string = randomUUID()) =>
  (await testGraph.execute(REMOVE, { input: { memberId, idempotencyKey } })).data.memberRemove;

/** Reads inventory locations and customers. Returns 'readable' or the reason of the failure for each. */
const readAs = async (key: string) => {
  const { data, errors = [] } = await testGraph.executeAs(
    key,
    '{ inventoryLocations(first: 1) { nodes { id } } customers(first: 1) { nodes { id } } }',
  );
  const codes = Object.fromEntries(errors.map(({ path = [], extensions }) => [path[0], extensions.reason ?? extensions.code]));
  const describeOutcome = (field: string) => (data?.[field] ? 'readable' : (codes[field] ?? errors[0]?.extensions.code));
  return [describeOutcome('inventoryLocations'), describeOutcome('customers')];
};

describe('read cache', () => {
  const clockOffset = { ms: 0 };
  const cachingGraph = useTestGraph({}, undefined, { env: { READ_CACHE_MS: '60000' }, clock: createClockAhead(() => clockOffset.ms) });

  it('returns what the member could read before its roles were replaced until the entry expires', async () => {
    const key = makeKey(cachingGraph.sandbox.world, { member: 'warehouse' });
    const read = async () => {
      const { errors = [] } = await cachingGraph.executeAs(key, '{ inventoryLocations(first: 1) { nodes { id } } }');
      return errors[0]?.extensions.code ?? 'readable';
    };
    expect(await read()).toBe('readable');
    const input = { memberId: demoId('member warehouse'), roleIds: [] };
    expect((await cachingGraph.execute(SET, { input })).data.memberRolesSet).toMatchObject({ effect: 'DONE' });
    const [cached, calls] = await cachingGraph.recordCalls(read);
    expect([cached, calls]).toEqual(['readable', []]);
    clockOffset.ms = 60_001;
    expect(await read()).toBe('FORBIDDEN');
  });
});

describe('Query.members', () => {
  it('lists members with their roles and teams, one call each for all members', async () => {
    const query = `{ members(first: 25) { isTruncated nodes { displayName email kind isOwner
      roles(first: 5) { isTruncated nodes { name } } teams(first: 5) { nodes { name color } } } } }`;
    const [{ data, errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(query));
    expect(errors).toBeUndefined();
    expect(calls.toSorted()).toEqual(['Member/ListMembers', 'Role/ListRoles', 'Team/ListTeams']);
    expect(data.members.isTruncated).toBe(false);
    expect(data.members.nodes).toContainEqual({
      displayName: 'Hugo Huber',
      email: 'second.planner@example.com',
      kind: 'PERSON',
      isOwner: false,
      roles: { isTruncated: false, nodes: expect.toSatisfy((nodes: readonly object[]) => nodes.length === 2) },
      teams: { nodes: [{ name: 'Planning', color: '#2F6FDE' }] },
    });
    expect(data.members.nodes.filter(({ isOwner }: { isOwner: boolean }) => isOwner)).toMatchObject([{ displayName: 'Ada Adler' }]);
  });

  it('searches names and email addresses', async () => {
    const query = 'query ($text: String!) { members(query: $text, first: 5) { nodes { displayName } pageInfo { hasNextPage } } }';
    const [{ data }, calls] = await testGraph.recordCalls(() => testGraph.execute(query, { text: 'greta' }));
    expect([data.members.nodes, calls]).toEqual([[{ displayName: 'Greta Gomez' }], ['Member/SearchMembers']]);
  });
});

describe('Member.roles', () => {
  it('resolves by member ID and paginates', async () => {
    const query = `query ($id: ID!, $after: String) { member(id: $id) { roles(first: 1, after: $after) { nodes { name }
      pageInfo { hasNextPage endCursor } } } }`;
    const id = demoId('member second planner');
    const names: string[] = [];
    for (let after: string | undefined, hasNextPage = true; hasNextPage; ) {
      const [{ data }, calls] = await testGraph.recordCalls(() => testGraph.execute(query, { id, after }));
      expect(calls).toEqual(['Member/GetMember', 'Role/GetRole']);
      const { nodes, pageInfo } = data.member.roles;
      names.push(...nodes.map(({ name }: { name: string }) => name));
      after = pageInfo.endCursor;
      hasNextPage = pageInfo.hasNextPage;
    }
    expect(names.toSorted()).toEqual(['Planner', 'Sales']);
  });
});

describe('Mutation.memberRolesSet', () => {
  it('applies to the member’s API keys from their next call', async () => {
    const key = makeKey(testGraph.sandbox.world, { member: 'front desk' });
    expect(await readAs(key)).toEqual(['PERMISSION_OR_RESOURCE', 'readable']);
    const [result, calls] = await testGraph.recordCalls(() => setRoles('front desk', ['warehouse']));
    expect(result).toEqual({
      __typename: 'MemberRolesSetPayload',
      member: { displayName: 'Jonas Jansen', isOwner: false, roles: { nodes: [{ name: 'Warehouse' }] } },
      effect: 'DONE',
    });
    expect(calls).toEqual(['Member/ReplaceMemberRoles', 'Role/GetRole']);
    expect(await readAs(key)).toEqual(['readable', 'PERMISSION_OR_RESOURCE']);
    expect(await setRoles('front desk', [])).toMatchObject({ member: { roles: { nodes: [] } } });
    expect(await readAs(key)).toEqual(['PERMISSION_OR_RESOURCE', 'PERMISSION_OR_RESOURCE']);
  });

  it('returns TransitionBlockedError for the last owner', async () => {
    expect(await setRoles('owner', ['planner'])).toMatchObject({
      __typename: 'TransitionBlockedError',
      code: 'TRANSITION_BLOCKED',
      retry: 'NEVER',
    });
  });

  it('returns ForbiddenError for roles beyond what the caller can delegate', async () => {
    const key = makeKey(testGraph.sandbox.world, { member: 'team lead' });
    expect(await setRoles('second technician', ['administrator'], key)).toMatchObject({ __typename: 'ForbiddenError' });
  });
});

describe('Mutation.memberRemove', () => {
  const toMemberId = (member: string) => demoId(`member ${member}`);

  it('requires an idempotency key', async () => {
    const [{ errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(REMOVE, { input: { memberId: toMemberId('agent') } }));
    expect([errors?.[0]?.message, calls]).toEqual([expect.stringContaining('idempotencyKey'), []]);
  });

  it('revokes the member’s API keys and replays the result for a repeated key', spec('4.9.6'), async () => {
    const key = makeKey(testGraph.sandbox.world, { member: 'agent' });
    expect(await readAs(key)).toEqual(['PERMISSION_OR_RESOURCE', 'readable']);
    const idempotencyKey = randomUUID();
    const [result, calls] = await testGraph.recordCalls(() => remove(toMemberId('agent'), idempotencyKey));
    const removedMemberId = toGlobalId('Member', toMemberId('agent'));
    expect(result).toEqual({ __typename: 'MemberRemovePayload', removedMemberId, effect: 'DONE' });
    expect(calls).toEqual(['Member/RemoveMember']);
    expect(await readAs(key)).toEqual(['UNAUTHENTICATED', 'UNAUTHENTICATED']);
    const [repeat, repeatCalls] = await testGraph.recordCalls(() => remove(toMemberId('agent'), idempotencyKey));
    expect([repeat, repeatCalls]).toEqual([{ ...result, effect: 'REPLAYED' }, []]);
    expect(await remove(toMemberId('agent'))).toMatchObject({ __typename: 'NotFoundError' });
  });

  it.each(['owner'])('returns TransitionBlockedError if members remove themselves: %s', async (member) => {
    expect(await remove(toMemberId(member))).toMatchObject({
      __typename: 'TransitionBlockedError',
      blockers: [{ message: expect.any(String) }],
    });
  });

  it('reconciles a lost response without a retry', async () => {
    testGraph.sandbox.faults.add({ operation: 'Member/RemoveMember', cut: 'after' });
    const [result, calls] = await testGraph.recordCalls(() => remove(toMemberId('technician')));
    expect(result).toMatchObject({ __typename: 'MemberRemovePayload', effect: 'RECONCILED' });
    expect(calls).toEqual(['Member/RemoveMember', 'Member/GetMember']);
  });

  it('returns OutcomeUnknownError without a retry if the member still exists', async () => {
    testGraph.sandbox.faults.add({ operation: 'Member/RemoveMember', cut: 'before' });
    const [result, calls] = await testGraph.recordCalls(() => remove(toMemberId('second technician')));
    expect(result).toMatchObject({ __typename: 'OutcomeUnknownError', retry: 'SAME_KEY' });
    expect(calls).toEqual(['Member/RemoveMember', 'Member/GetMember']);
  });
});
