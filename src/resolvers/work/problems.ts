import type { Blocker } from '../../failures.ts';
import { Customer } from '../../schema/customers/customers.ts';
import { Portfolio } from '../../schema/customers/portfolios.ts';
import { builder } from '../../schema/kit/builder.ts';
import { Problem, ProblemComment, ProblemStatus } from '../../schema/work/problems.ts';
import {
  AddProblemComment,
  CreateProblem,
  GetProblem,
  ListProblems,
  Me,
  SearchProblems,
  UpdateProblem,
  UpdateProblemStatus,
} from '../../upstream/contract/generated/operations.ts';
import type { ProblemRecordJson, PublicProblemTransitionJson } from '../../upstream/contract/generated/publicapi/v1/problems_pb.ts';
import { filterOf } from '../kit/filters.ts';
import { list, searchableList } from '../kit/lists.ts';
import { mutation } from '../kit/mutation.ts';
import { readAll } from '../kit/reads.ts';
import { fetchCurrent, findCreated, reconcileByValues } from '../kit/reconcile.ts';

const ProblemFilter = filterOf(ListProblems, Problem, (f) => ({
  portfolioId: f.portfolioId('Only those of this portfolio.'),
  customerId: f.customerId('Only those that are linked to this customer.'),
  status: f.status('Only those in this state.', ProblemStatus),
}));

builder.queryField('problems', (t) =>
  t.field(
    searchableList(ListProblems, SearchProblems, {
      description: 'The problems of the workspace. `query` and `filter` do not go together.',
      order: 'Newest first.',
      node: Problem,
      query: 'Text to find in titles and descriptions.',
      filter: ProblemFilter,
    }),
  ),
);

builder.objectField(Customer.ref, 'problems', (t) =>
  t.field(
    list(ListProblems, {
      description: 'The problems that are linked to this customer.',
      order: 'Newest first.',
      on: Customer,
      node: Problem,
      filter: ProblemFilter,
    }),
  ),
);

builder.objectField(Portfolio.ref, 'problems', (t) =>
  t.field(
    list(ListProblems, {
      description: 'The problems that belong to this portfolio.',
      order: 'Newest first.',
      on: Portfolio,
      node: Problem,
      filter: ProblemFilter,
    }),
  ),
);

builder.objectField(Problem.ref, 'comments', (t) =>
  t.field(
    readAll(GetProblem, {
      description:
        'The newest comments on this problem, newest first. The Workspace API tells a bounded number of them. In lists of problems they take a call for each problem.',
      type: ProblemComment,
      request: ({ id = '' }: { id?: string }) => ({ id }),
      answer: ({ comments }) => comments,
      extensions: { isServedByKey: true },
    }),
  ),
);

mutation('problemCreate', CreateProblem, {
  description:
    'Makes an open problem of a portfolio. With a template it inherits the texts that are not given, and gets the advanced tasks of the template. A link to a customer takes the right to change customers.',
  on: Portfolio,
  input: (f) => ({
    portfolioId: f.portfolioId('The portfolio that it belongs to.'),
    customerId: f.customerId('The customer to link it to. Required when the template has advanced tasks.'),
    templateId: f.problemTemplateId('The template to make it from; a general problem when absent.'),
    title: f.title('The title. That of the template when absent; required without a template.'),
    description: f.description('The description; that of the template when absent.'),
  }),
  returns: { problem: 'The new problem.' },
  leadsTo: {
    portfolio: [Portfolio, 'The portfolio. Its `problems` have changed.', (_response, { portfolioId }) => portfolioId],
    customer: [Customer, 'The customer. Its `problems` have changed; null without one.', (_response, { customerId }) => customerId],
  },
  reconcile: async ({ request, startedAt, context }) => {
    const { portfolioId = '', customerId, problemTemplateId, title, description } = request;
    const { problems } = await context.upstream.call(ListProblems, {
      portfolioId,
      page: 1,
      pageSize: context.upstream.operation(ListProblems).page?.maxSize ?? 1,
    });
    // Texts that were not given may be those of the template.
    const wanted = {
      portfolioId,
      customerId: customerId ?? '',
      problemTemplateId: problemTemplateId ?? '',
      title: title || undefined,
      description: description || undefined,
    };
    const problem = findCreated(problems, wanted, startedAt);
    return problem && { problem };
  },
});

