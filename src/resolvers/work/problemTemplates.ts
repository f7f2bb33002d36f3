import { builder } from '../../schema/kit/builder.ts';
import { ProblemTemplate } from '../../schema/work/problemTemplates.ts';
import { CreateProblemTemplate, ListProblemTemplates } from '../../upstream/contract/generated/operations.ts';
import { list } from '../kit/lists.ts';
import { mutation } from '../kit/mutation.ts';

builder.queryField('problemTemplates', (t) =>
  t.field(
    list(ListProblemTemplates, {
      description: 'The templates that problems can be made from.',
      node: ProblemTemplate,
    }),
  ),
);

mutation('problemTemplateCreate', CreateProblemTemplate, {
  description: 'Makes a template for problems, which cannot be changed later.',
  input: (f) => ({
    name: f.name('The name of the template.'),
    title: f.title('The title of problems that are made without one.'),
    description: f.description('The description of problems that are made without one.'),
    isManualSolvingDisabled: f.manualSolvingDisabled('Whether its problems cannot be resolved by hand.'),
    advancedTaskDefinitionIds: f.advancedTaskDefinitionIds(
      'The definitions of the advanced tasks that each of its problems gets. With any of them a problem must have a customer.',
    ),
  }),
  returns: { template: 'The new template.' },
});
