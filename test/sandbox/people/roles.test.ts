import { describe, expect, it } from 'vitest';
import { spec } from '../../support/spec.ts';
import { BLOCKED, FORBIDDEN, INVALID, MISSING, summarizeError } from '../errors.ts';
import { makeKey } from '../makeKey.ts';
import { demoId, useSandbox } from '../sandbox.ts';

const opened = useSandbox();
const { call, callAs } = opened;

const grant = (word: string) => ({ level: `PUBLIC_DIRECTORY_PERMISSION_LEVEL_${word}` });
const BOARDS = { boardAccess: grant('READ_WRITE'), teamAccess: grant('READ_ONLY') };

async function createRole(request: object = {}) {
  const { status, body } = await call('Role/CreateRole', { name: 'Made', description: 'For a test.', access: BOARDS, ...request });
  expect({ status, body }).toMatchObject({ status: 200 });
  return body;
}

const get = async (id: string) => (await call('Role/GetRole', { id })).body;

describe('new role', () => {
  it('has the specified grants, and no members', spec('2.7.1', '4.9.12', '4.9.15'), async () => {
    const response = await createRole({ isDefault: true, requires2fa: true });
    expect(response).toMatchObject({
      role: { name: 'Made', description: 'For a test.', kind: 'PUBLIC_ROLE_KIND_CUSTOM', isDefault: true, requires2fa: true },
      access: BOARDS,
    });
    expect(Object.keys(response.access)).toEqual(['teamAccess', 'boardAccess']);
    expect(await get(response.role.id)).toEqual(response);
    const { members } = (await call('Member/ListMembers', {})).body;
    expect(members.flatMap(({ roleIds = [] }: { roleIds?: string[] }) => roleIds)).not.toContain(response.role.id);
  });

  it('can be created twice', spec('4.9.16'), async () => {
    const [first, second] = [await createRole({ name: 'Twin' }), await createRole({ name: 'Twin' })];
    expect(second.role.id).not.toBe(first.role.id);
    expect((await call('Role/SearchRoles', { query: 'Twin' })).body.roles).toHaveLength(2);
  });

  it('can have no access', spec('2.7.3'), async () => {
    const { role } = await createRole({ access: undefined });
    expect((await get(role.id)).access ?? {}).toEqual({});
  });

  it.each([
    ['a blank name', { name: ' ' }],
    ['no name', { name: undefined }],
    ['a name of 51 characters', { name: 'é'.repeat(51) }],
    ['a description of 1,001 characters', { description: 'x'.repeat(1_001) }],
    ['a grant without a level', { access: { boardAccess: {} } }],
    ['a grant of the level zero', { access: { boardAccess: grant('UNSPECIFIED') } }],
    ['a grant of an unknown level', { access: { boardAccess: { level: 9 } } }],
  ])('fails with %s', spec('2.7.2', '4.9.13'), async (_case, change) => {
    expect(summarizeError(await call('Role/CreateRole', { name: 'Made', ...change }))).toEqual(INVALID);
  });

  it('has a name of up to 50 characters, and a description of up to 1,000', spec('4.9.13', '4.9.14', '8.7'), async () => {
    const longest = { name: 'é'.repeat(50), description: 'é'.repeat(1_000) };
    expect((await createRole(longest)).role).toMatchObject(longest);
  });
});

describe('role update', () => {
  it(
    'replaces all grants, clears omitted flags, and preserves an omitted description',
    spec('2.7.3', '4.9.17', '4.9.20', '4.9.21'),
    async () => {
      const { role } = await createRole({ isDefault: true, requires2fa: true });
      const access = { settingsAccess: grant('READ_ONLY') };
      const { status, body } = await call('Role/UpdateRole', { id: role.id, name: 'Renamed', access });
      expect({ status, role: body.role }).toMatchObject({ status: 200, role: { name: 'Renamed', description: 'For a test.' } });
      expect([body.role.isDefault ?? false, body.role.requires2fa ?? false]).toEqual([false, false]);
      expect(Object.keys(body.access)).toEqual(['settingsAccess']);
      expect(await get(role.id)).toEqual(body);
    },
  );

  it('removes all grants if access is empty, and is rejected without access', spec('4.9.18', '4.9.19'), async () => {
    const before = await createRole();
    const { id } = before.role;
    expect(summarizeError(await call('Role/UpdateRole', { id, name: 'Renamed' }))).toEqual(INVALID);
    expect(summarizeError(await call('Role/UpdateRole', { id, name: 'Renamed', access: null }))).toEqual(INVALID);
    expect(await get(id)).toEqual(before);
    const { body } = await call('Role/UpdateRole', { id, name: 'Renamed', access: {} });
    expect(body.access ?? {}).toEqual({});
  });

  it.each(['owner', 'administrator'])('fails for the protected role %s, even for owners', spec('4.9.22'), async (role) => {
    const id = demoId(`role ${role}`);
    const before = await get(id);
    expect(summarizeError(await call('Role/UpdateRole', { id, name: 'Mine', access: before.access }))).toEqual(BLOCKED);
    expect(await get(id)).toEqual(before);
  });

  it.each(['team lead', 'planner', 'technician', 'sales', 'warehouse', 'front desk', 'agent'])(
    'succeeds for owners and the role %s',
    async (role) => {
      const id = demoId(`role ${role}`);
      const { access } = await get(id);
      expect((await call('Role/UpdateRole', { id, name: 'Renamed', access })).body).toMatchObject({ role: { name: 'Renamed' }, access });
    },
  );

  it('returns not found for an unknown role', async () => {
    expect(summarizeError(await call('Role/UpdateRole', { id: 'nothing', name: 'Mine', access: {} }))).toEqual(MISSING);
  });

  it('requires write access to roles', async () => {
    const { role } = await createRole();
    const key = makeKey(opened.sandbox.world, { permissions: ['roleAccess:READ_ONLY'] });
    expect((await callAs(key, 'Role/GetRole', { id: role.id })).status).toBe(200);
    expect(summarizeError(await callAs(key, 'Role/UpdateRole', { id: role.id, name: 'Mine', access: {} }))).toEqual(FORBIDDEN);
  });
});

describe('role lists', () => {
  it('follow the order of their names, and can be searched by name and description', spec('4.9.24'), async () => {
    await createRole({ name: 'Zebra', description: 'Striped.' });
    const names = (body: { roles?: { name: string }[] }) => (body.roles ?? []).map(({ name }) => name);
    const all = names((await call('Role/ListRoles', {})).body);
    expect(all).toEqual(all.toSorted());
    expect(names((await call('Role/ListRoles', { pageSize: 3 })).body)).toEqual(all.slice(0, 3));
    for (const query of ['zEB', 'striped']) expect(names((await call('Role/SearchRoles', { query })).body)).toEqual(['Zebra']);
    expect(names((await call('Role/SearchRoles', { query: '_ebra' })).body)).toEqual([]);
  });
});
