import { Team } from '../../src/upstream/contract/generated/publicapi/v1/teams_pb.ts';
import { type CallContext, createContainsSql, toAsciiLowerCase } from '../kernel/call.ts';
import { domain } from '../kernel/service.ts';
import { getMember, getTeam, type TeamRow, teamMemberTable, teamTable, toMember, toTeam } from './memberRecords.ts';

/** Default color of a team. Chosen. */
const DEFAULT_COLOR = '#5B7FFF';

const readTeam = (call: CallContext, id: string) => ({ team: toTeam(call.store, getTeam(call, id)) });

/** The distinct IDs. Throws if the workspace doesn't contain one of the teams. */
export const requireTeams = (call: CallContext, ids: readonly string[]): string[] => [...new Set(ids)].map((id) => getTeam(call, id).id);

/** The columns of a team membership. */
interface MembershipIds extends Record<string, string> {
  readonly team_id: string;
  readonly member_id: string;
}

/** Runs `work` on a team and a member. Returns both as they are afterwards. */
function changeMembership(
  call: CallContext,
  request: { readonly teamId: string; readonly memberId: string },
  work: (ids: MembershipIds) => void,
) {
  const [team, member] = [getTeam(call, request.teamId), getMember(call, request.memberId)];
  work({ team_id: team.id, member_id: member.id });
  return { team: toTeam(call.store, team), member: toMember(call.store, member) };
}

export const teams = domain(Team, {
  tables: [teamTable, teamMemberTable],
  handlers: {
    getTeam: {
      permission: 'teamAccess:READ_ONLY',
      run: ({ id }, call) => readTeam(call, id),
    },

    createTeam: {
      permission: 'teamAccess:READ_WRITE',
      run: ({ name, description, color }, call) => {
        const id = call.id();
        teamTable.insert(call.store, { id, workspace_id: call.workspaceId, name, description, color: color ?? DEFAULT_COLOR });
        return readTeam(call, id);
      },
    },

    updateTeam: {
      permission: 'teamAccess:READ_WRITE',
      run: ({ id, ...given }, call) => {
        const { name, description, color } = getTeam(call, id);
        teamTable.update(call.store, id, {
          name: given.name ?? name,
          description: given.description ?? description,
          color: given.color ?? color,
        });
        return readTeam(call, id);
      },
    },

    listTeams: {
      permission: 'teamAccess:READ_ONLY',
      run: (request, call) => ({
        teams: teamTable.page(call, request, {}, 'name, id').rows.map((row) => toTeam(call.store, row)),
      }),
    },

    searchTeams: {
      permission: 'teamAccess:READ_ONLY',
      run: (request, call) => {
        const { rows } = call.page<TeamRow>(
          request,
          `SELECT * FROM teams
           WHERE workspace_id = :workspaceId AND (${createContainsSql('name')} OR ${createContainsSql('description')}) ORDER BY name, id`,
          { workspaceId: call.workspaceId, query: toAsciiLowerCase(request.query) },
        );
        return { teams: rows.map((row) => toTeam(call.store, row)) };
      },
    },

    addTeamMember: {
      permission: 'teamAccess:READ_WRITE',
      run: (request, call) =>
        changeMembership(call, request, (ids) => {
          if (!teamMemberTable.find(call.store, ids)) teamMemberTable.insert(call.store, ids);
        }),
    },

    removeTeamMember: {
      permission: 'teamAccess:READ_WRITE',
      run: (request, call) =>
        changeMembership(call, request, (ids) => {
          call.store.run('DELETE FROM team_members WHERE team_id = :team_id AND member_id = :member_id', ids);
        }),
    },
  },
});
