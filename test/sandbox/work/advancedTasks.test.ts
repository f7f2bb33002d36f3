import { describe, expect, it } from 'vitest';
import { openAdvancedTasks } from '../../../sandbox/work/advancedTaskRecords.ts';
import { spec } from '../../support/spec.ts';
import { BLOCKED, FORBIDDEN, INVALID, MISSING, summarizeError } from '../errors.ts';
import { makeKey } from '../makeKey.ts';
import { demoId, START, useSandbox } from '../sandbox.ts';

const opened = useSandbox();
const { call, callAs } = opened;

const REPORT = demoId('advanced task definition 0');

const newProblem = async (): Promise<string> =>
  (await call('Problem/CreateProblem', { portfolioId: demoId('portfolio 3'), title: 'Made for a test' })).body.problem.id;
const attach = (request: object) => call('AdvancedTask/AttachAdvancedTask', { advancedTaskDefinitionId: REPORT, ...request });
const attachNew = async () => (await attach({ problemId: await newProblem() })).body.task;
const update = (advancedTaskId: string, request: object) => call('AdvancedTask/UpdateAdvancedTaskInstance', { advancedTaskId, ...request });

const FILLED = { insulation_ohm: 2_000_000, meter_reading: { low: '1234', high: [5, 6] } };

describe('advanced task', () => {
  it('can be attached to either an open problem or an open work order', spec('4.10.6'), async () => {
    const problemId = await newProblem();
    const { status, body } = await attach({ problemId });
    expect({ status, task: body.task }).toMatchObject({ status: 200, task: { problemId, status: 'PUBLIC_ADVANCED_TASK_STATUS_OPEN' } });
    const workOrderId = demoId('work order 1');
    expect((await attach({ workOrderId })).body.task).toMatchObject({ workOrderId });
    for (const target of [{}, { problemId, workOrderId }]) expect(summarizeError(await attach(target))).toEqual(INVALID);
    expect(summarizeError(await attach({ problemId: workOrderId }))).toEqual(MISSING);
    expect(summarizeError(await attach({ problemId, advancedTaskDefinitionId: problemId }))).toEqual(MISSING);
  });

  it('can’t be attached to a record that isn’t open', async () => {
    const problemId = await newProblem();
    await call('Problem/UpdateProblemStatus', { problemId, transition: 'PUBLIC_PROBLEM_TRANSITION_RESOLVE' });
    expect(summarizeError(await attach({ problemId }))).toEqual(BLOCKED);
    expect(summarizeError(await attach({ workOrderId: demoId('work order 2') }))).toEqual(BLOCKED);
  });

  it('stores any JSON as field values', async () => {
    const { id } = await attachNew();
    expect((await update(id, { values: FILLED })).body.task.values).toEqual(FILLED);
    const { body } = await update(id, { values: { remarks: false, meter_reading: null } });
    expect(body.task.values).toEqual({ insulation_ohm: 2_000_000, remarks: false });
    expect(summarizeError(await update(id, { values: { color: 'red' } }))).toEqual(INVALID);
  });

  it('requires a value for each required field to be completed, and can be reopened', spec('4.10.6'), async () => {
    const { id } = await attachNew();
    expect(summarizeError(await update(id, { values: { insulation_ohm: 1 }, completed: true }))).toEqual(BLOCKED);
    opened.sandbox.now = START + 60;
    const { body } = await update(id, { values: FILLED, completed: true });
    expect(body.task).toMatchObject({ status: 'PUBLIC_ADVANCED_TASK_STATUS_COMPLETED', completedAt: String(START + 60) });
    expect(summarizeError(await update(id, { values: { meter_reading: null } }))).toEqual(BLOCKED);
    expect((await update(id, { completed: false })).body.task.status).toBe('PUBLIC_ADVANCED_TASK_STATUS_OPEN');
    opened.sandbox.now = START;
  });

  it('blocks its owner while it’s open', spec('3.5'), async () => {
    const { id, problemId } = await attachNew();
    const scope = { store: opened.sandbox.world.store, workspaceId: demoId('workspace') };
    const open = () => openAdvancedTasks(scope, { problem_id: problemId }).map((task) => task.id);
    expect(open()).toEqual([id]);
    await update(id, { values: FILLED, completed: true });
    expect(open()).toEqual([]);
  });

  it('can’t be left open on a resolved problem by concurrent calls', async () => {
    const { id, problemId } = await attachNew();
    await update(id, { values: FILLED, completed: true });
    const resolve = call('Problem/UpdateProblemStatus', { problemId, transition: 'PUBLIC_PROBLEM_TRANSITION_RESOLVE' });
    const [resolved, added] = await Promise.all([resolve, attach({ problemId })]);
    expect([resolved.status, added.status].filter((status) => status === 200)).toHaveLength(1);
  });

  it('can be listed by problem, work order and status', spec('4.10.6'), async () => {
    const listTasks = async (request: object) => (await call('AdvancedTask/ListAdvancedTaskInstances', request)).body.tasks ?? [];
    expect(await listTasks({ workOrderId: demoId('work order 5') })).toHaveLength(3);
    const done = await listTasks({ problemId: demoId('problem 0'), status: 'PUBLIC_ADVANCED_TASK_STATUS_COMPLETED' });
    expect(done).toMatchObject([{ id: demoId('advanced task 0'), values: { broken_tiles: 3 } }]);
  });
});

describe('definitions and templates', () => {
  it('require read access to settings, or planning for content templates', spec('5.25', '5.28'), async () => {
    const planner = makeKey(opened.sandbox.world, { permissions: ['planningAccess:READ_ONLY'] });
    const office = makeKey(opened.sandbox.world, { permissions: ['settingsAccess:READ_ONLY'] });
    const fetchStatuses = async (key: string) => [
      (await callAs(key, 'AdvancedTask/ListAdvancedTaskDefinitions', {})).status,
      (await callAs(key, 'AdvancedTask/GetAdvancedTaskDefinition', { id: REPORT })).status,
      (await callAs(key, 'ProblemTemplate/ListProblemTemplates', {})).status,
      (await callAs(key, 'ProblemTemplate/GetProblemTemplate', { id: demoId('problem template 0') })).status,
    ];
    expect([await fetchStatuses(planner), await fetchStatuses(office)]).toEqual([
      [403, 403, 200, 200],
      [200, 200, 403, 403],
    ]);
  });

  it('require write access to settings to create problem templates', spec('4.3.14', '5.27'), async () => {
    const request = { name: 'New', title: 'New problem', advancedTaskDefinitionIds: [REPORT, REPORT] };
    const reader = makeKey(opened.sandbox.world, { permissions: ['settingsAccess:READ_ONLY', 'planningAccess:READ_WRITE'] });
    expect(summarizeError(await callAs(reader, 'ProblemTemplate/CreateProblemTemplate', request))).toEqual(FORBIDDEN);
    const { status, body } = await call('ProblemTemplate/CreateProblemTemplate', request);
    expect({ status, template: body.template }).toMatchObject({
      status: 200,
      template: { title: 'New problem', advancedTaskDefinitionIds: [REPORT] },
    });
    expect((await call('ProblemTemplate/GetProblemTemplate', { id: body.template.id })).body).toEqual(body);
    const unknown = { ...request, advancedTaskDefinitionIds: [body.template.id] };
    expect(summarizeError(await call('ProblemTemplate/CreateProblemTemplate', unknown))).toEqual(MISSING);
  });
});
