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
  flag,
  integer,
  moment,
  money,
  optionalMoment,
  optionalText,
  text,
  word,
} from './catalog.ts';

const relationship = (name: string, entity: string, description: string, on: string): CatalogRelationship => ({
  name,
  entity,
  description,
  on,
});

const CUSTOMER = relationship('customer', 'customers', 'The customer.', 'other.id = row.customer_id');
const ORDER = relationship('order', 'orders', 'The order.', 'other.id = row.order_id');
const ofCustomer = (name: string) => relationship(name, name, `The ${name} of the customer.`, 'other.customer_id = row.id');
const CREATED = moment('created_at', 'Made at.');
const UPDATED = moment('updated_at', 'Last changed at.');
const TOTALS = [
  money('total_once', 'One-time amount, without VAT.'),
  money('total_monthly', 'Amount a month, without VAT.'),
  money('total_yearly', 'Amount a year, without VAT.'),
];

const CURRENCY = text('currency', 'Currency of the amounts.');
const CUSTOMER_ID = text('customer_id', 'Id of the customer.');

/** The roots, with all that can be asked of each. Assumed: the upstream documents their names only. */
export const ENTITIES: readonly CatalogEntity[] = [
  {
    name: 'customers',
    description: 'Customers and portfolios.',
    table: 'customers',
    permission: 'boardAccess:FULL_ACCESS',
    fields: [
      text('id', 'Id of the customer.'),
      text('title', 'Title.'),
      text('reference_number', 'Number.'),
      text('contact_id', 'Id of the contact.', { sql: "nullif(row.contact_id, '')", isNullable: true }),
      optionalText('journey_status_id', 'Id of the status on the journey.'),
      optionalMoment('expected_close_date', 'Expected to be won or lost at.'),
      CREATED,
      UPDATED,
    ],
    relationships: [
      ofCustomer('orders'),
      ofCustomer('offers'),
      ofCustomer('workorders'),
      relationship(
        'problems',
        'problems',
        'The problems of the customer or portfolio.',
        'other.customer_id = row.id OR other.portfolio_id = row.id',
      ),
      ofCustomer('payments'),
      ofCustomer('appointments'),
      ofCustomer('appointment_results'),
    ],
  },
  {
    name: 'appointments',
    description: 'Appointments, whatever has become of them.',
    table: 'appointments',
    permission: 'planningAccess:FULL_ACCESS',
    fields: [
      text('id', 'Id of the appointment.'),
      word('status', PublicAppointmentStatusSchema, 'State.'),
      word('source', PublicAppointmentSourceSchema, 'Where it was made.'),
      text('agenda_id', 'Id of the agenda.'),
      text('appointment_type_id', 'Id of the type.'),
      optionalText('member_id', 'Id of the member who goes there.', { isMember: true }),
      optionalText('customer_id', 'Id of the customer.'),
      optionalText('work_order_id', 'Id of the work order.'),
      moment('starts_at', 'Begins at.'),
      moment('ends_at', 'Ends at.'),
      integer('duration_minutes', 'Length, in whole minutes.', { sql: '(row.ends_at - row.starts_at) / 60' }),
      decimal('duration_hours', 2, '(row.ends_at - row.starts_at) / 36', 'Length in hours, in hundredths.'),
      CREATED,
      UPDATED,
      optionalMoment('cancelled_at', 'Cancelled at.'),
    ],
    relationships: [
      CUSTOMER,
      relationship('workorder', 'workorders', 'The work order.', 'other.id = row.work_order_id'),
      relationship('result', 'appointment_results', 'The result, once there is one.', 'other.id = row.id'),
    ],
  },
  {
    name: 'orders',
    description: 'Orders: one for each confirmed quote, and none for each of its work orders.',
    table: 'orders',
    permission: 'billingAccess:FULL_ACCESS',
    snapshots: 'order',
    fields: [
      text('id', 'Id of the order.'),
      CUSTOMER_ID,
      text('quote_id', 'Id of the quote.'),
      word('status', PublicOrderStatusSchema, 'State.'),
      text('reference_number', 'Number.'),
      CURRENCY,
      ...TOTALS,
      CREATED,
      UPDATED,
      optionalMoment('cancelled_at', 'Cancelled at.'),
    ],
    relationships: [
      CUSTOMER,
      relationship('offer', 'offers', 'The quote that became the order.', 'other.id = row.quote_id'),
      relationship('payments', 'payments', 'The payments of the order.', 'other.order_id = row.id'),
    ],
  },
  {
    name: 'offers',
    description: 'Quotes.',
    table: 'quotes',
    permission: 'billingAccess:FULL_ACCESS',
    snapshots: 'offer',
    fields: [
      text('id', 'Id of the quote.'),
      CUSTOMER_ID,
      word('status', PublicQuoteStatusSchema, 'State.'),
      text('reference_number', 'Number.'),
      text('pricing_country', 'Country whose prices it has.'),
      integer('version', 'Changes so far, and one.'),
      CURRENCY,
      ...TOTALS,
      optionalText('order_id', 'Id of the order, once it is confirmed.'),
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
      text('id', 'Id of the work order.'),
      CUSTOMER_ID,
      optionalText('work_order_template_id', 'Id of the template.'),
      word('status', PublicWorkOrderStatusSchema, 'State.'),
      text('title', 'Title.'),
      integer('task_count', 'Tasks.', { sql: '(SELECT count(*) FROM work_order_tasks WHERE work_order_id = row.id)' }),
      CREATED,
      UPDATED,
      optionalMoment('completed_at', 'Completed at.'),
      optionalMoment('cancelled_at', 'Cancelled at.'),
    ],
    relationships: [CUSTOMER, relationship('appointments', 'appointments', 'Its appointments.', 'other.work_order_id = row.id')],
  },
  {
    name: 'problems',
    description: 'Problems.',
    table: 'problems',
    permission: 'planningAccess:FULL_ACCESS',
    fields: [
      text('id', 'Id of the problem.'),
      text('title', 'Title.'),
      word('status', PublicProblemStatusSchema, 'State.'),
      text('portfolio_id', 'Id of the portfolio.'),
      optionalText('customer_id', 'Id of the customer.'),
      optionalText('problem_template_id', 'Id of the template.'),
      flag('manual_solving_disabled', 'Whether nobody can resolve it by hand.'),
      CREATED,
      UPDATED,
      optionalMoment('resolved_at', 'Resolved at.'),
    ],
    relationships: [CUSTOMER, relationship('portfolio', 'customers', 'The portfolio.', 'other.id = row.portfolio_id')],
  },
  {
    name: 'payments',
    description: 'Payments, whether or not the money has come.',
    table: 'payments',
    permission: 'billingAccess:FULL_ACCESS',
    fields: [
      text('id', 'Id of the payment.'),
      text('order_id', 'Id of the order.'),
      CUSTOMER_ID,
      word('provider', PublicPaymentProviderSchema, 'Provider.'),
      word('status', PublicPaymentStatusSchema, 'State.'),
      CURRENCY,
      money('amount', 'Asked for.'),
      money('received', 'Received.'),
      CREATED,
      UPDATED,
      optionalMoment('paid_at', 'Paid at.'),
    ],
    relationships: [CUSTOMER, ORDER],
  },
  {
    name: 'appointment_results',
    description: 'Results that were recorded of appointments, one at most for each.',
    table: 'appointments',
    where: 'row.result_code_id IS NOT NULL',
    permission: 'planningAccess:FULL_ACCESS',
    fields: [
      text('id', 'Id of the appointment.'),
      text('result_code_id', 'Id of the result.'),
      text('result', 'Name of the result.', { sql: '(SELECT name FROM appointment_result_codes WHERE id = row.result_code_id)' }),
      text('appointment_type_id', 'Id of the type of the appointment.'),
      optionalText('member_id', 'Id of the member who went there.', { isMember: true }),
      optionalText('recorder_id', 'Id of the member who recorded it.', { isMember: true }),
      optionalText('customer_id', 'Id of the customer.'),
      moment('starts_at', 'The appointment began at.'),
      moment('recorded_at', 'Recorded at.'),
    ],
    relationships: [CUSTOMER, relationship('appointment', 'appointments', 'The appointment.', 'other.id = row.id')],
  },
];

/** Roots by name. */
export const entityByName: ReadonlyMap<string, CatalogEntity> = new Map(ENTITIES.map((entity) => [entity.name, entity]));
