import { randomUUID } from 'node:crypto';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { toGlobalId } from '../../../src/schema/kit/globalIds.ts';
import { makeKey } from '../../sandbox/makeKey.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { Records } from '../../support/contract/records.ts';
import { spec } from '../../support/spec.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const testGraph = useTestGraph();
// The sandbox's clock runs an hour ahead, so that problems don't appear to be created before they are requested.
beforeAll(() => {
  testGraph.sandbox.now = Math.floor(Date.now() / 1000) + 3_600;
});
afterEach(() => testGraph.sandbox.faults.clear());

const createRecords = () => new Records({ url: testGraph.sandbox.url, world: testGraph.sandbox.world });

const FAILURES = '__typename ... on ValidationError { issues { path code } } ... on MutationError { code retry }';
const BLOCKED = '... on TransitionBlockedError { fromText blockers { code } current { __typename ... on Problem { status } } }';
const TRANSITIONS = /^problem(Resolve|Close|Archive)$/;
const PROBLEM = 'rawId title description status customer { rawId } template { rawId } incompleteAdvancedTaskCount isManualSolvingDisabled';

const mutate = async (field: string, input: object, selection = `problem { ${PROBLEM} }`, key = 'demo-owner') => {
  const title = field.charAt(0).toUpperCase() + field.slice(1);
  const selections = `${FAILURES} ${TRANSITIONS.test(field) ? BLOCKED : ''} ... on ${title}Payload { ${selection} effect }`;
  const document = `mutation ($input: ${title}Input!) { ${field}(input: $input) { ${selections} } }`;
  const { data, errors } = await testGraph.executeAs(key, document, { input });
  expect(errors).toBeUndefined();
  return data[field];
};

const create = (input: object) => mutate('problemCreate', { portfolioId: demoId('portfolio 3'), ...input });
const createProblem = async (input: object = { title: 'Made for a test' }): Promise<string> => (await create(input)).problem.rawId;
const transition = (verb: string, problemId: string) => mutate(`problem${verb}`, { problemId });

