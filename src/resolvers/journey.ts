import { builder } from '../schema/builder.ts';
import { Customer } from '../schema/customers.ts';
import { Journey } from '../schema/journey.ts';
import { NULL_ONLY_WITH_ERROR } from '../schema/nullability.ts';
import { describe } from '../schema/records.ts';
import { ClearCustomerJourneyStatus, ListJourneyConfig, SetCustomerJourneyStatus } from '../upstream/generated/operations.ts';
import { mutation } from './mutation.ts';
import { AS_PORTFOLIO } from './people.ts';

builder.queryField('journey', (t) =>
  t.field({
    ...describe(ListJourneyConfig, 'The journey of the workspace’s customers.'),
    type: Journey,
    authScopes: { operation: ListJourneyConfig },
    extensions: NULL_ONLY_WITH_ERROR,
    resolve: (_root, _args, { upstream }) => upstream.call(ListJourneyConfig, {}),
  }),
);

mutation('customerJourneyStatusSet', SetCustomerJourneyStatus, {
  description:
    'Puts a customer at a status of the journey. `fromText` of a TransitionBlockedError is the `rawId` of the status that it has.',
  input: (t) => ({
    customerId: t.id({ required: true, description: 'The customer.' }),
    statusId: t.id({ required: true, description: 'The status of the journey.' }),
  }),
  ids: { customerId: 'Customer', statusId: 'JourneyStatus' },
  request: ({ customerId, statusId }) => ({ customerId, statusId }),
  leadsTo: AS_PORTFOLIO,
  answers: { customer: [Customer.ref, 'The customer as it is now.'] },
  subject: { entity: Customer, id: 'customerId', state: ({ journeyStatusId }) => journeyStatusId || undefined },
});

mutation('customerJourneyStatusClear', ClearCustomerJourneyStatus, {
  description: 'Takes a customer off the journey.',
  input: (t) => ({ customerId: t.id({ required: true, description: 'The customer.' }) }),
  ids: { customerId: 'Customer' },
  request: ({ customerId }) => ({ customerId }),
  leadsTo: AS_PORTFOLIO,
  answers: { customer: [Customer.ref, 'The customer as it is now.'] },
  subject: { entity: Customer, id: 'customerId', state: ({ journeyStatusId }) => journeyStatusId || undefined },
});
