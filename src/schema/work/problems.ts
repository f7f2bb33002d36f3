import { problemLoader } from '../../loaders/problems.ts';
import { GetProblem } from '../../upstream/contract/generated/operations.ts';
import type {
  ProblemCommentRecordJson,
  ProblemRecordJson,
  PublicProblemStatusJson,
} from '../../upstream/contract/generated/publicapi/v1/problems_pb.ts';
import { Customer } from '../customers/customers.ts';
import { Portfolio } from '../customers/portfolios.ts';
import { entity } from '../kit/entities.ts';
import { isOtherThan, wireEnum } from '../kit/enums.ts';
import { RecordFields } from '../kit/records.ts';
import type { Entity } from '../kit/registry.ts';
import { ProblemTemplate } from './problemTemplates.ts';

export const ProblemStatus = wireEnum<PublicProblemStatusJson>()('ProblemStatus', {
  description: 'The stage of a problem. No step leads back.',
  prefix: 'PUBLIC_PROBLEM_STATUS',
  members: {
    OPEN: 'To be solved.',
    RESOLVED: 'Solved.',
    CLOSED: 'Done with, solved or not.',
    ARCHIVED: 'Put away.',
    OTHER: 'A state that this graph does not know: see `statusText`.',
  },
});

const record = new RecordFields<ProblemRecordJson>('ProblemRecord');

export const Problem: Entity<ProblemRecordJson> = entity('Problem', {
  record,
  description: 'Something that is to be solved for a portfolio.',
  operation: GetProblem,
  loader: problemLoader,
  key: 'id',
  root: 'The problem of this id; null when there is none. Reading it does not mark anything as seen.',
  state: { of: ({ status }) => status, isClosed: ({ status }) => isOtherThan('OPEN', ProblemStatus, status) },
  fields: (t) => ({
    title: record.requiredText(t, 'title', 'The title.'),
    description: record.text(t, 'description', 'The description.'),
    ...record.word(t, 'status', ProblemStatus, 'The stage of the problem: open, resolved, closed or archived.'),
    portfolio: record.requiredEdge(t, 'portfolioId', Portfolio, 'The portfolio that it belongs to.'),
    customer: record.edge(
      t,
      'customerId',
      Customer,
      'The customer that it is linked to; null without one. The record of the portfolio may be another one.',
    ),
    template: record.edge(t, 'problemTemplateId', ProblemTemplate, 'The template that it was made from; null for a general problem.'),
    isManualSolvingDisabled: record.flag(t, 'manualSolvingDisabled', 'Whether `problemResolve` is refused, as its template says.'),
    incompleteAdvancedTaskCount: record.int(
      t,
      'openTaskCount',
      'The number of its advanced tasks that are incomplete: they bar `problemResolve`.',
    ),
    createdAt: record.dateTime(t, 'createdAt', 'The moment of creation.'),
    updatedAt: record.dateTime(t, 'updatedAt', 'The moment of the last change.'),
    resolvedAt: record.dateTime(t, 'resolvedAt', 'The moment at which it was resolved; null when it was not.'),
  }),
});

const comment = new RecordFields<ProblemCommentRecordJson>('ProblemCommentRecord');

export const ProblemComment = comment.type('ProblemComment', {
  description: 'A comment on a problem.',
  key: 'id',
  fields: (t) => ({
    problem: comment.requiredEdge(t, 'problemId', Problem, 'The problem that it is about.'),
    body: comment.requiredText(t, 'body', 'The text, which is plain.'),
    author: comment.actor(t, 'authorName', 'The member behind the API key that wrote it.', 'authorId'),
    createdAt: comment.dateTime(t, 'createdAt', 'The moment of writing.'),
  }),
});
