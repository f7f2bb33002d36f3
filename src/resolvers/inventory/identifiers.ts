import { Product } from '../../schema/catalog/catalog.ts';
import { ProductIdentifier, ProductIdentifierKind } from '../../schema/inventory/identifiers.ts';
import { builder } from '../../schema/kit/builder.ts';
import { toGlobalId } from '../../schema/kit/globalIds.ts';
import {
  AddProductIdentifier,
  DeleteProductIdentifier,
  ListProductIdentifiers,
  LookupProductIdentifier,
} from '../../upstream/contract/generated/operations.ts';
import { UNKNOWN_ORDER } from '../kit/lists.ts';
import { mutation } from '../kit/mutation.ts';
import { read, readAll } from '../kit/reads.ts';
import { readFirstPage, registerReread } from '../kit/rereads.ts';

builder.queryField('productIdentifier', (t) =>
  t.field(
    read(LookupProductIdentifier, {
      description: 'Looks up a product identifier by its value, such as a scanned barcode. Null if no product has it.',
      type: ProductIdentifier,
      args: (arg) => ({ value: arg.string({ required: true, description: 'Value of the identifier. Must match exactly.' }) }),
      request: (_root: object, { value }) => ({ value }),
      resolveValue: ({ identifier }) => identifier,
      isOptional: true,
    }),
  ),
);

builder.objectField(Product.ref, 'identifiers', (t) =>
  t.field(
    readAll(ListProductIdentifiers, {
      description: `Identifiers of the product, such as its barcode. ${UNKNOWN_ORDER}`,
      type: ProductIdentifier,
      request: ({ id }: { readonly id: string }) => ({ productId: id }),
      resolveValue: ({ identifiers }) => identifiers,
      extensions: { isServedByKey: true },
    }),
  ),
);

registerReread(
  ProductIdentifier,
  readFirstPage(ListProductIdentifiers, ({ productId }) => ({ productId })),
);

mutation('productIdentifierCreate', AddProductIdentifier, {
  description: 'Adds an identifier to a product. No other product can have the same value.',
  input: (f) => ({
    productId: f.productId('Product to identify.'),
    kind: f.type('Kind of identifier.', ProductIdentifierKind, { required: true }),
    value: f.value('Value of the identifier, such as the digits of a barcode.'),
  }),
  returns: { identifier: 'The new identifier.' },
});

mutation('productIdentifierDelete', DeleteProductIdentifier, {
  description: 'Removes an identifier from its product.',
  input: (f) => ({ identifierId: f.identifierId('Identifier to remove.') }),
  payload: {
    resolve: (_response, { identifierId = '' }) => ({ identifierId }),
    fields: (t) => ({
      deletedIdentifierId: t.id({
        nullable: false,
        description: 'The `id` of the removed identifier, for evicting it from client caches.',
        resolve: ({ identifierId }) => toGlobalId('ProductIdentifier', identifierId),
      }),
    }),
  },
});
