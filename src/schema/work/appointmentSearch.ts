import { decodeAppointmentRecord } from '../../upstream/contract/generated/decoders.ts';
import { defineSearch, describeQuery, searchCustomer } from '../search/searches.ts';
import { Appointment, AppointmentSource, AppointmentStatus } from './appointments.ts';

export const AppointmentSearch = defineSearch(Appointment, 'appointments', {
  root: 'appointments',
  decode: decodeAppointmentRecord,
  query: {
    description: describeQuery('title of the work order'),
    texts: [searchCustomer(), { relationship: 'workorder', columns: ['title'] }],
    customers: ['customer_id'],
  },
  filter: (f) => ({
    statuses: f.enumValues('status', AppointmentStatus, 'Appointments with any of these statuses.'),
    sources: f.enumValues('source', AppointmentSource, 'Appointments created in any of these calendars.'),
    agendaIds: f.ids('agendaId', 'Appointments in any of these agendas.'),
    memberIds: f.ids('memberId', 'Appointments of any of these members.'),
    isViewer: f.isViewer('memberId', 'Whether the appointment is assigned to the member who owns the API key.'),
    customerIds: f.ids('customerId', 'Appointments with any of these customers.'),
    workOrderIds: f.ids('workOrderId', 'Appointments for any of these work orders.'),
    startsAt: f.time('startsAt', 'When the appointment starts.'),
    endsAt: f.time('endsAt', 'When the appointment ends.'),
    createdAt: f.time('createdAt', 'When the appointment was created.'),
    updatedAt: f.time('updatedAt', 'When the appointment was last updated.'),
    cancelledAt: f.time('cancelledAt', 'When the appointment was canceled.'),
    customer: f.related('customer', 'The customer of the appointment matches.'),
    workOrder: f.related('workorder', 'The work order of the appointment matches.'),
  }),
  orderBy: {
    createdAt: 'When the appointment was created.',
    updatedAt: 'When the appointment was last updated.',
    startsAt: 'When the appointment starts.',
    endsAt: 'When the appointment ends.',
    cancelledAt: 'When the appointment was canceled. Appointments that weren’t canceled come last.',
    status: 'Status, in the order of `AppointmentStatus`.',
  },
  facets: {
    byStatus: { member: 'status', enum: AppointmentStatus, description: 'By status.' },
    bySource: { member: 'source', enum: AppointmentSource, description: 'By the calendar that they were created in.' },
  },
});
