import type { Context } from '../../context.ts';
import { builder } from '../../schema/kit/builder.ts';
import { createOperationOptions } from '../../schema/kit/fieldAnnotations.ts';
import { toGlobalId } from '../../schema/kit/globalIds.ts';
import { Member } from '../../schema/people/members.ts';
import { Role } from '../../schema/people/roles.ts';
import { Team } from '../../schema/people/teams.ts';
import { Viewer } from '../../schema/workspace/workspace.ts';
import {
  ListMembers,
  ListRoles,
  ListTeams,
  RemoveMember,
  ReplaceMemberRoles,
  SearchMembers,
} from '../../upstream/contract/generated/operations.ts';
import type { MemberRecord } from '../../upstream/contract/generated/records.ts';
import { listReferenced, searchableList } from '../kit/lists.ts';
import { mutation } from '../kit/mutation.ts';
import { fetchCurrent } from '../kit/reconcile.ts';

builder.queryField('members', (t) =>
  t.field(
    searchableList(ListMembers, SearchMembers, {
      description: 'Members of the workspace. Limited to the first 100.',
      node: Member,
      query: 'Text to search for in names and email addresses.',
    }),
  ),
);

builder.objectFields(Member.ref, (t) => ({
  roles: t.field(
    listReferenced(ListRoles, {
      description: 'Roles of the member.',
      node: Role,
      ids: ({ roleIds }: MemberRecord) => roleIds,
    }),
  ),
  teams: t.field(
    listReferenced(ListTeams, {
      description: 'Teams of the member.',
      node: Team,
      ids: ({ teamIds }: MemberRecord) => teamIds,
    }),
  ),
}));

/** Only for ASCII, because lowercasing other letters can turn the address of one person into that of another. */
const toLowerCase = (email: string) => email.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());

builder.objectField(Viewer, 'member', (t) =>
  t.field(
    createOperationOptions(
      SearchMembers,
      'Member with the verified email address of the signed-in account, for display: permissions and authors are those of the API key’s member. Null for API keys, and unless exactly one member has the address.',
      {
        type: Member.ref,
        nullable: true,
        resolve: async (_me: object, _args: object, { upstream }: Context): Promise<MemberRecord | null> => {
          const email = upstream.credential?.account?.email ?? null;
          if (email === null) return null;
          // An overlay of the contract can change it.
          const pageSize = upstream.operation(SearchMembers).page?.maxSize ?? 1;
          const { members } = await upstream.call(SearchMembers, { query: email, pageSize });
          const [member, ...others] = members.filter((each) => toLowerCase(each.email) === toLowerCase(email));
          // A full page may lack another one.
          return member && others.length === 0 && members.length < pageSize ? member : null;
        },
      },
    ),
  ),
);

/** Whether both lists contain the same IDs, in any order. */
const hasSameIds = (current: readonly string[], sent: readonly string[]): boolean =>
  [...new Set(current)].sort().join() === [...new Set(sent)].sort().join();

mutation('memberRolesSet', ReplaceMemberRoles, {
  description:
    'Replaces all roles of a member. The last write wins. Teams are unchanged. The member’s API keys immediately have the permissions of the new roles, and no others.',
  on: Member,
  input: (f) => ({
    roleIds: f.roleIds('All roles of the member, replacing the current ones. An empty list removes all roles.', { required: true }),
  }),
  returns: { member: 'The updated member.' },
  reconcile: async ({ request: { memberId, roleIds = [] }, context }) => {
    const member = await fetchCurrent(Member, memberId, context);
    return member && hasSameIds(member.roleIds, roleIds) ? { member } : undefined;
  },
});

mutation('memberRemove', RemoveMember, {
  description:
    'Removes a member from the workspace and revokes their API keys. Can’t be undone. You can’t remove yourself or the last owner.',
  on: Member,
  payload: {
    resolve: (_response, { memberId = '' }) => ({ memberId }),
    fields: (t) => ({
      removedMemberId: t.id({
        nullable: false,
        description: 'Global ID of the removed member, to evict it from client caches.',
        resolve: ({ memberId }) => toGlobalId('Member', memberId),
      }),
    }),
  },
  reconcile: async ({ request: { memberId }, context }) =>
    (await fetchCurrent(Member, memberId, context)) ? undefined : { member: undefined },
});
