import { describe, expect, it } from 'vitest';
import { spec } from '../../support/spec.ts';
import { BLOCKED, FORBIDDEN, MISSING, summarizeError, UNAUTHENTICATED } from '../errors.ts';
import { makeKey } from '../makeKey.ts';
import { demoId, useSandbox } from '../sandbox.ts';

const opened = useSandbox();
const { call, callAs } = opened;

const level = (word: string) => ({ level: `PUBLIC_DIRECTORY_PERMISSION_LEVEL_${word}` });

/** Replaces the roles of a member. */
async function give(memberId: string, ...roleIds: string[]) {
  const { status, body } = await call('Member/ReplaceMemberRoles', { memberId, roleIds });
  expect({ status, body }).toMatchObject({ status: 200 });
}

async function makeRole(access: object): Promise<string> {
  const { status, body } = await call('Role/CreateRole', { name: 'Made for a test', access });
  expect({ status, body }).toMatchObject({ status: 200 });
  return body.role.id;
}

const listStatuses = async (key: string, ...operations: string[]) => {
  const statuses = operations.map(async (operation) => (await callAs(key, operation, {})).status);
  return Promise.all(statuses);
};

/** A read and a write of customers, and reads of orders, stock and members. If the call is allowed, an empty request is invalid. */
const CALLS = [
  'Customer/SearchCustomers',
  'Customer/PatchCustomer',
  'Order/GetOrder',
  'Inventory/GetInventoryReceipt',
  'Member/ListMembers',
];

describe('permissions of a key', () => {
  it('follow the member’s roles on each call', spec('4.9.2', '5.11'), async () => {
    const memberId = demoId('member technician');
    const key = makeKey(opened.sandbox.world, { member: 'technician' });
    expect(await listStatuses(key, ...CALLS)).toEqual([200, 403, 403, 400, 403]);
    await give(memberId, demoId('role warehouse'));
    expect(await listStatuses(key, ...CALLS)).toEqual([403, 403, 400, 400, 403]);
    await give(memberId, demoId('role warehouse'), demoId('role planner'));
    expect(await listStatuses(key, ...CALLS)).toEqual([200, 400, 400, 400, 200]);
    await give(memberId);
    expect(await listStatuses(key, ...CALLS)).toEqual([403, 403, 403, 403, 403]);
    expect((await callAs(key, 'Workspace/Me', {})).status).toBe(200);
  });

  it('follow changes of a role in both directions', spec('5.11'), async () => {
    const memberId = demoId('member second technician');
    const key = makeKey(opened.sandbox.world, { member: 'second technician' });
    const roleId = await makeRole({ boardAccess: level('READ_WRITE') });
    await give(memberId, roleId);
    expect(await listStatuses(key, ...CALLS)).toEqual([200, 400, 403, 403, 403]);
    const update = (access: object) => call('Role/UpdateRole', { id: roleId, name: 'Changed', access });
    await update({ boardAccess: level('READ_ONLY') });
    expect(await listStatuses(key, ...CALLS)).toEqual([200, 403, 403, 403, 403]);
    await update({});
    expect(await listStatuses(key, ...CALLS)).toEqual([403, 403, 403, 403, 403]);
    await update({ billingAccess: level('READ_ONLY') });
    expect(await listStatuses(key, ...CALLS)).toEqual([403, 403, 400, 403, 403]);
  });

  it('include all operational areas, but no administration, with full access to boards', spec('2.7.9'), async () => {
    const key = makeKey(opened.sandbox.world, { permissions: ['boardAccess:FULL_ACCESS'] });
    expect(await listStatuses(key, ...CALLS)).toEqual([200, 400, 400, 400, 403]);
    expect(await listStatuses(key, 'Catalog/CreateProduct', 'Role/ListRoles', 'Team/ListTeams')).toEqual([403, 403, 403]);
  });

  it.each(['agentChatAccess:READ_WRITE', 'workflowAutomationAccess:FULL_ACCESS'] as const)(
    'exclude all records with %s',
    spec('2.7.7'),
    async (permission) => {
      expect(await listStatuses(makeKey(opened.sandbox.world, { permissions: [permission] }), ...CALLS)).toEqual([403, 403, 403, 403, 403]);
    },
  );

  it('end with the membership, for all keys of the member', spec('4.9.6', '5.10'), async () => {
    const [first, second] = [1, 2].map(() => makeKey(opened.sandbox.world, { member: 'second planner' }));
    const memberId = demoId('member second planner');
    expect((await callAs(first ?? '', 'Workspace/Me', {})).body.apiKey.creatorName).toBe('Hugo Huber');
    const { body } = await call('Member/RemoveMember', { memberId });
    expect(body.member).toMatchObject({ id: memberId, roleIds: [demoId('role planner'), demoId('role sales')] });
    for (const key of [first, second]) expect(summarizeError(await callAs(key ?? '', 'Workspace/Me', {}))).toEqual(UNAUTHENTICATED);
    expect(summarizeError(await call('Member/GetMember', { id: memberId }))).toEqual(MISSING);
    expect(summarizeError(await call('Member/RemoveMember', { memberId }))).toEqual(MISSING);
    expect((await call('Team/GetTeam', { id: demoId('team planning') })).body.team.memberIds).toEqual([demoId('member planner')]);
  });

  it.each([
    ['Member/GetMember', 'member owner'],
    ['Role/GetRole', 'role owner'],
    ['Team/GetTeam', 'team sales'],
  ])('don’t apply to another workspace: %s', async (operation, record) => {
    expect((await call(operation, { id: demoId(record) })).status).toBe(200);
    expect(summarizeError(await callAs('demo-neighbour', operation, { id: demoId(record) }))).toEqual(MISSING);
  });
});

