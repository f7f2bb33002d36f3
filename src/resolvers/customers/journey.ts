import { Customer } from '../../schema/customers/customers.ts';
import { Journey } from '../../schema/customers/journey.ts';
import { builder } from '../../schema/kit/builder.ts';
import { NULL_ONLY_WITH_ERROR } from '../../schema/kit/nullability.ts';
import { describe } from '../../schema/kit/records.ts';
import { ClearCustomerJourneyStatus, ListJourneyConfig, SetCustomerJourneyStatus } from '../../upstream/contract/generated/operations.ts';
import { mutation } from '../kit/mutation.ts';
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
