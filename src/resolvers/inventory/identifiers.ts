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

builder.queryField('productIdentifier', (t) =>
  t.field(
    read(LookupProductIdentifier, {
      description: 'The identifier of this text, such as a scanned bar code, with its `product`; null when no product carries it.',
      type: ProductIdentifier,
      args: (arg) => ({ value: arg.string({ required: true, description: 'The whole text.' }) }),
      request: (_root: object, { value }) => ({ value }),
      answer: ({ identifier }) => identifier,
      isOptional: true,
    }),
  ),
);

builder.objectField(Product.ref, 'identifiers', (t) =>
  t.field(
    readAll(ListProductIdentifiers, {
      description: `The texts that stand for it, such as its bar code. ${UNKNOWN_ORDER}`,
      type: ProductIdentifier,
      request: ({ id = '' }: { id?: string }) => ({ productId: id }),
      answer: ({ identifiers }) => identifiers,
      extensions: { isServedByKey: true },
    }),
  ),
);

mutation('productIdentifierCreate', AddProductIdentifier, {
  description: 'Gives a product a text that stands for it. No other product may carry it.',
  input: (f) => ({
    productId: f.productId('The product.'),
    kind: f.type('The kind of code.', ProductIdentifierKind, { required: true }),
    value: f.value('The text.'),
  }),
  returns: { identifier: 'The new identifier.' },
});

mutation('productIdentifierDelete', DeleteProductIdentifier, {
  description: 'Takes an identifier away from its product.',
  input: (f) => ({ identifierId: f.identifierId('The identifier.') }),
  answer: (_response, { identifierId = '' }) => ({ identifierId }),
  payload: (t) => ({
    deletedIdentifierId: t.id({
      nullable: false,
      description: 'The `id` that the identifier had: for caches to forget it by.',
      resolve: ({ identifierId }) => toGlobalId('ProductIdentifier', identifierId),
    }),
  }),
});
