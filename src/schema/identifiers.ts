import type { ProductIdentifierRecordJson, PublicProductIdentifierTypeJson } from '../upstream/generated/publicapi/v1/identifiers_pb.ts';
import { builder } from './builder.ts';
import { Product } from './catalog.ts';
import { follow } from './entities.ts';
import { wireEnum } from './enums.ts';
import { RecordFields } from './records.ts';

export const ProductIdentifierType = wireEnum<PublicProductIdentifierTypeJson>()('ProductIdentifierType', {
  description: 'Who gave a product its identifier.',
  prefix: 'PUBLIC_PRODUCT_IDENTIFIER_TYPE',
  members: {
    EAN: 'The international numbering of articles, as on a bar code.',
    MANUFACTURER: 'The manufacturer.',
    SUPPLIER: 'A supplier.',
    OTHER: 'Somebody that this graph does not know.',
  },
});

const record = new RecordFields<ProductIdentifierRecordJson>('ProductIdentifierRecord');

export const ProductIdentifier = builder.objectRef<ProductIdentifierRecordJson>('ProductIdentifier').implement({
  description: 'A text that stands for one product of the workspace, such as its bar code.',
  fields: (t) => ({
    rawId: record.rawId(t, 'id'),
    product: t.field({
      type: Product.ref,
      ...record.mark('productId', 'The product.'),
      resolve: ({ productId }, _args, context, info) => follow(Product, productId, context, info),
    }),
    type: t.field({
      type: ProductIdentifierType.ref,
      ...record.mark('type', 'Who gave it.'),
      resolve: ({ type }) => ProductIdentifierType.fromWire(type),
    }),
    value: record.text(t, 'value', 'The text.'),
    createdAt: record.dateTime(t, 'createdAt', 'When it was added.'),
    attributes: record.attributes(t),
  }),
});
