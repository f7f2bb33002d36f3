import {
  PublicAppointmentSourceSchema,
  PublicAppointmentStatusSchema,
} from '../../src/upstream/contract/generated/publicapi/v1/appointments_pb.ts';
import { PublicOrderStatusSchema } from '../../src/upstream/contract/generated/publicapi/v1/orders_pb.ts';
import { PublicPaymentProviderSchema, PublicPaymentStatusSchema } from '../../src/upstream/contract/generated/publicapi/v1/payments_pb.ts';
import { PublicProblemStatusSchema } from '../../src/upstream/contract/generated/publicapi/v1/problems_pb.ts';
import { PublicQuoteStatusSchema } from '../../src/upstream/contract/generated/publicapi/v1/quotes_pb.ts';
import { PublicWorkOrderStatusSchema } from '../../src/upstream/contract/generated/publicapi/v1/work_orders_pb.ts';
import {
  type CatalogEntity,
  type CatalogRelationship,
  decimal,
  enumField,
  flag,
  integer,
  money,
  optionalText,
  optionalTimestamp,
  text,
  timestamp,
} from './catalog.ts';

const relationship = (name: string, entity: string, description: string, on: string): CatalogRelationship => ({
  name,
  entity,
  description,
  on,
});

const CUSTOMER = relationship('customer', 'customers', 'Customer of the record.', 'other.id = row.customer_id');
const ORDER = relationship('order', 'orders', 'Order of the record.', 'other.id = row.order_id');
const createCustomerRelationship = (name: string) => relationship(name, name, `The customer’s ${name}.`, 'other.customer_id = row.id');
const CREATED = timestamp('created_at', 'When the record was created.');
const UPDATED = timestamp('updated_at', 'When the record was last updated.');
const TOTALS = [
  money('total_once', 'One-off total, excluding VAT.'),
  money('total_monthly', 'Monthly total, excluding VAT.'),
  money('total_yearly', 'Yearly total, excluding VAT.'),
];

const CURRENCY = text('currency', 'Currency of the amounts.');
const CUSTOMER_ID = text('customer_id', 'ID of the customer.');

