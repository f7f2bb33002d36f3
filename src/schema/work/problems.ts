import { problemLoader } from '../../loaders/problems.ts';
import { GetProblem } from '../../upstream/contract/generated/operations.ts';
import type { ProblemCommentRecord, ProblemRecord } from '../../upstream/contract/generated/records.ts';
import { Customer } from '../customers/customers.ts';
import { Portfolio } from '../customers/portfolios.ts';
import { defineEntity } from '../kit/entities.ts';
import { defineWireEnum, hasOtherStatus } from '../kit/enums.ts';
import { defineRecordType } from '../kit/recordTypes.ts';
import type { Entity } from '../kit/registry.ts';
import { ProblemTemplate } from './problemTemplates.ts';

export const ProblemStatus = defineWireEnum('ProblemStatus', 'PublicProblemStatus', {
  description: 'The status of a problem. A problem can’t return to an earlier status.',
  members: {
    OPEN: 'Not resolved yet.',
    RESOLVED: 'Resolved. Can still be closed or archived.',
    CLOSED: 'Closed, whether it was resolved or not. Can’t be reopened.',
    ARCHIVED: 'Archived. Can’t be restored.',
    OTHER: 'A status that isn’t in this schema yet. See `statusText`.',
  },
});

export const Problem: Entity<ProblemRecord> = defineEntity('Problem', {
  record: 'ProblemRecord',
  description: 'An issue to resolve for a portfolio.',
  operation: GetProblem,
  loader: problemLoader,
  key: 'id',
  root: 'Looks up a problem by ID. Null if it doesn’t exist. Doesn’t mark anything as seen.',
  state: { getStatus: ({ status }) => status, isTerminal: ({ status }) => hasOtherStatus('OPEN', ProblemStatus, status) },
  fields: (f) => ({
    title: f.requiredString('title', 'Title of the problem.'),
    description: f.string('description', 'Description of the problem.'),
    ...f.enumWithText('status', ProblemStatus, 'Status of the problem: open, resolved, closed or archived.'),
    portfolio: f.requiredEdge('portfolioId', Portfolio, 'Portfolio that the problem belongs to.'),
    customer: f.edge(
      'customerId',
      Customer,
      'Customer linked to the problem. Null if no customer is linked. Can differ from the customer record of the portfolio.',
    ),
    template: f.edge(
      'problemTemplateId',
      ProblemTemplate,
      'Template that the problem was created from. Null for a general problem, or if the template no longer exists.',
      { isDeletable: true },
    ),
    isManualSolvingDisabled: f.boolean('manualSolvingDisabled', 'Whether the problem’s template blocks `problemResolve`.'),
    incompleteAdvancedTaskCount: f.int(
      'openTaskCount',
      'Number of incomplete advanced tasks. `problemResolve` is blocked until all are complete.',
    ),
    createdAt: f.dateTime('createdAt', 'When the problem was created.'),
    updatedAt: f.dateTime('updatedAt', 'When the problem was last updated.'),
    resolvedAt: f.dateTime('resolvedAt', 'When the problem was resolved. Null if it hasn’t been resolved.'),
  }),
});

export const ProblemComment = defineRecordType<ProblemCommentRecord>('ProblemComment', {
  record: 'ProblemCommentRecord',
  description: 'A plain-text comment on a problem.',
  key: 'id',
  fields: (f) => ({
    problem: f.requiredEdge('problemId', Problem, 'Problem that the comment is on.'),
    body: f.requiredString('body', 'Plain text of the comment.'),
    author: f.actor('authorName', 'Member behind the API key that added the comment.', 'authorId'),
    createdAt: f.dateTime('createdAt', 'When the comment was added.'),
  }),
});
