import type { Blocker } from '../../failures/failures.ts';
import { readLargestPage } from '../../loaders/listScan.ts';
import { Customer } from '../../schema/customers/customers.ts';
import { Portfolio } from '../../schema/customers/portfolios.ts';
import { builder } from '../../schema/kit/builder.ts';
import { rankDescendingBy } from '../../schema/paging/anchors.ts';
import { ProblemSearch } from '../../schema/work/problemSearch.ts';
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
import type { PublicProblemTransitionJson } from '../../upstream/contract/generated/publicapi/v1/problems_pb.ts';
import type { ProblemRecord } from '../../upstream/contract/generated/records.ts';
import { defineCriteria } from '../kit/listCriteria.ts';
import { list, searchableList } from '../kit/lists.ts';
import { mutation } from '../kit/mutation.ts';
import { readAll } from '../kit/reads.ts';
import { fetchCurrent, filterCreated, reconcileByValues } from '../kit/reconcile.ts';
import { registerReread } from '../kit/rereads.ts';
import { search } from '../kit/search.ts';

const criteria = defineCriteria(ListProblems, Problem, {
  status: ProblemStatus,
  sortedBy: rankDescendingBy('createdAt'),
  alternative: 'Use `problemSearch`, or filter by one status.',
  conditions: (f) => ({
    portfolioId: f.portfolioId('Only problems of this portfolio.'),
    customerId: f.customerId('Only problems linked to this customer.'),
  }),
});

const problems = { order: 'Newest first.', node: Problem, index: ProblemSearch.index, ...criteria };

builder.queryField('problems', (t) =>
  t.field(
    searchableList(ListProblems, SearchProblems, {
      description: 'Lists or searches problems. `query` and `filter` can’t be combined.',
      ...problems,
      query: 'Text to search for in titles and descriptions.',
    }),
  ),
);

builder.objectField(Customer.ref, 'problems', (t) =>
  t.field(
    list(ListProblems, {
      description: 'Problems linked to the customer.',
      ...problems,
      on: Customer,
    }),
  ),
);

builder.objectField(Portfolio.ref, 'problems', (t) =>
  t.field(
    list(ListProblems, {
      description: 'The portfolio’s problems.',
      ...problems,
      on: Portfolio,
    }),
  ),
);

builder.objectField(Problem.ref, 'comments', (t) =>
  t.field(
    readAll(GetProblem, {
      description:
        'The latest comments on the problem, newest first. The Workspace API returns a limited number of them. In a list of problems, costs one call per problem.',
      type: ProblemComment,
      request: ({ id }: { readonly id: string }) => ({ id }),
      resolveValue: ({ comments }) => comments,
      extensions: { isServedByKey: true },
    }),
  ),
);

builder.queryField('problemSearch', (t) => t.field(search(ProblemSearch, 'Searches the problems of the workspace.', '`problems`')));

mutation('problemCreate', CreateProblem, {
  description:
    'Creates an open problem in a portfolio. With a template, it inherits omitted texts and the template’s advanced tasks. Linking a customer requires permission to change customers.',
  on: Portfolio,
  input: (f) => ({
    portfolioId: f.portfolioId('Portfolio that the problem belongs to.'),
    customerId: f.customerId('Customer to link to the problem. Required if the template has advanced tasks.'),
    templateId: f.problemTemplateId('Template to create the problem from. Without one, creates a general problem.'),
    title: f.title('Title of the problem. Defaults to the template’s title. Required without a template.'),
    description: f.description('Description of the problem. Defaults to the template’s description.'),
  }),
  returns: { problem: 'The new problem.' },
  affects: {
    portfolio: [Portfolio, 'The portfolio. Its `problems` have changed.', (_response, { portfolioId }) => portfolioId],
    customer: [Customer, 'The customer. Its `problems` have changed. Null if none was linked.', (_response, { customerId }) => customerId],
  },
  reconcile: {
    calls: 1,
    find: async ({ request, context, startedAt }) => {
      const { portfolioId = '', customerId, problemTemplateId, title, description } = request;
      const { rows: problems } = await readLargestPage(context.upstream, ListProblems, { portfolioId });
      // Omitted texts may come from the template.
      const expected = {
        portfolioId,
        customerId: customerId ?? '',
        problemTemplateId: problemTemplateId ?? '',
        title: title || undefined,
        description: description || undefined,
      };
      return filterCreated(problems, expected, startedAt);
    },
  },
});

