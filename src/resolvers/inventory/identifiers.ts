import { Product } from '../../schema/catalog/catalog.ts';
import { ProductIdentifier, ProductIdentifierKind } from '../../schema/inventory/identifiers.ts';
import { builder } from '../../schema/kit/builder.ts';
import { toGlobalId } from '../../schema/kit/globalIds.ts';
import { NULL_ONLY_WITH_ERROR } from '../../schema/kit/nullability.ts';
import { describe } from '../../schema/kit/records.ts';
import {
  AddProductIdentifier,
  DeleteProductIdentifier,
  ListProductIdentifiers,
  LookupProductIdentifier,
} from '../../upstream/contract/generated/operations.ts';
import { UNKNOWN_ORDER } from '../kit/lists.ts';
import { mutation } from '../kit/mutation.ts';

builder.queryField('productIdentifier', (t) =>
  t.field({
    ...describe(
      LookupProductIdentifier,
      'The identifier of this text, such as a scanned bar code, with its `product`; null when no product carries it.',
    ),
    type: ProductIdentifier,
    args: { value: t.arg.string({ required: true, description: 'The whole text.' }) },
    authScopes: { operation: LookupProductIdentifier },
    resolve: async (_root, { value }, { upstream }) => (await upstream.call(LookupProductIdentifier, { value })).identifier ?? null,
  }),
);

builder.objectField(Product.ref, 'identifiers', (t) =>
  t.field({
    ...describe(ListProductIdentifiers, `The texts that stand for it, such as its bar code. ${UNKNOWN_ORDER}`),
    type: [ProductIdentifier],
    nullable: { list: true, items: false },
    authScopes: { operation: ListProductIdentifiers },
    extensions: { isServedByKey: true, ...NULL_ONLY_WITH_ERROR },
    resolve: async ({ id }, _args, { upstream }) =>
      (await upstream.call(ListProductIdentifiers, { productId: id ?? '' })).identifiers ?? [],
  }),
);

mutation('productIdentifierCreate', AddProductIdentifier, {
  description: 'Gives a product a text that stands for it. No other product may carry it.',
  input: (t) => ({
    productId: t.id({ required: true, description: 'The product.' }),
    kind: t.field({ type: ProductIdentifierKind.input, required: true, description: 'The kind of code.' }),
    value: t.string({ required: true, description: 'The text, at most 200 characters.' }),
  }),
  ids: { productId: 'Product' },
  names: { type: 'kind' },
  request: ({ productId, kind, value }) => ({ productId, type: ProductIdentifierKind.toWire(kind), value }),
  answers: { identifier: [ProductIdentifier, 'The new identifier.'] },
});

mutation('productIdentifierDelete', DeleteProductIdentifier, {
  description: 'Takes an identifier away from its product.',
  input: (t) => ({ identifierId: t.id({ required: true, description: 'The identifier.' }) }),
  ids: { identifierId: 'ProductIdentifier' },
  request: ({ identifierId }) => ({ identifierId }),
  answer: (_response, { identifierId }) => ({ identifierId }),
  payload: (t) => ({
    deletedIdentifierId: t.id({
      nullable: false,
      description: 'The `id` that the identifier had: for caches to forget it by.',
      resolve: ({ identifierId }) => toGlobalId('ProductIdentifier', identifierId),
    }),
  }),
});
