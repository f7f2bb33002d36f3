import type { Context } from '../../context.ts';
import type { Blocker } from '../../failures.ts';
import { Customer } from '../../schema/customers/customers.ts';
import { builder } from '../../schema/kit/builder.ts';
import { Agenda, isDirect } from '../../schema/work/agendas.ts';
import { Appointment, AppointmentResultCode, AppointmentSource, AppointmentStatus } from '../../schema/work/appointments.ts';
import { WorkOrder } from '../../schema/work/workOrders.ts';
import {
  CancelAppointment,
  CreateAppointment,
  ListAppointmentResultCodes,
  ListAppointments,
  ListAvailableAppointmentSlots,
  ListCustomerAppointments,
  RecordAppointmentResult,
  UpdateAppointment,
} from '../../upstream/contract/generated/operations.ts';
import type {
  AppointmentRecordJson,
  CreateAppointmentRequestJson,
  UpdateAppointmentRequestJson,
} from '../../upstream/contract/generated/publicapi/v1/appointments_pb.ts';
import type { WorkOrderRecordJson } from '../../upstream/contract/generated/publicapi/v1/work_orders_pb.ts';
import { filterOf } from '../kit/filters.ts';
import { list, UNKNOWN_ORDER } from '../kit/lists.ts';
import { mutation } from '../kit/mutation.ts';
import { readAll } from '../kit/reads.ts';
import { fetchCurrent, findCreated, matchesInput } from '../kit/reconcile.ts';
import { listBetween } from '../kit/timeLists.ts';

const filter = filterOf(ListAppointments, Appointment, (f) => ({
  agendaId: f.agendaId('Only those in this agenda.'),
  memberId: f.memberId('Only those of this member.'),
  customerId: f.customerId('Only those of this customer.'),
  status: f.status('Only those in this state.', AppointmentStatus),
}));

builder.queryField('appointments', (t) =>
  t.field(
    listBetween(ListAppointments, {
      description:
        'The appointments that start within a stretch of time, of any length. `last` needs no `before`; it is refused where more than 10 calls would be read for it.',
      order: 'Earliest start first.',
      node: Appointment,
      filter,
      between: ['scheduledBetween', 'The time in which they start. Any status counts, cancelled ones too.'],
      startOf: ({ startsAt }) => startsAt,
    }),
  ),
);

builder.objectField(Customer.ref, 'appointments', (t) =>
  t.field(
    list(ListCustomerAppointments, {
      description: 'The appointments of this customer that the key may see.',
      order: 'Latest start first.',
      on: Customer,
      node: Appointment,
      name: 'CustomerAppointment',
    }),
  ),
);

// The upstream cannot list them by work order: all work orders of a customer are served by the list of the customer's appointments.
builder.objectField(WorkOrder.ref, 'appointments', (t) =>
  t.field(
    readAll(ListCustomerAppointments, {
      description: 'The appointments for this work order that the key may see, of any status. Latest start first.',
      type: Appointment.ref,
      request: ({ customerId = '' }: WorkOrderRecordJson) => ({ customerId }),
      answer: ({ appointments = [] }, _context, { id }) => appointments.filter(({ workOrderId }) => workOrderId === id),
    }),
  ),
);

builder.objectField(Appointment.ref, 'resultCodes', (t) =>
  t.field(
    readAll(ListAppointmentResultCodes, {
      description: `The results that can be recorded of it: the active ones. ${UNKNOWN_ORDER}`,
      type: AppointmentResultCode,
      request: ({ id = '' }: { readonly id?: string }) => ({ appointmentId: id }),
      answer: ({ resultCodes }) => resultCodes,
      extensions: { isServedByKey: true },
    }),
  ),
);

const NOT_DIRECT: Blocker = {
  code: 'AGENDA_NOT_BOOKABLE',
  message: 'The agenda is routed by hand: planners make and change its appointments.',
};
const INACTIVE: Blocker = { code: 'AGENDA_NOT_BOOKABLE', message: 'The agenda is inactive: it takes no more appointments.' };
const NO_SLOT: Blocker = {
  code: 'SLOT_UNAVAILABLE',
  message: 'The time is not free, or none that can be booked: choose one of Agenda.availableSlots.',
};

/** The day that calendars of a time zone show at a moment. */
const dayAt = (unixSeconds: number, timeZone: string): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(unixSeconds * 1000);

/** Whether an agenda offers the time that is asked for. Only the default duration of a type can be asked for. */
async function isOffered(request: CreateAppointmentRequestJson, timeZone: string, { upstream }: Context): Promise<boolean> {
  const { agendaId = '', appointmentTypeId = '', startsAt = '0', durationMinutes, memberId } = request;
  if (durationMinutes !== undefined) return false;
  const date = dayAt(Number(startsAt), timeZone);
  const { slots = [] } = await upstream.call(ListAvailableAppointmentSlots, { agendaId, date, appointmentTypeId });
  return slots.some((slot) => slot.startsAt === startsAt && (memberId === undefined || slot.memberIds?.includes(memberId)));
}

/** Reads why a time could not be booked. */
async function bookingBlockers(request: CreateAppointmentRequestJson, context: Context): Promise<Blocker[]> {
  const agenda = await fetchCurrent(Agenda, request.agendaId, context);
  if (!agenda) return [];
  if (!isDirect(agenda)) return [NOT_DIRECT];
  if (!agenda.isActive) return [INACTIVE];
  return (await isOffered(request, agenda.timeZone ?? 'UTC', context)) ? [] : [NO_SLOT];
}