mutation('problemUpdate', UpdateProblem, {
  description: 'At least one field is required. To change the status, use `problemResolve`, `problemClose` or `problemArchive`.',
  on: Problem,
  isPatch: true,
  input: (f) => ({ title: f.title('Title of the problem.'), description: f.description('Description of the problem.') }),
  returns: { problem: 'The updated problem.' },
  reconcile: reconcileByValues(Problem, 'problem', ({ id, ...fields }) => fields),
});

/** Lists everything that blocks the resolution of an open problem. */
function listResolutionBlockers({ manualSolvingDisabled, openTaskCount }: ProblemRecord): readonly Blocker[] {
  const tasks: Blocker = {
    code: 'INCOMPLETE_ADVANCED_TASKS',
    message: `The problem has incomplete advanced tasks (${openTaskCount}). Complete them with advancedTaskUpdate.`,
  };
  const solving: Blocker = {
    code: 'MANUAL_SOLVING_DISABLED',
    message: 'The problem can’t be resolved manually, because its template disables it.',
  };
  return [...(openTaskCount > 0 ? [tasks] : []), ...(manualSolvingDisabled ? [solving] : [])];
}

/** Declares a mutation for one status transition. All transitions share one upstream operation. */
function declareTransition(
  name: string,
  transition: Exclude<PublicProblemTransitionJson, `${string}_UNSPECIFIED`>,
  status: string,
  description: string,
) {
  mutation(name, UpdateProblemStatus, {
    description,
    on: Problem,
    request: { complete: (request) => ({ ...request, transition }) },
    returns: { problem: 'The updated problem.' },
    isUnchanged: (_response, before) => before?.status === status,
    reconcile: async ({ request: { problemId }, context }) => {
      const problem = await fetchCurrent(Problem, problemId, context);
      return problem?.status === status ? { problem } : undefined;
    },
    blockers: async (_request, _context, problem) =>
      transition === 'PUBLIC_PROBLEM_TRANSITION_RESOLVE' ? listResolutionBlockers(problem) : [],
  });
}

declareTransition(
  'problemResolve',
  'PUBLIC_PROBLEM_TRANSITION_RESOLVE',
  'PUBLIC_PROBLEM_STATUS_RESOLVED',
  'Resolves an open problem. Blocked by incomplete advanced tasks and by a template that disables manual resolution. `blockers` lists the reasons. If it’s already resolved, the effect is `UNCHANGED`.',
);
declareTransition(
  'problemClose',
  'PUBLIC_PROBLEM_TRANSITION_CLOSE',
  'PUBLIC_PROBLEM_STATUS_CLOSED',
  'Closes an open or resolved problem. Closed problems can’t be reopened. If it’s already closed, the effect is `UNCHANGED`.',
);
declareTransition(
  'problemArchive',
  'PUBLIC_PROBLEM_TRANSITION_ARCHIVE',
  'PUBLIC_PROBLEM_STATUS_ARCHIVED',
  'Archives a problem with any status. Archived problems can’t be restored. If it’s already archived, the effect is `UNCHANGED`.',
);

registerReread(ProblemComment, async ({ problemId }, { upstream }) => (await upstream.call(GetProblem, { id: problemId })).comments);

mutation('problemCommentAdd', AddProblemComment, {
  description:
    'Adds a comment to a problem as the member behind the API key and notifies the problem’s subscribers. A new idempotency key adds another comment and notifies them again.',
  on: Problem,
  input: (f) => ({ body: f.body('Plain text of the comment.') }),
  returns: { comment: 'The new comment.' },
  affects: { problem: [Problem, 'The problem. Its `comments` have changed.', (_response, { problemId }) => problemId] },
  // Another member may have added the same text, so the author must match.
  reconcile: {
    calls: 2,
    find: async ({ request: { problemId = '', body }, context, startedAt }) => {
      const { apiKey } = await context.upstream.call(Me, {});
      if (!apiKey?.creatorName) return null;
      const { comments } = await context.upstream.call(GetProblem, { id: problemId });
      return filterCreated(comments, { problemId, body, authorName: apiKey.creatorName }, startedAt);
    },
  },
});
