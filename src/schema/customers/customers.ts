import { GetCustomer } from '../../upstream/contract/generated/operations.ts';
import type { CustomerRecord } from '../../upstream/contract/generated/records.ts';
import { defineEntity } from '../kit/entities.ts';
import type { Entity } from '../kit/registry.ts';
import { CustomerRecord as CustomerRecordInterface, defineCustomerRecordFields } from './customerRecords.ts';

export const Customer: Entity<CustomerRecord> = defineEntity('Customer', {
  record: 'CustomerRecord',
  description:
    'A customer record with its quotes, orders, comments and files. A portfolio is also a customer record: `Portfolio` exposes the fields of the record, `Customer` everything that belongs to it.',
  operation: GetCustomer,
  key: 'id',
  interfaces: [CustomerRecordInterface],
  root: 'Looks up a customer by ID. Null if it doesn’t exist.',
  state: { getStatus: ({ journeyStatusId }) => journeyStatusId || undefined },
  fields: defineCustomerRecordFields,
});
