import { Customer } from '../../schema/customers/customers.ts';
import { CustomerTimelineEvent } from '../../schema/customers/timeline.ts';
import { builder } from '../../schema/kit/builder.ts';
import { OWNER } from '../../schema/kit/parts.ts';
import { rankDescendingBy } from '../../schema/paging/anchors.ts';
import { CreateCustomerEvent, ListCustomerTimelineEvents } from '../../upstream/contract/generated/operations.ts';
import { declareFilter } from '../kit/filters.ts';
import { list } from '../kit/lists.ts';
import { mutation } from '../kit/mutation.ts';
import { readFirstPage, registerReread } from '../kit/rereads.ts';

const EventFilter = declareFilter(ListCustomerTimelineEvents, CustomerTimelineEvent, (f) => ({
  transactionId: f.transactionId('Only events of this transaction.', { as: 'ID' }),
}));

builder.objectField(Customer.ref, 'timelineEvents', (t) =>
  t.field(
    list(ListCustomerTimelineEvents, {
      description: 'Events in the customer’s timeline. Excludes events that aren’t visible to the key’s account.',
      order: 'Newest first.',
      sortedBy: rankDescendingBy('occurredAt'),
      on: Customer,
      node: CustomerTimelineEvent,
      filter: EventFilter,
    }),
  ),
);

registerReread(
  CustomerTimelineEvent,
  readFirstPage(ListCustomerTimelineEvents, ({ [OWNER]: customerId = '' }) => ({ customerId })),
);

mutation('customerTimelineEventCreate', CreateCustomerEvent, {
  description: 'Adds an event to a customer’s timeline.',
  on: Customer,
  input: (f) => ({
    eventType: f.eventType('Type of the event, such as `comment_created`.'),
    summary: f.summary('Human-readable summary of the event.'),
    occurredAt: f.occurredAt('When the event occurred. Defaults to the current time.'),
  }),
  returns: { event: 'The new event.' },
  payload: { resolve: ({ event }, { customerId }) => ({ event: event?.id ? { ...event, [OWNER]: customerId } : undefined }) },
  affects: {
    customer: [Customer, 'The customer. Its `timelineEvents` have changed; refetch them.', (_response, { customerId }) => customerId],
  },
});
