import { describe, expect, it, vi } from 'vitest';
import { ResponseBudget } from '../../../src/responseBudget.ts';
import { toGlobalId } from '../../../src/schema/kit/globalIds.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { Records } from '../../support/contract/records.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const testGraph = useTestGraph();

const FAILURES = `__typename ... on ValidationError { issues { path code } } ... on TransitionBlockedError { blockers { code message } }
  ... on MutationError { code }`;
const TASK = `rawId status values completedAt definition { name }
  owner { __typename ... on Problem { rawId } ... on WorkOrder { rawId title } }`;
const printMutation = (field: string, title: string) =>
  `mutation ($input: ${title}Input!) { ${field}(input: $input) { ${FAILURES} ... on ${title}Payload { task { ${TASK} } problem { rawId } effect } } }`;

const attach = async (owner: object, more: object = {}) => {
  const input = { definitionId: demoId('advanced task definition 2'), owner, ...more };
  return (await testGraph.execute(printMutation('advancedTaskAttach', 'AdvancedTaskAttach'), { input })).data.advancedTaskAttach;
};
const update = async (input: object) =>
  (await testGraph.execute(printMutation('advancedTaskUpdate', 'AdvancedTaskUpdate'), { input })).data.advancedTaskUpdate;

const createProblem = () => new Records({ url: testGraph.sandbox.url, world: testGraph.sandbox.world }).id('Problem');
const createTask = async () => (await attach({ problemId: await createProblem() })).task.rawId;

describe('Mutation.advancedTaskAttach', () => {
  it('attaches a task to a problem or work order and returns its owner', async () => {
    const problemId = await createProblem();
    const [ofProblem, calls] = await testGraph.recordCalls(() => attach({ problemId: toGlobalId('Problem', problemId) }));
    expect(ofProblem).toMatchObject({
      effect: 'DONE',
      task: { status: 'OPEN', values: {}, definition: { name: 'Safety check' }, owner: { __typename: 'Problem', rawId: problemId } },
      problem: { rawId: problemId },
    });
    expect(calls).toEqual(['AdvancedTask/AttachAdvancedTask', 'AdvancedTask/GetAdvancedTaskDefinition']);
    const workOrderId = demoId('work order 1');
    expect(await attach({ workOrderId })).toMatchObject({
      task: { owner: { __typename: 'WorkOrder', rawId: workOrderId, title: 'Look at the noise' } },
      problem: null,
    });
  });

  it('requires exactly one owner', async () => {
    const document = printMutation('advancedTaskAttach', 'AdvancedTaskAttach');
    for (const owner of [{}, { problemId: demoId('problem 0'), workOrderId: demoId('work order 1') }]) {
      const input = { definitionId: demoId('advanced task definition 2'), owner };
      const [{ errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(document, { input }));
      expect([errors?.[0]?.message, calls]).toEqual([expect.stringContaining('OneOf'), []]);
    }
  });

  it('returns TransitionBlockedError for a problem that is no longer open', async () => {
    expect(await attach({ problemId: demoId('problem 5') })).toMatchObject({
      __typename: 'TransitionBlockedError',
      blockers: [{ code: 'OTHER', message: expect.stringContaining('Heat pump is loud') }],
    });
  });
});

describe('Mutation.advancedTaskUpdate', () => {
  it('sets JSON values, completes the task, and reopens it', async () => {
    const advancedTaskId = await createTask();
    const values = { is_safe: { by: ['Daan', 7], checked: true } };
    const [result, calls] = await testGraph.recordCalls(() => update({ advancedTaskId, values, isCompleted: true }));
    expect(result).toMatchObject({ effect: 'DONE', task: { status: 'COMPLETED', values, completedAt: expect.any(String) } });
    expect(calls).toEqual(['AdvancedTask/UpdateAdvancedTaskInstance', 'AdvancedTask/GetAdvancedTaskDefinition']);
    expect(await update({ advancedTaskId, isCompleted: false })).toMatchObject({ task: { status: 'OPEN', values, completedAt: null } });
    expect(await update({ advancedTaskId, values: { is_safe: null } })).toMatchObject({ task: { status: 'OPEN', values: {} } });
  });

  it('charges its values to the size of the response', async () => {
    const charge = vi.spyOn(ResponseBudget.prototype, 'consume');
    const values = { is_safe: 'x'.repeat(1_000) };
    await update({ advancedTaskId: await createTask(), values });
    const charged = charge.mock.calls.map(([bytes]) => bytes);
    charge.mockRestore();
    expect(charged).toContain(JSON.stringify(values).length);
  });

  it('returns TransitionBlockedError if a required value is missing', async () => {
    const advancedTaskId = await createTask();
    expect(await update({ advancedTaskId, isCompleted: true })).toMatchObject({
      __typename: 'TransitionBlockedError',
      blockers: [{ message: expect.stringContaining('is_safe') }],
    });
  });

  it('rejects values that aren’t an object without an upstream call', async () => {
    const advancedTaskId = await createTask();
    for (const values of ['x', 1, ['is_safe']]) {
      const [result, calls] = await testGraph.recordCalls(() => update({ advancedTaskId, values }));
      expect([result.issues, calls]).toEqual([[{ path: ['values'], code: 'INVALID_FORMAT' }], []]);
    }
  });
});

describe('advanced tasks', () => {
  it('lists tasks with owners of both types without a call for their IDs', async () => {
    const query = `{ advancedTasks(first: 100) { nodes { owner { __typename ... on Problem { rawId } ... on WorkOrder { rawId } } } } }`;
    const [{ data, errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(query));
    expect([errors, calls]).toEqual([undefined, ['AdvancedTask/ListAdvancedTaskInstances']]);
    const owners = data.advancedTasks.nodes.map(({ owner }: { owner: { __typename: string } }) => owner.__typename);
    expect(new Set(owners)).toEqual(new Set(['Problem', 'WorkOrder']));
  });

  it('filters by work order, problem, and status', async () => {
    const query = `query ($of: ID!, $problem: ID!) {
      workOrder(id: $of) { advancedTasks { nodes { status } } }
      advancedTasks(filter: { problemId: $problem, status: COMPLETED }) { nodes { rawId } }
    }`;
    const { data } = await testGraph.execute(query, { of: demoId('work order 5'), problem: toGlobalId('Problem', demoId('problem 0')) });
    expect(data).toEqual({
      workOrder: { advancedTasks: { nodes: [{ status: 'OPEN' }, { status: 'OPEN' }, { status: 'OPEN' }] } },
      advancedTasks: { nodes: [{ rawId: demoId('advanced task 0') }] },
    });
  });
});
