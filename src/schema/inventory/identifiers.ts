import type { ProductIdentifierRecord } from '../../upstream/contract/generated/records.ts';
import { Product } from '../catalog/catalog.ts';
import { defineWireEnum } from '../kit/enums.ts';
import { defineRecordType } from '../kit/recordTypes.ts';

export const ProductIdentifierKind = defineWireEnum('ProductIdentifierKind', 'PublicProductIdentifierType', {
  description: 'The kind of product identifier, by who assigned it.',
  members: {
    EAN: 'An international article number (EAN), as used in barcodes.',
    MANUFACTURER: 'A manufacturer part number.',
    SUPPLIER: 'A supplier’s article number.',
    OTHER: 'A kind that isn’t in this schema yet. See `kindText`.',
  },
});

export const ProductIdentifier = defineRecordType<ProductIdentifierRecord>('ProductIdentifier', {
  record: 'ProductIdentifierRecord',
  description: 'A value that identifies one product of the workspace, such as its barcode.',
  key: 'id',
  fields: (f) => ({
    product: f.requiredEdge('productId', Product, 'Product that the value identifies.'),
    ...f.enumWithText('type', ProductIdentifierKind, 'Kind of identifier.', { name: 'kind' }),
    value: f.requiredString('value', 'Value of the identifier, such as the digits of a barcode.'),
    createdAt: f.dateTime('createdAt', 'When the identifier was added.'),
  }),
});
