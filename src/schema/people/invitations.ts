import type { MemberInvitationRecord, MemberInviteLinkRecord } from '../../upstream/contract/generated/records.ts';
import { defineWireEnum } from '../kit/enums.ts';
import { defineRecordType } from '../kit/recordTypes.ts';
import { Member } from './members.ts';
import { Role } from './roles.ts';
import { Team } from './teams.ts';

const MemberInvitationStatus = defineWireEnum('MemberInvitationStatus', 'PublicMemberInvitationStatus', {
  description: 'The status of an invitation.',
  members: {
    PENDING: 'Sent and awaiting a response.',
    ACCEPTED: 'Accepted: the invited person is a member.',
    REVOKED: 'Withdrawn. Can’t be accepted anymore.',
    EXPIRED: 'Not accepted in time.',
    OTHER: 'A status that isn’t in this schema yet. See `statusText`.',
  },
});

export const MemberInvitation = defineRecordType<MemberInvitationRecord>('MemberInvitation', {
  record: 'MemberInvitationRecord',
  description: 'An email invitation to join the workspace as a member.',
  key: 'id',
  fields: (f) => ({
    email: f.requiredString('email', 'Email address that the invitation was sent to.'),
    ...f.enumWithText('status', MemberInvitationStatus, 'Status of the invitation.'),
    inviter: f.edge('inviterId', Member, 'Member who sent the invitation. Null if they have left.', { isDeletable: true }),
    roleIds: f.targetIds('roleIds', Role, 'Global IDs of all roles that the new member is assigned.'),
    teamIds: f.targetIds('teamIds', Team, 'Global IDs of all teams that the new member is added to.'),
    createdAt: f.dateTime('createdAt', 'When the invitation was sent.'),
    expiresAt: f.dateTime('expiresAt', 'When the invitation expires.'),
  }),
});

export const MemberInviteLink = defineRecordType<MemberInviteLinkRecord>('MemberInviteLink', {
  record: 'MemberInviteLinkRecord',
  description: 'A link that lets anyone who has it join the workspace as a member. Can be used many times and isn’t listed.',
  fields: (f) => ({
    url: f.scalar('url', 'URL', 'URL of the link. Returned only once.'),
    expiresAt: f.dateTime('expiresAt', 'When the link expires.'),
  }),
});
