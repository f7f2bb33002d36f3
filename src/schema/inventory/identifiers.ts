import type {
  ProductIdentifierRecordJson,
  PublicProductIdentifierTypeJson,
} from '../../upstream/contract/generated/publicapi/v1/identifiers_pb.ts';
import { Product } from '../catalog/catalog.ts';
import { wireEnum } from '../kit/enums.ts';
import { RecordFields } from '../kit/records.ts';

export const ProductIdentifierKind = wireEnum<PublicProductIdentifierTypeJson>()('ProductIdentifierKind', {
  description: 'The kind of code that identifies a product, by who assigned it.',
  prefix: 'PUBLIC_PRODUCT_IDENTIFIER_TYPE',
  members: {
    EAN: 'An international article number, as on a bar code.',
    MANUFACTURER: 'A number of the manufacturer.',
    SUPPLIER: 'A number of a supplier.',
    OTHER: 'A kind that this graph does not know: see `kindText`.',
  },
});

const record = new RecordFields<ProductIdentifierRecordJson>('ProductIdentifierRecord');

export const ProductIdentifier = record.type('ProductIdentifier', {
  description: 'A text that stands for one product of the workspace, such as its bar code.',
  key: 'id',
  fields: (t) => ({
    product: record.requiredEdge(t, 'productId', Product, 'The product.'),
    ...record.word(t, 'type', ProductIdentifierKind, 'The kind of code.', { name: 'kind' }),
    value: record.requiredText(t, 'value', 'The text.'),
    createdAt: record.dateTime(t, 'createdAt', 'The moment at which the identifier was added.'),
  }),
});
