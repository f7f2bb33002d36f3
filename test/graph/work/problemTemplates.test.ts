import { describe, expect, it } from 'vitest';
import { demoId } from '../../sandbox/sandbox.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const testGraph = useTestGraph();

describe('Query.problemTemplates', () => {
  it('lists templates and their advanced task definitions in few calls', async () => {
    const query = '{ problemTemplates(first: 10) { nodes { name isManualSolvingDisabled advancedTaskDefinitions { name } } } }';
    const [{ data, errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(query));
    expect(errors).toBeUndefined();
    expect(data.problemTemplates.nodes).toContainEqual({
      name: 'Leak',
      isManualSolvingDisabled: false,
      advancedTaskDefinitions: [{ name: 'Roof inspection' }],
    });
    expect(calls[0]).toBe('ProblemTemplate/ListProblemTemplates');
    expect(calls.length).toBeLessThanOrEqual(4);
  });

  it('costs one call per definition, and none if only IDs are selected', async () => {
    const measureCost = async (selection: string) => {
      const id = demoId('problem template 0');
      const { cost } = await testGraph.execute(
        `query ($id: ID!) { problemTemplate(id: $id) { name advancedTaskDefinitions { ${selection} } } }`,
        { id },
      );
      return [cost?.predictedCalls, cost?.actualCalls];
    };
    expect([await measureCost('name'), await measureCost('rawId')]).toEqual([
      [12, 3],
      [1, 1],
    ]);
  });
});

describe('Mutation.problemTemplateCreate', () => {
  it('creates a template with advanced tasks', async () => {
    const document = `mutation ($input: ProblemTemplateCreateInput!) { problemTemplateCreate(input: $input) { __typename ... on MutationError { code }
      ... on ProblemTemplateCreatePayload { template { name title isManualSolvingDisabled advancedTaskDefinitions { name } } } } }`;
    const input = {
      name: 'Alarm',
      title: 'The alarm goes off',
      advancedTaskDefinitionIds: [1, 2].map((index) => demoId(`advanced task definition ${index}`)),
    };
    const [{ data, errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(document, { input }));
    expect(errors).toBeUndefined();
    expect(data.problemTemplateCreate.template).toEqual({
      name: 'Alarm',
      title: 'The alarm goes off',
      isManualSolvingDisabled: false,
      advancedTaskDefinitions: [{ name: 'Roof inspection' }, { name: 'Safety check' }],
    });
    expect(calls.slice(0, 1)).toEqual(['ProblemTemplate/CreateProblemTemplate']);
  });
});
