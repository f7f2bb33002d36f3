import { readLargestPage } from '../../loaders/listScan.ts';
import { builder } from '../../schema/kit/builder.ts';
import { rankDescendingBy } from '../../schema/paging/anchors.ts';
import { MemberInvitation, MemberInviteLink } from '../../schema/people/invitations.ts';
import { Role } from '../../schema/people/roles.ts';
import { Team } from '../../schema/people/teams.ts';
import {
  CreateInviteLink,
  EmailMemberInvitation,
  ListMemberInvitations,
  ListRoles,
  ListTeams,
  RevokeMemberInvitation,
} from '../../upstream/contract/generated/operations.ts';
import type { MemberInvitationRecord } from '../../upstream/contract/generated/records.ts';
import { list, listReferenced } from '../kit/lists.ts';
import { mutation } from '../kit/mutation.ts';
import { filterCreated } from '../kit/reconcile.ts';
import { readFirstPage, registerReread, rereadNothing } from '../kit/rereads.ts';

builder.queryField('memberInvitations', (t) =>
  t.field(
    list(ListMemberInvitations, {
      description: 'Pending email invitations. Limited to the first 100. Excludes invite links.',
      order: 'Newest first.',
      sortedBy: rankDescendingBy('createdAt'),
      node: MemberInvitation,
    }),
  ),
);

builder.objectFields(MemberInvitation, (t) => ({
  roles: t.field(
    listReferenced(ListRoles, {
      description: 'Roles that the new member is assigned.',
      node: Role,
      ids: ({ roleIds }: MemberInvitationRecord) => roleIds,
    }),
  ),
  teams: t.field(
    listReferenced(ListTeams, {
      description: 'Teams that the new member is added to.',
      node: Team,
      ids: ({ teamIds }: MemberInvitationRecord) => teamIds,
    }),
  ),
}));

registerReread(
  MemberInvitation,
  readFirstPage(ListMemberInvitations, () => ({})),
);
registerReread(MemberInviteLink, rereadNothing);

mutation('memberInvitationCreate', EmailMemberInvitation, {
  description: 'Sends an email invitation to join the workspace. Another key sends another email.',
  input: (f) => ({
    email: f.email('Email address to send the invitation to.'),
    roleIds: f.roleIds('Roles to assign to the new member.'),
    teamIds: f.teamIds('Teams to add the new member to.'),
  }),
  returns: { invitation: 'The new invitation.' },
  reconcile: {
    calls: 1,
    find: async ({ request, context, startedAt }) => {
      const { rows } = await readLargestPage(context.upstream, ListMemberInvitations, {});
      return filterCreated(rows, request, startedAt);
    },
  },
});

mutation('memberInvitationRevoke', RevokeMemberInvitation, {
  description: 'Revokes a pending invitation. Returns `NotFoundError` if it is no longer pending.',
  input: (f) => ({ invitationId: f.invitationId('Invitation to revoke.') }),
  returns: { invitation: 'The revoked invitation, which is no longer listed.' },
});

mutation('memberInviteLinkCreate', CreateInviteLink, {
  description:
    'Creates a link that lets anyone who has it join the workspace as a member until it expires. The link can be used many times.',
  input: (f) => ({
    roleIds: f.roleIds('Roles to assign to new members.'),
    teamIds: f.teamIds('Teams to add new members to.'),
  }),
  returns: { link: 'The new link. Returned only once.' },
});
