import { GetAdvancedTaskDefinition } from '../../upstream/contract/generated/operations.ts';
import type { AdvancedTaskDefinitionRecord, AdvancedTaskFieldRecord } from '../../upstream/contract/generated/records.ts';
import { defineEntity } from '../kit/entities.ts';
import { defineRecordType } from '../kit/recordTypes.ts';
import type { Entity } from '../kit/registry.ts';

const AdvancedTaskField = defineRecordType<AdvancedTaskFieldRecord>('AdvancedTaskField', {
  record: 'AdvancedTaskFieldRecord',
  description: 'A field of an advanced task’s form.',
  fields: (f) => ({
    name: f.requiredString('name', 'Key of the field in `AdvancedTask.values`.'),
    label: f.string('label', 'Human-readable label of the field.'),
    isRequired: f.boolean('required', 'Whether the field needs a value before the task can be completed.'),
  }),
});

export const AdvancedTaskDefinition: Entity<AdvancedTaskDefinitionRecord> = defineEntity('AdvancedTaskDefinition', {
  record: 'AdvancedTaskDefinitionRecord',
  description: 'The definition of a kind of advanced task: a name and the fields of its form.',
  operation: GetAdvancedTaskDefinition,
  key: 'id',
  root: 'Looks up an advanced task definition by ID. Null if it doesn’t exist.',
  fields: (f) => ({
    name: f.requiredString('name', 'Name of the advanced tasks with this definition.'),
    description: f.string('description', 'Description of the work.'),
    fields: f.list('fields', AdvancedTaskField, 'Fields of the form.'),
    createdAt: f.dateTime('createdAt', 'When the definition was created.'),
    updatedAt: f.dateTime('updatedAt', 'When the definition was last updated.'),
  }),
});
