import { describe, expect, it } from 'vitest';
import { makeKey } from '../../sandbox/makeKey.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { spec } from '../../support/spec.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const testGraph = useTestGraph();

const AREAS = [
  'team',
  'board',
  'member',
  'role',
  'settings',
  'security',
  'audit',
  'billing',
  'development',
  'inventory',
  'planning',
  'agentChat',
];
const ACCESS = `access { ${AREAS.map((area) => `${area} { level delegateUpTo }`).join(' ')}
  workflowAutomation { level delegateUpTo allowAiAgents delegateAiAgents } }`;
const ROLE = `name description kind isDefault requiresTwoFactor ${ACCESS}`;
const FAILURES = `__typename
  ... on ValidationError { issues { path message } }
  ... on ForbiddenError { reason }
  ... on MutationError { code }`;
const CREATE = `mutation ($input: RoleCreateInput!) { roleCreate(input: $input) { ${FAILURES} ... on RoleCreatePayload { role { rawId ${ROLE} } effect } } }`;
const UPDATE = `mutation ($input: RoleUpdateInput!) { roleUpdate(input: $input) { ${FAILURES}
  ... on TransitionBlockedError { blockers { message } } ... on RoleUpdatePayload { role { ${ROLE} } effect } } }`;

const NOTHING = { level: 'NONE', delegateUpTo: 'NONE' };
const NO_ACCESS = {
  ...Object.fromEntries(AREAS.map((area) => [area, NOTHING])),
  workflowAutomation: { ...NOTHING, allowAiAgents: false, delegateAiAgents: false },
};

const create = async (fields: object = {}, key = 'demo-owner') =>
  (await testGraph.executeAs(key, CREATE, { input: { name: 'Visitor', ...fields } })).data.roleCreate;
const update = async (roleId: string, fields: object = {}) => {
  const input = { roleId, name: 'Visitor', access: {}, isDefault: false, requiresTwoFactor: false, ...fields };
  return (await testGraph.execute(UPDATE, { input })).data.roleUpdate;
};
const findLastRequest = (operation: string) => testGraph.sandbox.received.findLast((call) => call.operation === operation)?.request;

