import { describe, expect, it } from 'vitest';
import { listSentMessages } from '../../../sandbox/kernel/outbox.ts';
import { spec } from '../../support/spec.ts';
import { BLOCKED, FORBIDDEN, INVALID, MISSING, summarizeError } from '../errors.ts';
import { makeKey } from '../makeKey.ts';
import { demoId, useSandbox } from '../sandbox.ts';

const opened = useSandbox();
const { call, callAs } = opened;

const [PORTFOLIO, CUSTOMER] = [demoId('portfolio 3'), demoId('customer 3')];
const [FAULT, LEAK, QUESTION, RECALL] = [0, 1, 2, 3].map((index) => demoId(`problem template ${index}`));

const create = (request: object, key = 'demo-owner') => callAs(key, 'Problem/CreateProblem', { portfolioId: PORTFOLIO, ...request });
const createProblem = async (request: object = { title: 'Made for a test' }) => {
  const { status, body } = await create(request);
  expect({ status, body }).toMatchObject({ status: 200 });
  return body.problem;
};
const listTasks = async (problemId: string) => (await call('AdvancedTask/ListAdvancedTaskInstances', { problemId })).body.tasks ?? [];
const complete = (advancedTaskId: string) =>
  call('AdvancedTask/UpdateAdvancedTaskInstance', { advancedTaskId, values: { broken_tiles: 0 }, completed: true });
const step = (problemId: string, transition: string) =>
  call('Problem/UpdateProblemStatus', { problemId, transition: `PUBLIC_PROBLEM_TRANSITION_${transition}` });
const getStatus = async (id: string) => (await call('Problem/GetProblem', { id })).body.problem.status;

describe('new problem', () => {
  it('requires a portfolio, but neither customer nor template', spec('4.3.2', '4.3.3'), async () => {
    const problem = await createProblem({ title: 'General', description: 'No template.' });
    expect(problem).toMatchObject({
      title: 'General',
      description: 'No template.',
      portfolioId: PORTFOLIO,
      status: 'PUBLIC_PROBLEM_STATUS_OPEN',
    });
    expect([problem.customerId ?? '', problem.problemTemplateId ?? '', problem.openTaskCount ?? 0]).toEqual(['', '', 0]);
    expect(summarizeError(await call('Problem/CreateProblem', { title: 'Without a portfolio' }))).toEqual(INVALID);
    expect(summarizeError(await create({ title: 'Of a plain customer', portfolioId: CUSTOMER }))).toEqual(MISSING);
  });

  it('copies missing texts from its template', spec('4.3.2'), async () => {
    expect(await createProblem({ problemTemplateId: QUESTION })).toMatchObject({ title: 'The customer has a question' });
    expect(await createProblem({ problemTemplateId: RECALL, title: 'Own title' })).toMatchObject({
      title: 'Own title',
      description: 'The workflow of the maker ends it.',
      manualSolvingDisabled: true,
    });
    expect(summarizeError(await create({ title: ' ' }))).toEqual(INVALID);
  });

  it('requires a customer if its template has advanced tasks, and gets each task', spec('4.3.4'), async () => {
    expect(summarizeError(await create({ problemTemplateId: FAULT }))).toEqual(INVALID);
    const { id, openTaskCount } = await createProblem({ problemTemplateId: FAULT, customerId: CUSTOMER });
    const definitions = (await listTasks(id)).map(
      ({ advancedTaskDefinitionId }: { advancedTaskDefinitionId: string }) => advancedTaskDefinitionId,
    );
    expect([definitions, openTaskCount]).toEqual([[0, 2].map((index) => demoId(`advanced task definition ${index}`)), 2]);
  });

  it('requires write access to customers to be linked to one', spec('5.29'), async () => {
    const key = makeKey(opened.sandbox.world, { permissions: ['planningAccess:READ_WRITE', 'boardAccess:READ_ONLY'] });
    expect((await create({ title: 'Without a customer' }, key)).status).toBe(200);
    expect(summarizeError(await create({ title: 'With one', customerId: CUSTOMER }, key))).toEqual(FORBIDDEN);
    const both = makeKey(opened.sandbox.world, { permissions: ['planningAccess:READ_WRITE', 'boardAccess:READ_WRITE'] });
    expect((await create({ title: 'With one', customerId: CUSTOMER }, both)).status).toBe(200);
    const reader = makeKey(opened.sandbox.world, { permissions: ['planningAccess:READ_ONLY', 'boardAccess:READ_WRITE'] });
    expect(summarizeError(await create({ title: 'By a reader' }, reader))).toEqual(FORBIDDEN);
  });

  it('can be created twice', spec('4.3.5'), async () => {
    const [first, second] = [await createProblem({ title: 'Twice' }), await createProblem({ title: 'Twice' })];
    expect(first.id).not.toBe(second.id);
  });
});

