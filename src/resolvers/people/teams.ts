import type { Context } from '../../context.ts';
import { builder } from '../../schema/kit/builder.ts';
import { Member } from '../../schema/people/members.ts';
import { Team } from '../../schema/people/teams.ts';
import {
  AddTeamMember,
  CreateTeam,
  ListMembers,
  ListTeams,
  RemoveTeamMember,
  SearchTeams,
  UpdateTeam,
} from '../../upstream/contract/generated/operations.ts';
import { listOfParts, searchableList } from '../kit/lists.ts';
import { mutation } from '../kit/mutation.ts';
import { fetchCurrent, reconcileByValues } from '../kit/reconcile.ts';

builder.queryField('teams', (t) =>
  t.field(
    searchableList(ListTeams, SearchTeams, {
      description: 'The teams of the workspace, at most the first 100.',
      node: Team,
      query: 'Text to find in names and descriptions.',
    }),
  ),
);

builder.objectField(Team.ref, 'members', (t) =>
  t.field(
    listOfParts(ListMembers, {
      description: 'The members who are in this team. Found among the first 100 members: when there are more, the list `isTruncated`.',
      node: Member,
      parts: (member, { id = '' }: { readonly id?: string }) => (member.teamIds?.includes(id) ? [member] : []),
      of: ({ id }) => ({ teamId: id }),
      isServedByKey: true,
    }),
  ),
);

mutation('teamCreate', CreateTeam, {
  description: 'Makes a team without members.',
  input: (f) => ({
    name: f.name('The name of the team.'),
    description: f.description('A description of the team.'),
    color: f.color('The colour to show it in; one of the Workspace API’s choosing when absent.', { as: 'HexColor' }),
  }),
  returns: { team: 'The new team.' },
});

mutation('teamUpdate', UpdateTeam, {
  description: 'One of them must be given. Members stay as they are.',
  on: Team,
  isPatch: true,
  input: (f) => ({
    name: f.name('The name of the team.'),
    description: f.description('A description of the team.'),
    color: f.color('The colour to show it in.', { as: 'HexColor' }),
  }),
  returns: { team: 'The team as it is now.' },
  reconcile: reconcileByValues(Team, 'team', ({ id, ...fields }) => fields),
});

const memberships = { team: 'The team as it is now.', member: 'The member as it is now.' };

interface Membership {
  readonly teamId?: string;
  readonly memberId?: string;
}

/** The team and the member when the one is in the other, or is not, as it was asked for. */
async function pairNow({ teamId, memberId = '' }: Membership, isIn: boolean, context: Context) {
  const team = await fetchCurrent(Team, teamId, context);
  const member = team && (team.memberIds ?? []).includes(memberId) === isIn ? await fetchCurrent(Member, memberId, context) : null;
  return team && member ? { team, member } : undefined;
}

mutation('teamMemberAdd', AddTeamMember, {
  description: 'Puts a member into a team. Other teams and the roles of the member stay as they are.',
  on: Team,
  input: (f) => ({ memberId: f.memberId('The member.') }),
  returns: memberships,
  reconcile: ({ request, context }) => pairNow(request, true, context),
});

mutation('teamMemberRemove', RemoveTeamMember, {
  description: 'Takes a member out of a team. Other teams and the roles of the member stay as they are.',
  on: Team,
  input: (f) => ({ memberId: f.memberId('The member.') }),
  returns: memberships,
  reconcile: ({ request, context }) => pairNow(request, false, context),
});
