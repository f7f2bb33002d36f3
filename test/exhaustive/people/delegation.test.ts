import { describe, expect, it } from 'vitest';
import { ACCESSES } from '../../../sandbox/kernel/permissions.ts';
import { makeKey } from '../../sandbox/makeKey.ts';
import { demoId, useSandbox } from '../../sandbox/sandbox.ts';
import { fc } from '../../support/seeded.ts';
import { spec } from '../../support/spec.ts';

const opened = useSandbox();
const { call, callAs } = opened;

const AGENT_AREA = 'workflowAutomationAccess';
/** Levels in ascending order. */
const LEVELS = ['NONE', 'READ_ONLY', 'READ_WRITE', 'FULL_ACCESS'].map((level) => `PUBLIC_DIRECTORY_PERMISSION_LEVEL_${level}`);
const READ_WRITE = 2;

interface Grant {
  readonly level: number;
  readonly delegateUpTo: number;
  readonly allowAiAgents: boolean;
  readonly delegateAiAgents: boolean;
}
type Access = Readonly<Record<string, Grant>>;

const grantArb = fc.record({ level: fc.nat(3), delegateUpTo: fc.nat(3), allowAiAgents: fc.boolean(), delegateAiAgents: fc.boolean() });

/** Changes a grant to follow the rules for grants, as little as necessary. */
const toValidGrant = (access: string, { level, delegateUpTo, allowAiAgents, delegateAiAgents }: Grant): Grant => {
  const delegated = Math.min(delegateUpTo, level);
  const allows = access === AGENT_AREA && allowAiAgents && level >= READ_WRITE;
  return { level, delegateUpTo: delegated, allowAiAgents: allows, delegateAiAgents: allows && delegateAiAgents && delegated >= READ_WRITE };
};

/** A few areas, so that the caller and the request often have some in common. */
const areaArb = fc.constantFrom(...ACCESSES.slice(0, 3), AGENT_AREA);
const accessArb: fc.Arbitrary<Access> = fc.dictionary(areaArb, grantArb, { noNullPrototype: true });
const validAccessArb: fc.Arbitrary<Access> = accessArb.map((access) =>
  Object.fromEntries(Object.entries(access).map(([name, grant]) => [name, toValidGrant(name, grant)])),
);

/** The access in the format of requests. Only one area has the flags. */
const toRequestAccess = (access: Access) =>
  Object.fromEntries(
    Object.entries(access).map(([name, { level, delegateUpTo, ...flags }]) => [
      name,
      { level: LEVELS[level], delegateUpTo: LEVELS[delegateUpTo], ...(name === AGENT_AREA && flags) },
    ]),
  );

const isValidAccess = (access: Access) =>
  Object.entries(access).every(([name, { level, delegateUpTo, allowAiAgents, delegateAiAgents }]) => {
    if (delegateUpTo > level) return false;
    if (name !== AGENT_AREA) return true;
    return (!allowAiAgents || level >= READ_WRITE) && (!delegateAiAgents || (allowAiAgents && delegateUpTo >= READ_WRITE));
  });

const isDelegable = (access: Access, caller: Access) =>
  Object.entries(access).every(([name, { level, allowAiAgents, delegateAiAgents }]) => {
    if (level > (caller[name]?.delegateUpTo ?? 0)) return false;
    return name !== AGENT_AREA || !(allowAiAgents || delegateAiAgents) || caller[AGENT_AREA]?.delegateAiAgents === true;
  });

/** The access in the format of responses, without grants of NONE, and with flags that are omitted if false. */
const normalizeAccess = (access: object) =>
  Object.fromEntries(
    Object.entries(access).flatMap(([name, grant]) => {
      const { level, delegateUpTo, allowAiAgents = false, delegateAiAgents = false } = grant;
      return level === LEVELS[0] ? [] : [[name, { level, delegateUpTo, allowAiAgents, delegateAiAgents }]];
    }),
  );

