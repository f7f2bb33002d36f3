import { builder } from '../schema/builder.ts';
import { Customer } from '../schema/customers.ts';
import { JourneyStage } from '../schema/journey.ts';
import { describe } from '../schema/records.ts';
import { ClearCustomerJourneyStatus, ListJourneyConfig, SetCustomerJourneyStatus } from '../upstream/generated/operations.ts';
import { mutation } from './mutation.ts';

builder.queryField('journey', (t) =>
  t.field({
    ...describe(ListJourneyConfig, 'The stages of the customer journey, in order.'),
    type: [JourneyStage],
    nullable: { list: true, items: false },
    authScopes: { operation: ListJourneyConfig },
    resolve: async (_root, _args, { upstream }) => (await upstream.call(ListJourneyConfig, {})).stages ?? [],
  }),
);

mutation('customerJourneyStatusSet', SetCustomerJourneyStatus, {
  description: 'Puts a customer at a status of the journey.',
  input: (t) => ({
    customerId: t.id({ required: true, description: 'A global or a raw id.' }),
    statusId: t.id({ required: true, description: 'The `rawId` of a status of the journey.' }),
  }),
  ids: { customerId: 'Customer' },
  request: ({ customerId, statusId }) => ({ customerId, statusId }),
  answer: ({ customer }) => ({ customer }),
  payload: (t) => ({
    customer: t.field({
      type: Customer.ref,
      nullable: false,
      description: 'The customer as it is now.',
      resolve: ({ customer }) => customer,
    }),
  }),
  subject: { entity: Customer, id: 'customerId', state: ({ journeyStatusId }) => journeyStatusId },
});

mutation('customerJourneyStatusClear', ClearCustomerJourneyStatus, {
  description: 'Takes a customer off the journey.',
  input: (t) => ({ customerId: t.id({ required: true, description: 'A global or a raw id.' }) }),
  ids: { customerId: 'Customer' },
  request: ({ customerId }) => ({ customerId }),
  answer: ({ customer }) => ({ customer }),
  payload: (t) => ({
    customer: t.field({
      type: Customer.ref,
      nullable: false,
      description: 'The customer as it is now.',
      resolve: ({ customer }) => customer,
    }),
  }),
  subject: { entity: Customer, id: 'customerId', state: ({ journeyStatusId }) => journeyStatusId },
});
