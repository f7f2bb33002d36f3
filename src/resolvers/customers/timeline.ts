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
  input: (t) => ({
    customerId: t.id({ required: true, description: 'The customer.' }),
    eventType: t.string({ required: true, description: 'The type of event: a word of at most 100 characters.' }),
    summary: t.string({ required: true, description: 'A sentence for people, in at most 1,000 characters.' }),
    occurredAt: t.field({ type: 'DateTime', description: 'The moment of the event; now when absent.' }),
  }),
  ids: { customerId: 'Customer' },
  request: ({ occurredAt, ...event }) => ({
    ...given({ occurredAt }),
    customerId: event.customerId,
    eventType: event.eventType,
    summary: event.summary,
  }),
  answers: { event: [CustomerTimelineEvent, 'The new event.'] },
  leadsTo: { customer: [Customer, 'The customer. Its `timelineEvents` have changed.', (_response, { customerId }) => customerId] },
  on: Customer,
});
