import { Customer } from '../../schema/customers/customers.ts';
import { CustomerTimelineEvent } from '../../schema/customers/timeline.ts';
import { builder } from '../../schema/kit/builder.ts';
import { CreateCustomerEvent, ListCustomerTimelineEvents } from '../../upstream/contract/generated/operations.ts';
import { filterId, filterInput } from '../kit/filters.ts';
import { given } from '../kit/given.ts';
import { list } from '../kit/lists.ts';
import { mutation } from '../kit/mutation.ts';

const EventFilter = filterInput('CustomerTimelineEvent', 'events', (t) => ({
  transactionId: t.id({ description: 'Only those of this transaction.' }),
}));

builder.objectField(Customer.ref, 'timelineEvents', (t) =>
  t.field(
    list(ListCustomerTimelineEvents, {
      description: 'The events of this customer. Those that the account behind the key may not see are left out.',
      order: 'Newest first.',
      node: CustomerTimelineEvent,
      filter: EventFilter,
      request: ({ id }: { id?: string }, { filter: { transactionId } }) => ({
        customerId: id ?? '',
        ...given({ transactionId: filterId(transactionId, 'transactionId') || undefined }),
      }),
      isServedByKey: true,
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
  answers: { event: 'The new event.' },
  leadsTo: { customer: [Customer, 'The customer. Its `timelineEvents` have changed.', (_response, { customerId }) => customerId] },
});
