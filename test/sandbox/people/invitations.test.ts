import { afterEach, describe, expect, it } from 'vitest';
import { listSentMessages } from '../../../sandbox/kernel/outbox.ts';
import { spec } from '../../support/spec.ts';
import { INVALID, MISSING, summarizeError } from '../errors.ts';
import { demoId, printRows, START, useSandbox } from '../sandbox.ts';

const opened = useSandbox();
const { call } = opened;

const DAY = 86_400;
const ROLES = { roleIds: [demoId('role technician')], teamIds: [demoId('team field service')] };

const invite = async (email: string, request: object = ROLES) => call('Invitation/EmailMemberInvitation', { email, ...request });
const listInvitations = async (pageSize = 0) => (await call('Invitation/ListMemberInvitations', { pageSize })).body;
const listMailsTo = (email: string) => listSentMessages(opened.sandbox.world.store).filter(({ recipient }) => recipient === email);

afterEach(() => {
  opened.sandbox.now = START;
});

describe('email invitations', () => {
  it('appear in the list while pending, newest first', spec('4.9.7'), async () => {
    const { body } = await invite('first@example.com');
    const { invitations } = await listInvitations();
    expect(invitations.map(({ email }: { email: string }) => email)).toEqual([
      'first@example.com',
      'karin@example.com',
      'lars@example.com',
      'maud@example.com',
    ]);
    expect(invitations[0]).toEqual(body.invitation);
    expect(body.invitation).toMatchObject({ ...ROLES, inviterId: demoId('member owner'), expiresAt: String(START + 7 * DAY) });
    expect((await listInvitations()).truncated ?? false).toBe(false);
    expect(await listInvitations(2)).toEqual({ invitations: invitations.slice(0, 2), truncated: true });
  });

  it('expire', async () => {
    const { body } = await invite('late@example.com');
    opened.sandbox.now = START + 7 * DAY - 1;
    expect((await listInvitations()).invitations).toContainEqual(body.invitation);
    opened.sandbox.now = START + 7 * DAY;
    expect((await listInvitations()).invitations ?? []).not.toContainEqual(body.invitation);
    expect(summarizeError(await call('Invitation/RevokeMemberInvitation', { invitationId: body.invitation.id }))).toEqual(MISSING);
  });

  it('send an email on every call, with up to one pending per address', spec('4.9.11'), async () => {
    const first = await invite('again@example.com', {});
    const second = await invite('Again@example.com');
    expect(second.body.invitation).toMatchObject({ id: first.body.invitation.id, ...ROLES });
    const { id } = first.body.invitation;
    expect([...listMailsTo('Again@example.com'), ...listMailsTo('again@example.com')]).toMatchObject([
      { kind: 'invitation_mail', subject: { type: 'member_invitation', id } },
      { kind: 'invitation_mail', subject: { type: 'member_invitation', id } },
    ]);
    const emails = (await listInvitations()).invitations.map(({ email }: { email: string }) => email.toLowerCase());
    expect(emails.filter((email: string) => email === 'again@example.com')).toHaveLength(1);
  });

  it.each([
    ['belong to a member', 'Planner@example.com', ROLES, INVALID],
    ['aren’t valid', 'absent', ROLES, INVALID],
    ['include an unknown role', 'role@example.com', { roleIds: ['nothing'] }, MISSING],
    ['include an unknown team', 'team@example.com', { teamIds: ['nothing'] }, MISSING],
  ])('fail without an email if the address, roles or teams %s', async (_case, email, request, refusal) => {
    expect(summarizeError(await invite(email, request))).toEqual(refusal);
    expect(listMailsTo(email)).toEqual([]);
  });

  it('can be revoked once, and then return not found', spec('3.41', '7.26'), async () => {
    const { id } = (await invite('revoke@example.com')).body.invitation;
    const { body } = await call('Invitation/RevokeMemberInvitation', { invitationId: id });
    expect(body.invitation).toMatchObject({ id, status: 'PUBLIC_MEMBER_INVITATION_STATUS_REVOKED' });
    expect((await listInvitations()).invitations.map((each: { id: string }) => each.id)).not.toContain(id);
    expect(summarizeError(await call('Invitation/RevokeMemberInvitation', { invitationId: id }))).toEqual(MISSING);
  });

  it.each(['expired@example.com', 'revoked@example.com'])('can’t be revoked for %s of the demo data', spec('4.9.10'), async (email) => {
    const invitationId = demoId(`invitation ${email}`);
    expect(summarizeError(await call('Invitation/RevokeMemberInvitation', { invitationId }))).toEqual(MISSING);
  });
});

describe('invitation links', () => {
  it('differ on each call, aren’t listed, and aren’t stored in plain text', spec('4.9.8', '4.9.11'), async () => {
    const links = [await call('Invitation/CreateInviteLink', ROLES), await call('Invitation/CreateInviteLink', ROLES)];
    const secrets = links.map(({ body }) => body.link.url.split('/').at(-1));
    expect(links[0]?.body.link).toMatchObject({ ...ROLES, expiresAt: String(START + 7 * DAY) });
    expect(new Set(secrets).size).toBe(2);
    for (const secret of secrets) {
      expect(secret).toMatch(/^[\w-]{43}$/);
      expect(JSON.stringify(await listInvitations())).not.toContain(secret);
      expect(printRows(opened.sandbox)).not.toContain(secret);
    }
  });
});
