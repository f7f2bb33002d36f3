import type { CustomerTimelineEventRecord } from '../../upstream/contract/generated/records.ts';
import { Product } from '../catalog/catalog.ts';
import { annotateAssumed } from '../kit/fieldAnnotations.ts';
import { defineRecordType } from '../kit/recordTypes.ts';
import type { Entity } from '../kit/registry.ts';
import { defineUnion, followSubject } from '../kit/subjects.ts';
import { Order } from '../sales/orders.ts';
import { Quote } from '../sales/quotes.ts';
import { ActionRequest } from '../work/actionRequests.ts';
import { Appointment } from '../work/appointments.ts';
import { Problem } from '../work/problems.ts';
import { WorkOrder } from '../work/workOrders.ts';
import { Contact } from './contacts.ts';
import { Customer } from './customers.ts';
import { Portfolio } from './portfolios.ts';

/** Types of event subjects by the upstream's name, if the schema has them. A map, because the upstream may return any string, including `constructor`. */
const ENTITIES: ReadonlyMap<string, Entity<object>> = new Map(
  Object.entries({
    action_request: ActionRequest,
    appointment: Appointment,
    contact: Contact,
    customer: Customer,
    order: Order,
    portfolio: Portfolio,
    problem: Problem,
    product: Product,
    quote: Quote,
    work_order: WorkOrder,
  } as never),
);

const TimelineSubject = defineUnion('TimelineSubject', 'The subject of an event in a customer’s timeline.', () => ENTITIES.values());

export const CustomerTimelineEvent = defineRecordType<CustomerTimelineEventRecord>('CustomerTimelineEvent', {
  record: 'CustomerTimelineEventRecord',
  description: 'An event in a customer’s timeline.',
  key: 'id',
  fields: (f, t) => ({
    eventType: f.requiredString('eventType', 'Type of the event in the Workspace API, such as `comment_created`.'),
    entityType: f.string('entityType', 'Type of the event’s subject in the Workspace API, such as `comment`.'),
    entityId: f.id('entityId', 'Raw ID of the event’s subject.'),
    entity: t.field({
      type: TimelineSubject,
      ...annotateAssumed(
        'Subject of the event. Null if it no longer exists, isn’t visible to the key, or has no type in the schema that can be looked up by ID.',
      ),
      resolve: ({ entityType, entityId }, _args, context, info) => {
        const target = ENTITIES.get(entityType);
        return target ? followSubject(target, entityId, context, info) : null;
      },
    }),
    summary: f.requiredString('summary', 'Human-readable summary of the event.'),
    occurredAt: f.dateTime('occurredAt', 'When the event occurred.'),
  }),
});
