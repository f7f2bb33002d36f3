import { loaderOver } from '../../loaders/loaderOver.ts';
import { portfolioLoader } from '../../loaders/portfolios.ts';
import { GetCustomer } from '../../upstream/contract/generated/operations.ts';
import type { PortfolioRecordJson } from '../../upstream/contract/generated/publicapi/v1/portfolios_pb.ts';
import { follow } from '../kit/edges.ts';
import { entity } from '../kit/entities.ts';
import { assumed } from '../kit/marks.ts';
import { RecordFields } from '../kit/records.ts';
import type { Entity } from '../kit/registry.ts';
import { CustomerRecord, customerRecordFields } from './customerRecords.ts';
import { Customer } from './customers.ts';

const record = new RecordFields<PortfolioRecordJson>('PortfolioRecord');

export const Portfolio: Entity<PortfolioRecordJson> = entity('Portfolio', {
  record: record,
  description: 'A customer record that belongs to a contact. It shares its `rawId` with the customer of the same record.',
  operation: GetCustomer,
  loader: portfolioLoader,
  alsoPrimes: [loaderOver<PortfolioRecordJson>(GetCustomer)],
  key: 'id',
  interfaces: [CustomerRecord],
  root: assumed(
    'The portfolio of this id; null when there is none. Portfolios are listed by contact, `Contact.portfolios`, and among `customers`.',
  ),
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