/** Reads why a scheduled appointment could not be changed. `isMoved`: its time was to be another. */
async function changeBlockers({ source, agendaId }: AppointmentRecordJson, isMoved: boolean, context: Context): Promise<Blocker[]> {
  if (AppointmentSource.fromWire(source) === 'EXTERNAL')
    return [{ code: 'EXTERNAL_CALENDAR', message: 'The appointment was made in another calendar: change it there.' }];
  const agenda = await fetchCurrent(Agenda, agendaId, context);
  if (agenda && !isDirect(agenda)) return [NOT_DIRECT];
  if (!agenda || !isMoved) return [];
  return [agenda.isActive ? NO_SLOT : INACTIVE];
}

mutation('appointmentCreate', CreateAppointment, {
  description:
    'Books a time of an agenda: one of `Agenda.availableSlots`, which somebody else may have booked meanwhile. Then the blocker is SLOT_UNAVAILABLE, and nothing is made.',
  input: (f) => ({
    agendaId: f.agendaId('The agenda: one that `isBookable`.'),
    appointmentTypeId: f.appointmentTypeId('The type of appointment: one of `Agenda.allowedTypes`.'),
    customerId: f.customerId('The customer.'),
    startsAt: f.startsAt('The start.'),
    durationMinutes: f.durationMinutes(
      'The minutes that it takes: one of `AppointmentType.allowedDurationMinutes`. The default of the type when absent.',
    ),
    memberId: f.memberId(
      'The member: one who is free. Must be given where the strategy of the agenda is CHOOSE_USER, and left out where members are picked in turn.',
    ),
    workOrderId: f.workOrderId(
      'The work order that it is for: one of the same customer. It is opened again when the appointment is cancelled.',
    ),
    description: f.description('A description for the member who goes.'),
  }),
  returns: { appointment: 'The new appointment.' },
  obstacles: bookingBlockers,
  reconcile: async ({ request, startedAt, context }) => {
    const { agendaId = '', customerId = '', memberId = '', startsAt = '0', durationMinutes: _minutes, ...rest } = request;
    const pageSize = context.upstream.operation(ListAppointments).page?.maxSize ?? 1;
    const span = { startsFrom: startsAt, startsBefore: String(Number(startsAt) + 1) };
    const { appointments } = await context.upstream.call(ListAppointments, { ...span, agendaId, customerId, memberId, pageSize });
    const appointment = findCreated(appointments, { ...rest, status: 'PUBLIC_APPOINTMENT_STATUS_SCHEDULED' }, startedAt);
    return appointment && { appointment };
  },
});

const isMove = ({ startsAt, durationMinutes, memberId }: UpdateAppointmentRequestJson) =>
  startsAt !== undefined || durationMinutes !== undefined || memberId !== undefined;

/** Whether an appointment takes so many minutes; true where none are asked for. */
const takes = ({ startsAt, endsAt }: AppointmentRecordJson, minutes: number | undefined) =>
  minutes === undefined || Number(endsAt) - Number(startsAt) === minutes * 60;

mutation('appointmentUpdate', UpdateAppointment, {
  description:
    'Only scheduled appointments can be changed that were made in the workspace’s own calendar, in an agenda where members are not assigned by hand. A new time must be free.',
  on: Appointment,
  isPatch: true,
  input: (f) => ({
    startsAt: f.startsAt('The start.'),
    durationMinutes: f.durationMinutes('The minutes that it takes: one of `AppointmentType.allowedDurationMinutes`.'),
    memberId: f.memberId('The member. Only where the strategy of the agenda is CHOOSE_USER.'),
    description: f.description('A description for the member who goes.'),
  }),
  returns: { appointment: 'The appointment as it is now.' },
  blockers: (record, context, request) => changeBlockers(record, isMove(request), context),
  reconcile: async ({ request: { id, durationMinutes, ...fields }, context }) => {
    const appointment = await fetchCurrent(Appointment, id, context);
    return appointment && matchesInput(appointment, fields) && takes(appointment, durationMinutes) ? { appointment } : undefined;
  },
});

const isCancelled = (appointment: AppointmentRecordJson | null | undefined) =>
  AppointmentStatus.fromWire(appointment?.status) === 'CANCELLED';

mutation('appointmentCancel', CancelAppointment, {
  description:
    'Cancels a scheduled appointment, and opens its work order again, even one that is completed. A cancelled appointment stays as it is, and so does its work order: the effect is UNCHANGED.',
  on: Appointment,
  returns: { appointment: 'The appointment as it is now.' },
  leadsTo: { workOrder: [WorkOrder, 'The work order that it was for; null without one.', ({ appointment }) => appointment?.workOrderId] },
  isUnchanged: (_response, before) => isCancelled(before),
  blockers: (record, context) => changeBlockers(record, false, context),
  reconcile: async ({ request: { id }, context }) => {
    const appointment = await fetchCurrent(Appointment, id, context);
    return appointment && isCancelled(appointment) ? { appointment } : undefined;
  },
});

mutation('appointmentResultRecord', RecordAppointmentResult, {
  description: 'Records the result of a scheduled appointment, which completes it.',
  on: Appointment,
  input: (f) => ({
    resultCodeId: f.resultCodeId('The code of the result: one of `Appointment.resultCodes`.'),
    notes: f.notes('Remarks.'),
  }),
  returns: { appointment: 'The appointment as it is now.' },
});
