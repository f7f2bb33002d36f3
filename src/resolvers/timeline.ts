import { builder } from '../schema/builder.ts';
import { Customer } from '../schema/customers.ts';
import { CustomerTimelineEvent } from '../schema/timeline.ts';
import { CreateCustomerEvent, ListCustomerTimelineEvents } from '../upstream/generated/operations.ts';
import { given } from './given.ts';
import { list } from './lists.ts';
import { mutation } from './mutation.ts';

builder.objectField(Customer.ref, 'timelineEvents', (t) =>
  t.field(
    list(ListCustomerTimelineEvents, {
      description:
        'What happened to this customer, newest first. It may be partial: events that the account behind the key may not see are left out.',
      node: CustomerTimelineEvent,
      args: { transactionId: t.arg.id({ description: 'Only events of this transaction.' }) },
      request: ({ id }: { id?: string }, { transactionId }) => ({ customerId: id ?? '', ...given({ transactionId }) }),
      isServedByKey: true,
    }),
  ),
);

mutation('customerEventCreate', CreateCustomerEvent, {
  description: 'Writes an event to a customer’s timeline.',
  input: (t) => ({
    customerId: t.id({ required: true, description: 'A global or a raw id.' }),
    eventType: t.string({ required: true, description: 'What happened, in one word of at most 100 characters.' }),
    summary: t.string({ required: true, description: 'What happened, for people, in at most 1,000 characters.' }),
    occurredAt: t.field({ type: 'DateTime', description: 'When it happened; now when absent.' }),
  }),
  ids: { customerId: 'Customer' },
  request: ({ occurredAt, ...event }) => ({
    ...given({ occurredAt }),
    customerId: event.customerId,
    eventType: event.eventType,
    summary: event.summary,
  }),
  answers: { event: [CustomerTimelineEvent, 'The new event.'] },
  subject: { entity: Customer, id: 'customerId' },
});
