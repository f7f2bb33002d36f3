import type { ObjectRef } from '@pothos/core';
import { GetAppointment } from '../../upstream/contract/generated/operations.ts';
import type {
  AppointmentRecordJson,
  AppointmentResultCodeRecordJson,
  AppointmentResultRecordJson,
  PublicAppointmentSourceJson,
  PublicAppointmentStatusJson,
} from '../../upstream/contract/generated/publicapi/v1/appointments_pb.ts';
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
  description: 'The stage of an appointment.',
  prefix: 'PUBLIC_APPOINTMENT_STATUS',
  members: {
    SCHEDULED: 'Planned, and without a result.',
    COMPLETED: 'Over: its result is recorded.',
    CANCELLED: 'Called off.',
    OTHER: 'A state that this graph does not know: see `statusText`.',
  },
});

export const AppointmentSource = wireEnum<PublicAppointmentSourceJson>()('AppointmentSource', {
  description: 'The calendar that an appointment was made in.',
  prefix: 'PUBLIC_APPOINTMENT_SOURCE',
  members: {
    LOCAL: 'The workspace’s own.',
    EXTERNAL: 'Another one, from which it is copied. It can only be changed there.',
    OTHER: 'A calendar that this graph does not know: see `sourceText`.',
  },
});

const code = new RecordFields<AppointmentResultCodeRecordJson>('AppointmentResultCodeRecord');

export const AppointmentResultCode: ObjectRef<Types, AppointmentResultCodeRecordJson> = code.type('AppointmentResultCode', {
  description: 'A result that appointments may have.',
  key: 'id',
  fields: (t) => ({
    name: code.requiredText(t, 'name', 'The name that people see.'),
    isSuccess: code.flag(t, 'isSuccess', 'Whether the appointment has led to what it was made for.'),
  }),
});

const result = new RecordFields<AppointmentResultRecordJson>('AppointmentResultRecord');

const AppointmentResult: ObjectRef<Types, AppointmentResultRecordJson> = result.type('AppointmentResult', {
  description: 'The recorded result of an appointment.',
  fields: (t) => ({
    code: t.field({
      type: AppointmentResultCode,
      ...result.mark('code', 'The code of the result. It may be inactive by now.'),
      resolve: ({ code: recorded }) => recorded ?? null,
    }),
    notes: result.text(t, 'notes', 'Remarks.'),
    recordedBy: result.edge(t, 'memberId', Member, 'The member who recorded it.'),
    recordedAt: result.dateTime(t, 'recordedAt', 'The moment of recording.'),
  }),
});

const record = new RecordFields<AppointmentRecordJson>('AppointmentRecord');

export const Appointment: Entity<AppointmentRecordJson> = entity('Appointment', {
  record,
  description: 'A visit or a call at a customer, in an agenda.',
  operation: GetAppointment,
  key: 'id',
  // Every step is for a scheduled one.
  state: { of: ({ status }) => status, isClosed: ({ status }) => isOtherThan('SCHEDULED', AppointmentStatus, status) },
  root: 'The appointment of this id; null when there is none, or the key may not see it.',
  fields: (t) => ({
    ...record.word(t, 'status', AppointmentStatus, 'The stage of the appointment: scheduled, completed or cancelled.'),
    ...record.word(t, 'source', AppointmentSource, 'The calendar that it was made in.'),
    startsAt: record.requiredDateTime(t, 'startsAt', 'The start.'),
    endsAt: record.dateTime(t, 'endsAt', 'The end.'),
    agenda: record.requiredEdge(t, 'agendaId', Agenda, 'The agenda that it is planned in.'),
    appointmentType: record.requiredEdge(t, 'appointmentTypeId', AppointmentType, 'The type of appointment.'),
    member: record.edge(t, 'memberId', Member, 'The member who is to go; null while nobody is assigned.'),
    customer: record.requiredEdge(t, 'customerId', Customer, 'The customer.'),
    workOrder: record.edge(t, 'workOrderId', WorkOrder, 'The work order that it is for; null without one.'),
    description: record.text(t, 'description', 'A description for the member who goes.'),
    result: t.field({
      type: AppointmentResult,
      ...record.mark('result', 'The result; null until it is recorded.'),
      resolve: ({ result: recorded }) => recorded ?? null,
    }),
    createdAt: record.dateTime(t, 'createdAt', 'The moment of creation.'),
    updatedAt: record.dateTime(t, 'updatedAt', 'The moment of the last change.'),
    cancelledAt: record.dateTime(t, 'cancelledAt', 'The moment of cancellation; null unless it is cancelled.'),
  }),
});
