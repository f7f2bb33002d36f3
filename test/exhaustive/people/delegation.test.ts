import { describe, expect, it } from 'vitest';
import { ACCESSES } from '../../../sandbox/kernel/permissions.ts';
import { makeKey } from '../../sandbox/makeKey.ts';
import { demoId, useSandbox } from '../../sandbox/sandbox.ts';
import { fc } from '../../support/seeded.ts';
import { spec } from '../../support/spec.ts';

const opened = useSandbox();
const { call, callAs } = opened;

const AGENTS = 'workflowAutomationAccess';
/** Levels in ascending order. */
const LEVELS = ['NONE', 'READ_ONLY', 'READ_WRITE', 'FULL_ACCESS'].map((word) => `PUBLIC_DIRECTORY_PERMISSION_LEVEL_${word}`);
const READ_WRITE = 2;

interface Grant {
  readonly level: number;
  readonly delegateUpTo: number;
  readonly allowAiAgents: boolean;
  readonly delegateAiAgents: boolean;
}
type Access = Readonly<Record<string, Grant>>;

const some = fc.record({ level: fc.nat(3), delegateUpTo: fc.nat(3), allowAiAgents: fc.boolean(), delegateAiAgents: fc.boolean() });

/** Changes a grant to follow the rules for grants, as little as necessary. */
const sound = (access: string, { level, delegateUpTo, allowAiAgents, delegateAiAgents }: Grant): Grant => {
  const delegated = Math.min(delegateUpTo, level);
  const allows = access === AGENTS && allowAiAgents && level >= READ_WRITE;
  return { level, delegateUpTo: delegated, allowAiAgents: allows, delegateAiAgents: allows && delegateAiAgents && delegated >= READ_WRITE };
};

/** A few areas, so that the caller and the request often have some in common. */
const areas = fc.constantFrom(...ACCESSES.slice(0, 3), AGENTS);
const anyAccess: fc.Arbitrary<Access> = fc.dictionary(areas, some, { noNullPrototype: true });
const soundAccess: fc.Arbitrary<Access> = anyAccess.map((access) =>
  Object.fromEntries(Object.entries(access).map(([name, grant]) => [name, sound(name, grant)])),
);

/** The access in the format of requests. Only one area has the flags. */
const sent = (access: Access) =>
  Object.fromEntries(
    Object.entries(access).map(([name, { level, delegateUpTo, ...flags }]) => [
      name,
      { level: LEVELS[level], delegateUpTo: LEVELS[delegateUpTo], ...(name === AGENTS && flags) },
    ]),
  );

const isSound = (access: Access) =>
  Object.entries(access).every(([name, { level, delegateUpTo, allowAiAgents, delegateAiAgents }]) => {
    if (delegateUpTo > level) return false;
    if (name !== AGENTS) return true;
    return (!allowAiAgents || level >= READ_WRITE) && (!delegateAiAgents || (allowAiAgents && delegateUpTo >= READ_WRITE));
  });

const fits = (access: Access, caller: Access) =>
  Object.entries(access).every(([name, { level, allowAiAgents, delegateAiAgents }]) => {
    if (level > (caller[name]?.delegateUpTo ?? 0)) return false;
    return name !== AGENTS || !(allowAiAgents || delegateAiAgents) || caller[AGENTS]?.delegateAiAgents === true;
  });

/** The access in the format of responses, without grants of NONE, and with flags that are omitted if false. */
const granted = (access: object) =>
  Object.fromEntries(
    Object.entries(access).flatMap(([name, grant]) => {
      const { level, delegateUpTo, allowAiAgents = false, delegateAiAgents = false } = grant;
      return level === LEVELS[0] ? [] : [[name, { level, delegateUpTo, allowAiAgents, delegateAiAgents }]];
    }),
  );

const created = async (access: Access): Promise<string> => {
  const { status, body } = await call('Role/CreateRole', { name: 'Made by the owner', access: sent(access) });
  expect({ status, body }).toMatchObject({ status: 200 });
  return body.role.id;
};

/** Creates a key with this access, and write access to roles and members. The latter comes from a second role, so that the ceiling is made of two roles. */
async function callerWith(access: Access): Promise<string> {
  const admin = await created(
    Object.fromEntries(
      ['roleAccess', 'memberAccess'].map((name) => [
        name,
        { level: READ_WRITE, delegateUpTo: 0, allowAiAgents: false, delegateAiAgents: false },
      ]),
    ),
  );
  const roleIds = [admin, await created(access)];
  const { status } = await call('Member/ReplaceMemberRoles', { memberId: demoId('member technician'), roleIds });
  expect(status).toBe(200);
  return makeKey(opened.sandbox.world, { member: 'technician' });
}

const accessOf = async (id: string) => granted((await call('Role/GetRole', { id })).body.access ?? {});

