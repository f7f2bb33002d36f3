import { Customer } from '../../schema/customers/customers.ts';
import { Journey } from '../../schema/customers/journey.ts';
import { builder } from '../../schema/kit/builder.ts';
import { ClearCustomerJourneyStatus, ListJourneyConfig, SetCustomerJourneyStatus } from '../../upstream/contract/generated/operations.ts';
import { mutation } from '../kit/mutation.ts';
import { read } from '../kit/reads.ts';
import { AFFECTED_PORTFOLIO } from './people.ts';

builder.queryField('journey', (t) =>
  t.field(
    read(ListJourneyConfig, {
      description: 'Customer journey of the workspace.',
      type: Journey,
      request: () => ({}),
      resolveValue: (journey) => journey,
    }),
  ),
);

mutation('customerJourneyStatusSet', SetCustomerJourneyStatus, {
  description:
    'Sets a customer’s journey status. If it already has that status, the effect is `UNCHANGED`. In a `TransitionBlockedError`, `fromText` is the `rawId` of the current status.',
  on: Customer,
  input: (f) => ({ statusId: f.statusId('Journey status to set.') }),
  isUnchanged: (_response, before, { statusId }) => before?.journeyStatusId === statusId,
  affects: AFFECTED_PORTFOLIO,
  returns: { customer: 'The updated customer.' },
});

mutation('customerJourneyStatusClear', ClearCustomerJourneyStatus, {
  description: 'Clears a customer’s journey status. If it has none, the effect is `UNCHANGED`.',
  on: Customer,
  isUnchanged: (_response, before) => before !== null && !before.journeyStatusId,
  affects: AFFECTED_PORTFOLIO,
  returns: { customer: 'The updated customer.' },
});