describe('problem status', () => {
  it.each([
    ['resolved, then closed, then archived', ['RESOLVE', 'CLOSE', 'ARCHIVE'], 'ARCHIVED'],
    ['closed while it is open', ['CLOSE'], 'CLOSED'],
    ['archived while it is open', ['ARCHIVE'], 'ARCHIVED'],
    ['resolved again without effect', ['RESOLVE', 'RESOLVE'], 'RESOLVED'],
  ])('can be %s', spec('3.4'), async (_title, steps, end) => {
    const { id } = await createProblem();
    for (const each of steps) expect((await step(id, each)).status).toBe(200);
    expect(await getStatus(id)).toBe(`PUBLIC_PROBLEM_STATUS_${end}`);
  });

  it.each([
    ['CLOSE', 'RESOLVE'],
    ['ARCHIVE', 'RESOLVE'],
    ['ARCHIVE', 'CLOSE'],
  ])('can’t go back: %s can’t be followed by %s', spec('3.42'), async (first, second) => {
    const { id } = await createProblem();
    await step(id, first);
    const before = await getStatus(id);
    expect(summarizeError(await step(id, second))).toEqual(BLOCKED);
    expect(await getStatus(id)).toBe(before);
  });

  it('can’t be resolved while a task is incomplete', spec('3.5', '7.31'), async () => {
    const { id } = await createProblem({ problemTemplateId: LEAK, customerId: CUSTOMER });
    expect(summarizeError(await step(id, 'RESOLVE'))).toEqual(BLOCKED);
    const [task] = await listTasks(id);
    expect((await complete(task.id)).status).toBe(200);
    const { status, openTaskCount = 0 } = (await step(id, 'RESOLVE')).body.problem;
    expect([status, openTaskCount]).toEqual(['PUBLIC_PROBLEM_STATUS_RESOLVED', 0]);
  });

  it('can’t be resolved manually if the template disables it, but can be closed', spec('3.6'), async () => {
    const { id } = await createProblem({ problemTemplateId: RECALL });
    const refused = await step(id, 'RESOLVE');
    expect([summarizeError(refused), refused.body.message]).toEqual([BLOCKED, expect.stringContaining('Manual solving')]);
    expect((await step(id, 'CLOSE')).status).toBe(200);
  });

  it('remains unchanged by an update', spec('3.7'), async () => {
    const { id } = await createProblem();
    const { body } = await call('Problem/UpdateProblem', { id, title: 'New title', status: 'PUBLIC_PROBLEM_STATUS_CLOSED' });
    expect(body.problem).toMatchObject({ title: 'New title', status: 'PUBLIC_PROBLEM_STATUS_OPEN' });
    expect(summarizeError(await call('Problem/UpdateProblem', { id, status: 'PUBLIC_PROBLEM_STATUS_CLOSED' }))).toEqual(INVALID);
  });

  it('ends as archived when concurrently resolved and archived', async () => {
    const { id } = await createProblem();
    const responses = await Promise.all([step(id, 'ARCHIVE'), step(id, 'RESOLVE')]);
    expect(responses.map(({ status }) => status).toSorted()).toContain(200);
    expect(await getStatus(id)).toBe('PUBLIC_PROBLEM_STATUS_ARCHIVED');
  });
});

