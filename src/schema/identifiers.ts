import type { ProductIdentifierRecordJson, PublicProductIdentifierTypeJson } from '../upstream/generated/publicapi/v1/identifiers_pb.ts';
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
    OTHER: 'Somebody that this graph does not know: see `typeText`.',
  },
});

const record = new RecordFields<ProductIdentifierRecordJson>('ProductIdentifierRecord');

export const ProductIdentifier = record.type('ProductIdentifier', {
  description: 'A text that stands for one product of the workspace, such as its bar code.',
  key: 'id',
  fields: (t) => ({
    product: t.field({
      type: Product.ref,
      ...record.mark('productId', 'The product.'),
      resolve: ({ productId }, _args, context, info) => follow(Product, productId, context, info),
    }),
    ...record.word(t, 'type', ProductIdentifierType, 'Who gave it.'),
    value: record.text(t, 'value', 'The text.'),
    createdAt: record.dateTime(t, 'createdAt', 'When it was added.'),
  }),
});
