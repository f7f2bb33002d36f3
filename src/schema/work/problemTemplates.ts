import { GetProblemTemplate } from '../../upstream/contract/generated/operations.ts';
import type { ProblemTemplateRecord } from '../../upstream/contract/generated/records.ts';
import { followIfExists } from '../kit/edges.ts';
import { defineEntity } from '../kit/entities.ts';
import type { Entity } from '../kit/registry.ts';
import { AdvancedTaskDefinition } from './advancedTaskDefinitions.ts';

export const ProblemTemplate: Entity<ProblemTemplateRecord> = defineEntity('ProblemTemplate', {
  record: 'ProblemTemplateRecord',
  description: 'A template for problems: their default texts and advanced tasks.',
  operation: GetProblemTemplate,
  key: 'id',
  root: 'Looks up a problem template by ID. Null if it doesn’t exist.',
  fields: (f, t) => ({
    name: f.requiredString('name', 'Name of the template.'),
    title: f.string('title', 'Default title of problems created from the template.'),
    description: f.string('description', 'Default description of problems created from the template.'),
    isManualSolvingDisabled: f.boolean('manualSolvingDisabled', 'Whether problems created from the template can’t be resolved manually.'),
    advancedTaskDefinitions: t.field({
      type: [AdvancedTaskDefinition.ref],
      nullable: { list: false, items: true },
      ...f.annotate(
        'advancedTaskDefinitionIds',
        'Definitions of the advanced tasks that each problem gets. An item is null if the definition no longer exists. If there are any, a problem must have a customer.',
      ),
      resolve: ({ advancedTaskDefinitionIds }, _args, context, info) =>
        advancedTaskDefinitionIds.map((id) => followIfExists(AdvancedTaskDefinition, id, context, info)),
    }),
    createdAt: f.dateTime('createdAt', 'When the template was created.'),
    updatedAt: f.dateTime('updatedAt', 'When the template was last updated.'),
  }),
});
