import { GetCustomer } from '../../upstream/contract/generated/operations.ts';
import type { CustomerRecordJson } from '../../upstream/contract/generated/publicapi/v1/customers_pb.ts';
import { entity } from '../kit/entities.ts';
import { RecordFields } from '../kit/records.ts';
import type { Entity } from '../kit/registry.ts';
import { CustomerRecord, customerRecordFields } from './customerRecords.ts';

const record = new RecordFields<CustomerRecordJson>('CustomerRecord');

export const Customer: Entity<CustomerRecordJson> = entity('Customer', {
  record: record,
  description:
    'A customer record, with its quotes, orders, comments and files. Portfolios are customer records too, and can be read as either: `Portfolio` shows the fields of the record, `Customer` all that belongs to it.',
  operation: GetCustomer,
  key: 'id',
  interfaces: [CustomerRecord],
  root: 'The customer of this id; null when there is none.',
  state: { of: ({ journeyStatusId }) => journeyStatusId || undefined },
  fields: (t) => customerRecordFields(t, record),
});
