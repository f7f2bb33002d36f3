import { GetTeam } from '../../upstream/contract/generated/operations.ts';
import type { TeamRecordJson } from '../../upstream/contract/generated/publicapi/v1/teams_pb.ts';
import { entity } from '../kit/entities.ts';
import { RecordFields } from '../kit/records.ts';
import type { Entity } from '../kit/registry.ts';

const record = new RecordFields<TeamRecordJson>('TeamRecord');

export const Team: Entity<TeamRecordJson> = entity('Team', {
  record,
  description: 'A group of members.',
  operation: GetTeam,
  key: 'id',
  root: 'The team of this id; null when there is none.',
  fields: (t) => ({
    name: record.requiredText(t, 'name', 'The name of the team.'),
    description: record.text(t, 'description', 'A description of the team.'),
    color: t.field({
      type: 'HexColor',
      ...record.mark('color', 'The colour it is shown in.'),
      resolve: ({ color }) => color || null,
    }),
    memberCount: t.int({
      nullable: false,
      ...record.mark('memberIds', 'The number of its members.'),
      resolve: ({ memberIds = [] }) => memberIds.length,
    }),
  }),
});