describe('Role', () => {
  it('returns its grants in one call, with NONE for missing grants', spec('2.7.1'), async () => {
    const query = `query ($id: ID!) { role(id: $id) { ${ROLE} } }`;
    const [{ data, errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(query, { id: demoId('role team lead') }));
    expect([errors, calls]).toEqual([undefined, ['Role/GetRole']]);
    expect(data.role).toMatchObject({ name: 'Team lead', kind: 'CUSTOM', isDefault: false, requiresTwoFactor: false });
    expect(data.role.access).toEqual({
      ...NO_ACCESS,
      team: { level: 'FULL_ACCESS', delegateUpTo: 'READ_WRITE' },
      member: { level: 'READ_WRITE', delegateUpTo: 'READ_ONLY' },
      role: { level: 'READ_WRITE', delegateUpTo: 'NONE' },
      board: { level: 'READ_WRITE', delegateUpTo: 'READ_WRITE' },
      planning: { level: 'READ_WRITE', delegateUpTo: 'READ_WRITE' },
    });
  });

  it('fetches the grants of listed roles with one call each, and only if selected', async () => {
    const [plain, plainCalls] = await testGraph.recordCalls(() =>
      testGraph.execute('{ roles(query: "plan", first: 5) { nodes { name kind } } }'),
    );
    expect([plain.data.roles.nodes, plainCalls]).toEqual([
      expect.arrayContaining([{ name: 'Planner', kind: 'CUSTOM' }]),
      ['Role/SearchRoles'],
    ]);
    const [whole, calls] = await testGraph.recordCalls(() =>
      testGraph.execute('{ roles(first: 2) { nodes { name access { board { level } } } } }'),
    );
    expect(whole.errors).toBeUndefined();
    expect(calls).toEqual(['Role/ListRoles', 'Role/GetRole', 'Role/GetRole']);
  });

  it('lists the members of all roles with one call', async () => {
    const query = '{ roles(first: 25) { nodes { name members(first: 10) { isTruncated nodes { displayName } } } } }';
    const [{ data, errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(query));
    expect([errors, calls]).toEqual([undefined, ['Role/ListRoles', 'Member/ListMembers']]);
    const members = Object.fromEntries(
      data.roles.nodes.map((role: { name: string; members: { nodes: { displayName: string }[] } }) => [
        role.name,
        role.members.nodes.map(({ displayName }) => displayName).sort(),
      ]),
    );
    expect(members).toMatchObject({ Owner: ['Ada Adler'], Planner: ['Chloé Claes', 'Hugo Huber'] });
  });
});

describe('Mutation.roleCreate', () => {
  it('returns the role with its grants without read scopes or another call', async () => {
    const key = makeKey(testGraph.sandbox.world, { scopes: ['me:read', 'role:create'] });
    const access = { board: { level: 'READ_WRITE', delegateUpTo: 'READ_ONLY' }, audit: { level: 'READ_ONLY' } };
    const [{ role, effect }, calls] = await testGraph.recordCalls(() =>
      create({ description: 'Looks around.', access, requiresTwoFactor: true }, key),
    );
    expect(calls).toEqual(['Role/CreateRole']);
    expect({ role, effect }).toEqual({
      role: {
        rawId: expect.any(String),
        name: 'Visitor',
        description: 'Looks around.',
        kind: 'CUSTOM',
        isDefault: false,
        requiresTwoFactor: true,
        access: { ...NO_ACCESS, board: access.board, audit: { level: 'READ_ONLY', delegateUpTo: 'NONE' } },
      },
      effect: 'DONE',
    });
  });

  it('rejects contradictory grants and grants that the caller can’t delegate', async () => {
    const beyond = { board: { level: 'READ_ONLY', delegateUpTo: 'READ_WRITE' } };
    expect(await create({ access: beyond })).toMatchObject({ __typename: 'ValidationError' });
    const key = makeKey(testGraph.sandbox.world, { member: 'team lead' });
    expect(await create({ access: { billing: { level: 'READ_ONLY' } } }, key)).toMatchObject({ __typename: 'ForbiddenError' });
    expect(await create({ access: { planning: { level: 'READ_WRITE' } } }, key)).toMatchObject({ __typename: 'RoleCreatePayload' });
  });
});

describe('Mutation.roleUpdate', () => {
  const createRoleId = async () =>
    (await create({ description: 'Stays.', access: { board: { level: 'READ_WRITE' } }, isDefault: true, requiresTwoFactor: true })).role
      .rawId;

  it('removes all grants for an empty access, clears the flags, and preserves an omitted description', async () => {
    const roleId = await createRoleId();
    const [result, calls] = await testGraph.recordCalls(() => update(roleId));
    expect(result).toMatchObject({
      role: { description: 'Stays.', isDefault: false, requiresTwoFactor: false, access: NO_ACCESS },
      effect: 'DONE',
    });
    expect(calls).toEqual(['Role/UpdateRole']);
    expect(findLastRequest('Role/UpdateRole')).toMatchObject({ access: {}, description: '' });
  });

  it('removes omitted grants', async () => {
    const { role } = await update(await createRoleId(), { access: { audit: { level: 'READ_ONLY' } } });
    expect(role.access).toEqual({ ...NO_ACCESS, audit: { level: 'READ_ONLY', delegateUpTo: 'NONE' } });
  });

  it.each(['access', 'isDefault', 'requiresTwoFactor', 'name'])('requires %s, because an omitted value would be reset', async (member) => {
    const input = { roleId: 'x', name: 'Visitor', access: {}, isDefault: false, requiresTwoFactor: false, [member]: undefined };
    const [{ errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(UPDATE, { input }));
    expect([errors?.[0]?.message, calls]).toEqual([expect.stringContaining(member), []]);
  });

  it.each(['owner', 'administrator'])('returns TransitionBlockedError for the immutable role %s', async (role) => {
    expect(await update(demoId(`role ${role}`))).toMatchObject({
      __typename: 'TransitionBlockedError',
      blockers: [{ message: expect.stringMatching(/can’t be updated/) }],
    });
  });
});
