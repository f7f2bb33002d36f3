import { PublicAdvancedTaskStatus as TaskStatus } from '../../src/upstream/contract/generated/publicapi/v1/advanced_tasks_pb.ts';
import { PublicProblemStatus as Status } from '../../src/upstream/contract/generated/publicapi/v1/problems_pb.ts';
import { demoData } from '../kernel/demoData.ts';
import type { Plan } from '../kernel/plan.ts';
import { definitionTable, type TaskField, type TaskOwner, taskTable } from './advancedTaskRecords.ts';
import { problemCommentTable, problemTable, problemTemplateTable, subscriberTable } from './problemRecords.ts';

const HOUR_SECONDS = 3_600;
const DAY_SECONDS = 86_400;
/** Age of the forms and templates. */
const AGE_SECONDS = 300 * DAY_SECONDS;

const DEFINITIONS: readonly { readonly name: string; readonly description: string; readonly fields: readonly TaskField[] }[] = [
  {
    name: 'Commissioning report',
    description: 'Measured before the installation is handed over.',
    fields: [
      { name: 'insulation_ohm', label: 'Insulation resistance in ohm', required: true },
      { name: 'meter_reading', label: 'Reading of the meter', required: true },
      { name: 'remarks', label: 'Remarks', required: false },
    ],
  },
  {
    name: 'Roof inspection',
    description: 'Looked at from the ladder, and noted down.',
    fields: [
      { name: 'broken_tiles', label: 'Number of broken tiles', required: true },
      { name: 'photos', label: 'Links to photos', required: false },
    ],
  },
  {
    name: 'Safety check',
    description: 'Done before any work begins.',
    fields: [{ name: 'is_safe', label: 'Safe to work', required: true }],
  },
];

interface DemoTemplate {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly definitions: readonly number[];
  readonly disablesSolving?: true;
}

const TEMPLATES: readonly DemoTemplate[] = [
  {
    name: 'Fault in an installation',
    title: 'The installation has a fault',
    description: 'Find the cause and fix it.',
    definitions: [0, 2],
  },
  { name: 'Leak', title: 'Water comes through the roof', description: 'Inspect the roof first.', definitions: [1] },
  { name: 'Question', title: 'The customer has a question', description: '', definitions: [] },
  {
    name: 'Recall',
    title: 'A part is recalled',
    description: 'The workflow of the maker ends it.',
    definitions: [],
    disablesSolving: true,
  },
];

interface DemoProblem {
  readonly title: string;
  readonly status: Status;
  readonly days: number;
  readonly portfolio: number;
  readonly customer?: number;
  readonly template?: number;
}

/** Problems, newest first. `problem 0` has tasks and comments, and `problem 1` can't be resolved manually. */
const PROBLEMS: readonly DemoProblem[] = [
  { title: 'Inverter reports an earth fault', status: Status.OPEN, days: 1, portfolio: 0, customer: 0, template: 0 },
  { title: 'Isolator of a recalled batch', status: Status.OPEN, days: 2, portfolio: 0, customer: 0, template: 3 },
  { title: 'Invoice is not understood', status: Status.OPEN, days: 4, portfolio: 0, customer: 0, template: 2 },
  { title: 'Damp spot on the ceiling', status: Status.OPEN, days: 6, portfolio: 1, customer: 1, template: 1 },
  { title: 'Charging point trips the fuse', status: Status.RESOLVED, days: 20, portfolio: 0, customer: 0 },
  { title: 'Heat pump is loud', status: Status.CLOSED, days: 35, portfolio: 2 },
  { title: 'Panels were delivered twice', status: Status.ARCHIVED, days: 90, portfolio: 1 },
];

const COMMENTS = [
  { author: 'planner', name: 'Chloé Claes', body: 'Planned for the end of the week.' },
  { author: 'technician', name: 'Daan de Vries', body: 'The string near the chimney is the culprit.' },
  { author: 'planner', name: 'Chloé Claes', body: 'The customer is at home in the mornings.' },
] as const;