describe('problem comment', () => {
  const comment = (problemId: string, body: string, key = 'demo-owner') => callAs(key, 'Problem/AddProblemComment', { problemId, body });
  const listNotifications = (commentId: string) =>
    listSentMessages(opened.sandbox.world.store)
      .filter(({ subject }) => subject.id === commentId)
      .map(({ kind, recipient }) => ({ kind, recipient }));

  it('belongs to the key’s member, and notifies the other subscribers', spec('4.3.11', '6.6'), async () => {
    opened.requiresDemoData();
    const { id } = await createProblem();
    const { body: first } = await comment(id, 'By who made it.');
    expect(first.comment).toMatchObject({
      problemId: id,
      body: 'By who made it.',
      authorId: demoId('member owner'),
      authorName: 'Ada Adler',
    });
    expect(listNotifications(first.comment.id)).toEqual([]);
    const planner = makeKey(opened.sandbox.world, { member: 'planner' });
    const { body: second } = await comment(id, 'By another.', planner);
    expect(second.comment.authorId).toBe(demoId('member planner'));
    expect(listNotifications(second.comment.id)).toEqual([{ kind: 'problem_comment_notification', recipient: demoId('member owner') }]);
    const { body: third } = await comment(id, 'Again by the first.');
    expect(listNotifications(third.comment.id)).toEqual([{ kind: 'problem_comment_notification', recipient: demoId('member planner') }]);
  });

  it('can be added twice', spec('4.3.13'), async () => {
    const problemId = demoId('problem 3');
    const sent = [await comment(problemId, 'Twice'), await comment(problemId, 'Twice')].map(({ body }) => body.comment.id);
    expect(sent.map((id) => listNotifications(id).length)).toEqual([1, 1]);
  });

  it('doesn’t notify removed members', spec('6.6'), async () => {
    const { id } = await createProblem();
    await comment(id, 'I was here.', makeKey(opened.sandbox.world, { member: 'second planner' }));
    await call('Member/RemoveMember', { memberId: demoId('member second planner') });
    const { body } = await comment(id, 'Anybody?');
    expect(listNotifications(body.comment.id)).toEqual([]);
  });

  it('appears in the problem if it’s among the newest 100', spec('4.3.6'), async () => {
    const { id } = await createProblem();
    for (let index = 0; index < 101; index += 1) await comment(id, `Comment ${index}`);
    const { comments } = (await call('Problem/GetProblem', { id })).body;
    expect([comments.length, comments[0].body, comments.at(-1).body]).toEqual([100, 'Comment 100', 'Comment 1']);
  });
});

describe('problem lists', () => {
  it('contain 25 rows per page by default', spec('4.3.8'), async () => {
    for (let index = 0; index < 25; index += 1) await createProblem({ title: `Listed ${index}` });
    const { body } = await call('Problem/ListProblems', {});
    expect([body.problems.length, body.page, body.pageSize, body.hasMore]).toEqual([25, 1, 25, true]);
    expect((await call('Problem/ListProblems', { page: 2, pageSize: 3 })).body.problems).toHaveLength(3);
  });

  it('filter by portfolio, by customer and by status independently', spec('4.3.3'), async () => {
    const other = { portfolioId: demoId('portfolio 4'), customerId: demoId('customer 4') };
    const { id } = await createProblem({ ...other, title: 'Of both' });
    const listTitles = async (filter: object) =>
      ((await call('Problem/ListProblems', filter)).body.problems ?? []).map((problem: { id: string }) => problem.id);
    expect(await listTitles({ customerId: other.customerId })).toEqual([id]);
    expect(await listTitles({ portfolioId: other.portfolioId })).toEqual([id]);
    expect(await listTitles({ customerId: other.portfolioId })).toEqual([]);
    expect(await listTitles({ customerId: other.customerId, status: 'PUBLIC_PROBLEM_STATUS_CLOSED' })).toEqual([]);
  });

  it('search title and description, with read access to planning', spec('4.3.9'), async () => {
    const { id } = await createProblem({ title: 'A 100% unique title', description: 'and words' });
    for (const query of ['100% UNIQUE', 'and words']) {
      const { problems } = (await call('Problem/SearchProblems', { query })).body;
      expect(problems.map((problem: { id: string }) => problem.id)).toContain(id);
    }
    const key = makeKey(opened.sandbox.world, { member: 'front desk' });
    expect(summarizeError(await callAs(key, 'Problem/SearchProblems', { query: 'x' }))).toEqual(FORBIDDEN);
  });
});
