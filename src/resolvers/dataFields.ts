import { builder } from '../schema/builder.ts';
import { CustomFieldDefinition } from '../schema/dataFields.ts';
import { describe } from '../schema/records.ts';
import { ListDataFields } from '../upstream/generated/operations.ts';

builder.queryField('customFieldDefinitions', (t) =>
  t.field({
    ...describe(ListDataFields, 'The fields that the workspace has added to its customers and portfolios.'),
    type: [CustomFieldDefinition.ref],
    nullable: { list: true, items: false },
    authScopes: { operation: ListDataFields },
    resolve: async (_root, _args, { upstream }) => (await upstream.call(ListDataFields, {})).dataFields ?? [],
  }),
);
