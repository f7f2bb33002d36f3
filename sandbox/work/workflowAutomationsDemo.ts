import { demoData } from '../kernel/demoData.ts';
import type { Plan } from '../kernel/plan.ts';
import { workflowAutomationTable } from './workflowAutomations.ts';

const AGE_SECONDS = 350 * 86_400;

const AUTOMATIONS = [
  { slug: 'reminder', name: 'Remind of appointments', description: 'Writes to customers a day before.', isActive: true },
  { slug: 'follow up', name: 'Follow quotes up', description: 'Asks after a week.', isActive: true },
  { slug: 'old', name: 'Greet new customers', description: '', isActive: false },
] as const;

function seedAutomations(plan: Plan): void {
  const createdAt = plan.now - AGE_SECONDS;
  for (const { slug, name, description, isActive } of AUTOMATIONS) {
    workflowAutomationTable.insert(plan.store, {
      id: plan.id(`workflow automation ${slug}`),
      workspace_id: plan.workspaceId,
      name,
      description,
      is_active: Number(isActive),
      created_at: createdAt,
      updated_at: createdAt,
    });
  }
}

/** Creates the automations `workflow automation reminder`, `… follow up` and `… old`. */
export const workflowAutomationsDemo = demoData({
  examples: { WorkflowAutomation: ['workflow automation reminder', 'workflow automation old'] },
  seed: seedAutomations,
});
