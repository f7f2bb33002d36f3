import type { PublicMemberInvitationStatusJson } from '../../upstream/contract/generated/publicapi/v1/invitations_pb.ts';
import type { MemberInvitationRecord, MemberInviteLinkRecord } from '../../upstream/contract/generated/records.ts';
import { wireEnum } from '../kit/enums.ts';
import { secret } from '../kit/marks.ts';
import { RecordFields } from '../kit/records.ts';
import { Member } from './members.ts';
import { Role } from './roles.ts';
import { Team } from './teams.ts';

const MemberInvitationStatus = wireEnum<PublicMemberInvitationStatusJson>()('MemberInvitationStatus', {
  description: 'The status of an invitation.',
  prefix: 'PUBLIC_MEMBER_INVITATION_STATUS',
  members: {
    PENDING: 'Sent and awaiting a response.',
    ACCEPTED: 'Accepted: the invited person is a member.',
    REVOKED: 'Withdrawn. Can’t be accepted anymore.',
    EXPIRED: 'Not accepted in time.',
    OTHER: 'A status that isn’t in this schema yet. See `statusText`.',
  },
});

const invitation = new RecordFields<MemberInvitationRecord>('MemberInvitationRecord');

export const MemberInvitation = invitation.type('MemberInvitation', {
  description: 'An email invitation to join the workspace as a member.',
  key: 'id',
  fields: (t) => ({
    email: invitation.requiredText(t, 'email', 'Email address that the invitation was sent to.'),
    ...invitation.word(t, 'status', MemberInvitationStatus, 'Status of the invitation.'),
    inviter: invitation.edge(t, 'inviterId', Member, 'Member who sent the invitation. Null if they have left.', { isDeletable: true }),
    roleIds: invitation.targetIds(t, 'roleIds', Role, 'Global IDs of all roles that the new member is assigned.'),
    teamIds: invitation.targetIds(t, 'teamIds', Team, 'Global IDs of all teams that the new member is added to.'),
    createdAt: invitation.dateTime(t, 'createdAt', 'When the invitation was sent.'),
    expiresAt: invitation.dateTime(t, 'expiresAt', 'When the invitation expires.'),
  }),
});

const link = new RecordFields<MemberInviteLinkRecord>('MemberInviteLinkRecord');

export const MemberInviteLink = link.type('MemberInviteLink', {
  description: 'A link that lets anyone who has it join the workspace as a member. Can be used many times and isn’t listed.',
  fields: (t) => ({
    url: t.field({
      type: 'URL',
      ...secret(link.mark('url', 'URL of the link. Returned only once.')),
      resolve: ({ url }) => url || null,
    }),
    expiresAt: link.dateTime(t, 'expiresAt', 'When the link expires.'),
  }),
});
