import { describe, expect, it } from 'vitest';
import { memberRoleTable, roleTable } from '../../../sandbox/kernel/memberships.ts';
import { teamMemberTable, teamTable } from '../../../sandbox/people/memberRecords.ts';
import { toGlobalId } from '../../../src/schema/kit/globalIds.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { useTestGraph } from '../../support/testGraph.ts';

/** Sets up a workspace with so many teams and roles that the upstream's lists don't include the demo's. */
function useLongLists(env?: Readonly<Record<string, string>>) {
  const testGraph = useTestGraph({}, undefined, env ? { env } : {});
  const lengthen = () => {
    const { store } = testGraph.sandbox.world;
    if (teamTable.find(store, { id: 'early team 0' })) return;
    const team = teamTable.find(store, { id: demoId('team planning') });
    const role = roleTable.find(store, { id: demoId('role planner') });
    if (!team || !role) throw new Error('The demo has no team or role.');
    for (let index = 0; index < 100; index += 1) {
      teamTable.insert(store, { ...team, id: `early team ${index}`, name: `  Early ${index}` });
      roleTable.insert(store, { ...role, id: `early role ${index}`, name: `  Early ${index}` });
    }
  };
  const read = async (query: string, variables: object = {}, key?: string) => {
    lengthen();
    const [{ data, errors }, calls] = await testGraph.recordCalls(() =>
      key === undefined ? testGraph.execute(query, variables) : testGraph.executeAs(key, query, variables),
    );
    return { data, errors, calls: calls.toSorted() };
  };
  return { testGraph, read };
}

const NAMES = 'totalCount isTruncated nodes { name } pageInfo { hasNextPage endCursor }';
const id = demoId('member second planner');

describe('truncated team and role lists', () => {
  const { testGraph, read } = useLongLists();

  it('resolves Member.teams and Member.roles by ID', async () => {
    const query = `query ($id: ID!) { member(id: $id) { roleIds teamIds roles { ${NAMES} } teams { ${NAMES} } } }`;
    const { data, errors, calls } = await read(query, { id });
    expect(errors).toBeUndefined();
    expect(data.member).toMatchObject({
      roleIds: expect.arrayContaining([toGlobalId('Role', demoId('role planner')), toGlobalId('Role', demoId('role sales'))]),
      teamIds: [toGlobalId('Team', demoId('team planning'))],
      roles: {
        totalCount: 2,
        isTruncated: false,
        nodes: expect.arrayContaining([{ name: 'Planner' }, { name: 'Sales' }]),
        pageInfo: { hasNextPage: false },
      },
      teams: { isTruncated: false, nodes: [{ name: 'Planning' }] },
    });
    // The list is requested for two roles, but not for one team.
    expect(calls).toEqual(['Member/GetMember', 'Role/GetRole', 'Role/GetRole', 'Role/ListRoles', 'Team/GetTeam']);
  });

  it('retries the list for Member.roles only if it is expected to save calls', async () => {
    const { calls } = await read('query ($id: ID!) { member(id: $id) { roles { nodes { name } } } }', { id });
    expect(calls).toEqual(['Member/GetMember', 'Role/GetRole', 'Role/GetRole']);
  });

  it('fetches one role per page of one for Member.roles', async () => {
    const query = `query ($id: ID!, $after: String) { member(id: $id) { roles(first: 1, after: $after) { ${NAMES} } } }`;
    const first = await read(query, { id });
    expect(first.data.member.roles).toMatchObject({ totalCount: null, pageInfo: { hasNextPage: true } });
    expect(first.calls).toEqual(['Member/GetMember', 'Role/GetRole']);
    const second = await read(query, { id, after: first.data.member.roles.pageInfo.endCursor });
    const names = [first, second].map(({ data }) => data.member.roles.nodes[0].name);
    expect([names.toSorted(), second.data.member.roles.pageInfo.hasNextPage]).toEqual([['Planner', 'Sales'], false]);
    const last = await read('query ($id: ID!) { member(id: $id) { roles(last: 1) { nodes { name } } } }', { id });
    expect(last.data.member.roles.nodes).toEqual([{ name: names[1] }]);
  });

  it('returns the member’s team from teamMemberAdd without another call', async () => {
    const change = `mutation ($input: TeamMemberAddInput!) { teamMemberAdd(input: $input) { ... on TeamMemberAddPayload {
      team { members { nodes { displayName } } } member { teams { ${NAMES} } } } } }`;
    const input = { teamId: demoId('team planning'), memberId: demoId('member warehouse') };
    const { data, calls } = await read(change, { input });
    expect(data.teamMemberAdd.member.teams).toMatchObject({ isTruncated: false, nodes: [{ name: 'Planning' }] });
    expect(data.teamMemberAdd.team.members.nodes.length).toBeGreaterThan(1);
    expect(calls).toEqual(['Member/ListMembers', 'Team/AddTeamMember', 'Team/GetTeam']);
  });

  it('resolves MemberInvitation.roles and MemberInvitation.teams by ID', async () => {
    const invite = `mutation ($input: MemberInvitationCreateInput!) { memberInvitationCreate(input: $input) { ... on MemberInvitationCreatePayload {
      invitation { roleIds teamIds roles { ${NAMES} } teams { ${NAMES} } } } } }`;
    const input = {
      email: 'invited@example.com',
      roleIds: [demoId('role planner')],
      teamIds: [demoId('team planning'), 'early team 3'],
      idempotencyKey: 'invited',
    };
    const { data, calls } = await read(invite, { input });
    expect(data.memberInvitationCreate.invitation).toMatchObject({
      roleIds: [toGlobalId('Role', demoId('role planner'))],
      teamIds: [toGlobalId('Team', demoId('team planning')), toGlobalId('Team', 'early team 3')],
      roles: { isTruncated: false, nodes: [{ name: 'Planner' }] },
      teams: { isTruncated: false, nodes: [{ name: 'Planning' }, { name: '  Early 3' }] },
    });
    expect(calls).toEqual(['Invitation/EmailMemberInvitation', 'Role/GetRole', 'Team/GetTeam', 'Team/ListTeams']);
  });

  it('omits IDs of missing teams', async () => {
    const body = JSON.stringify({ member: { id: 'm', teamIds: ['gone', demoId('team planning'), 'gone too'] } });
    testGraph.sandbox.faults.add({ operation: 'Member/GetMember', status: 200, body, times: 1 });
    const { data, errors } = await read(`{ member(id: "m") { teams { ${NAMES} } } }`);
    expect(errors).toBeUndefined();
    expect(data.member.teams).toMatchObject({ totalCount: 1, nodes: [{ name: 'Planning' }] });
  });

  it('returns an error if a team can’t be read', async () => {
    testGraph.sandbox.faults.add({ operation: 'Team/GetTeam', status: 403, body: '{"code":"permission_denied"}', times: 1 });
    const { data, errors } = await read('query ($id: ID!) { member(id: $id) { displayName teams { nodes { name } } } }', { id });
    expect([data.member.teams, errors?.map(({ path, extensions }) => [path, extensions.code])]).toEqual([
      null,
      [[['member', 'teams'], 'FORBIDDEN']],
    ]);
  });

  it('returns the same records with LIST_BATCHING=off', async () => {
    const off = await withoutBatching.read('query ($id: ID!) { member(id: $id) { roles { nodes { name } } teams { nodes { name } } } }', {
      id,
    });
    expect(off.data.member).toEqual({
      roles: { nodes: expect.arrayContaining([{ name: 'Planner' }, { name: 'Sales' }]) },
      teams: { nodes: [{ name: 'Planning' }] },
    });
  });

  const withoutBatching = useLongLists({ LIST_BATCHING: 'off' });
});

