import { GetCustomer } from '../../upstream/contract/generated/operations.ts';
import type { CustomerRecordJson } from '../../upstream/contract/generated/publicapi/v1/customers_pb.ts';
import { type Entity, entity } from '../kit/entities.ts';
import { RecordFields } from '../kit/records.ts';
import { CustomerRecord, customerRecordFields } from './customerRecords.ts';

const record = new RecordFields<CustomerRecordJson>('CustomerRecord');

export const Customer: Entity<CustomerRecordJson> = entity('Customer', {
  record: record,
  description:
    'A customer record, with its quotes, orders, comments and files. Portfolios are customer records too, and can be read as either: `Portfolio` shows the fields of the record, `Customer` all that belongs to it.',
  operation: GetCustomer,
  loader: ({ loaders }) => loaders.customers,
  key: 'id',
  interfaces: [CustomerRecord],
  fields: (t) => customerRecordFields(t, record),
});
