import { workOrderLocationFieldLoader } from '../../loaders/workOrders.ts';
import { GetWorkOrderTemplate, ListWorkOrderTemplateLocationFields } from '../../upstream/contract/generated/operations.ts';
import type {
  WorkOrderLocationFieldRecord,
  WorkOrderTemplateRecord,
  WorkOrderTemplateTaskRecord,
} from '../../upstream/contract/generated/records.ts';
import { defineEntity } from '../kit/entities.ts';
import { defineWireEnum } from '../kit/enums.ts';
import { defineRecordType } from '../kit/recordTypes.ts';
import type { Entity } from '../kit/registry.ts';

export const WorkOrderTemplateStatus = defineWireEnum('WorkOrderTemplateStatus', 'PublicWorkOrderTemplateStatus', {
  description: 'The status of a work order template.',
  members: {
    ACTIVE: 'Work orders can be created from the template.',
    ARCHIVED: 'No more work orders can be created from the template. Existing ones are unaffected.',
    OTHER: 'A status that isn’t in this schema yet. See `statusText`.',
  },
});

export const WorkOrderLocationField: Entity<WorkOrderLocationFieldRecord> = defineEntity('WorkOrderLocationField', {
  record: 'WorkOrderLocationFieldRecord',
  description:
    'A custom field that holds a location. Its ID isn’t the `name` of its `CustomFieldDefinition`, and the Workspace API doesn’t link the two.',
  operation: ListWorkOrderTemplateLocationFields,
  loader: workOrderLocationFieldLoader,
  key: 'id',
  fields: (f) => ({
    label: f.string('label', 'Display name of the field.'),
  }),
});

const WorkOrderTemplateTask = defineRecordType<WorkOrderTemplateTaskRecord>('WorkOrderTemplateTask', {
  record: 'WorkOrderTemplateTaskRecord',
  description: 'A task that a template adds to its work orders.',
  fields: (f) => ({
    body: f.requiredString('body', 'Text of the task.'),
  }),
});

export const WorkOrderTemplate: Entity<WorkOrderTemplateRecord> = defineEntity('WorkOrderTemplate', {
  record: 'WorkOrderTemplateRecord',
  description: 'A template for work orders: their default texts, tasks, and location.',
  operation: GetWorkOrderTemplate,
  key: 'id',
  root: 'Looks up a work order template by ID, active or archived. Null if it doesn’t exist.',
  fields: (f) => ({
    name: f.requiredString('name', 'Name of the template.'),
    ...f.enumWithText('status', WorkOrderTemplateStatus, 'Status of the template: active or archived.'),
    title: f.string('title', 'Title that work orders inherit.'),
    description: f.string('description', 'Description that work orders inherit.'),
    tasks: f.list('tasks', WorkOrderTemplateTask, 'Tasks that new work orders start with.'),
    preferredLocationField: f.edge(
      'preferredLocationDataFieldId',
      WorkOrderLocationField,
      'Custom field of the customer that holds the location, unless a work order specifies another field. Null if the template has no such field, or the field was deleted or isn’t visible to the key.',
      { isDeletable: true },
    ),
    requiresLocation: f.boolean(
      'requiresLocationOverride',
      'Whether work orders must specify a location because the preferred field can’t be used. If false, one is still required for customers without a value in that field. See `Customer.workOrderLocations`.',
    ),
    createdAt: f.dateTime('createdAt', 'When the template was created.'),
    updatedAt: f.dateTime('updatedAt', 'When the template was last updated.'),
    archivedAt: f.dateTime('archivedAt', 'When the template was archived. Null while it is active.'),
  }),
});