describe('team with many members', () => {
  const testGraph = useTestGraph();

  it('lists all members by ID with their roles', async () => {
    const { store } = testGraph.sandbox.world;
    const { memberTable } = await import('../../../sandbox/kernel/memberships.ts');
    const member = memberTable.find(store, { id });
    if (!member) throw new Error('The demo has no such member.');
    const ids = Array.from({ length: 120 }, (_, index) => `added ${String(index).padStart(3, '0')}`);
    for (const added of ids) {
      memberTable.insert(store, { ...member, id: added, name: `zz ${added}`, email: `${added.replace(' ', '')}@example.com` });
      teamMemberTable.insert(store, { team_id: demoId('team planning'), member_id: added });
      memberRoleTable.insert(store, { member_id: added, role_id: demoId('role planner') });
    }
    const query = `query ($id: ID!, $after: String) { team(id: $id) { memberCount members(first: 100, after: $after) {
      isTruncated nodes { rawId roles { nodes { name } } } pageInfo { hasNextPage endCursor } } } }`;
    const found: string[] = [];
    let memberCount = 0;
    for (let after: string | null = null, hasNextPage = true; hasNextPage; ) {
      const { data, errors } = await testGraph.execute(query, { id: demoId('team planning'), after });
      expect(errors).toBeUndefined();
      const { nodes, pageInfo, isTruncated } = data.team.members;
      expect(isTruncated).toBe(false);
      for (const { rawId, roles } of nodes) expect([rawId, roles.nodes.length > 0]).toEqual([rawId, true]);
      found.push(...nodes.map(({ rawId }: { rawId: string }) => rawId));
      memberCount = data.team.memberCount;
      ({ hasNextPage, endCursor: after } = pageInfo);
    }
    expect([new Set(found).size, found.length]).toEqual([memberCount, memberCount]);
    expect(found).toEqual(expect.arrayContaining(ids));
  });
});