/** The roots with their fields and relationships. Assumed: the upstream documents only the names of the roots. */
export const ENTITIES: readonly CatalogEntity[] = [
  {
    name: 'customers',
    description: 'Customers and portfolios.',
    table: 'customers',
    permission: 'boardAccess:FULL_ACCESS',
    fields: [
      text('id', 'ID of the customer.'),
      text('title', 'Title of the record.'),
      text('reference_number', 'Human-readable number of the record.'),
      text('contact_id', 'ID of the contact.', { sql: "nullif(row.contact_id, '')", isNullable: true }),
      optionalText('journey_status_id', 'ID of the journey status.'),
      optionalTimestamp('expected_close_date', 'When the customer is expected to be won or lost.'),
      CREATED,
      UPDATED,
    ],
    relationships: [
      createCustomerRelationship('orders'),
      createCustomerRelationship('offers'),
      createCustomerRelationship('workorders'),
      relationship(
        'problems',
        'problems',
        'Problems of the customer or portfolio.',
        'other.customer_id = row.id OR other.portfolio_id = row.id',
      ),
      createCustomerRelationship('payments'),
      createCustomerRelationship('appointments'),
      createCustomerRelationship('appointment_results'),
    ],
  },
  {
    name: 'appointments',
    description: 'Appointments with any status.',
    table: 'appointments',
    permission: 'planningAccess:FULL_ACCESS',
    fields: [
      text('id', 'ID of the appointment.'),
      enumField('status', PublicAppointmentStatusSchema, 'Status of the record.'),
      enumField('source', PublicAppointmentSourceSchema, 'Where the appointment was created.'),
      text('agenda_id', 'ID of the agenda.'),
      text('appointment_type_id', 'ID of the appointment type.'),
      optionalText('member_id', 'ID of the assigned member.', { isMember: true }),
      optionalText('customer_id', 'ID of the customer.'),
      optionalText('work_order_id', 'ID of the work order.'),
      timestamp('starts_at', 'When the appointment starts.'),
      timestamp('ends_at', 'When the appointment ends.'),
      integer('duration_minutes', 'Duration in whole minutes.', { sql: '(row.ends_at - row.starts_at) / 60' }),
      decimal('duration_hours', 2, '(row.ends_at - row.starts_at) / 36', 'Duration in hours, with two decimal places.'),
      CREATED,
      UPDATED,
      optionalTimestamp('cancelled_at', 'When the record was canceled.'),
    ],
    relationships: [
      CUSTOMER,
      relationship('workorder', 'workorders', 'Work order of the appointment.', 'other.id = row.work_order_id'),
      relationship('result', 'appointment_results', 'Result of the appointment, if one was recorded.', 'other.id = row.id'),
    ],
  },
  {
    name: 'orders',
    description: 'Orders. Each confirmed quote has one order, and its work orders have none of their own.',
    table: 'orders',
    permission: 'billingAccess:FULL_ACCESS',
    snapshots: 'order',
    fields: [
      text('id', 'ID of the order.'),
      CUSTOMER_ID,
      text('quote_id', 'ID of the quote.'),
      enumField('status', PublicOrderStatusSchema, 'Status of the record.'),
      text('reference_number', 'Human-readable number of the record.'),
      CURRENCY,
      ...TOTALS,
      CREATED,
      UPDATED,
      optionalTimestamp('cancelled_at', 'When the record was canceled.'),
    ],
    relationships: [
      CUSTOMER,
      relationship('offer', 'offers', 'Quote that became the order.', 'other.id = row.quote_id'),
      relationship('payments', 'payments', 'Payments of the order.', 'other.order_id = row.id'),
    ],
  },
  {
    name: 'offers',
    description: 'Quotes.',
    table: 'quotes',
    permission: 'billingAccess:FULL_ACCESS',
    snapshots: 'offer',
    fields: [
      text('id', 'ID of the quote.'),
      CUSTOMER_ID,
      enumField('status', PublicQuoteStatusSchema, 'Status of the record.'),
      text('reference_number', 'Human-readable number of the record.'),
      text('pricing_country', 'Country whose prices apply.'),
      integer('version', 'Number of updates so far, plus one.'),
      CURRENCY,
      ...TOTALS,
      optionalText('order_id', 'ID of the order, if the quote is confirmed.'),
      CREATED,
      UPDATED,
    ],
    relationships: [CUSTOMER, ORDER],
  },
  {
    name: 'workorders',
    description: 'Work orders.',
    table: 'work_orders',
    permission: 'planningAccess:FULL_ACCESS',
    fields: [
      text('id', 'ID of the work order.'),
      CUSTOMER_ID,
      optionalText('work_order_template_id', 'ID of the template.'),
      enumField('status', PublicWorkOrderStatusSchema, 'Status of the record.'),
      text('title', 'Title of the record.'),
      integer('task_count', 'Number of tasks.', { sql: '(SELECT count(*) FROM work_order_tasks WHERE work_order_id = row.id)' }),
      CREATED,
      UPDATED,
      optionalTimestamp('completed_at', 'When the work order was completed.'),
      optionalTimestamp('cancelled_at', 'When the record was canceled.'),
    ],
    relationships: [
      CUSTOMER,
      relationship('appointments', 'appointments', 'Appointments of the work order.', 'other.work_order_id = row.id'),
    ],
  },
  {
    name: 'problems',
    description: 'Problems.',
    table: 'problems',
    permission: 'planningAccess:FULL_ACCESS',
    fields: [
      text('id', 'ID of the problem.'),
      text('title', 'Title of the record.'),
      enumField('status', PublicProblemStatusSchema, 'Status of the record.'),
      text('portfolio_id', 'ID of the portfolio.'),
      optionalText('customer_id', 'ID of the customer.'),
      optionalText('problem_template_id', 'ID of the template.'),
      flag('manual_solving_disabled', 'Whether the problem can’t be resolved manually.'),
      CREATED,
      UPDATED,
      optionalTimestamp('resolved_at', 'When the problem was resolved.'),
    ],
    relationships: [CUSTOMER, relationship('portfolio', 'customers', 'Portfolio of the problem.', 'other.id = row.portfolio_id')],
  },
  {
    name: 'payments',
    description: 'Payments with any status, whether received or not.',
    table: 'payments',
    permission: 'billingAccess:FULL_ACCESS',
    fields: [
      text('id', 'ID of the payment.'),
      text('order_id', 'ID of the order.'),
      CUSTOMER_ID,
      enumField('provider', PublicPaymentProviderSchema, 'Payment provider.'),
      enumField('status', PublicPaymentStatusSchema, 'Status of the record.'),
      CURRENCY,
      money('amount', 'Requested amount.'),
      money('received', 'Received amount.'),
      CREATED,
      UPDATED,
      optionalTimestamp('paid_at', 'When the payment was paid.'),
    ],
    relationships: [CUSTOMER, ORDER],
  },
  {
    name: 'appointment_results',
    description: 'Recorded results of appointments. Each appointment has at most one.',
    table: 'appointments',
    where: 'row.result_code_id IS NOT NULL',
    permission: 'planningAccess:FULL_ACCESS',
    fields: [
      text('id', 'ID of the appointment.'),
      text('result_code_id', 'ID of the result.'),
      text('result', 'Name of the result.', { sql: '(SELECT name FROM appointment_result_codes WHERE id = row.result_code_id)' }),
      text('appointment_type_id', 'ID of the appointment type.'),
      optionalText('member_id', 'ID of the member of the appointment.', { isMember: true }),
      optionalText('recorder_id', 'ID of the member who recorded it.', { isMember: true }),
      optionalText('customer_id', 'ID of the customer.'),
      timestamp('starts_at', 'When the appointment started.'),
      timestamp('recorded_at', 'When the result was recorded.'),
    ],
    relationships: [CUSTOMER, relationship('appointment', 'appointments', 'Appointment of the result.', 'other.id = row.id')],
  },
];

/** Roots by name. */
export const entityByName: ReadonlyMap<string, CatalogEntity> = new Map(ENTITIES.map((entity) => [entity.name, entity]));
