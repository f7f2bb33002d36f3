import { problemLoader } from '../../loaders/problems.ts';
import { GetProblem } from '../../upstream/contract/generated/operations.ts';
import type { PublicProblemStatusJson } from '../../upstream/contract/generated/publicapi/v1/problems_pb.ts';
import type { ProblemCommentRecord, ProblemRecord } from '../../upstream/contract/generated/records.ts';
import { Customer } from '../customers/customers.ts';
import { Portfolio } from '../customers/portfolios.ts';
import { entity } from '../kit/entities.ts';
import { isOtherThan, wireEnum } from '../kit/enums.ts';
import { RecordFields } from '../kit/records.ts';
import type { Entity } from '../kit/registry.ts';
import { ProblemTemplate } from './problemTemplates.ts';

export const ProblemStatus = wireEnum<PublicProblemStatusJson>()('ProblemStatus', {
  description: 'The status of a problem. A problem can’t return to an earlier status.',
  prefix: 'PUBLIC_PROBLEM_STATUS',
  members: {
    OPEN: 'Not resolved yet.',
    RESOLVED: 'Resolved. Can still be closed or archived.',
    CLOSED: 'Closed, whether it was resolved or not. Can’t be reopened.',
    ARCHIVED: 'Archived. Can’t be restored.',
    OTHER: 'A status that isn’t in this schema yet. See `statusText`.',
  },
});

const record = new RecordFields<ProblemRecord>('ProblemRecord');

export const Problem: Entity<ProblemRecord> = entity('Problem', {
  record,
  description: 'An issue to resolve for a portfolio.',
  operation: GetProblem,
  loader: problemLoader,
  key: 'id',
  root: 'Looks up a problem by ID. Null if it doesn’t exist. Doesn’t mark anything as seen.',
  state: { of: ({ status }) => status, isClosed: ({ status }) => isOtherThan('OPEN', ProblemStatus, status) },
  fields: (t) => ({
    title: record.requiredText(t, 'title', 'Title of the problem.'),
    description: record.text(t, 'description', 'Description of the problem.'),
    ...record.word(t, 'status', ProblemStatus, 'Status of the problem: open, resolved, closed or archived.'),
    portfolio: record.requiredEdge(t, 'portfolioId', Portfolio, 'Portfolio that the problem belongs to.'),
    customer: record.edge(
      t,
      'customerId',
      Customer,
      'Customer linked to the problem. Null if there is none. Can differ from the customer record of the portfolio.',
    ),
    template: record.edge(
      t,
      'problemTemplateId',
      ProblemTemplate,
      'Template that the problem was created from. Null for a general problem, or if the template no longer exists.',
      { isDeletable: true },
    ),
    isManualSolvingDisabled: record.flag(t, 'manualSolvingDisabled', 'Whether the problem’s template blocks `problemResolve`.'),
    incompleteAdvancedTaskCount: record.int(
      t,
      'openTaskCount',
      'Number of incomplete advanced tasks. `problemResolve` is blocked until there are none.',
    ),
    createdAt: record.dateTime(t, 'createdAt', 'When the problem was created.'),
    updatedAt: record.dateTime(t, 'updatedAt', 'When the problem was last updated.'),
    resolvedAt: record.dateTime(t, 'resolvedAt', 'When the problem was resolved. Null if it hasn’t been resolved.'),
  }),
});

const comment = new RecordFields<ProblemCommentRecord>('ProblemCommentRecord');

export const ProblemComment = comment.type('ProblemComment', {
  description: 'A plain-text comment on a problem.',
  key: 'id',
  fields: (t) => ({
    problem: comment.requiredEdge(t, 'problemId', Problem, 'Problem that the comment is on.'),
    body: comment.requiredText(t, 'body', 'Plain text of the comment.'),
    author: comment.actor(t, 'authorName', 'Member behind the API key that added the comment.', 'authorId'),
    createdAt: comment.dateTime(t, 'createdAt', 'When the comment was added.'),
  }),
});
