import { CustomFieldDefinition } from '../../schema/customers/dataFields.ts';
import { builder } from '../../schema/kit/builder.ts';
import { NULL_ONLY_WITH_ERROR } from '../../schema/kit/nullability.ts';
import { describe } from '../../schema/kit/records.ts';
import { ListDataFields } from '../../upstream/contract/generated/operations.ts';
import { UNKNOWN_ORDER } from '../kit/lists.ts';

builder.queryFields((t) => ({
  customFieldDefinition: t.field({
    ...describe(ListDataFields, 'The definition of the custom field of this name; null when there is none.'),
    type: CustomFieldDefinition.ref,
    args: { name: t.arg.string({ required: true, description: 'The name of the custom field.' }) },
    authScopes: { operation: ListDataFields },
    resolve: (_root, { name }, context) => CustomFieldDefinition.load(name, context),
  }),

  customFieldDefinitions: t.field({
    ...describe(ListDataFields, `The fields that the workspace has added to its customers and portfolios. ${UNKNOWN_ORDER}`),
    type: [CustomFieldDefinition.ref],
    nullable: { list: true, items: false },
    authScopes: { operation: ListDataFields },
    extensions: NULL_ONLY_WITH_ERROR,
    resolve: async (_root, _args, { upstream }) => (await upstream.call(ListDataFields, {})).dataFields ?? [],
  }),
}));
