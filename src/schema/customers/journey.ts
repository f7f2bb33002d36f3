import type { ObjectRef } from '@pothos/core';
import { journeyStatusLoader, type PlacedStatus, STAGE, statusesOf } from '../../loaders/journey.ts';
import { ListJourneyConfig } from '../../upstream/contract/generated/operations.ts';
import type { JourneyStageRecord, ListJourneyConfigResponse } from '../../upstream/contract/generated/records.ts';
import { builder, type ObjectFields, type Types } from '../kit/builder.ts';
import { assumed } from '../kit/marks.ts';
import { rawRecord } from '../kit/rawRecords.ts';
import { RecordFields } from '../kit/records.ts';

const statusRecord = new RecordFields<PlacedStatus>('JourneyStatusRecord');

export const JourneyStatus = statusRecord.type('JourneyStatus', {
  description: 'A status that a customer can have in a stage of the customer journey.',
  key: 'id',
  fields: (t) => ({
    name: statusRecord.requiredText(t, 'name', 'Display name of the status.'),
    stage: t.field({
      type: JourneyStage,
      nullable: false,
      ...assumed('Stage that the status belongs to.'),
      resolve: (status) => status[STAGE],
    }),
    color: t.field({
      type: 'HexColor',
      ...statusRecord.mark('color', 'Color that the status is displayed in.'),
      resolve: ({ color }) => color || null,
    }),
    isActive: statusRecord.flag(t, 'isActive', 'Whether the status can be set on customers.'),
  }),
});

/** The journey status of a customer or a portfolio. */
export const journeyStatus = <RecordShape extends { journeyStatusId?: string }>(
  t: ObjectFields<RecordShape>,
  record: RecordFields<RecordShape>,
  description: string,
) =>
  t.field({
    type: JourneyStatus,
    ...record.mark('journeyStatusId', description),
    extensions: { looksIn: ListJourneyConfig },
    resolve: ({ journeyStatusId }: RecordShape, _args, { loaders }) =>
      journeyStatusId ? loaders.of(journeyStatusLoader).load(journeyStatusId) : null,
  });

const stageRecord = new RecordFields<JourneyStageRecord>('JourneyStageRecord');

const JourneyStage: ObjectRef<Types, JourneyStageRecord> = stageRecord.type('JourneyStage', {
  description: 'A stage of the customer journey, with its statuses.',
  key: 'id',
  fields: (t) => ({
    name: stageRecord.requiredText(t, 'name', 'Display name of the stage.'),
    statuses: t.field({
      type: [JourneyStatus],
      nullable: false,
      ...stageRecord.mark('statuses', 'Statuses of the stage, in order.'),
      resolve: statusesOf,
    }),
  }),
});

export const Journey = builder.objectRef<ListJourneyConfigResponse>('Journey').implement({
  description: 'The customer journey of the workspace: the stages from lead to completion.',
  fields: (t) => ({
    stages: t.field({
      type: [JourneyStage],
      nullable: false,
      ...assumed('Stages of the journey, in order.'),
      resolve: ({ stages }) => stages,
    }),
    ...rawRecord(t),
  }),
});
