import type { PublicProductIdentifierTypeJson } from '../../upstream/contract/generated/publicapi/v1/identifiers_pb.ts';
import type { ProductIdentifierRecord } from '../../upstream/contract/generated/records.ts';
import { Product } from '../catalog/catalog.ts';
import { wireEnum } from '../kit/enums.ts';
import { RecordFields } from '../kit/records.ts';

export const ProductIdentifierKind = wireEnum<PublicProductIdentifierTypeJson>()('ProductIdentifierKind', {
  description: 'The kind of product identifier, by who assigned it.',
  prefix: 'PUBLIC_PRODUCT_IDENTIFIER_TYPE',
  members: {
    EAN: 'An international article number (EAN), as used in barcodes.',
    MANUFACTURER: 'A manufacturer part number.',
    SUPPLIER: 'A supplier’s article number.',
    OTHER: 'A kind that isn’t in this schema yet. See `kindText`.',
  },
});

const record = new RecordFields<ProductIdentifierRecord>('ProductIdentifierRecord');

export const ProductIdentifier = record.type('ProductIdentifier', {
  description: 'A value that identifies one product of the workspace, such as its barcode.',
  key: 'id',
  fields: (t) => ({
    product: record.requiredEdge(t, 'productId', Product, 'Product that the value identifies.'),
    ...record.word(t, 'type', ProductIdentifierKind, 'Kind of identifier.', { name: 'kind' }),
    value: record.requiredText(t, 'value', 'Value of the identifier, such as the digits of a barcode.'),
    createdAt: record.dateTime(t, 'createdAt', 'When the identifier was added.'),
  }),
});
