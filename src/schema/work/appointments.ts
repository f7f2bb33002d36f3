import type { ObjectRef } from '@pothos/core';
import { GetAppointment } from '../../upstream/contract/generated/operations.ts';
import type {
  PublicAppointmentSourceJson,
  PublicAppointmentStatusJson,
} from '../../upstream/contract/generated/publicapi/v1/appointments_pb.ts';
import type { AppointmentRecord, AppointmentResultCodeRecord, AppointmentResultRecord } from '../../upstream/contract/generated/records.ts';
import { Customer } from '../customers/customers.ts';
import type { Types } from '../kit/builder.ts';
import { entity } from '../kit/entities.ts';
import { isOtherThan, wireEnum } from '../kit/enums.ts';
import { RecordFields } from '../kit/records.ts';
import type { Entity } from '../kit/registry.ts';
import { Member } from '../people/members.ts';
import { Agenda, AppointmentType } from './agendas.ts';
import { WorkOrder } from './workOrders.ts';

export const AppointmentStatus = wireEnum<PublicAppointmentStatusJson>()('AppointmentStatus', {
  description: 'The status of an appointment.',
  prefix: 'PUBLIC_APPOINTMENT_STATUS',
  members: {
    SCHEDULED: 'Scheduled. No result is recorded yet.',
    COMPLETED: 'Completed. Its result is recorded.',
    CANCELLED: 'Canceled.',
    OTHER: 'A status that isn’t in this schema yet. See `statusText`.',
  },
});

export const AppointmentSource = wireEnum<PublicAppointmentSourceJson>()('AppointmentSource', {
  description: 'The calendar that an appointment was created in.',
  prefix: 'PUBLIC_APPOINTMENT_SOURCE',
  members: {
    LOCAL: 'The workspace’s own calendar.',
    EXTERNAL: 'Another calendar, from which the appointment is copied. It can only be changed there.',
    OTHER: 'A source that isn’t in this schema yet. See `sourceText`.',
  },
});

const code = new RecordFields<AppointmentResultCodeRecord>('AppointmentResultCodeRecord');

export const AppointmentResultCode: ObjectRef<Types, AppointmentResultCodeRecord> = code.type('AppointmentResultCode', {
  description: 'A possible result of an appointment.',
  key: 'id',
  fields: (t) => ({
    name: code.requiredText(t, 'name', 'Display name of the result.'),
    isSuccess: code.flag(t, 'isSuccess', 'Whether the appointment achieved its purpose.'),
  }),
});

const result = new RecordFields<AppointmentResultRecord>('AppointmentResultRecord');

const AppointmentResult: ObjectRef<Types, AppointmentResultRecord> = result.type('AppointmentResult', {
  description: 'The recorded result of an appointment.',
  fields: (t) => ({
    code: t.field({
      type: AppointmentResultCode,
      ...result.mark('code', 'Result code. It may have been deactivated since.'),
      resolve: ({ code: recorded }) => recorded,
    }),
    notes: result.text(t, 'notes', 'Notes about the result.'),
    recordedBy: result.edge(t, 'memberId', Member, 'Member who recorded the result. Null if they have left.', { isDeletable: true }),
    recordedAt: result.dateTime(t, 'recordedAt', 'When the result was recorded.'),
  }),
});

const record = new RecordFields<AppointmentRecord>('AppointmentRecord');

export const Appointment: Entity<AppointmentRecord> = entity('Appointment', {
  record,
  description: 'A visit to or a call with a customer, planned in an agenda.',
  operation: GetAppointment,
  key: 'id',
  // Every step is for a scheduled one.
  state: { of: ({ status }) => status, isClosed: ({ status }) => isOtherThan('SCHEDULED', AppointmentStatus, status) },
  root: 'Looks up an appointment by ID. Null if it doesn’t exist or isn’t visible to the key.',
  fields: (t) => ({
    ...record.word(t, 'status', AppointmentStatus, 'Status of the appointment: scheduled, completed or canceled.'),
    ...record.word(t, 'source', AppointmentSource, 'Calendar that the appointment was created in.'),
    startsAt: record.requiredDateTime(t, 'startsAt', 'When the appointment starts.'),
    endsAt: record.dateTime(t, 'endsAt', 'When the appointment ends.'),
    agenda: record.requiredEdge(t, 'agendaId', Agenda, 'Agenda that the appointment is planned in.'),
    appointmentType: record.requiredEdge(
      t,
      'appointmentTypeId',
      AppointmentType,
      'Type of appointment, which determines the allowed durations.',
    ),
    member: record.edge(
      t,
      'memberId',
      Member,
      'Member assigned to the appointment. Null if no member is assigned, or the member has left.',
      {
        isDeletable: true,
      },
    ),
    customer: record.requiredEdge(t, 'customerId', Customer, 'Customer that the appointment is with.'),
    workOrder: record.edge(t, 'workOrderId', WorkOrder, 'Work order that the appointment is for. Null if there is none.'),
    description: record.text(t, 'description', 'Description for the assigned member.'),
    result: t.field({
      type: AppointmentResult,
      ...record.mark('result', 'Result of the appointment. Null until it is recorded.'),
      resolve: ({ result: recorded }) => recorded,
    }),
    createdAt: record.dateTime(t, 'createdAt', 'When the appointment was created.'),
    updatedAt: record.dateTime(t, 'updatedAt', 'When the appointment was last updated.'),
    cancelledAt: record.dateTime(t, 'cancelledAt', 'When the appointment was canceled. Null unless it is canceled.'),
  }),
});
