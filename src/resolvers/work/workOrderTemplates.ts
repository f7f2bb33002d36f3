import { builder } from '../../schema/kit/builder.ts';
import { type Binder, inputOf } from '../../schema/kit/inputs.ts';
import { WorkOrderLocationField, WorkOrderTemplate, WorkOrderTemplateStatus } from '../../schema/work/workOrderTemplates.ts';
import * as messages from '../../upstream/contract/generated/messages.ts';
import {
  ArchiveWorkOrderTemplate,
  CreateWorkOrderTemplate,
  ListWorkOrderTemplateLocationFields,
  ListWorkOrderTemplates,
  UpdateWorkOrderTemplate,
} from '../../upstream/contract/generated/operations.ts';
import { filterOf } from '../kit/filters.ts';
import { list, UNKNOWN_ORDER } from '../kit/lists.ts';
import { mutation } from '../kit/mutation.ts';
import { readAll } from '../kit/reads.ts';
import { reconcileByValues } from '../kit/reconcile.ts';

const WorkOrderTemplateFilter = filterOf(ListWorkOrderTemplates, WorkOrderTemplate, (f) => ({
  status: f.status('Only those in this state.', WorkOrderTemplateStatus),
}));

builder.queryFields((t) => ({
  workOrderTemplates: t.field(
    list(ListWorkOrderTemplates, {
      description: 'The patterns that work orders are made from, archived ones too.',
      node: WorkOrderTemplate,
      filter: WorkOrderTemplateFilter,
    }),
  ),

  workOrderLocationFields: t.field(
    readAll(ListWorkOrderTemplateLocationFields, {
      description: `The fields of customers in which a template may look for the location. ${UNKNOWN_ORDER}`,
      type: WorkOrderLocationField.ref,
      request: () => ({}),
      answer: ({ locationFields }) => locationFields,
    }),
  ),
}));

const WorkOrderTemplateTaskInput = inputOf(messages.WorkOrderTemplateTaskInput, 'A task that work orders are to begin with.', (f) => ({
  body: f.body('The text of the task.'),
}));

const inherited = (f: Binder<typeof messages.CreateWorkOrderTemplateRequest | typeof messages.UpdateWorkOrderTemplateRequest>) => ({
  name: f.name('The name of the template.'),
  title: f.title('The title that work orders inherit.'),
  description: f.description('The description that work orders inherit.'),
  preferredLocationFieldId: f.preferredLocationDataFieldId(
    'The field of the customer in which the location is found, unless a work order names another one.',
  ),
});

mutation('workOrderTemplateCreate', CreateWorkOrderTemplate, {
  description: 'Makes a template that work orders can be made from.',
  input: (f) => ({ ...inherited(f), tasks: f.tasks('The tasks that work orders begin with.', WorkOrderTemplateTaskInput) }),
  returns: { workOrderTemplate: 'The new template.' },
});

mutation('workOrderTemplateUpdate', UpdateWorkOrderTemplate, {
  description: 'Tasks cannot be changed. Work orders that were made before keep what they inherited.',
  on: WorkOrderTemplate,
  isPatch: true,
  input: inherited,
  returns: { workOrderTemplate: 'The template as it is now.' },
  reconcile: reconcileByValues(WorkOrderTemplate, 'workOrderTemplate', ({ id, ...fields }) => fields),
});

mutation('workOrderTemplateArchive', ArchiveWorkOrderTemplate, {
  description: 'Archives a template: no work order is made from it any more. It cannot be undone here.',
  on: WorkOrderTemplate,
  returns: { workOrderTemplate: 'The template as it is now.' },
  isUnchanged: ({ workOrderTemplate }, before) => before?.status === workOrderTemplate?.status,
  reconcile: reconcileByValues(WorkOrderTemplate, 'workOrderTemplate', () => ({ status: 'PUBLIC_WORK_ORDER_TEMPLATE_STATUS_ARCHIVED' })),
});
