import { dataFieldLoader } from '../../loaders/dataFields.ts';
import { ListDataFields } from '../../upstream/contract/generated/operations.ts';
import type { DataFieldRecord } from '../../upstream/contract/generated/records.ts';
import { defineEntity } from '../kit/entities.ts';
import { defineWireEnum } from '../kit/enums.ts';
import type { Entity } from '../kit/registry.ts';

export const CustomFieldKind = defineWireEnum('CustomFieldKind', 'PublicDataFieldType', {
  description: 'The kind of value that a custom field contains.',
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

export const CustomFieldDefinition: Entity<DataFieldRecord> = defineEntity('CustomFieldDefinition', {
  record: 'DataFieldRecord',
  description: 'A custom field that the workspace has defined for its customers and portfolios. Identified by its name.',
  operation: ListDataFields,
  loader: dataFieldLoader,
  key: 'name',
  fields: (f) => ({
    name: f.requiredString('name', 'Name used to read and set values.'),
    label: f.string('label', 'Display name of the field.'),
    ...f.enumWithText('type', CustomFieldKind, 'Kind of value that the field contains.', { name: 'kind' }),
    currencyCode: f.scalar('currency', 'CurrencyCode', 'Currency of the field’s amounts. Null unless the kind is `MONEY`.'),
    options: f.stringList('options', 'Values that can be selected. Empty unless the kind is `SELECT`.'),
  }),
});
