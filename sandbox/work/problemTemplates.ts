import { ProblemTemplate } from '../../src/upstream/contract/generated/publicapi/v1/problem_templates_pb.ts';
import { domain } from '../kernel/service.ts';
import { CONTENT_TEMPLATE_READ, SETTINGS_WRITE } from './access.ts';
import { getDefinition } from './advancedTaskRecords.ts';
import { getProblemTemplate, problemTemplateTable, toProblemTemplate } from './problemRecords.ts';

export const problemTemplates = domain(ProblemTemplate, {
  tables: [problemTemplateTable],
  handlers: {
    listProblemTemplates: {
      permission: CONTENT_TEMPLATE_READ,
      run: (request, call) => {
        const { rows, ...page } = problemTemplateTable.page(call, request, {}, 'name, id');
        return { templates: rows.map(toProblemTemplate), ...page };
      },
    },

    getProblemTemplate: {
      permission: CONTENT_TEMPLATE_READ,
      run: ({ id }, call) => ({ template: toProblemTemplate(getProblemTemplate(call, id)) }),
    },

    createProblemTemplate: {
      permission: SETTINGS_WRITE,
      run: ({ name, title, description, manualSolvingDisabled, advancedTaskDefinitionIds }, call) => {
        const id = call.id();
        const definitionIds = [...new Set(advancedTaskDefinitionIds)].map((definitionId) => getDefinition(call, definitionId).id);
        problemTemplateTable.insert(call.store, {
          id,
          workspace_id: call.workspaceId,
          name,
          title,
          description,
          manual_solving_disabled: Number(manualSolvingDisabled),
          advanced_task_definition_ids: JSON.stringify(definitionIds),
          created_at: call.now,
          updated_at: call.now,
        });
        return { template: toProblemTemplate(getProblemTemplate(call, id)) };
      },
    },
  },
});
