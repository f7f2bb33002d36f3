import { GetProblemTemplate } from '../../upstream/contract/generated/operations.ts';
import type { ProblemTemplateRecordJson } from '../../upstream/contract/generated/publicapi/v1/problem_templates_pb.ts';
import { follow } from '../kit/edges.ts';
import { entity } from '../kit/entities.ts';
import { RecordFields } from '../kit/records.ts';
import type { Entity } from '../kit/registry.ts';
import { AdvancedTaskDefinition } from './advancedTaskDefinitions.ts';

const record = new RecordFields<ProblemTemplateRecordJson>('ProblemTemplateRecord');

export const ProblemTemplate: Entity<ProblemTemplateRecordJson> = entity('ProblemTemplate', {
  record,
  description: 'A template that problems are made from.',
  operation: GetProblemTemplate,
  key: 'id',
  root: 'The template of this id; null when there is none.',
  fields: (t) => ({
    name: record.requiredText(t, 'name', 'The name of the template.'),
    title: record.text(t, 'title', 'The title of problems that are made without one.'),
    description: record.text(t, 'description', 'The description of problems that are made without one.'),
    isManualSolvingDisabled: record.flag(t, 'manualSolvingDisabled', 'Whether its problems cannot be resolved by hand.'),
    advancedTaskDefinitions: t.field({
      type: [AdvancedTaskDefinition.ref],
      nullable: { list: false, items: true },
      ...record.mark(
        'advancedTaskDefinitionIds',
        'The definitions of the advanced tasks that each of its problems gets; null for one that is gone. With any of them a problem must have a customer.',
      ),
      resolve: ({ advancedTaskDefinitionIds = [] }, _args, context, info) =>
        advancedTaskDefinitionIds.map((id) => follow(AdvancedTaskDefinition, id, context, info)),
    }),
    createdAt: record.dateTime(t, 'createdAt', 'The moment of creation.'),
    updatedAt: record.dateTime(t, 'updatedAt', 'The moment of the last change.'),
  }),
});
