import type { AdvancedTaskRecord } from '../../upstream/contract/generated/records.ts';
import { defineWireEnum } from '../kit/enums.ts';
import { defineRecordType } from '../kit/recordTypes.ts';
import { defineUnion, followSubject } from '../kit/subjects.ts';
import { AdvancedTaskDefinition } from './advancedTaskDefinitions.ts';
import { Problem } from './problems.ts';
import { WorkOrder } from './workOrders.ts';

export const AdvancedTaskStatus = defineWireEnum('AdvancedTaskStatus', 'PublicAdvancedTaskStatus', {
  description: 'The status of an advanced task.',
  members: {
    OPEN: 'Not completed yet.',
    COMPLETED: 'Completed. Can be reopened.',
    OTHER: 'A status that isn’t in this schema yet. See `statusText`.',
  },
});

const AdvancedTaskOwner = defineUnion(
  'AdvancedTaskOwner',
  'A record that has advanced tasks. More types may be added, so handle unknown ones.',
  () => [Problem, WorkOrder],
);

export const AdvancedTask = defineRecordType<AdvancedTaskRecord>('AdvancedTask', {
  record: 'AdvancedTaskRecord',
  description: 'A form that must be completed before its problem can be resolved or its work order can be completed.',
  key: 'id',
  fields: (f, t) => ({
    definition: f.requiredEdge('advancedTaskDefinitionId', AdvancedTaskDefinition, 'Definition of the form.'),
    owner: t.field({
      type: AdvancedTaskOwner,
      ...f.annotate(
        'problemId',
        'Problem or work order that the task belongs to. Null if it no longer exists, or its type isn’t in this schema yet.',
      ),
      resolve: ({ problemId, workOrderId }, _args, context, info) =>
        problemId ? followSubject(Problem, problemId, context, info) : followSubject(WorkOrder, workOrderId, context, info),
    }),
    ...f.enumWithText('status', AdvancedTaskStatus, 'Status of the task: open or completed.'),
    values: t.field({
      type: 'JSON',
      nullable: false,
      ...f.annotate(
        'values',
        'Object of the values that have been filled in, keyed by the names of the definition’s fields. A value can be any JSON.',
      ),
      resolve: ({ values }) => values,
    }),
    createdAt: f.dateTime('createdAt', 'When the task was created.'),
    updatedAt: f.dateTime('updatedAt', 'When the task was last updated.'),
    completedAt: f.dateTime('completedAt', 'When the task was completed. Null while it is open.'),
  }),
});