const createRole = async (access: Access): Promise<string> => {
  const { status, body } = await call('Role/CreateRole', { name: 'Made by the owner', access: toRequestAccess(access) });
  expect({ status, body }).toMatchObject({ status: 200 });
  return body.role.id;
};

/** Creates a key with this access, and write access to roles and members. The latter comes from a second role, so that the ceiling is made of two roles. */
async function createCaller(access: Access): Promise<string> {
  const admin = await createRole(
    Object.fromEntries(
      ['roleAccess', 'memberAccess'].map((name) => [
        name,
        { level: READ_WRITE, delegateUpTo: 0, allowAiAgents: false, delegateAiAgents: false },
      ]),
    ),
  );
  const roleIds = [admin, await createRole(access)];
  const { status } = await call('Member/ReplaceMemberRoles', { memberId: demoId('member technician'), roleIds });
  expect(status).toBe(200);
  return makeKey(opened.sandbox.world, { member: 'technician' });
}

const readAccess = async (id: string) => normalizeAccess((await call('Role/GetRole', { id })).body.access ?? {});

describe('role', () => {
  it('accepts only valid grants within what the caller can delegate', spec('2.7.4', '2.7.5', '2.7.8', '5.12'), async () => {
    const outcomes = new Set<number>();
    await fc.assert(
      fc.asyncProperty(validAccessArb, fc.oneof(validAccessArb, accessArb), async (ownAccess, requested) => {
        const { status, body } = await callAs(await createCaller(ownAccess), 'Role/CreateRole', {
          name: 'Wanted',
          access: toRequestAccess(requested),
        });
        const expected = !isValidAccess(requested) ? 400 : isDelegable(requested, ownAccess) ? 200 : 403;
        expect({ status, message: body.message }).toMatchObject({ status: expected });
        if (status === 200) expect(await readAccess(body.role.id)).toEqual(normalizeAccess(toRequestAccess(requested)));
        outcomes.add(status);
      }),
      { numRuns: 150 },
    );
    expect([...outcomes].toSorted()).toEqual([200, 400, 403]);
  });

  it('accepts an update only if its previous grants are also within what the caller can delegate', spec('4.9.23'), async () => {
    const outcomes = new Set<number>();
    await fc.assert(
      fc.asyncProperty(validAccessArb, validAccessArb, validAccessArb, async (ownAccess, existing, requested) => {
        const [id, key] = [await createRole(existing), await createCaller(ownAccess)];
        const { status } = await callAs(key, 'Role/UpdateRole', { id, name: 'Wanted', access: toRequestAccess(requested) });
        const isAllowed = isDelegable(existing, ownAccess) && isDelegable(requested, ownAccess);
        expect(status).toBe(isAllowed ? 200 : 403);
        expect(await readAccess(id)).toEqual(normalizeAccess(toRequestAccess(isAllowed ? requested : existing)));
        outcomes.add(status);
      }),
      { numRuns: 150 },
    );
    expect([...outcomes].toSorted()).toEqual([200, 403]);
  });

  it('follows the same rule when it is assigned to members and invitations', spec('5.12'), async () => {
    const outcomes = new Set<string>();
    await fc.assert(
      fc.asyncProperty(validAccessArb, validAccessArb, validAccessArb, async (ownAccess, previous, requested) => {
        const memberId = demoId('member second technician');
        const [before, after, key] = [await createRole(previous), await createRole(requested), await createCaller(ownAccess)];
        expect((await call('Member/ReplaceMemberRoles', { memberId, roleIds: [before] })).status).toBe(200);
        const replaced = await callAs(key, 'Member/ReplaceMemberRoles', { memberId, roleIds: [after] });
        const invited = await callAs(key, 'Invitation/CreateInviteLink', { roleIds: [after] });
        expect(invited.status).toBe(isDelegable(requested, ownAccess) ? 200 : 403);
        expect(replaced.status).toBe(isDelegable(previous, ownAccess) && isDelegable(requested, ownAccess) ? 200 : 403);
        const { member } = (await call('Member/GetMember', { id: memberId })).body;
        expect(member.roleIds).toEqual([replaced.status === 200 ? after : before]);
        outcomes.add(`${replaced.status} ${invited.status}`);
      }),
      { numRuns: 150 },
    );
    expect([...outcomes].toSorted()).toEqual(['200 200', '403 200', '403 403']);
  });
});