mutation('problemUpdate', UpdateProblem, {
  description: 'At least one of them must be given. The status is changed by `problemResolve`, `problemClose` and `problemArchive`.',
  on: Problem,
  isPatch: true,
  input: (f) => ({ title: f.title('The title.'), description: f.description('The description.') }),
  returns: { problem: 'The problem as it is now.' },
  reconcile: reconcileByValues(Problem, 'problem', ({ id, ...fields }) => fields),
});

/** The bars to the resolution of an open problem: each by itself. */
function blockersOf({ manualSolvingDisabled, openTaskCount = 0 }: ProblemRecordJson): readonly Blocker[] {
  const tasks: Blocker = {
    code: 'INCOMPLETE_ADVANCED_TASKS',
    message: `Advanced tasks of the problem are incomplete: ${openTaskCount}. Complete them with advancedTaskUpdate.`,
  };
  const solving: Blocker = { code: 'MANUAL_SOLVING_DISABLED', message: 'The problem cannot be resolved by hand: its template says so.' };
  return [...(openTaskCount > 0 ? [tasks] : []), ...(manualSolvingDisabled ? [solving] : [])];
}

/** Declares a step of problems: all of them are one operation of the upstream. */
function step(
  name: string,
  transition: Exclude<PublicProblemTransitionJson, `${string}_UNSPECIFIED`>,
  status: string,
  description: string,
) {
  mutation(name, UpdateProblemStatus, {
    description,
    on: Problem,
    request: (request) => ({ ...request, transition }),
    returns: { problem: 'The problem as it is now.' },
    reconcile: async ({ request: { problemId }, context }) => {
      const problem = await fetchCurrent(Problem, problemId, context);
      return problem?.status === status ? { problem } : undefined;
    },
    blockers: async (problem) => (transition === 'PUBLIC_PROBLEM_TRANSITION_RESOLVE' ? blockersOf(problem) : []),
  });
}

step(
  'problemResolve',
  'PUBLIC_PROBLEM_TRANSITION_RESOLVE',
  'PUBLIC_PROBLEM_STATUS_RESOLVED',
  'Marks an open problem as solved. Incomplete advanced tasks, and a template that disables solving by hand, bar it: `blockers` tells which.',
);
step(
  'problemClose',
  'PUBLIC_PROBLEM_TRANSITION_CLOSE',
  'PUBLIC_PROBLEM_STATUS_CLOSED',
  'Ends the work on a problem that is open or resolved. No step opens a closed problem again.',
);
step(
  'problemArchive',
  'PUBLIC_PROBLEM_TRANSITION_ARCHIVE',
  'PUBLIC_PROBLEM_STATUS_ARCHIVED',
  'Puts a problem away, whatever its stage. No step brings an archived problem back.',
);

mutation('problemCommentAdd', AddProblemComment, {
  description:
    'Writes a comment on a problem, as the member behind the API key, and notifies the subscribers of the problem. Another key notifies them again.',
  on: Problem,
  input: (f) => ({ body: f.body('The text, which is plain.') }),
  returns: { comment: 'The new comment.' },
  leadsTo: { problem: [Problem, 'The problem. Its `comments` have changed.', (_response, { problemId }) => problemId] },
  // Others may have written the same words: the author tells whose they are.
  reconcile: async ({ request: { problemId = '', body }, startedAt, context }) => {
    const { apiKey } = await context.upstream.call(Me, {});
    if (!apiKey?.creatorName) return undefined;
    const { comments } = await context.upstream.call(GetProblem, { id: problemId });
    const comment = findCreated(comments, { problemId, body, authorName: apiKey.creatorName }, startedAt);
    return comment && { comment };
  },
});
