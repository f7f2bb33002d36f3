import { builder } from '../../schema/kit/builder.ts';
import { toGlobalId } from '../../schema/kit/globalIds.ts';
import { Member } from '../../schema/people/members.ts';
import { Role } from '../../schema/people/roles.ts';
import { Team } from '../../schema/people/teams.ts';
import {
  ListMembers,
  ListRoles,
  ListTeams,
  RemoveMember,
  ReplaceMemberRoles,
  SearchMembers,
} from '../../upstream/contract/generated/operations.ts';
import type { MemberRecordJson } from '../../upstream/contract/generated/publicapi/v1/members_pb.ts';
import { listOfParts, searchableList } from '../kit/lists.ts';
import { mutation } from '../kit/mutation.ts';
import { fetchCurrent } from '../kit/reconcile.ts';
import { among, areSame } from './memberships.ts';

builder.queryField('members', (t) =>
  t.field(
    searchableList(ListMembers, SearchMembers, {
      description: 'The members of the workspace, at most the first 100.',
      node: Member,
      query: 'Text to find in names and email addresses.',
    }),
  ),
);

builder.objectFields(Member.ref, (t) => ({
  roles: t.field(
    listOfParts(ListRoles, {
      description: 'Its roles. Found among the first 100 roles: when there are more, the list `isTruncated`.',
      node: Role,
      parts: (role, { roleIds }: MemberRecordJson) => among(roleIds, role),
      of: ({ roleIds = [] }) => ({ roleIds }),
      isServedByKey: false,
    }),
  ),
  teams: t.field(
    listOfParts(ListTeams, {
      description: 'Its teams. Found among the first 100 teams: when there are more, the list `isTruncated`.',
      node: Team,
      parts: (team, { teamIds }: MemberRecordJson) => among(teamIds, team),
      of: ({ teamIds = [] }) => ({ teamIds }),
      isServedByKey: false,
    }),
  ),
}));

mutation('memberRolesSet', ReplaceMemberRoles, {
  description:
    'Gives a member these roles in place of all others: the last writer wins. Teams stay as they are. The API keys of the member may do at once what the roles allow, and no more.',
  on: Member,
  input: (f) => ({ roleIds: f.roleIds('All roles from now on; none takes all of them away.', { required: true }) }),
  returns: { member: 'The member as it is now.' },
  reconcile: async ({ request: { memberId, roleIds = [] }, context }) => {
    const member = await fetchCurrent(Member, memberId, context);
    return member && areSame(member.roleIds, roleIds) ? { member } : undefined;
  },
});

mutation('memberRemove', RemoveMember, {
  description:
    'Removes a member from the workspace, and revokes its API keys. It cannot be undone; nobody can remove themselves or the last owner.',
  on: Member,
  answer: (_response, { memberId = '' }) => ({ memberId }),
  payload: (t) => ({
    removedMemberId: t.id({
      nullable: false,
      description: 'The `id` that the member had: for caches to forget it by.',
      resolve: ({ memberId }) => toGlobalId('Member', memberId),
    }),
  }),
  reconcile: async ({ request: { memberId }, context }) => ((await fetchCurrent(Member, memberId, context)) ? undefined : {}),
});
