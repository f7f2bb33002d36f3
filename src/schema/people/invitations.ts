import type {
  MemberInvitationRecordJson,
  MemberInviteLinkRecordJson,
  PublicMemberInvitationStatusJson,
} from '../../upstream/contract/generated/publicapi/v1/invitations_pb.ts';
import { wireEnum } from '../kit/enums.ts';
import { secret } from '../kit/marks.ts';
import { RecordFields } from '../kit/records.ts';
import { Member } from './members.ts';

const MemberInvitationStatus = wireEnum<PublicMemberInvitationStatusJson>()('MemberInvitationStatus', {
  description: 'The stage of an invitation.',
  prefix: 'PUBLIC_MEMBER_INVITATION_STATUS',
  members: {
    PENDING: 'Sent, and not answered yet.',
    ACCEPTED: 'Accepted: who was invited is a member.',
    REVOKED: 'Taken back.',
    EXPIRED: 'Not accepted in time.',
    OTHER: 'A state that this graph does not know: see `statusText`.',
  },
});

const invitation = new RecordFields<MemberInvitationRecordJson>('MemberInvitationRecord');

export const MemberInvitation = invitation.type('MemberInvitation', {
  description: 'An invitation by email to become a member.',
  key: 'id',
  fields: (t) => ({
    email: invitation.requiredText(t, 'email', 'The address that it was sent to.'),
    ...invitation.word(t, 'status', MemberInvitationStatus, 'The stage of the invitation.'),
    inviter: invitation.edge(t, 'inviterId', Member, 'The member who invites; null when they have left.'),
    createdAt: invitation.dateTime(t, 'createdAt', 'The moment at which it was sent.'),
    expiresAt: invitation.dateTime(t, 'expiresAt', 'Until when it can be accepted.'),
  }),
});

const link = new RecordFields<MemberInviteLinkRecordJson>('MemberInviteLinkRecord');

link.type('MemberInviteLink', {
  description: 'A link by which anybody who has it becomes a member. It can be used many times, and is not listed.',
  fields: (t) => ({
    url: t.field({
      type: 'URL',
      ...secret(link.mark('url', 'The link. Told once: null when the mutation is replayed.')),
      resolve: ({ url }) => url || null,
    }),
    expiresAt: link.dateTime(t, 'expiresAt', 'Until when it can be used.'),
  }),
});