describe('grant', () => {
  it.each(ACCESSES)('%s can be given and revoked at each level up to the ceiling', async (access) => {
    const memberId = demoId('member second technician');
    const withoutAgents = { allowAiAgents: false, delegateAiAgents: false };
    const roles = await Promise.all([1, 2, 3].map((level) => createRole({ [access]: { level, delegateUpTo: level, ...withoutAgents } })));
    for (const ceiling of [0, 1, 2, 3]) {
      const key = await createCaller({ [access]: { level: 3, delegateUpTo: ceiling, ...withoutAgents } });
      for (const [index, role] of roles.entries()) {
        const expected = index + 1 <= ceiling ? 200 : 403;
        const requested = { [access]: { level: LEVELS[index + 1] } };
        const replace = (roleIds: readonly string[], by: string) => callAs(by, 'Member/ReplaceMemberRoles', { memberId, roleIds });
        const email = `${access}.${ceiling}.${index}@example.com`;
        await replace([], 'demo-owner');
        const assigned = await replace([role], key);
        await replace([role], 'demo-owner');
        const responses = [
          assigned,
          await replace([], key),
          await callAs(key, 'Role/CreateRole', { name: 'Wanted', access: requested }),
          await callAs(key, 'Role/UpdateRole', {
            id: role,
            name: 'Kept',
            access: { [access]: { level: LEVELS[index + 1], delegateUpTo: LEVELS[index + 1] } },
          }),
          await callAs(key, 'Invitation/EmailMemberInvitation', { email, roleIds: [role] }),
          await callAs(key, 'Invitation/CreateInviteLink', { roleIds: [role] }),
        ];
        expect(responses.map(({ status }) => status)).toEqual(responses.map(() => expected));
      }
    }
  });
});

describe('Role/CreateRole with AI agents', () => {
  const allowed = { level: LEVELS[READ_WRITE], delegateUpTo: LEVELS[READ_WRITE], allowAiAgents: true };

  it.each([
    ['owner', 200],
    // The administrator's ceiling is high enough. Its role allows AI agents, but doesn't let it delegate them.
    ['administrator', 403],
  ])('responds to the %s with status %i', async (member, expected) => {
    const key = makeKey(opened.sandbox.world, { member });
    for (const flags of [{}, { delegateAiAgents: true }]) {
      const access = { [AGENT_AREA]: { ...allowed, ...flags } };
      expect((await callAs(key, 'Role/CreateRole', { name: 'For agents', access })).status).toBe(expected);
    }
    const withoutAgents = { [AGENT_AREA]: { ...allowed, allowAiAgents: false } };
    expect((await callAs(key, 'Role/CreateRole', { name: 'Without agents', access: withoutAgents })).status).toBe(200);
  });

  it.each([
    ['allowed below READ_WRITE', { level: LEVELS[1], allowAiAgents: true }],
    ['delegated without being allowed', { ...allowed, allowAiAgents: false, delegateAiAgents: true }],
    ['delegated below READ_WRITE', { ...allowed, delegateUpTo: LEVELS[1], delegateAiAgents: true }],
  ])('rejects flags that are %s', async (_case, grant) => {
    const { status, body } = await call('Role/CreateRole', { name: 'For agents', access: { [AGENT_AREA]: grant } });
    expect({ status, message: body.message }).toEqual({ status: 400, message: expect.stringContaining(AGENT_AREA) });
  });
});
