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
import type { TeamRecord } from '../../upstream/contract/generated/records.ts';
import { listReferenced, searchableList } from '../kit/lists.ts';
import { mutation } from '../kit/mutation.ts';
import { fetchCurrent, reconcileByValues } from '../kit/reconcile.ts';

builder.queryField('teams', (t) =>
  t.field(
    searchableList(ListTeams, SearchTeams, {
      description: 'Teams of the workspace. Limited to the first 100.',
      node: Team,
      query: 'Text to search for in names and descriptions.',
    }),
  ),
);

builder.objectField(Team.ref, 'members', (t) =>
  t.field(
    listReferenced(ListMembers, {
      description: 'Members of the team.',
      node: Member,
      ids: ({ memberIds }: TeamRecord) => memberIds,
    }),
  ),
);

mutation('teamCreate', CreateTeam, {
  description: 'Creates a team without members.',
  input: (f) => ({
    name: f.name('Name of the team.'),
    description: f.description('Description of the team.'),
    color: f.color('Color to display the team in. Defaults to a color chosen by the Workspace API.', { as: 'HexColor' }),
  }),
  returns: { team: 'The new team.' },
});

mutation('teamUpdate', UpdateTeam, {
  description: 'At least one of them is required. Members are unchanged.',
  on: Team,
  isPatch: true,
  input: (f) => ({
    name: f.name('Name of the team.'),
    description: f.description('Description of the team.'),
    color: f.color('Color to display the team in.', { as: 'HexColor' }),
  }),
  returns: { team: 'The updated team.' },
  reconcile: reconcileByValues(Team, 'team', ({ id, ...fields }) => fields),
});

const memberships = { team: 'The updated team.', member: 'The updated member.' };

interface Membership {
  readonly teamId?: string;
  readonly memberId?: string;
}

/** Fetches the team and the member if the membership is as requested. Otherwise undefined. */
async function fetchMembership({ teamId, memberId = '' }: Membership, isMember: boolean, context: Context) {
  const team = await fetchCurrent(Team, teamId, context);
  const member = team && team.memberIds.includes(memberId) === isMember ? await fetchCurrent(Member, memberId, context) : null;
  return team && member ? { team, member } : undefined;
}

mutation('teamMemberAdd', AddTeamMember, {
  description:
    'Adds a member to a team. The member’s other teams and roles are unchanged. If the member is already in the team, the effect is `UNCHANGED`.',
  on: Team,
  input: (f) => ({ memberId: f.memberId('Member to add.') }),
  returns: memberships,
  isUnchanged: (_response, before, { memberId = '' }) => before?.memberIds.includes(memberId) === true,
  reconcile: ({ request, context }) => fetchMembership(request, true, context),
});

mutation('teamMemberRemove', RemoveTeamMember, {
  description:
    'Removes a member from a team. The member’s other teams and roles are unchanged. If the member isn’t in the team, the effect is `UNCHANGED`.',
  on: Team,
  input: (f) => ({ memberId: f.memberId('Member to remove.') }),
  returns: memberships,
  isUnchanged: (_response, before, { memberId = '' }) => before?.memberIds.includes(memberId) === false,
  reconcile: ({ request, context }) => fetchMembership(request, false, context),
});
