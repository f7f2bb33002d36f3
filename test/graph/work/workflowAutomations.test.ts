import { describe, expect, it } from 'vitest';
import { spec } from '../../support/spec.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const testGraph = useTestGraph();

describe('workflow automations', () => {
  it('lists active and inactive automations', spec('4.10.5'), async () => {
    const [{ data }, calls] = await testGraph.recordCalls(() =>
      testGraph.execute('{ workflowAutomations { nodes { name isActive description } } }'),
    );
    expect(data.workflowAutomations.nodes).toContainEqual({ name: 'Greet new customers', isActive: false, description: null });
    expect(calls).toEqual(['WorkflowAutomation/ListWorkflowAutomations']);
  });
});
