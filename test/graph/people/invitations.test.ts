import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { demoId } from '../../sandbox/sandbox.ts';
import { Records } from '../../support/contract/records.ts';
import { spec } from '../../support/spec.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const testGraph = useTestGraph();

const INVITATION = 'rawId email status inviter { displayName } roles(first: 5) { nodes { name } } teams(first: 5) { nodes { name } }';
const FAILURES = '__typename ... on NotFoundError { missingId path } ... on MutationError { code }';
const CREATE = `mutation ($input: MemberInvitationCreateInput!) { memberInvitationCreate(input: $input) { ${FAILURES}
  ... on MemberInvitationCreatePayload { invitation { ${INVITATION} } effect } } }`;
const REVOKE = `mutation ($input: MemberInvitationRevokeInput!) { memberInvitationRevoke(input: $input) { ${FAILURES}
  ... on MemberInvitationRevokePayload { invitation { rawId email status } effect } } }`;

const invite = async (email: string, fields: object = {}) =>
  (await testGraph.execute(CREATE, { input: { email, idempotencyKey: randomUUID(), ...fields } })).data.memberInvitationCreate;
const revoke = async (invitationId: string, idempotencyKey: string) =>
  (await testGraph.execute(REVOKE, { input: { invitationId, idempotencyKey } })).data.memberInvitationRevoke;
const listInvitations = async (first = 100) =>
  (
    await testGraph.execute(
      'query ($first: Int) { memberInvitations(first: $first) { nodes { email } totalCount isTruncated pageInfo { hasNextPage } } }',
      {
        first,
      },
    )
  ).data.memberInvitations;

const listMails = () =>
  testGraph.sandbox.world.store.all<{ recipient: string }>("SELECT recipient FROM outbox WHERE kind = 'invitation_mail'");

describe('Mutation.memberInvitationCreate', () => {
  it('sends one email per idempotency key and returns roles and teams', async () => {
    const input = {
      roleIds: [demoId('role planner'), demoId('role sales')],
      teamIds: [demoId('team planning')],
      idempotencyKey: randomUUID(),
    };
    const [{ invitation, effect }, calls] = await testGraph.recordCalls(() => invite('new@example.com', input));
    expect({ invitation, effect }).toEqual({
      invitation: {
        rawId: expect.any(String),
        email: 'new@example.com',
        status: 'PENDING',
        inviter: { displayName: 'Ada Adler' },
        roles: { nodes: expect.arrayContaining([{ name: 'Planner' }, { name: 'Sales' }]) },
        teams: { nodes: [{ name: 'Planning' }] },
      },
      effect: 'DONE',
    });
    expect(calls.toSorted()).toEqual(['Invitation/EmailMemberInvitation', 'Member/GetMember', 'Role/ListRoles', 'Team/GetTeam']);
    expect(await invite('new@example.com', input)).toMatchObject({ invitation: { rawId: invitation.rawId }, effect: 'REPLAYED' });
    expect(listMails().filter(({ recipient }) => recipient === 'new@example.com')).toHaveLength(1);
    expect((await listInvitations()).nodes[0]).toEqual({ email: 'new@example.com' });
  });
});

describe('Mutation.memberInvitationRevoke', () => {
  it('replays without the invitation, which is no longer listed, and fails with another key', spec('3.41'), async () => {
    const { invitation } = await invite('gone@example.com');
    const first = await revoke(invitation.rawId, 'revoke once');
    expect(first).toMatchObject({ invitation: { email: 'gone@example.com', status: 'REVOKED' }, effect: 'DONE' });
    const [repeat, calls] = await testGraph.recordCalls(() => revoke(invitation.rawId, 'revoke once'));
    expect([repeat, calls]).toEqual([{ ...first, invitation: null, effect: 'REPLAYED' }, ['Invitation/ListMemberInvitations']]);
    expect(await revoke(invitation.rawId, 'revoke twice')).toMatchObject({
      __typename: 'NotFoundError',
      missingId: invitation.rawId,
      path: ['invitationId'],
    });
    expect((await listInvitations()).nodes).not.toContainEqual({ email: 'gone@example.com' });
  });
});

describe('Query.memberInvitations', () => {
  it('sets isTruncated, and no totalCount, if the upstream reports more, not if the page is full', spec('4.9.9'), async () => {
    const records = new Records({ url: testGraph.sandbox.url, world: testGraph.sandbox.world });
    const add = (index: number) => records.call('Invitation/EmailMemberInvitation', { email: `person${index}@example.com` });
    for (let count = (await listInvitations()).nodes.length; count < 100; count += 1) await add(count);
    expect(await listInvitations()).toMatchObject({
      totalCount: 100,
      isTruncated: false,
      pageInfo: { hasNextPage: false },
      nodes: { length: 100 },
    });
    expect(await listInvitations(10)).toMatchObject({ totalCount: 100, nodes: { length: 10 } });
    await add(100);
    expect(await listInvitations()).toMatchObject({
      totalCount: null,
      isTruncated: true,
      pageInfo: { hasNextPage: false },
      nodes: { length: 100 },
    });
    expect(await listInvitations(10)).toMatchObject({ isTruncated: true, pageInfo: { hasNextPage: true } });
  });
});
