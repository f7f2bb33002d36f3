import { loaderForOperation } from '../../loaders/loaderForOperation.ts';
import { portfolioLoader } from '../../loaders/portfolios.ts';
import { GetCustomer } from '../../upstream/contract/generated/operations.ts';
import type { PortfolioRecord } from '../../upstream/contract/generated/records.ts';
import { follow } from '../kit/edges.ts';
import { defineEntity } from '../kit/entities.ts';
import { annotateAssumed } from '../kit/fieldAnnotations.ts';
import { declareSameRecords } from '../kit/globalIds.ts';
import type { Entity } from '../kit/registry.ts';
import { CustomerRecord, defineCustomerRecordFields } from './customerRecords.ts';
import { Customer } from './customers.ts';

declareSameRecords('Portfolio', Customer.name);

export const Portfolio: Entity<PortfolioRecord> = defineEntity('Portfolio', {
  record: 'PortfolioRecord',
  description:
    'A customer record that belongs to a contact. Has the same `rawId` as the customer for the same record. Arguments accept the `id` of both.',
  operation: GetCustomer,
  loader: portfolioLoader,
  alsoPrimes: [loaderForOperation<PortfolioRecord>(GetCustomer)],
  key: 'id',
  interfaces: [CustomerRecord],
  root: annotateAssumed(
    'Looks up a portfolio by ID. Null if it doesn’t exist. To list portfolios, use `Contact.portfolios` or `customers`.',
  ),
  fields: (f, t) => ({
    ...defineCustomerRecordFields(f, t),
    customer: t.field({
      type: Customer.ref,
      ...annotateAssumed('The same record as a customer, with its quotes and orders.'),
      extensions: { isServedByKey: true },
      resolve: ({ id }, _args, context, info) => follow(Customer, id, context, info),
    }),
  }),
});
