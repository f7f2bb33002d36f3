import type { ObjectRef } from '@pothos/core';
import { getStatuses, STAGE, type StatusWithStage } from '../../loaders/journey.ts';
import type { JourneyStageRecord, ListJourneyConfigResponse } from '../../upstream/contract/generated/records.ts';
import { builder, type Types } from '../kit/builder.ts';
import { annotateAssumed } from '../kit/fieldAnnotations.ts';
import { defineRecordType } from '../kit/recordTypes.ts';

export const JourneyStatus = defineRecordType<StatusWithStage>('JourneyStatus', {
  record: 'JourneyStatusRecord',
  description: 'A status that a customer can have in a stage of the customer journey.',
  key: 'id',
  fields: (f, t) => ({
    name: f.requiredString('name', 'Display name of the status.'),
    stage: t.field({
      type: JourneyStage,
      nullable: false,
      ...annotateAssumed('Stage that the status belongs to.'),
      resolve: (status) => status[STAGE],
    }),
    color: f.scalar('color', 'HexColor', 'Color that the status is displayed in.'),
    isActive: f.boolean('isActive', 'Whether the status can be set on customers.'),
  }),
});

const JourneyStage: ObjectRef<Types, JourneyStageRecord> = defineRecordType('JourneyStage', {
  record: 'JourneyStageRecord',
  description: 'A stage of the customer journey, with its statuses.',
  key: 'id',
  fields: (f, t) => ({
    name: f.requiredString('name', 'Display name of the stage.'),
    statuses: t.field({
      type: [JourneyStatus],
      nullable: false,
      ...f.annotate('statuses', 'Statuses of the stage, in order.'),
      resolve: getStatuses,
    }),
  }),
});

export const Journey = builder.objectRef<ListJourneyConfigResponse>('Journey').implement({
  description: 'The customer journey of the workspace: the stages from lead to completion.',
  fields: (t) => ({
    stages: t.field({
      type: [JourneyStage],
      nullable: false,
      ...annotateAssumed('Stages of the journey, in order.'),
      resolve: ({ stages }) => stages,
    }),
  }),
});
