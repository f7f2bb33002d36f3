import { fromJson, type JsonValue, type MessageInitShape } from '@bufbuild/protobuf';
import { ValueSchema } from '@bufbuild/protobuf/wkt';
import {
  AdvancedTaskDefinitionRecordSchema,
  AdvancedTaskRecordSchema,
  PublicAdvancedTaskStatus as Status,
} from '../../src/upstream/contract/generated/publicapi/v1/advanced_tasks_pb.ts';
import { type RowOf, type Scope, table } from '../kernel/table.ts';
import type { World } from '../kernel/world.ts';

export const definitionTable = table('advanced_task_definitions', AdvancedTaskDefinitionRecordSchema, {
  // `fields` is a JSON array.
  also: { workspace_id: 'TEXT', fields: 'TEXT' },
});

export const taskTable = table('advanced_tasks', AdvancedTaskRecordSchema, {
  // `field_values` is a JSON object.
  also: { workspace_id: 'TEXT', field_values: 'TEXT' },
  references: { advanced_task_definition_id: definitionTable },
  constraints: ["CHECK ((problem_id = '') <> (work_order_id = ''))"],
  indexes: { advanced_tasks_of_problem: 'workspace_id, problem_id', advanced_tasks_of_work_order: 'workspace_id, work_order_id' },
});

type DefinitionRow = RowOf<typeof definitionTable>;
export type TaskRow = RowOf<typeof taskTable>;

/** A field of a definition's form. */
export interface TaskField {
  readonly name: string;
  readonly label: string;
  readonly required: boolean;
}

/** The record that a task belongs to: a problem or a work order. */
export type TaskOwner = { readonly problem_id: string } | { readonly work_order_id: string };

/** Looks up a definition by ID. Throws if the workspace doesn't contain it. */
export const getDefinition = (scope: Scope, id: string): DefinitionRow => definitionTable.getOrThrow(scope, id, 'advanced task definition');

/** Parses the fields of a definition's form. */
export const parseForm = (definition: DefinitionRow): TaskField[] => JSON.parse(definition.fields) as TaskField[];

export const toDefinition = (row: DefinitionRow): MessageInitShape<typeof AdvancedTaskDefinitionRecordSchema> => ({
  ...definitionTable.read(row),
  fields: parseForm(row),
});

/** The values of a task, by field name. */
export const parseValues = (task: TaskRow): Readonly<Record<string, JsonValue>> =>
  JSON.parse(task.field_values) as Readonly<Record<string, JsonValue>>;

export const toTask = (row: TaskRow): MessageInitShape<typeof AdvancedTaskRecordSchema> => ({
  ...taskTable.read(row),
  values: Object.fromEntries(Object.entries(parseValues(row)).map(([name, value]) => [name, fromJson(ValueSchema, value)])),
});

/** Incomplete tasks of a problem or work order, oldest first. They block resolving or completing it. */
export const openAdvancedTasks = ({ store, workspaceId }: Scope, owner: TaskOwner): TaskRow[] =>
  taskTable.list(store, { workspace_id: workspaceId, ...owner, status: Status.OPEN }, 'created_at, rowid');

interface NewTask {
  readonly workspaceId: string;
  readonly definitionId: string;
  readonly owner: TaskOwner;
  /** Unix seconds. */
  readonly at: number;
}

/** Creates an open task without values, and returns its ID. The demo data also uses it. */
export function attachTask(world: World, { workspaceId, definitionId, owner, at }: NewTask): string {
  const id = world.id();
  taskTable.insert(world.store, {
    id,
    workspace_id: workspaceId,
    advanced_task_definition_id: definitionId,
    status: Status.OPEN,
    field_values: '{}',
    problem_id: '',
    work_order_id: '',
    ...owner,
    created_at: at,
    updated_at: at,
    completed_at: null,
  });
  return id;
}
