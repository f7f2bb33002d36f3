import { GetAdvancedTaskDefinition } from '../../upstream/contract/generated/operations.ts';
import type { AdvancedTaskDefinitionRecord, AdvancedTaskFieldRecord } from '../../upstream/contract/generated/records.ts';
import { entity } from '../kit/entities.ts';
import { RecordFields } from '../kit/records.ts';
import type { Entity } from '../kit/registry.ts';

const field = new RecordFields<AdvancedTaskFieldRecord>('AdvancedTaskFieldRecord');

const AdvancedTaskField = field.type('AdvancedTaskField', {
  description: 'A field of an advanced task’s form.',
  fields: (t) => ({
    name: field.requiredText(t, 'name', 'Key of the field in `AdvancedTask.values`.'),
    label: field.text(t, 'label', 'Human-readable label of the field.'),
    isRequired: field.flag(t, 'required', 'Whether the field needs a value before the task can be completed.'),
  }),
});

const definition = new RecordFields<AdvancedTaskDefinitionRecord>('AdvancedTaskDefinitionRecord');

export const AdvancedTaskDefinition: Entity<AdvancedTaskDefinitionRecord> = entity('AdvancedTaskDefinition', {
  record: definition,
  description: 'The definition of a kind of advanced task: a name and the fields of its form.',
  operation: GetAdvancedTaskDefinition,
  key: 'id',
  root: 'Looks up an advanced task definition by ID. Null if it doesn’t exist.',
  fields: (t) => ({
    name: definition.requiredText(t, 'name', 'Name of the advanced tasks with this definition.'),
    description: definition.text(t, 'description', 'Description of the work.'),
    fields: definition.list(t, 'fields', AdvancedTaskField, 'Fields of the form.'),
    createdAt: definition.dateTime(t, 'createdAt', 'When the definition was created.'),
    updatedAt: definition.dateTime(t, 'updatedAt', 'When the definition was last updated.'),
  }),
});
