import type { Context } from '../../context.ts';
import { CustomFieldDefinition } from '../../schema/customers/dataFields.ts';
import { builder } from '../../schema/kit/builder.ts';
import { createOperationOptions } from '../../schema/kit/fieldAnnotations.ts';
import { ListDataFields } from '../../upstream/contract/generated/operations.ts';
import { UNKNOWN_ORDER } from '../kit/lists.ts';
import { readAll } from '../kit/reads.ts';

builder.queryFields((t) => ({
  customFieldDefinition: t.field(
    createOperationOptions(ListDataFields, 'Looks up a custom field definition by name. Null if it doesn’t exist.', {
      type: CustomFieldDefinition.ref,
      args: { name: t.arg.string({ required: true, description: 'Name of the custom field.' }) },
      resolve: (_root: object, { name }: { readonly name: string }, context: Context) => CustomFieldDefinition.load(name, context),
    }),
  ),

  customFieldDefinitions: t.field(
    readAll(ListDataFields, {
      description: `Custom fields that the workspace has defined for its customers and portfolios. ${UNKNOWN_ORDER}`,
      type: CustomFieldDefinition.ref,
      request: () => ({}),
      resolveValue: ({ dataFields }) => dataFields,
    }),
  ),
}));
