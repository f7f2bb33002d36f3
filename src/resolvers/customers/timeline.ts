import { Customer } from '../../schema/customers/customers.ts';
import { CustomerTimelineEvent } from '../../schema/customers/timeline.ts';
import { builder } from '../../schema/kit/builder.ts';
import { CreateCustomerEvent, ListCustomerTimelineEvents } from '../../upstream/contract/generated/operations.ts';
import { filterOf } from '../kit/filters.ts';
import { list } from '../kit/lists.ts';
import { mutation } from '../kit/mutation.ts';

const EventFilter = filterOf(ListCustomerTimelineEvents, CustomerTimelineEvent, (f) => ({
  transactionId: f.transactionId('Only those of this transaction.', { as: 'ID' }),
}));

builder.objectField(Customer.ref, 'timelineEvents', (t) =>
  t.field(
    list(ListCustomerTimelineEvents, {
      description: 'The events of this customer. Those that the account behind the key may not see are left out.',
      order: 'Newest first.',
      on: Customer,
      node: CustomerTimelineEvent,
      filter: EventFilter,
    }),
  ),
);

mutation('customerTimelineEventCreate', CreateCustomerEvent, {
  description: 'Writes an event to a customer’s timeline.',
  on: Customer,
  input: (f) => ({
    eventType: f.eventType('The type of event, in a word.'),
    summary: f.summary('A sentence for people.'),
    occurredAt: f.occurredAt('The moment of the event; now when absent.'),
  }),
  returns: { event: 'The new event.' },
  leadsTo: { customer: [Customer, 'The customer. Its `timelineEvents` have changed.', (_response, { customerId }) => customerId] },
});
