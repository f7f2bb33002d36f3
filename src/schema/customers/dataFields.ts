import { dataFieldLoader } from '../../loaders/dataFields.ts';
import { ListDataFields } from '../../upstream/contract/generated/operations.ts';
import type { DataFieldRecordJson, PublicDataFieldTypeJson } from '../../upstream/contract/generated/publicapi/v1/data_fields_pb.ts';
import { entity } from '../kit/entities.ts';
import { wireEnum } from '../kit/enums.ts';
import { RecordFields } from '../kit/records.ts';
import type { Entity } from '../kit/registry.ts';

export const CustomFieldKind = wireEnum<PublicDataFieldTypeJson>()('CustomFieldKind', {
  description: 'The kind of value that a custom field holds.',
  prefix: 'PUBLIC_DATA_FIELD_TYPE',
  members: {
    TEXT: 'Text.',
    NUMBER: 'A number.',
    BOOLEAN: 'Yes or no.',
    DATE: 'A calendar day.',
    SELECT: 'A choice among some options.',
    MONEY: 'An amount of money.',
    ADDRESS: 'A postal address.',
    COMPANY: 'A company.',
    OTHER: 'A kind that this graph does not know: see `kindText`.',
  },
  renamed: { MONEY: 'CURRENCY', ADDRESS: 'LOCATION' },
});

const record = new RecordFields<DataFieldRecordJson>('DataFieldRecord');

export const CustomFieldDefinition: Entity<DataFieldRecordJson> = entity('CustomFieldDefinition', {
  record: record,
  description: 'A field that the workspace has added to its customers and portfolios. Its name identifies it.',
  operation: ListDataFields,
  loader: dataFieldLoader,
  key: 'name',
  fields: (t) => ({
    name: t.string({
      ...record.mark('name', 'The name, by which values are read and set.'),
      nullable: false,
      resolve: ({ name }) => name ?? '',
    }),
    label: record.text(t, 'label', 'The name that people see.'),
    ...record.word(t, 'type', CustomFieldKind, 'The kind of value that it holds.', { name: 'kind' }),
    currencyCode: record.code(t, 'currency', 'CurrencyCode', 'The currency of its amounts; null unless it holds money.'),
    options: record.texts(t, 'options', 'The values that can be chosen; empty unless it is a choice.'),
  }),
});