describe('member', () => {
  it('can’t remove itself, whether or not it’s the last owner', spec('4.9.5'), async () => {
    const ofOwner = { memberId: demoId('member owner') };
    expect(summarizeError(await call('Member/RemoveMember', ofOwner))).toEqual(BLOCKED);
    const lead = makeKey(opened.sandbox.world, { member: 'team lead' });
    expect(summarizeError(await callAs(lead, 'Member/RemoveMember', { memberId: demoId('member team lead') }))).toEqual(BLOCKED);
    expect((await callAs(lead, 'Workspace/Me', {})).status).toBe(200);
  });

  it('preserves its two teams when its roles are replaced', spec('4.9.3'), async () => {
    const memberId = demoId('member planner');
    const teamIds = [demoId('team planning'), demoId('team field service')];
    expect((await call('Member/GetMember', { id: memberId })).body.member).toMatchObject({ teamIds });
    const roleIds = [demoId('role sales'), demoId('role planner')];
    const { body } = await call('Member/ReplaceMemberRoles', { memberId, roleIds: [...roleIds, ...roleIds] });
    expect(body.member).toMatchObject({ roleIds, teamIds });
  });

  it('preserves its roles if a new role doesn’t exist', async () => {
    const memberId = demoId('member sales');
    const { member } = (await call('Member/GetMember', { id: memberId })).body;
    const roleIds = [demoId('role planner'), 'nothing'];
    expect(summarizeError(await call('Member/ReplaceMemberRoles', { memberId, roleIds }))).toEqual(MISSING);
    expect((await call('Member/GetMember', { id: memberId })).body.member).toEqual(member);
  });

  it.each([
    ['name', 'FISCH', ['Finn Fischer']],
    ['email address', 'front.desk@', ['Jonas Jansen']],
    ['nothing', '%', []],
  ])('can be found by its %s', spec('4.9.1'), async (_part, query, names) => {
    const { body } = await call('Member/SearchMembers', { query });
    expect((body.members ?? []).map(({ name }: { name: string }) => name)).toEqual(names);
  });

  it('appears in the list by name, and so do agents', spec('4.9.1'), async () => {
    const { members } = (await call('Member/ListMembers', {})).body;
    const names = members.map(({ name }: { name: string }) => name);
    expect(names).toEqual(names.toSorted());
    expect(members).toContainEqual(expect.objectContaining({ name: 'Planning assistant', kind: 'PUBLIC_MEMBER_KIND_AGENT' }));
    expect((await call('Member/ListMembers', { pageSize: 2 })).body.members).toEqual(members.slice(0, 2));
  });

  it('can’t be read by a caller without access to members', async () => {
    expect(summarizeError(await callAs('demo-restricted', 'Member/ListMembers', {}))).toEqual(FORBIDDEN);
  });
});
