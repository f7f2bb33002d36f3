import { builder } from '../../schema/kit/builder.ts';
import { ProblemTemplate } from '../../schema/work/problemTemplates.ts';
import { CreateProblemTemplate, ListProblemTemplates } from '../../upstream/contract/generated/operations.ts';
import { list } from '../kit/lists.ts';
import { mutation } from '../kit/mutation.ts';

builder.queryField('problemTemplates', (t) =>
  t.field(
    list(ListProblemTemplates, {
      description: 'Templates that problems can be created from.',
      node: ProblemTemplate,
    }),
  ),
);

mutation('problemTemplateCreate', CreateProblemTemplate, {
  description: 'Creates a problem template. It can’t be changed later.',
  input: (f) => ({
    name: f.name('Name of the template.'),
    title: f.title('Default title of problems created from the template.'),
    description: f.description('Default description of problems created from the template.'),
    isManualSolvingDisabled: f.manualSolvingDisabled('Whether problems created from the template can’t be resolved manually.'),
    advancedTaskDefinitionIds: f.advancedTaskDefinitionIds(
      'Definitions of the advanced tasks that each problem gets. If there are any, a problem must have a customer.',
    ),
  }),
  returns: { template: 'The new template.' },
});
