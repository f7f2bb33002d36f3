import { demoData } from '../kernel/demoData.ts';
import type { Plan } from '../kernel/plan.ts';
import { stageTable, statusTable } from './journey.ts';

const STAGES: readonly { readonly name: string; readonly statuses: readonly string[] }[] = [
  { name: 'Lead', statuses: ['New', 'Contacted', 'Visited'] },
  { name: 'Offer', statuses: ['Offer sent', 'Negotiating'] },
  { name: 'Work', statuses: ['Planned', 'Waiting for parts', 'Under way', 'Delivered'] },
  { name: 'Aftercare', statuses: ['Under warranty', 'Closed'] },
];

const COLORS = ['#2563EB', '#0891B2', '#16A34A', '#CA8A04', '#DC2626', '#7C3AED'] as const;

/** The only inactive status. */
const INACTIVE = 'Waiting for parts';

const NAMES = STAGES.flatMap(({ statuses }) => statuses);

/** IDs and names of the journey statuses `status 0`, `status 1`, …. */
export const listDemoStatuses = (plan: Plan) => NAMES.map((name, index) => ({ id: plan.id(`status ${index}`), name }));

/** Creates the journey: stages `stage 0`, `stage 1`, …, with their statuses. */
function seedJourney(plan: Plan): void {
  const { store } = plan;
  let index = 0;
  for (const [position, { name, statuses }] of STAGES.entries()) {
    const stageId = plan.id(`stage ${position}`);
    stageTable.insert(store, { id: stageId, workspace_id: plan.workspaceId, name, position });
    for (const status of statuses) {
      statusTable.insert(store, {
        id: plan.id(`status ${index}`),
        workspace_id: plan.workspaceId,
        stage_id: stageId,
        name: status,
        color: COLORS[index % COLORS.length] ?? COLORS[0],
        is_active: Number(status !== INACTIVE),
        position: index,
      });
      index += 1;
    }
  }
}

export const journeyDemo = demoData({
  examples: {
    JourneyStatus: ['status 1'],
  },
  seed: seedJourney,
});
