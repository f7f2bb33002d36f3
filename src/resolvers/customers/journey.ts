import { Customer } from '../../schema/customers/customers.ts';
import { Journey } from '../../schema/customers/journey.ts';
import { builder } from '../../schema/kit/builder.ts';
import { ClearCustomerJourneyStatus, ListJourneyConfig, SetCustomerJourneyStatus } from '../../upstream/contract/generated/operations.ts';
import { mutation } from '../kit/mutation.ts';
import { read } from '../kit/reads.ts';
import { AS_PORTFOLIO } from './people.ts';

builder.queryField('journey', (t) =>
  t.field(
    read(ListJourneyConfig, {
      description: 'The journey of the workspace’s customers.',
      type: Journey,
      request: () => ({}),
      answer: (journey) => journey,
    }),
  ),
);

mutation('customerJourneyStatusSet', SetCustomerJourneyStatus, {
  description:
    'Puts a customer at a status of the journey. `fromText` of a TransitionBlockedError is the `rawId` of the status that it has.',
  on: Customer,
  input: (f) => ({ statusId: f.statusId('The status of the journey.') }),
  leadsTo: AS_PORTFOLIO,
  returns: { customer: 'The customer as it is now.' },
});

mutation('customerJourneyStatusClear', ClearCustomerJourneyStatus, {
  description: 'Takes a customer off the journey.',
  on: Customer,
  leadsTo: AS_PORTFOLIO,
  returns: { customer: 'The customer as it is now.' },
});
