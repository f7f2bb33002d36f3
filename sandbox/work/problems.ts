import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  type CreateProblemRequest,
  Problem,
  type ProblemRecordSchema,
  PublicProblemStatus as Status,
  PublicProblemTransition as Transition,
} from '../../src/upstream/contract/generated/publicapi/v1/problems_pb.ts';
import { getCustomer } from '../customers/customerRecords.ts';
import { getPortfolio } from '../customers/portfolios.ts';
import { type CallContext, createContainsSql, toAsciiLowerCase } from '../kernel/call.ts';
import { failedPrecondition, invalidArgument } from '../kernel/errors.ts';
import { sendMessage } from '../kernel/outbox.ts';
import { domain } from '../kernel/service.ts';
import { CUSTOMER_WRITE, requireCapability, WORK_READ, WORK_WRITE } from './access.ts';
import { attachTask, openAdvancedTasks } from './advancedTaskRecords.ts';
import {
  getProblem,
  getProblemTemplate,
  type ProblemRow,
  parseDefinitionIds,
  problemCommentTable,
  problemTable,
  subscriberTable,
} from './problemRecords.ts';

/** Maximum number of comments that are returned with a problem. Chosen: the upstream documents that there is a limit, but not the number. */
const MAX_COMMENTS = 100;

const toProblem = (call: CallContext, row: ProblemRow): MessageInitShape<typeof ProblemRecordSchema> => ({
  ...problemTable.read(row),
  openTaskCount: openAdvancedTasks(call, { problem_id: row.id }).length,
});

const readProblem = (call: CallContext, id: string) => ({ problem: toProblem(call, getProblem(call, id)) });

/** The template of a new problem, if any. Members that can write problems can read templates. */
function findTemplate(call: CallContext, { problemTemplateId = '', customerId = '' }: CreateProblemRequest) {
  if (problemTemplateId === '') return undefined;
  const template = getProblemTemplate(call, problemTemplateId);
  const definitionIds = parseDefinitionIds(template);
  if (definitionIds.length > 0 && customerId === '')
    throw invalidArgument(`customer_id is required, because the template ${template.name} has advanced tasks, which need a customer.`);
  return { ...template, definitionIds };
}

/** The customer of a new problem. Empty for none. */
function resolveCustomerId(call: CallContext, { customerId = '' }: CreateProblemRequest): string {
  if (customerId === '') return '';
  requireCapability(call, CUSTOMER_WRITE, 'link a problem to a customer');
  return getCustomer(call, customerId).id;
}

function create(call: CallContext, request: CreateProblemRequest): string {
  const portfolio = getPortfolio(call, request.portfolioId);
  const template = findTemplate(call, request);
  const customerId = resolveCustomerId(call, request);
  const title = request.title.trim() === '' ? (template?.title ?? '') : request.title;
  if (title === '') throw invalidArgument('title is required, because there is no template to inherit it from.');
  const id = call.id();
  problemTable.insert(call.store, {
    id,
    workspace_id: call.workspaceId,
    title,
    description: request.description || (template?.description ?? ''),
    status: Status.OPEN,
    portfolio_id: portfolio.id,
    customer_id: customerId,
    problem_template_id: template?.id ?? '',
    manual_solving_disabled: template?.manual_solving_disabled ?? 0,
    created_at: call.now,
    updated_at: call.now,
    resolved_at: null,
  });
  for (const definitionId of template?.definitionIds ?? [])
    attachTask(call.world, { workspaceId: call.workspaceId, definitionId, owner: { problem_id: id }, at: call.now });
  subscribe(call, id);
  return id;
}

/** Subscribes the caller's member to comments. */
function subscribe(call: CallContext, problemId: string): void {
  subscriberTable.upsert(call.store, { problem_id: problemId, member_id: call.principal.memberId });
}

interface Step {
  readonly to: Status;
  readonly word: string;
  readonly from: readonly number[];
}

/** The target status of each transition, and the statuses it can start from. Chosen: the upstream documents only the transitions, and none that leads back. */
const STEPS: Readonly<Record<number, Step>> = {
  [Transition.RESOLVE]: { to: Status.RESOLVED, word: 'resolved', from: [Status.OPEN] },
  [Transition.CLOSE]: { to: Status.CLOSED, word: 'closed', from: [Status.OPEN, Status.RESOLVED] },
  [Transition.ARCHIVE]: { to: Status.ARCHIVED, word: 'archived', from: [Status.OPEN, Status.RESOLVED, Status.CLOSED] },
};

