import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { toGlobalId } from '../../../src/schema/kit/globalIds.ts';
import { makeKey } from '../../sandbox/makeKey.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { clockAhead } from '../../support/clock.ts';
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

/** Reads stock by a key, and customers: the answers, or why there is none. */
const readAs = async (key: string) => {
  const { data, errors = [] } = await testGraph.executeAs(
    key,
    '{ inventoryLocations(first: 1) { nodes { id } } customers(first: 1) { nodes { id } } }',
  );
  const codes = Object.fromEntries(errors.map(({ path = [], extensions }) => [path[0], extensions.reason ?? extensions.code]));
  const told = (field: string) => (data?.[field] ? 'answered' : (codes[field] ?? errors[0]?.extensions.code));
  return [told('inventoryLocations'), told('customers')];
};

describe('answers that are kept', () => {
  const ahead = { ms: 0 };
  const keeping = useTestGraph({}, undefined, { env: { READ_CACHE_MS: '60000' }, clock: clockAhead(() => ahead.ms) });

  it('show what the member could read before its roles were replaced until they expire', async () => {
    const key = makeKey(keeping.sandbox.world, { member: 'warehouse' });
    const read = async () => {
      const { errors = [] } = await keeping.executeAs(key, '{ inventoryLocations(first: 1) { nodes { id } } }');
      return errors[0]?.extensions.code ?? 'answered';
    };
    expect(await read()).toBe('answered');
    const input = { memberId: demoId('member warehouse'), roleIds: [] };
    expect((await keeping.execute(SET, { input })).data.memberRolesSet).toMatchObject({ effect: 'DONE' });
    const [kept, calls] = await keeping.recordCalls(read);
    expect([kept, calls]).toEqual(['answered', []]);
    ahead.ms = 60_001;
    expect(await read()).toBe('FORBIDDEN');
  });
});

describe('Query.members', () => {
  it('has who may do what: the roles and teams of all members take one call each', async () => {
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

  it('are found by a text in their names and addresses', async () => {
    const query = 'query ($text: String!) { members(query: $text, first: 5) { nodes { displayName } pageInfo { hasNextPage } } }';
    const [{ data }, calls] = await testGraph.recordCalls(() => testGraph.execute(query, { text: 'greta' }));
    expect([data.members.nodes, calls]).toEqual([[{ displayName: 'Greta Gomez' }], ['Member/SearchMembers']]);
  });
});

describe('Member.roles', () => {
  it('are read by the id of a member, and turned page by page', async () => {
    const query = `query ($id: ID!, $after: String) { member(id: $id) { roles(first: 1, after: $after) { nodes { name }
      pageInfo { hasNextPage endCursor } } } }`;
    const id = demoId('member second planner');
    const names: string[] = [];
    for (let after: string | undefined, goesOn = true; goesOn; ) {
      const [{ data }, calls] = await testGraph.recordCalls(() => testGraph.execute(query, { id, after }));
      expect(calls).toEqual(['Member/GetMember', 'Role/GetRole']);
      const { nodes, pageInfo } = data.member.roles;
      names.push(...nodes.map(({ name }: { name: string }) => name));
      after = pageInfo.endCursor;
      goesOn = pageInfo.hasNextPage;
    }
    expect(names.toSorted()).toEqual(['Planner', 'Sales']);
  });
});

describe('Mutation.memberRolesSet', () => {
  it('changes what the keys of the member may do, from their next call on', async () => {
    const key = makeKey(testGraph.sandbox.world, { member: 'front desk' });
    expect(await readAs(key)).toEqual(['PERMISSION_OR_RESOURCE', 'answered']);
    const [answer, calls] = await testGraph.recordCalls(() => setRoles('front desk', ['warehouse']));
    expect(answer).toEqual({
      __typename: 'MemberRolesSetPayload',
      member: { displayName: 'Jonas Jansen', isOwner: false, roles: { nodes: [{ name: 'Warehouse' }] } },
      effect: 'DONE',
    });
    expect(calls).toEqual(['Member/ReplaceMemberRoles', 'Role/GetRole']);
    expect(await readAs(key)).toEqual(['answered', 'PERMISSION_OR_RESOURCE']);
    expect(await setRoles('front desk', [])).toMatchObject({ member: { roles: { nodes: [] } } });
    expect(await readAs(key)).toEqual(['PERMISSION_OR_RESOURCE', 'PERMISSION_OR_RESOURCE']);
  });

  it('leaves the last owner one', async () => {
    expect(await setRoles('owner', ['planner'])).toMatchObject({
      __typename: 'TransitionBlockedError',
      code: 'TRANSITION_BLOCKED',
      retry: 'NEVER',
    });
  });

  it('refuses roles that grant more than the caller may delegate', async () => {
    const key = makeKey(testGraph.sandbox.world, { member: 'team lead' });
    expect(await setRoles('second technician', ['administrator'], key)).toMatchObject({ __typename: 'ForbiddenError' });
  });
});

describe('Mutation.memberRemove', () => {
  const idOf = (member: string) => demoId(`member ${member}`);

  it('takes an idempotency key', async () => {
    const [{ errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(REMOVE, { input: { memberId: idOf('agent') } }));
    expect([errors?.[0]?.message, calls]).toEqual([expect.stringContaining('idempotencyKey'), []]);
  });

  it('removes a member, whose keys are refused from then on; a repeat under its key is told so again', spec('4.9.6'), async () => {
    const key = makeKey(testGraph.sandbox.world, { member: 'agent' });
    expect(await readAs(key)).toEqual(['PERMISSION_OR_RESOURCE', 'answered']);
    const idempotencyKey = randomUUID();
    const [answer, calls] = await testGraph.recordCalls(() => remove(idOf('agent'), idempotencyKey));
    const removedMemberId = toGlobalId('Member', idOf('agent'));
    expect(answer).toEqual({ __typename: 'MemberRemovePayload', removedMemberId, effect: 'DONE' });
    expect(calls).toEqual(['Member/RemoveMember']);
    expect(await readAs(key)).toEqual(['UNAUTHENTICATED', 'UNAUTHENTICATED']);
    const [again, callsAgain] = await testGraph.recordCalls(() => remove(idOf('agent'), idempotencyKey));
    expect([again, callsAgain]).toEqual([{ ...answer, effect: 'REPLAYED' }, []]);
    expect(await remove(idOf('agent'))).toMatchObject({ __typename: 'NotFoundError' });
  });

  it.each(['owner'])('is refused for oneself: %s', async (member) => {
    expect(await remove(idOf(member))).toMatchObject({ __typename: 'TransitionBlockedError', blockers: [{ message: expect.any(String) }] });
  });

  it('is sent once when its answer is lost, and found done by reading', async () => {
    testGraph.sandbox.faults.add({ operation: 'Member/RemoveMember', cut: 'after' });
    const [answer, calls] = await testGraph.recordCalls(() => remove(idOf('technician')));
    expect(answer).toMatchObject({ __typename: 'MemberRemovePayload', effect: 'RECONCILED' });
    expect(calls).toEqual(['Member/RemoveMember', 'Member/GetMember']);
  });

  it('is sent once when it was not done, and its outcome stays unknown', async () => {
    testGraph.sandbox.faults.add({ operation: 'Member/RemoveMember', cut: 'before' });
    const [answer, calls] = await testGraph.recordCalls(() => remove(idOf('second technician')));
    expect(answer).toMatchObject({ __typename: 'OutcomeUnknownError', retry: 'SAME_KEY' });
    expect(calls).toEqual(['Member/RemoveMember', 'Member/GetMember']);
  });
});