describe('Problem', () => {
  it('resolves its portfolio, customer, template, tasks, and comments with authors', async () => {
    const query = `query ($id: ID!) { problem(id: $id) {
      title status openedAt: createdAt portfolio { rawId } customer { rawId } template { name isManualSolvingDisabled }
      comments { body author { displayName member { email } } }
      advancedTasks(first: 5) { nodes { status values definition { name fields { name isRequired } } owner { ... on Problem { rawId } } } }
    } }`;
    const id = demoId('problem 0');
    const [{ data, errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(query, { id }));
    expect(errors).toBeUndefined();
    expect(calls.toSorted()).toEqual([
      'AdvancedTask/GetAdvancedTaskDefinition',
      'AdvancedTask/GetAdvancedTaskDefinition',
      'AdvancedTask/GetAdvancedTaskDefinition',
      'AdvancedTask/ListAdvancedTaskInstances',
      'Member/GetMember',
      'Member/GetMember',
      'Problem/GetProblem',
      'ProblemTemplate/GetProblemTemplate',
    ]);
    const { comments, advancedTasks, ...problem } = data.problem;
    expect(problem).toMatchObject({
      title: 'Inverter reports an earth fault',
      status: 'OPEN',
      portfolio: { rawId: demoId('portfolio 0') },
      customer: { rawId: demoId('customer 0') },
      template: { name: 'Fault in an installation', isManualSolvingDisabled: false },
    });
    expect(comments[0]).toEqual({
      body: 'The customer is at home in the mornings.',
      author: { displayName: 'Chloé Claes', member: { email: 'planner@example.com' } },
    });
    expect(advancedTasks.nodes).toContainEqual({
      status: 'COMPLETED',
      values: { broken_tiles: 3, photos: ['https://photos.example.com/1'] },
      definition: { name: 'Roof inspection', fields: expect.arrayContaining([{ name: 'broken_tiles', isRequired: true }]) },
      owner: { rawId: id },
    });
  });

  it('returns comments by ID in one call, with author names even without member:read', async () => {
    const key = makeKey(testGraph.sandbox.world, { scopes: ['me:read', 'problem:read'] });
    const query = 'query ($id: ID!) { problem(id: $id) { id comments { author { displayName } } } }';
    const [{ data, errors }, calls] = await testGraph.recordCalls(() => testGraph.executeAs(key, query, { id: demoId('problem 0') }));
    expect([errors, data.problem.comments.length, calls]).toEqual([undefined, 3, ['Problem/GetProblem']]);
    const memberQuery = 'query ($id: ID!) { problem(id: $id) { comments { author { displayName member { email } } } } }';
    const { data: partly, errors: denied } = await testGraph.executeAs(key, memberQuery, { id: demoId('problem 0') });
    expect(partly.problem.comments[0].author).toEqual({ displayName: 'Chloé Claes', member: null });
    expect(denied?.[0]?.extensions).toMatchObject({ code: 'FORBIDDEN', missingScopes: ['member:read'] });
  });
});

describe('problem lists', () => {
  it('lists problems of customers and portfolios and filters by status', async () => {
    const query = `query ($customer: ID!, $portfolio: ID!) {
      customer(id: $customer) { open: problems(filter: { statuses: [OPEN] }) { nodes { title } } problems { nodes { status } } }
      portfolio(id: $portfolio) { problems(first: 2) { nodes { rawId } } }
    }`;
    const variables = { customer: demoId('customer 0'), portfolio: demoId('portfolio 1') };
    const [{ data }, calls] = await testGraph.recordCalls(() => testGraph.execute(query, variables));
    expect(calls).toEqual(['Problem/ListProblems', 'Problem/ListProblems', 'Problem/ListProblems']);
    expect(data.customer.open.nodes).toHaveLength(3);
    expect(data.customer.problems.nodes.map(({ status }: { status: string }) => status)).toEqual(['OPEN', 'OPEN', 'OPEN', 'RESOLVED']);
    expect(data.portfolio.problems.nodes).toEqual([{ rawId: demoId('problem 3') }, { rawId: demoId('problem 6') }]);
  });

  it('batches the problems of many customers into the list of the workspace', async () => {
    const query = '{ customers(first: 40) { nodes { problems(first: 2) { nodes { id } } } } }';
    const countListCalls = async () =>
      (await testGraph.recordCalls(() => testGraph.execute(query)))[1].filter((name) => name === 'Problem/ListProblems').length;
    await countListCalls();
    expect(await countListCalls()).toBeLessThan(5);
  });

  it('searches or filters problems at the root, but rejects both', async () => {
    const [{ data }, calls] = await testGraph.recordCalls(() =>
      testGraph.execute('{ problems(query: "damp", first: 5) { nodes { title } } }'),
    );
    expect([data.problems.nodes, calls]).toEqual([[{ title: 'Damp spot on the ceiling' }], ['Problem/SearchProblems']]);
    const [{ errors }, none] = await testGraph.recordCalls(() =>
      testGraph.execute('{ problems(query: "damp", filter: { statuses: [OPEN] }) { nodes { id } } }'),
    );
    expect([errors?.[0]?.extensions.code, none]).toEqual(['BAD_USER_INPUT', []]);
  });
});

describe('Mutation.problemCreate', () => {
  it('creates a problem of a portfolio and returns the portfolio', async () => {
    const input = { portfolioId: toGlobalId('Portfolio', demoId('portfolio 3')), title: 'Odd noise', idempotencyKey: randomUUID() };
    const [result, calls] = await testGraph.recordCalls(() =>
      mutate('problemCreate', input, `problem { ${PROBLEM} } portfolio { problems(first: 1) { nodes { title } } } customer { id }`),
    );
    expect(result).toMatchObject({
      effect: 'DONE',
      problem: { title: 'Odd noise', description: null, status: 'OPEN', customer: null, template: null, incompleteAdvancedTaskCount: 0 },
      portfolio: { problems: { nodes: [{ title: 'Odd noise' }] } },
      customer: null,
    });
    expect(calls).toEqual(['Problem/CreateProblem', 'Problem/ListProblems']);
  });

  it('applies a template, and requires a customer for its advanced tasks', async () => {
    const templateId = demoId('problem template 0');
    expect(await create({ templateId })).toMatchObject({ __typename: 'ValidationError' });
    const customerId = demoId('customer 3');
    expect(await create({ templateId, customerId })).toMatchObject({
      problem: {
        title: 'The installation has a fault',
        customer: { rawId: customerId },
        template: { rawId: templateId },
        incompleteAdvancedTaskCount: 2,
      },
    });
  });

  it('reconciles a malformed response even if the title is the template’s', async () => {
    testGraph.sandbox.faults.add({ operation: 'Problem/CreateProblem', body: '{' });
    const input = { templateId: demoId('problem template 2'), portfolioId: demoId('portfolio 5'), idempotencyKey: randomUUID() };
    const [result, calls] = await testGraph.recordCalls(() => create(input));
    expect(result).toMatchObject({ effect: 'RECONCILED', problem: { title: 'The customer has a question' } });
    expect(calls.slice(0, 2)).toEqual(['Problem/CreateProblem', 'Problem/ListProblems']);
  });
});

describe('Mutation.problemResolve', () => {
  it('distinguishes incomplete tasks from disabled manual solving, and reports both', spec('3.6', '7.31'), async () => {
    const records = createRecords();
    const definition = { advancedTaskDefinitionIds: [demoId('advanced task definition 2')] };
    const both = await records.call('ProblemTemplate/CreateProblemTemplate', {
      ...definition,
      name: 'Both',
      title: 'Both',
      manualSolvingDisabled: true,
    });
    const customerId = demoId('customer 3');
    const fetchBlockerCodes = async (templateId: string) => {
      const result = await transition('Resolve', await createProblem({ templateId, customerId }));
      expect(result).toMatchObject({ __typename: 'TransitionBlockedError', current: { __typename: 'Problem', status: 'OPEN' } });
      return result.blockers.map(({ code }: { code: string }) => code);
    };
    expect(await fetchBlockerCodes(demoId('problem template 1'))).toEqual(['INCOMPLETE_ADVANCED_TASKS']);
    expect(await fetchBlockerCodes(demoId('problem template 3'))).toEqual(['MANUAL_SOLVING_DISABLED']);
    expect(await fetchBlockerCodes(both.template.id)).toEqual(['INCOMPLETE_ADVANCED_TASKS', 'MANUAL_SOLVING_DISABLED']);
  });

  it('resolves a problem whose tasks are complete', async () => {
    const problemId = await createProblem({ templateId: demoId('problem template 1'), customerId: demoId('customer 3') });
    const { data } = await testGraph.execute('query ($id: ID!) { problem(id: $id) { advancedTasks(first: 5) { nodes { id } } } }', {
      id: problemId,
    });
    const [{ id: advancedTaskId }] = data.problem.advancedTasks.nodes;
    const filled = { advancedTaskId, values: { broken_tiles: 2 }, isCompleted: true };
    const selection = 'task { status values } problem { incompleteAdvancedTaskCount }';
    expect(await mutate('advancedTaskUpdate', filled, selection)).toMatchObject({
      task: { status: 'COMPLETED', values: { broken_tiles: 2 } },
      problem: { incompleteAdvancedTaskCount: 0 },
    });
    const [result, calls] = await testGraph.recordCalls(() => mutate('problemResolve', { problemId }, 'problem { status resolvedAt }'));
    expect(result).toMatchObject({ effect: 'DONE', problem: { status: 'RESOLVED', resolvedAt: expect.any(String) } });
    expect(calls).toEqual(['Problem/GetProblem', 'Problem/UpdateProblemStatus']);
  });
});

describe('problem transitions', () => {
  it('returns TransitionBlockedError for an archived problem', async () => {
    const problemId = await createProblem();
    expect(await transition('Close', problemId)).toMatchObject({ problem: { status: 'CLOSED' } });
    expect(await transition('Archive', problemId)).toMatchObject({ problem: { status: 'ARCHIVED' } });
    for (const verb of ['Resolve', 'Close']) {
      expect(await transition(verb, problemId)).toMatchObject({
        __typename: 'TransitionBlockedError',
        fromText: 'PUBLIC_PROBLEM_STATUS_ARCHIVED',
        blockers: [{ code: 'WRONG_STATUS' }],
      });
    }
  });

  it('rejects a status in problemUpdate', spec('4.3.10'), async () => {
    const problemId = await createProblem();
    const document = 'mutation ($input: ProblemUpdateInput!) { problemUpdate(input: $input) { __typename } }';
    const [{ errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(document, { input: { problemId, status: 'CLOSED' } }));
    expect([errors?.[0]?.extensions.code, calls]).toEqual(['BAD_USER_INPUT', []]);
    expect(await mutate('problemUpdate', { problemId, description: 'More is known.' })).toMatchObject({
      problem: { title: 'Made for a test', description: 'More is known.', status: 'OPEN' },
    });
    expect(await mutate('problemUpdate', { problemId, description: null })).toMatchObject({ problem: { description: null } });
  });
});

describe('Mutation.problemCommentAdd', () => {
  const SELECTION = 'comment { body author { displayName } } problem { id }';
  const add = (body: string, idempotencyKey: string = randomUUID(), problemId = demoId('problem 3')) =>
    mutate('problemCommentAdd', { problemId, body, idempotencyKey }, SELECTION);
  const countNotifications = (body: string) =>
    testGraph.sandbox.world.store.get<{ count: number }>(
      'SELECT count(*) AS count FROM outbox JOIN problem_comments ON problem_comments.id = subject_id WHERE body = :body',
      { body },
    )?.count;

  it('requires an idempotency key', async () => {
    const document = 'mutation ($input: ProblemCommentAddInput!) { problemCommentAdd(input: $input) { __typename } }';
    const [{ errors }, calls] = await testGraph.recordCalls(() =>
      testGraph.execute(document, { input: { problemId: demoId('problem 3'), body: 'x' } }),
    );
    expect([errors?.[0]?.message, calls]).toEqual([expect.stringContaining('idempotencyKey'), []]);
  });

  it('notifies the subscribers once per idempotency key', spec('4.3.13'), async () => {
    const key = randomUUID();
    expect(await add('On our way', key)).toMatchObject({
      effect: 'DONE',
      comment: { body: 'On our way', author: { displayName: 'Ada Adler' } },
    });
    const [repeat, calls] = await testGraph.recordCalls(() => add('On our way', key));
    expect([repeat.effect, calls, countNotifications('On our way')]).toEqual(['REPLAYED', ['Problem/GetProblem'], 1]);
    await add('On our way');
    expect(countNotifications('On our way')).toBe(2);
  });

  it('notifies once after a malformed response and reconciles it', async () => {
    testGraph.sandbox.faults.add({ operation: 'Problem/AddProblemComment', body: '{' });
    const key = randomUUID();
    const [result, calls] = await testGraph.recordCalls(() => add('Lost and found', key));
    expect([result.effect, calls]).toEqual(['RECONCILED', ['Problem/AddProblemComment', 'Problem/GetProblem']]);
    testGraph.sandbox.faults.clear();
    expect([(await add('Lost and found', key)).effect, countNotifications('Lost and found')]).toEqual(['REPLAYED', 1]);
  });

  it('returns OutcomeUnknownError if only a comment of another member has the same text', async () => {
    const records = createRecords();
    const problemId = await records.id('Problem');
    const held = testGraph.gate.hold('Problem/AddProblemComment');
    testGraph.sandbox.faults.add({ operation: 'Problem/AddProblemComment', cut: 'before' });
    const pending = add('Done', randomUUID(), problemId);
    await held.arrived;
    testGraph.sandbox.world.store.run(
      `INSERT INTO problem_comments (id, workspace_id, problem_id, body, author_id, author_name, created_at)
       VALUES ('theirs', :workspace, :problemId, 'Done', :author, 'Chloé Claes', :now)`,
      { workspace: demoId('workspace'), problemId, author: demoId('member planner'), now: testGraph.sandbox.now },
    );
    held.release();
    expect(await pending).toMatchObject({ __typename: 'OutcomeUnknownError', retry: 'CHECK_FIRST' });
    expect(countNotifications('Done')).toBe(0);
  });
});
