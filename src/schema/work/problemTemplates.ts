import { GetProblemTemplate } from '../../upstream/contract/generated/operations.ts';
import type { ProblemTemplateRecord } from '../../upstream/contract/generated/records.ts';
import { followIfExists } from '../kit/edges.ts';
import { entity } from '../kit/entities.ts';
import { RecordFields } from '../kit/records.ts';
import type { Entity } from '../kit/registry.ts';
import { AdvancedTaskDefinition } from './advancedTaskDefinitions.ts';

const record = new RecordFields<ProblemTemplateRecord>('ProblemTemplateRecord');

export const ProblemTemplate: Entity<ProblemTemplateRecord> = entity('ProblemTemplate', {
  record,
  description: 'A template for problems: their default texts and advanced tasks.',
  operation: GetProblemTemplate,
  key: 'id',
  root: 'Looks up a problem template by ID. Null if it doesn’t exist.',
  fields: (t) => ({
    name: record.requiredText(t, 'name', 'Name of the template.'),
    title: record.text(t, 'title', 'Default title of problems created from the template.'),
    description: record.text(t, 'description', 'Default description of problems created from the template.'),
    isManualSolvingDisabled: record.flag(
      t,
      'manualSolvingDisabled',
      'Whether problems created from the template can’t be resolved manually.',
    ),
    advancedTaskDefinitions: t.field({
      type: [AdvancedTaskDefinition.ref],
      nullable: { list: false, items: true },
      ...record.mark(
        'advancedTaskDefinitionIds',
        'Definitions of the advanced tasks that each problem gets. An item is null if the definition no longer exists. If there are any, a problem must have a customer.',
      ),
      resolve: ({ advancedTaskDefinitionIds }, _args, context, info) =>
        advancedTaskDefinitionIds.map((id) => followIfExists(AdvancedTaskDefinition, id, context, info)),
    }),
    createdAt: record.dateTime(t, 'createdAt', 'When the template was created.'),
    updatedAt: record.dateTime(t, 'updatedAt', 'When the template was last updated.'),
  }),
});
