import { builder } from '../../schema/kit/builder.ts';
import { type Binder, defineInput } from '../../schema/kit/inputs.ts';
import { WorkOrderLocationField, WorkOrderTemplate, WorkOrderTemplateStatus } from '../../schema/work/workOrderTemplates.ts';
import * as messages from '../../upstream/contract/generated/messages.ts';
import {
  ArchiveWorkOrderTemplate,
  CreateWorkOrderTemplate,
  ListWorkOrderTemplateLocationFields,
  ListWorkOrderTemplates,
  UpdateWorkOrderTemplate,
} from '../../upstream/contract/generated/operations.ts';
import { declareFilter } from '../kit/filters.ts';
import { list, UNKNOWN_ORDER } from '../kit/lists.ts';
import { mutation } from '../kit/mutation.ts';
import { readAll } from '../kit/reads.ts';
import { reconcileByValues } from '../kit/reconcile.ts';

const WorkOrderTemplateFilter = declareFilter(ListWorkOrderTemplates, WorkOrderTemplate, (f) => ({
  status: f.status('Only templates with this status.', WorkOrderTemplateStatus),
}));

builder.queryFields((t) => ({
  workOrderTemplates: t.field(
    list(ListWorkOrderTemplates, {
      description: 'Templates for work orders, both active and archived.',
      node: WorkOrderTemplate,
      filter: WorkOrderTemplateFilter,
    }),
  ),

  workOrderLocationFields: t.field(
    readAll(ListWorkOrderTemplateLocationFields, {
      description: `Custom fields of customers that can hold the location of a work order. ${UNKNOWN_ORDER}`,
      type: WorkOrderLocationField.ref,
      request: () => ({}),
      resolveValue: ({ locationFields }) => locationFields,
    }),
  ),
}));

const WorkOrderTemplateTaskInput = defineInput(messages.WorkOrderTemplateTaskInput, 'A task to add to new work orders.', (f) => ({
  body: f.body('Text of the task.'),
}));

const bindInheritedFields = (
  f: Binder<typeof messages.CreateWorkOrderTemplateRequest | typeof messages.UpdateWorkOrderTemplateRequest>,
) => ({
  name: f.name('Name of the template.'),
  title: f.title('Title that work orders inherit.'),
  description: f.description('Description that work orders inherit.'),
  preferredLocationFieldId: f.preferredLocationDataFieldId(
    'Custom field of the customer that holds the location, unless a work order specifies another field.',
  ),
});

mutation('workOrderTemplateCreate', CreateWorkOrderTemplate, {
  description: 'Creates a work order template.',
  input: (f) => ({ ...bindInheritedFields(f), tasks: f.tasks('Tasks that new work orders start with.', WorkOrderTemplateTaskInput) }),
  returns: { workOrderTemplate: 'The new template.' },
});

mutation('workOrderTemplateUpdate', UpdateWorkOrderTemplate, {
  description: 'Tasks can’t be changed. Existing work orders keep the values that they inherited.',
  on: WorkOrderTemplate,
  isPatch: true,
  input: bindInheritedFields,
  returns: { workOrderTemplate: 'The updated template.' },
  reconcile: reconcileByValues(WorkOrderTemplate, 'workOrderTemplate', ({ id, ...fields }) => fields),
});

mutation('workOrderTemplateArchive', ArchiveWorkOrderTemplate, {
  description: 'Archives a work order template. No more work orders can be created from it. Can’t be undone through this API.',
  on: WorkOrderTemplate,
  returns: { workOrderTemplate: 'The archived template.' },
  isUnchanged: ({ workOrderTemplate }, before) => before?.status === workOrderTemplate?.status,
  reconcile: reconcileByValues(WorkOrderTemplate, 'workOrderTemplate', () => ({ status: 'PUBLIC_WORK_ORDER_TEMPLATE_STATUS_ARCHIVED' })),
});
