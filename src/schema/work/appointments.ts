import type { ObjectRef } from '@pothos/core';
import { GetAppointment } from '../../upstream/contract/generated/operations.ts';
import type { AppointmentRecord, AppointmentResultCodeRecord, AppointmentResultRecord } from '../../upstream/contract/generated/records.ts';
import { Customer } from '../customers/customers.ts';
import type { Types } from '../kit/builder.ts';
import { defineEntity } from '../kit/entities.ts';
import { defineWireEnum, hasOtherStatus } from '../kit/enums.ts';
import { defineRecordType } from '../kit/recordTypes.ts';
import type { Entity } from '../kit/registry.ts';
import { Member } from '../people/members.ts';
import { Agenda, AppointmentType } from './agendas.ts';
import { WorkOrder } from './workOrders.ts';

export const AppointmentStatus = defineWireEnum('AppointmentStatus', 'PublicAppointmentStatus', {
  description: 'The status of an appointment.',
  members: {
    SCHEDULED: 'Scheduled. No result is recorded yet.',
    COMPLETED: 'Completed. Its result is recorded.',
    CANCELLED: 'Canceled.',
    OTHER: 'A status that isn’t in this schema yet. See `statusText`.',
  },
});

export const AppointmentSource = defineWireEnum('AppointmentSource', 'PublicAppointmentSource', {
  description: 'The calendar that an appointment was created in.',
  members: {
    LOCAL: 'The workspace’s own calendar.',
    EXTERNAL: 'Another calendar, from which the appointment is copied. It can only be changed there.',
    OTHER: 'A source that isn’t in this schema yet. See `sourceText`.',
  },
});

export const AppointmentResultCode: ObjectRef<Types, AppointmentResultCodeRecord> = defineRecordType('AppointmentResultCode', {
  record: 'AppointmentResultCodeRecord',
  description: 'A possible result of an appointment.',
  key: 'id',
  fields: (f) => ({
    name: f.requiredString('name', 'Display name of the result.'),
    isSuccess: f.boolean('isSuccess', 'Whether the appointment achieved its purpose.'),
  }),
});

const AppointmentResult: ObjectRef<Types, AppointmentResultRecord> = defineRecordType('AppointmentResult', {
  record: 'AppointmentResultRecord',
  description: 'The recorded result of an appointment.',
  fields: (f, t) => ({
    code: t.field({
      type: AppointmentResultCode,
      ...f.annotate('code', 'Result code. It may have been deactivated since.'),
      resolve: ({ code: recorded }) => recorded,
    }),
    notes: f.string('notes', 'Notes about the result.'),
    recordedBy: f.edge('memberId', Member, 'Member who recorded the result. Null if they have left.', { isDeletable: true }),
    recordedAt: f.dateTime('recordedAt', 'When the result was recorded.'),
  }),
});

export const Appointment: Entity<AppointmentRecord> = defineEntity('Appointment', {
  record: 'AppointmentRecord',
  description: 'A visit to or a call with a customer, planned in an agenda.',
  operation: GetAppointment,
  key: 'id',
  // All transitions start from a scheduled appointment.
  state: { getStatus: ({ status }) => status, isTerminal: ({ status }) => hasOtherStatus('SCHEDULED', AppointmentStatus, status) },
  root: 'Looks up an appointment by ID. Null if it doesn’t exist or isn’t visible to the key.',
  fields: (f, t) => ({
    ...f.enumWithText('status', AppointmentStatus, 'Status of the appointment: scheduled, completed or canceled.'),
    ...f.enumWithText('source', AppointmentSource, 'Calendar that the appointment was created in.'),
    startsAt: f.requiredDateTime('startsAt', 'When the appointment starts.'),
    endsAt: f.dateTime('endsAt', 'When the appointment ends.'),
    agenda: f.requiredEdge('agendaId', Agenda, 'Agenda that the appointment is planned in.'),
    appointmentType: f.requiredEdge('appointmentTypeId', AppointmentType, 'Type of appointment, which determines the allowed durations.'),
    member: f.edge('memberId', Member, 'Member assigned to the appointment. Null if no member is assigned, or the member has left.', {
      isDeletable: true,
    }),
    customer: f.requiredEdge('customerId', Customer, 'Customer that the appointment is with.'),
    workOrder: f.edge('workOrderId', WorkOrder, 'Work order that the appointment is for. Null if it isn’t for a work order.'),
    description: f.string('description', 'Description for the assigned member.'),
    result: t.field({
      type: AppointmentResult,
      ...f.annotate('result', 'Result of the appointment. Null until it is recorded.'),
      resolve: ({ result: recorded }) => recorded,
    }),
    createdAt: f.dateTime('createdAt', 'When the appointment was created.'),
    updatedAt: f.dateTime('updatedAt', 'When the appointment was last updated.'),
    cancelledAt: f.dateTime('cancelledAt', 'When the appointment was canceled. Null unless it is canceled.'),
  }),
});
