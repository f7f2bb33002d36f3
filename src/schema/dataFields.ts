import { ListDataFields } from '../upstream/generated/operations.ts';
import type { DataFieldRecordJson, PublicDataFieldTypeJson } from '../upstream/generated/publicapi/v1/data_fields_pb.ts';
import { type Entity, entity } from './entities.ts';
import { wireEnum } from './enums.ts';
import { RecordFields } from './records.ts';

export const DataFieldType = wireEnum<PublicDataFieldTypeJson>()('DataFieldType', {
  description: 'What kind of value a data field holds.',
  prefix: 'PUBLIC_DATA_FIELD_TYPE',
  members: {
    TEXT: 'Text.',
    NUMBER: 'A number.',
    BOOLEAN: 'Yes or no.',
    DATE: 'A calendar day.',
    SELECT: 'One of some options.',
    CURRENCY: 'An amount of money.',
    LOCATION: 'A place.',
    COMPANY: 'A company.',
    OTHER: 'A kind that this graph does not know: see `typeText`.',
  },
});

const record = new RecordFields<DataFieldRecordJson>('DataFieldRecord');

export const DataField: Entity<DataFieldRecordJson> = entity('DataField', {
  record: record,
  description: 'A field that the workspace has added to its customers and portfolios. It is known by its name.',
  operation: ListDataFields,
  loader: ({ loaders }) => loaders.dataFields,
  key: 'name',
  fields: (t) => ({
    name: t.string({
      ...record.mark('name', 'The name: the key in custom fields.'),
      nullable: false,
      resolve: ({ name }) => name ?? '',
    }),
    label: record.text(t, 'label', 'What people call it.'),
    ...record.word(t, 'type', DataFieldType, 'What kind of value it holds.'),
    currency: t.field({
      type: 'CurrencyCode',
      ...record.mark('currency', 'The currency of its amounts; null unless it holds money.'),
      resolve: ({ currency }) => currency || null,
    }),
    options: record.texts(t, 'options', 'What can be chosen; empty unless it is a choice.'),
  }),
});
