import { GetTeam } from '../../upstream/contract/generated/operations.ts';
import type { TeamRecord } from '../../upstream/contract/generated/records.ts';
import { entity } from '../kit/entities.ts';
import type { Entity } from '../kit/registry.ts';

export const Team: Entity<TeamRecord> = entity('Team', {
  record: 'TeamRecord',
  description: 'A group of workspace members.',
  operation: GetTeam,
  key: 'id',
  root: 'Looks up a team by ID. Null if it doesn’t exist.',
  fields: (f, t) => ({
    name: f.requiredText('name', 'Name of the team.'),
    description: f.text('description', 'Description of the team.'),
    color: f.scalar('color', 'HexColor', 'Color that the team is displayed in.'),
    memberCount: t.int({
      nullable: false,
      ...f.mark('memberIds', 'Number of members in the team.'),
      resolve: ({ memberIds }) => memberIds.length,
    }),
  }),
});
