import { beforeEach, describe, expect, it } from 'vitest';
import { memberRoleTable } from '../../../sandbox/kernel/memberships.ts';
import { fc } from '../../support/seeded.ts';
import { spec } from '../../support/spec.ts';
import { BLOCKED, FORBIDDEN, summarizeError } from '../errors.ts';
import { makeKey } from '../makeKey.ts';
import { demoId, type TestSandbox, useSandbox } from '../sandbox.ts';

const opened = useSandbox();
const { call, callAs } = opened;

const OWNER = demoId('member owner');
const SECOND = demoId('member administrator');
const OWNERS = demoId('role owner');

const listOwners = ({ world }: TestSandbox): string[] =>
  world.store
    .all<{ member_id: string }>('SELECT member_id FROM member_roles WHERE role_id = :OWNERS ORDER BY rowid', { OWNERS })
    .map(({ member_id }) => member_id);

describe('last owner', () => {
  beforeEach(() => expect(listOwners(opened.sandbox)).toEqual([OWNER]));

  it('remains one when its roles are replaced, even by itself', spec('4.9.4'), async () => {
    for (const roleIds of [[], [demoId('role administrator')]]) {
      const refused = await call('Member/ReplaceMemberRoles', { memberId: OWNER, roleIds });
      expect(summarizeError(refused)).toEqual(BLOCKED);
      expect(refused.body.message).toContain('last owner');
    }
    const unchanged = await call('Member/ReplaceMemberRoles', { memberId: OWNER, roleIds: [OWNERS] });
    expect(unchanged.body.member).toMatchObject({ id: OWNER, isOwner: true });
  });

  it('can’t be removed', async () => {
    const key = makeKey(opened.sandbox.world, { member: 'administrator' });
    const refused = await callAs(key, 'Member/RemoveMember', { memberId: OWNER });
    expect(summarizeError(refused)).toEqual(BLOCKED);
    expect(refused.body.message).toContain('last owner');
    expect((await call('Workspace/Me', {})).status).toBe(200);
  });

  it('remains when two owners resign concurrently', spec('4.9.4'), async () => {
    await call('Member/ReplaceMemberRoles', { memberId: SECOND, roleIds: [OWNERS] });
    const [first, second] = ['owner', 'administrator'].map((member) => makeKey(opened.sandbox.world, { member }));
    const stepBack = (key: string | undefined, memberId: string) =>
      callAs(key ?? '', 'Member/ReplaceMemberRoles', { memberId, roleIds: [] });
    const responses = await Promise.all([stepBack(first, OWNER), stepBack(second, SECOND)]);
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const [left = ''] = listOwners(opened.sandbox);
    expect(listOwners(opened.sandbox)).toHaveLength(1);
    // Restores the initial state for the next tests.
    const key = left === OWNER ? first : second;
    await callAs(key ?? '', 'Member/ReplaceMemberRoles', { memberId: OWNER, roleIds: [OWNERS] });
    await call('Member/ReplaceMemberRoles', { memberId: SECOND, roleIds: [demoId('role administrator')] });
  });

  it('remains when another member removes two owners concurrently', async () => {
    await call('Member/ReplaceMemberRoles', { memberId: SECOND, roleIds: [OWNERS] });
    const key = makeKey(opened.sandbox.world, { permissions: ['memberAccess:READ_WRITE'] });
    const remove = (memberId: string) => callAs(key, 'Member/RemoveMember', { memberId });
    const responses = await Promise.all([remove(SECOND), remove(OWNER)]);
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect(listOwners(opened.sandbox)).toHaveLength(1);
  });
});

describe('owners that act concurrently', () => {
  it('leave one owner, whichever resign or are removed', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(fc.nat(2), fc.nat(2)), { minLength: 4, maxLength: 10 }), async (acts) => {
        const { world } = opened.sandbox;
        const members = [1, 2, 3].map(() => makeKey(world, { permissions: ['memberAccess:FULL_ACCESS'] }));
        // Only an owner of the initial state can make other members owners.
        const [before = ''] = listOwners(opened.sandbox);
        for (const key of members) memberRoleTable.insert(world.store, { member_id: `member ${key}`, role_id: OWNERS });
        world.store.run('DELETE FROM member_roles WHERE role_id = :OWNERS AND member_id = :before', { OWNERS, before });
        await Promise.all(
          acts.map(([by, of]) => {
            const [key = '', memberId] = [members[by], `member ${members[of]}`];
            return by === of
              ? callAs(key, 'Member/ReplaceMemberRoles', { memberId, roleIds: [] })
              : callAs(key, 'Member/RemoveMember', { memberId });
          }),
        );
        expect(listOwners(opened.sandbox).length).toBeGreaterThan(0);
      }),
      { numRuns: 40 },
    );
  });
});

describe('ownership', () => {
  it('can’t be assigned by members that can’t delegate all of it', async () => {
    const key = makeKey(opened.sandbox.world, { member: 'team lead' });
    const request = { memberId: demoId('member technician'), roleIds: [OWNERS] };
    expect(summarizeError(await callAs(key, 'Member/ReplaceMemberRoles', request))).toEqual(FORBIDDEN);
    const invitation = { email: 'new.owner@example.com', roleIds: [OWNERS] };
    expect(summarizeError(await callAs(key, 'Invitation/EmailMemberInvitation', invitation))).toEqual(FORBIDDEN);
    expect(summarizeError(await callAs(key, 'Invitation/CreateInviteLink', { roleIds: [OWNERS] }))).toEqual(FORBIDDEN);
  });
});
