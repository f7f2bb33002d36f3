import { builder } from '../../schema/kit/builder.ts';
import { MemberInvitation } from '../../schema/people/invitations.ts';
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
import type { MemberInvitationRecordJson } from '../../upstream/contract/generated/publicapi/v1/invitations_pb.ts';
import { list, listOfParts } from '../kit/lists.ts';
import { mutation } from '../kit/mutation.ts';
import { inFirstPage } from '../kit/payloads.ts';
import { findCreated } from '../kit/reconcile.ts';
import { among } from './memberships.ts';

builder.queryField('memberInvitations', (t) =>
  t.field(
    list(ListMemberInvitations, {
      description: 'The invitations by email that are pending, at most the first 100. Invite links are not listed.',
      order: 'Newest first.',
      node: MemberInvitation,
    }),
  ),
);

builder.objectFields(MemberInvitation, (t) => ({
  roles: t.field(
    listOfParts(ListRoles, {
      description: 'The roles that the new member gets. Found among the first 100 roles: when there are more, the list `isTruncated`.',
      node: Role,
      parts: (role, { roleIds }: MemberInvitationRecordJson) => among(roleIds, role),
      of: ({ roleIds = [] }) => ({ roleIds }),
      isServedByKey: false,
    }),
  ),
  teams: t.field(
    listOfParts(ListTeams, {
      description: 'The teams that the new member gets into. Found among the first 100 teams: when there are more, the list `isTruncated`.',
      node: Team,
      parts: (team, { teamIds }: MemberInvitationRecordJson) => among(teamIds, team),
      of: ({ teamIds = [] }) => ({ teamIds }),
      isServedByKey: false,
    }),
  ),
}));

mutation('memberInvitationCreate', EmailMemberInvitation, {
  description: 'Invites somebody by email. Another key sends another email.',
  input: (f) => ({
    email: f.email('The address to send it to.'),
    roleIds: f.roleIds('The roles that the new member gets.'),
    teamIds: f.teamIds('The teams that the new member gets into.'),
  }),
  returns: {
    invitation: [
      'The invitation.',
      inFirstPage(
        ListMemberInvitations,
        ({ id }) => id,
        () => ({}),
      ),
    ],
  },
  // Another invitation of the same address to the same roles and teams since then has sent the same email.
  reconcile: async ({ request, startedAt, context }) => {
    const { invitations } = await context.upstream.call(ListMemberInvitations, { pageSize: 100 });
    const invitation = findCreated(invitations, request, startedAt);
    return invitation && { invitation };
  },
});

mutation('memberInvitationRevoke', RevokeMemberInvitation, {
  description: 'Takes a pending invitation back. One that is no longer pending is not found.',
  input: (f) => ({ invitationId: f.invitationId('The invitation.') }),
  returns: { invitation: 'The invitation as it was revoked.' },
});

mutation('memberInviteLinkCreate', CreateInviteLink, {
  description: 'Makes a link by which anybody who has it becomes a member, until it expires. It can be used many times.',
  input: (f) => ({
    roleIds: f.roleIds('The roles that new members get.'),
    teamIds: f.teamIds('The teams that new members get into.'),
  }),
  returns: { link: 'The link. Its `url` is told once.' },
});