function seedForms(plan: Plan): void {
  const made = { workspace_id: plan.workspaceId, created_at: plan.now - AGE_SECONDS, updated_at: plan.now - AGE_SECONDS };
  for (const [index, { fields, ...definition }] of DEFINITIONS.entries()) {
    const id = plan.id(`advanced task definition ${index}`);
    definitionTable.insert(plan.store, { ...made, ...definition, id, fields: JSON.stringify(fields) });
  }
  for (const [index, { definitions, disablesSolving, ...template }] of TEMPLATES.entries()) {
    problemTemplateTable.insert(plan.store, {
      ...made,
      ...template,
      id: plan.id(`problem template ${index}`),
      manual_solving_disabled: Number(disablesSolving ?? false),
      advanced_task_definition_ids: JSON.stringify(definitions.map((each) => plan.id(`advanced task definition ${each}`))),
    });
  }
}

interface DemoTask {
  readonly name: string;
  readonly definition: number;
  readonly owner: TaskOwner;
  readonly at: number;
  /** Only set for completed tasks. */
  readonly values?: object;
}

function seedTask(plan: Plan, { name, definition, owner, at, values }: DemoTask): void {
  taskTable.insert(plan.store, {
    id: plan.id(name),
    workspace_id: plan.workspaceId,
    advanced_task_definition_id: plan.id(`advanced task definition ${definition}`),
    status: values ? TaskStatus.COMPLETED : TaskStatus.OPEN,
    field_values: JSON.stringify(values ?? {}),
    problem_id: '',
    work_order_id: '',
    ...owner,
    created_at: at,
    updated_at: at,
    completed_at: values ? at : null,
  });
}

function seedProblem(plan: Plan, index: number, { title, status, days, portfolio, customer, template }: DemoProblem): void {
  const id = plan.id(`problem ${index}`);
  const at = plan.now - days * DAY_SECONDS;
  const model = template === undefined ? undefined : TEMPLATES[template];
  problemTable.insert(plan.store, {
    id,
    workspace_id: plan.workspaceId,
    title,
    description: model?.description ?? '',
    status,
    portfolio_id: plan.id(`portfolio ${portfolio}`),
    customer_id: customer === undefined ? '' : plan.id(`customer ${customer}`),
    problem_template_id: template === undefined ? '' : plan.id(`problem template ${template}`),
    manual_solving_disabled: Number(model?.disablesSolving ?? false),
    created_at: at,
    updated_at: at,
    resolved_at: status === Status.RESOLVED ? at + DAY_SECONDS : null,
  });
  subscriberTable.insert(plan.store, { problem_id: id, member_id: plan.id('member planner') });
  for (const definition of model?.definitions ?? [])
    seedTask(plan, { name: `advanced task ${index}.${definition}`, definition, owner: { problem_id: id }, at });
}

/** Creates a completed task and comments for `problem 0`, and a task with each form for `work order 5`. */
function seedRich(plan: Plan): void {
  const problemId = plan.id('problem 0');
  const at = plan.now - DAY_SECONDS;
  const values = { broken_tiles: 3, photos: ['https://photos.example.com/1'] };
  seedTask(plan, { name: 'advanced task 0', definition: 1, owner: { problem_id: problemId }, at: at + 1, values });
  for (const definition of DEFINITIONS.keys())
    seedTask(plan, { name: `advanced task ${definition + 1}`, definition, owner: { work_order_id: plan.id('work order 5') }, at });
  for (const [index, { author, name, body }] of COMMENTS.entries()) {
    const memberId = plan.id(`member ${author}`);
    subscriberTable.upsert(plan.store, { problem_id: problemId, member_id: memberId });
    problemCommentTable.insert(plan.store, {
      id: plan.id(`problem comment ${index}`),
      workspace_id: plan.workspaceId,
      problem_id: problemId,
      body,
      author_id: memberId,
      author_name: name,
      created_at: at + index * HOUR_SECONDS,
    });
  }
}

/** Creates forms, templates, and problems with their tasks and comments, such as `problem template 3`, `problem 0` and `advanced task 0.2`. */
function seedProblems(plan: Plan): void {
  seedForms(plan);
  // Oldest first, in the order of creation.
  for (const [index, problem] of [...PROBLEMS.entries()].reverse()) seedProblem(plan, index, problem);
  seedRich(plan);
}

export const problemsDemo = demoData({
  examples: {
    AdvancedTask: ['advanced task 0'],
    AdvancedTaskDefinition: ['advanced task definition 0', 'advanced task definition 2'],
    Problem: ['problem 0', 'problem 4'],
    ProblemTemplate: ['problem template 0'],
  },
  seed: seedProblems,
});
