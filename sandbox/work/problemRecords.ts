import type { MessageInitShape } from '@bufbuild/protobuf';
import { ProblemTemplateRecordSchema } from '../../src/upstream/contract/generated/publicapi/v1/problem_templates_pb.ts';
import { ProblemCommentRecordSchema, ProblemRecordSchema } from '../../src/upstream/contract/generated/publicapi/v1/problems_pb.ts';
import { plainTable, type RowOf, type Scope, table } from '../kernel/table.ts';

export const problemTemplateTable = table('problem_templates', ProblemTemplateRecordSchema, {
  // `advanced_task_definition_ids` is a JSON array.
  also: { workspace_id: 'TEXT', advanced_task_definition_ids: 'TEXT' },
});

export const problemTable = table('problems', ProblemRecordSchema, {
  also: { workspace_id: 'TEXT' },
  without: ['openTaskCount'],
  indexes: {
    problems_by_age: 'workspace_id, created_at',
    problems_of_customer: 'workspace_id, customer_id, created_at',
    problems_of_portfolio: 'workspace_id, portfolio_id, created_at',
  },
});

export const problemCommentTable = table('problem_comments', ProblemCommentRecordSchema, {
  also: { workspace_id: 'TEXT' },
  references: { problem_id: problemTable },
  indexes: { comments_of_problem: 'problem_id, created_at' },
});

/** Members that are notified of comments. Chosen: the creator of the problem, and members that have commented on it. */
export const subscriberTable = plainTable(
  'problem_subscribers',
  { problem_id: 'TEXT', member_id: 'TEXT' },
  { key: ['problem_id', 'member_id'], references: { problem_id: problemTable } },
);

export type ProblemRow = RowOf<typeof problemTable>;
type TemplateRow = RowOf<typeof problemTemplateTable>;

/** Looks up a problem by ID. Throws if the workspace doesn't contain it. */
export const getProblem = (scope: Scope, id: string): ProblemRow => problemTable.getOrThrow(scope, id, 'problem');

/** Looks up a template by ID. Throws if the workspace doesn't contain it. */
export const getProblemTemplate = (scope: Scope, id: string): TemplateRow => problemTemplateTable.getOrThrow(scope, id, 'problem template');

/** The definitions of the tasks that are added to problems with the template. */
export const parseDefinitionIds = (template: TemplateRow): string[] => JSON.parse(template.advanced_task_definition_ids) as string[];

export const toProblemTemplate = (row: TemplateRow): MessageInitShape<typeof ProblemTemplateRecordSchema> => ({
  ...problemTemplateTable.read(row),
  advancedTaskDefinitionIds: parseDefinitionIds(row),
});
