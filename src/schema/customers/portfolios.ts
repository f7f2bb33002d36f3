import type { Loader } from '../../loaders/loader.ts';
import { GetCustomer } from '../../upstream/contract/generated/operations.ts';
import type { PortfolioRecordJson } from '../../upstream/contract/generated/publicapi/v1/portfolios_pb.ts';
import { type Entity, entity, follow } from '../kit/entities.ts';
import { assumed, RecordFields } from '../kit/records.ts';
import { CustomerRecord, customerRecordFields } from './customerRecords.ts';
import { Customer } from './customers.ts';

const record = new RecordFields<PortfolioRecordJson>('PortfolioRecord');

export const Portfolio: Entity<PortfolioRecordJson> = entity('Portfolio', {
  record: record,
  description: 'A customer record that belongs to a contact. It shares its `rawId` with the customer of the same record.',
  operation: GetCustomer,
  loader: ({ loaders }) => loaders.portfolios,
  alsoPrimes: [({ loaders }) => loaders.customers as Loader<PortfolioRecordJson>],
  key: 'id',
  interfaces: [CustomerRecord],
  fields: (t) => ({
    ...customerRecordFields(t, record),
    customer: t.field({
      type: Customer.ref,
      ...assumed('The same record as a customer, with its quotes and orders.'),
      extensions: { isServedByKey: true },
      resolve: ({ id }, _args, context, info) => follow(Customer, id, context, info),
    }),
  }),
});
