import type { CustomerTimelineEventRecordJson } from '../upstream/generated/publicapi/v1/timeline_pb.ts';
import { Product } from './catalog.ts';
import { Contact } from './contacts.ts';
import { Customer } from './customers.ts';
import { type Entity, follow } from './entities.ts';
import { Order } from './orders.ts';
import { Portfolio } from './portfolios.ts';
import { Quote } from './quotes.ts';
import { assumed, RecordFields } from './records.ts';
import { ofType, unionOf } from './subjects.ts';

/** What an event can be about, by the upstream's word for it, as far as this graph has a type for it. */
const ENTITIES: Readonly<Record<string, Entity<object>>> = {
  contact: Contact,
  customer: Customer,
  order: Order,
  portfolio: Portfolio,
  product: Product,
  quote: Quote,
} as never;

const TimelineSubject = unionOf('TimelineSubject', 'A record that an event on a timeline is about.', () => Object.values(ENTITIES));

const record = new RecordFields<CustomerTimelineEventRecordJson>('CustomerTimelineEventRecord');

export const CustomerTimelineEvent = record.type('CustomerTimelineEvent', {
  description: 'Something that happened to a customer.',
  key: 'id',
  fields: (t) => ({
    eventType: record.text(t, 'eventType', 'What happened, in the upstream’s word, such as `comment_created`.'),
    entityType: record.text(t, 'entityType', 'What it is about, in the upstream’s word, such as `comment`.'),
    entityId: record.id(t, 'entityId', 'The raw id of what it is about.'),
    entity: t.field({
      type: TimelineSubject,
      ...assumed('What it is about; null when this graph has no type for it that can be read by its id.'),
      resolve: async ({ entityType, entityId }, _args, context, info) => {
        const target = ENTITIES[entityType ?? ''];
        if (!target) return null;
        const found = await follow(target, entityId, context, info);
        return found && ofType(target, found);
      },
    }),
    summary: record.text(t, 'summary', 'What happened, for people.'),
    occurredAt: record.dateTime(t, 'occurredAt', 'When it happened.'),
  }),
});
