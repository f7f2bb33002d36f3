import { GetTeam } from '../../upstream/contract/generated/operations.ts';
import type { TeamRecord } from '../../upstream/contract/generated/records.ts';
import { defineEntity } from '../kit/entities.ts';
import type { Entity } from '../kit/registry.ts';

export const Team: Entity<TeamRecord> = defineEntity('Team', {
  record: 'TeamRecord',
  description: 'A group of workspace members.',
  operation: GetTeam,
  key: 'id',
  root: 'Looks up a team by ID. Null if it doesn’t exist.',
  fields: (f, t) => ({
    name: f.requiredString('name', 'Name of the team.'),
    description: f.string('description', 'Description of the team.'),
    color: f.scalar('color', 'HexColor', 'Color that the team is displayed in.'),
    memberCount: t.int({
      nullable: false,
      ...f.annotate('memberIds', 'Number of members in the team.'),
      resolve: ({ memberIds }) => memberIds.length,
    }),
  }),
});
