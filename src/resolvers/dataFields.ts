import { builder } from '../schema/builder.ts';
import { DataField } from '../schema/dataFields.ts';
import { describe } from '../schema/records.ts';
import { ListDataFields } from '../upstream/generated/operations.ts';

builder.queryField('dataFields', (t) =>
  t.field({
    ...describe(ListDataFields, 'The fields that the workspace has added to its customers and portfolios.'),
    type: [DataField.ref],
    nullable: { list: true, items: false },
    authScopes: { operation: ListDataFields },
    resolve: async (_root, _args, { upstream }) => (await upstream.call(ListDataFields, {})).dataFields ?? [],
  }),
);
