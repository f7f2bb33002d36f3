import { describe, expect, it } from 'vitest';
import { spec } from '../../support/spec.ts';
import { useWorld } from '../../support/world.ts';

const world = useWorld();

describe('workflow automations', () => {
  it('can be read, active or not', spec('4.10.5'), async () => {
    const [{ data }, calls] = await world.calls(() => world.graph('{ workflowAutomations { nodes { name isActive description } } }'));
    expect(data.workflowAutomations.nodes).toContainEqual({ name: 'Greet new customers', isActive: false, description: null });
    expect(calls).toEqual(['WorkflowAutomation/ListWorkflowAutomations']);
  });
});