function requireSolvable(call: CallContext, problem: ProblemRow): void {
  if (problem.manual_solving_disabled === 1) throw failedPrecondition(`Manual solving of ${problem.title} is disabled by its template.`);
  const { length } = openAdvancedTasks(call, { problem_id: problem.id });
  if (length > 0) throw failedPrecondition(`${problem.title} has ${length} incomplete ${length === 1 ? 'task' : 'tasks'}.`);
}

/** Performs a transition. Does nothing if the problem already has the target status. */
function performTransition(call: CallContext, problem: ProblemRow, { to, word, from }: Step): void {
  if (problem.status === to) return;
  if (!from.includes(problem.status)) throw failedPrecondition(`${problem.title} can’t be ${word} in its current status.`);
  if (to === Status.RESOLVED) requireSolvable(call, problem);
  const resolvedAt = to === Status.RESOLVED ? call.now : problem.resolved_at;
  problemTable.update(call.store, problem.id, { status: to, resolved_at: resolvedAt, updated_at: call.now });
}

/** Notifies the other subscribers of a comment, except removed members. */
function notifySubscribers(call: CallContext, problem: ProblemRow, commentId: string): void {
  const subscribers = call.store.all<{ readonly member_id: string }>(
    `SELECT member_id FROM problem_subscribers JOIN members ON members.id = member_id
     WHERE problem_id = :problemId AND member_id <> :author ORDER BY problem_subscribers.rowid`,
    { problemId: problem.id, author: call.principal.memberId },
  );
  for (const { member_id } of subscribers) {
    sendMessage(call, { kind: 'problem_comment_notification', recipient: member_id, subject: { type: 'problem_comment', id: commentId } });
  }
}

export const problems = domain(Problem, {
  tables: [problemTable, problemCommentTable, subscriberTable],
  handlers: {
    createProblem: {
      permission: WORK_WRITE,
      run: (request, call) => readProblem(call, create(call, request)),
    },

    getProblem: {
      permission: WORK_READ,
      run: ({ id }, call) => {
        const comments = problemCommentTable.list(call.store, { problem_id: getProblem(call, id).id }, 'created_at DESC, rowid DESC');
        return { ...readProblem(call, id), comments: comments.slice(0, MAX_COMMENTS).map(problemCommentTable.read) };
      },
    },

    listProblems: {
      permission: WORK_READ,
      run: (request, call) => {
        const { portfolioId, customerId, status } = request;
        const { rows, ...page } = problemTable.page(call, request, { portfolio_id: portfolioId, customer_id: customerId, status });
        return { problems: rows.map((row) => toProblem(call, row)), ...page };
      },
    },

    searchProblems: {
      permission: WORK_READ,
      run: (request, call) => {
        const { rows, ...page } = call.page<ProblemRow>(
          request,
          `SELECT * FROM problems
           WHERE workspace_id = :workspaceId AND (${createContainsSql('title')} OR ${createContainsSql('description')})
           ORDER BY created_at DESC, rowid DESC`,
          { workspaceId: call.workspaceId, query: toAsciiLowerCase(request.query) },
        );
        return { problems: rows.map((row) => toProblem(call, row)), ...page };
      },
    },

    updateProblem: {
      permission: WORK_WRITE,
      run: ({ id, title, description }, call) => {
        const problem = getProblem(call, id);
        problemTable.update(call.store, id, {
          title: title ?? problem.title,
          description: description ?? problem.description,
          updated_at: call.now,
        });
        return readProblem(call, id);
      },
    },

    updateProblemStatus: {
      permission: WORK_WRITE,
      run: ({ problemId, transition }, call) => {
        const problem = getProblem(call, problemId);
        const step = STEPS[transition];
        if (!step) throw invalidArgument('transition must be one of the values in the contract.');
        performTransition(call, problem, step);
        return readProblem(call, problem.id);
      },
    },

    addProblemComment: {
      permission: WORK_WRITE,
      run: ({ problemId, body }, call) => {
        const problem = getProblem(call, problemId);
        const { memberId, memberName } = call.principal;
        const comment = {
          id: call.id(),
          workspace_id: call.workspaceId,
          problem_id: problem.id,
          body,
          author_id: memberId,
          author_name: memberName,
          created_at: call.now,
        };
        problemCommentTable.insert(call.store, comment);
        notifySubscribers(call, problem, comment.id);
        subscribe(call, problem.id);
        return { comment: problemCommentTable.read(comment) };
      },
    },
  },
});