describe('role', () => {
  it('is created if its grants are valid and within what the caller can delegate', spec('2.7.4', '2.7.5', '2.7.8', '5.12'), async () => {
    const outcomes = new Set<number>();
    await fc.assert(
      fc.asyncProperty(soundAccess, fc.oneof(soundAccess, anyAccess), async (own, wanted) => {
        const { status, body } = await callAs(await callerWith(own), 'Role/CreateRole', { name: 'Wanted', access: sent(wanted) });
        const expected = !isSound(wanted) ? 400 : fits(wanted, own) ? 200 : 403;
        expect({ status, message: body.message }).toMatchObject({ status: expected });
        if (status === 200) expect(await accessOf(body.role.id)).toEqual(granted(sent(wanted)));
        outcomes.add(status);
      }),
      { numRuns: 150 },
    );
    expect([...outcomes].toSorted()).toEqual([200, 400, 403]);
  });

  it(
    'is updated if its previous grants are also within what the caller can delegate, and otherwise stays unchanged',
    spec('4.9.23'),
    async () => {
      const outcomes = new Set<number>();
      await fc.assert(
        fc.asyncProperty(soundAccess, soundAccess, soundAccess, async (own, existing, wanted) => {
          const [id, key] = [await created(existing), await callerWith(own)];
          const { status } = await callAs(key, 'Role/UpdateRole', { id, name: 'Wanted', access: sent(wanted) });
          const isAllowed = fits(existing, own) && fits(wanted, own);
          expect(status).toBe(isAllowed ? 200 : 403);
          expect(await accessOf(id)).toEqual(granted(sent(isAllowed ? wanted : existing)));
          outcomes.add(status);
        }),
        { numRuns: 150 },
      );
      expect([...outcomes].toSorted()).toEqual([200, 403]);
    },
  );

  it('is assigned to members and invitations by the same rule', spec('5.12'), async () => {
    const outcomes = new Set<string>();
    await fc.assert(
      fc.asyncProperty(soundAccess, soundAccess, soundAccess, async (own, held, wanted) => {
        const memberId = demoId('member second technician');
        const [before, after, key] = [await created(held), await created(wanted), await callerWith(own)];
        expect((await call('Member/ReplaceMemberRoles', { memberId, roleIds: [before] })).status).toBe(200);
        const replaced = await callAs(key, 'Member/ReplaceMemberRoles', { memberId, roleIds: [after] });
        const invited = await callAs(key, 'Invitation/CreateInviteLink', { roleIds: [after] });
        expect(invited.status).toBe(fits(wanted, own) ? 200 : 403);
        expect(replaced.status).toBe(fits(held, own) && fits(wanted, own) ? 200 : 403);
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
  it.each(ACCESSES)('of %s can be given and revoked at each level up to the ceiling', async (access) => {
    const memberId = demoId('member second technician');
    const plain = { allowAiAgents: false, delegateAiAgents: false };
    const roles = await Promise.all([1, 2, 3].map((level) => created({ [access]: { level, delegateUpTo: level, ...plain } })));
    for (const ceiling of [0, 1, 2, 3]) {
      const key = await callerWith({ [access]: { level: 3, delegateUpTo: ceiling, ...plain } });
      for (const [index, role] of roles.entries()) {
        const expected = index + 1 <= ceiling ? 200 : 403;
        const wanted = { [access]: { level: LEVELS[index + 1] } };
        const replace = (roleIds: readonly string[], by: string) => callAs(by, 'Member/ReplaceMemberRoles', { memberId, roleIds });
        const email = `${access}.${ceiling}.${index}@example.com`;
        await replace([], 'demo-owner');
        const given = await replace([role], key);
        await replace([role], 'demo-owner');
        const answers = [
          given,
          await replace([], key),
          await callAs(key, 'Role/CreateRole', { name: 'Wanted', access: wanted }),
          await callAs(key, 'Role/UpdateRole', {
            id: role,
            name: 'Kept',
            access: { [access]: { level: LEVELS[index + 1], delegateUpTo: LEVELS[index + 1] } },
          }),
          await callAs(key, 'Invitation/EmailMemberInvitation', { email, roleIds: [role] }),
          await callAs(key, 'Invitation/CreateInviteLink', { roleIds: [role] }),
        ];
        expect(answers.map(({ status }) => status)).toEqual(answers.map(() => expected));
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
  ])('called by the %s returns %i', async (member, expected) => {
    const key = makeKey(opened.sandbox.world, { member });
    for (const flags of [{}, { delegateAiAgents: true }]) {
      const access = { [AGENTS]: { ...allowed, ...flags } };
      expect((await callAs(key, 'Role/CreateRole', { name: 'For agents', access })).status).toBe(expected);
    }
    const plain = { [AGENTS]: { ...allowed, allowAiAgents: false } };
    expect((await callAs(key, 'Role/CreateRole', { name: 'Without agents', access: plain })).status).toBe(200);
  });

  it.each([
    ['allowed below READ_WRITE', { level: LEVELS[1], allowAiAgents: true }],
    ['delegated without being allowed', { ...allowed, allowAiAgents: false, delegateAiAgents: true }],
    ['delegated below READ_WRITE', { ...allowed, delegateUpTo: LEVELS[1], delegateAiAgents: true }],
  ])('rejects flags that are %s', async (_case, grant) => {
    const { status, body } = await call('Role/CreateRole', { name: 'For agents', access: { [AGENTS]: grant } });
    expect({ status, message: body.message }).toEqual({ status: 400, message: expect.stringContaining(AGENTS) });
  });
});
