import { GetTeam } from '../../upstream/contract/generated/operations.ts';
import type { TeamRecord } from '../../upstream/contract/generated/records.ts';
import { entity } from '../kit/entities.ts';
import { RecordFields } from '../kit/records.ts';
import type { Entity } from '../kit/registry.ts';

const record = new RecordFields<TeamRecord>('TeamRecord');

export const Team: Entity<TeamRecord> = entity('Team', {
  record,
  description: 'A group of workspace members.',
  operation: GetTeam,
  key: 'id',
  root: 'Looks up a team by ID. Null if it doesn’t exist.',
  fields: (t) => ({
    name: record.requiredText(t, 'name', 'Name of the team.'),
    description: record.text(t, 'description', 'Description of the team.'),
    color: t.field({
      type: 'HexColor',
      ...record.mark('color', 'Color that the team is displayed in.'),
      resolve: ({ color }) => color || null,
    }),
    memberCount: t.int({
      nullable: false,
      ...record.mark('memberIds', 'Number of members in the team.'),
      resolve: ({ memberIds }) => memberIds.length,
    }),
  }),
});
