import { dataFieldLoader } from '../../loaders/dataFields.ts';
import { ListDataFields } from '../../upstream/contract/generated/operations.ts';
import type { PublicDataFieldTypeJson } from '../../upstream/contract/generated/publicapi/v1/data_fields_pb.ts';
import type { DataFieldRecord } from '../../upstream/contract/generated/records.ts';
import { entity } from '../kit/entities.ts';
import { wireEnum } from '../kit/enums.ts';
import { RecordFields } from '../kit/records.ts';
import type { Entity } from '../kit/registry.ts';

export const CustomFieldKind = wireEnum<PublicDataFieldTypeJson>()('CustomFieldKind', {
  description: 'The kind of value that a custom field contains.',
  prefix: 'PUBLIC_DATA_FIELD_TYPE',
  members: {
    TEXT: 'Text.',
    NUMBER: 'A number.',
    BOOLEAN: 'True or false.',
    DATE: 'A calendar date without a time.',
    SELECT: 'One of the `options` of the definition.',
    MONEY: 'An amount of money in the currency of the definition.',
    ADDRESS: 'A postal address.',
    COMPANY: 'The name and registration numbers of a company.',
    OTHER: 'A value that isn’t in this schema yet. See `kindText`.',
  },
  renamed: { MONEY: 'CURRENCY', ADDRESS: 'LOCATION' },
});

const record = new RecordFields<DataFieldRecord>('DataFieldRecord');

export const CustomFieldDefinition: Entity<DataFieldRecord> = entity('CustomFieldDefinition', {
  record: record,
  description: 'A custom field that the workspace has defined for its customers and portfolios. Identified by its name.',
  operation: ListDataFields,
  loader: dataFieldLoader,
  key: 'name',
  fields: (t) => ({
    name: t.string({
      ...record.mark('name', 'Name used to read and set values.'),
      nullable: false,
      resolve: ({ name }) => name,
    }),
    label: record.text(t, 'label', 'Display name of the field.'),
    ...record.word(t, 'type', CustomFieldKind, 'Kind of value that the field contains.', { name: 'kind' }),
    currencyCode: record.code(t, 'currency', 'CurrencyCode', 'Currency of the field’s amounts. Null unless the kind is `MONEY`.'),
    options: record.texts(t, 'options', 'Values that can be selected. Empty unless the kind is `SELECT`.'),
  }),
});
