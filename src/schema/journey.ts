import type { JourneyStageRecordJson, JourneyStatusRecordJson } from '../upstream/generated/publicapi/v1/journey_pb.ts';
import { builder } from './builder.ts';
import { RecordFields } from './records.ts';

const statusRecord = new RecordFields<JourneyStatusRecordJson>('JourneyStatusRecord');

export const JourneyStatus = builder.objectRef<JourneyStatusRecordJson>('JourneyStatus').implement({
  description: 'Where a customer can stand within a stage of the journey.',
  fields: (t) => ({
    rawId: statusRecord.rawId(t, 'id'),
    name: statusRecord.text(t, 'name', 'What people call it.'),
    color: t.field({
      type: 'HexColor',
      ...statusRecord.mark('color', 'The colour it is shown in.'),
      resolve: ({ color }) => color || null,
    }),
    isActive: statusRecord.flag(t, 'isActive', 'Whether customers can be given it.'),
  }),
});

const stageRecord = new RecordFields<JourneyStageRecordJson>('JourneyStageRecord');

export const JourneyStage = builder.objectRef<JourneyStageRecordJson>('JourneyStage').implement({
  description: 'A part of the way from lead to done.',
  fields: (t) => ({
    rawId: stageRecord.rawId(t, 'id'),
    name: stageRecord.text(t, 'name', 'What people call it.'),
    statuses: t.field({
      type: [JourneyStatus],
      nullable: false,
      ...stageRecord.mark('statuses', 'The statuses of this stage, in order.'),
      resolve: ({ statuses }) => statuses ?? [],
    }),
  }),
});
