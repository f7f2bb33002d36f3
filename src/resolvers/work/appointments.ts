import type { Context } from '../../context.ts';
import type { Blocker } from '../../failures/failures.ts';
import { readLargestPage } from '../../loaders/listScan.ts';
import { Customer } from '../../schema/customers/customers.ts';
import { builder } from '../../schema/kit/builder.ts';
import { rankDescendingBy } from '../../schema/paging/anchors.ts';
import { Member } from '../../schema/people/members.ts';
import { Agenda, isDirectlyBookable } from '../../schema/work/agendas.ts';
import { AppointmentSearch } from '../../schema/work/appointmentSearch.ts';
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
  CreateAppointmentRequestJson,
  UpdateAppointmentRequestJson,
} from '../../upstream/contract/generated/publicapi/v1/appointments_pb.ts';
import type { AppointmentRecord, WorkOrderRecord } from '../../upstream/contract/generated/records.ts';
import { declareFilter } from '../kit/filters.ts';
import { defineCriteria } from '../kit/listCriteria.ts';
import { list, listOfParts, UNKNOWN_ORDER } from '../kit/lists.ts';
import { mutation } from '../kit/mutation.ts';
import { readAll } from '../kit/reads.ts';
import { fetchCurrent, filterCreated, matchesInput } from '../kit/reconcile.ts';
import { search } from '../kit/search.ts';
import { listByTimeRange } from '../kit/timeLists.ts';

const filter = declareFilter(ListAppointments, Appointment, (f) => ({
  agendaId: f.agendaId('Only appointments in this agenda.'),
  memberId: f.memberId('Only appointments of this member.'),
  customerId: f.customerId('Only appointments of this customer.'),
  status: f.status('Only appointments with this status. To filter by several, use `appointmentSearch`.', AppointmentStatus),
}));

builder.queryField('appointments', (t) =>
  t.field(
    listByTimeRange(ListAppointments, {
      description:
        'Appointments that start within a time range of any length. `last` doesn’t require `before`, but fails if it would need more than 10 calls.',
      order: 'Earliest start first.',
      node: Appointment,
      filter,
      between: ['scheduledBetween', 'Time range that the appointments start in. Includes appointments of any status, even canceled ones.'],
      getStart: ({ startsAt }) => startsAt,
    }),
  ),
);

const customerCriteria = defineCriteria(
  ListCustomerAppointments,
  { name: 'CustomerAppointment' },
  {
    status: AppointmentStatus,
    references: { agendaIds: [Agenda, 'agendaId'], memberIds: [Member, 'memberId'] },
    times: { startsAt: 'start', createdAt: 'were created', updatedAt: 'were last updated', cancelledAt: 'were canceled' },
    upstreamOrder: { field: 'STARTS_AT', direction: 'DESC' },
    sortedBy: rankDescendingBy('startsAt'),
    alternative: 'Use `appointmentSearch(filter: { customerIds })`.',
  },
);

builder.objectField(Customer.ref, 'appointments', (t) =>
  t.field(
    list(ListCustomerAppointments, {
      description: 'The customer’s appointments that are visible to the key. `filter` and `orderBy` cost no further calls.',
      order: 'Latest start first.',
      on: Customer,
      node: Appointment,
      ...customerCriteria,
    }),
  ),
);

// The upstream can't list appointments by work order, so all work orders of a customer share the list of the customer's appointments.
builder.objectField(WorkOrder.ref, 'appointments', (t) =>
  t.field(
    listOfParts(ListCustomerAppointments, {
      description: 'Appointments for the work order that are visible to the key, with any status.',
      order: 'Latest start first.',
      sortedBy: rankDescendingBy('startsAt'),
      node: Appointment,
      request: ({ customerId }: WorkOrderRecord) => ({ customerId }),
      parts: (appointment, { id }) => (appointment.workOrderId === id ? [appointment] : []),
      parentKey: ({ id }) => ({ workOrderId: id }),
      isServedByKey: false,
    }),
  ),
);

builder.objectField(Appointment.ref, 'resultCodes', (t) =>
  t.field(
    readAll(ListAppointmentResultCodes, {
      description: `Active result codes that can be recorded for the appointment. ${UNKNOWN_ORDER}`,
      type: AppointmentResultCode,
      request: ({ id }: { readonly id: string }) => ({ appointmentId: id }),
      resolveValue: ({ resultCodes }) => resultCodes,
      extensions: { isServedByKey: true },
    }),
  ),
);

const MANUALLY_ASSIGNED: Blocker = {
  code: 'AGENDA_NOT_BOOKABLE',
  message: 'Planners assign appointments of this agenda manually. Ask a planner to create or change the appointment.',
};
const INACTIVE: Blocker = { code: 'AGENDA_NOT_BOOKABLE', message: 'The agenda is inactive and doesn’t accept new appointments.' };
const NO_SLOT: Blocker = {
  code: 'SLOT_UNAVAILABLE',
  message: 'The time isn’t available or can’t be booked. Choose one of Agenda.availableSlots.',
};

/** Formats the day of a time zone as YYYY-MM-DD. */
const formatDay = (unixSeconds: number, timeZone: string): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(unixSeconds * 1000);

/** Whether the agenda has an available slot for the request. The upstream lists slots only for the default duration of a type. */
async function isSlotAvailable(request: CreateAppointmentRequestJson, timeZone: string, { upstream }: Context): Promise<boolean> {
  const { agendaId = '', appointmentTypeId = '', startsAt = '0', durationMinutes, memberId } = request;
  // For other durations, only the upstream's rejection shows that the time isn't available.
  if (durationMinutes !== undefined) return upstream.rehearsed !== null;
  const date = formatDay(Number(startsAt), timeZone);
  const { slots } = await upstream.call(ListAvailableAppointmentSlots, { agendaId, date, appointmentTypeId });
  return slots.some((slot) => slot.startsAt === startsAt && (memberId === undefined || slot.memberIds.includes(memberId)));
}

/** Reads why a booking is blocked. */
async function findBookingBlockers(request: CreateAppointmentRequestJson, context: Context): Promise<Blocker[]> {
  const agenda = await fetchCurrent(Agenda, request.agendaId, context);
  if (!agenda) return [];
  if (!isDirectlyBookable(agenda)) return [MANUALLY_ASSIGNED];
  if (!agenda.isActive) return [INACTIVE];
  return (await isSlotAvailable(request, agenda.timeZone || 'UTC', context)) ? [] : [NO_SLOT];
}

/** Reads why an update or cancellation is blocked. `isMoved`: the request changes the time or the member. */
async function findChangeBlockers({ source, agendaId }: AppointmentRecord, isMoved: boolean, context: Context): Promise<Blocker[]> {
  if (AppointmentSource.fromWire(source) === 'EXTERNAL')
    return [{ code: 'EXTERNAL_CALENDAR', message: 'The appointment was created in another calendar. Change it there.' }];
  const agenda = await fetchCurrent(Agenda, agendaId, context);
  if (agenda && !isDirectlyBookable(agenda)) return [MANUALLY_ASSIGNED];
  if (!agenda || !isMoved) return [];
  if (!agenda.isActive) return [INACTIVE];
  // Only the upstream's rejection shows that the new time isn't available.
  return context.upstream.rehearsed === null ? [NO_SLOT] : [];
}

builder.queryField('appointmentSearch', (t) =>
  t.field(search(AppointmentSearch, 'Searches the appointments of the workspace.', '`appointments`')),
);

mutation('appointmentCreate', CreateAppointment, {
  description:
    'Books one of `Agenda.availableSlots`. If another client has booked it in the meantime, fails with the blocker `SLOT_UNAVAILABLE` and creates nothing.',
  input: (f) => ({
    agendaId: f.agendaId('Agenda to book in. Must be one that `isBookable`.'),
    appointmentTypeId: f.appointmentTypeId('Type of appointment. Must be one of `Agenda.allowedTypes`.'),
    customerId: f.customerId('Customer that the appointment is with.'),
    startsAt: f.startsAt('When the appointment starts.'),
    durationMinutes: f.durationMinutes(
      'Duration in minutes. Must be one of `AppointmentType.allowedDurationMinutes`. Defaults to the type’s default duration.',
    ),
    memberId: f.memberId(
      'Member to assign, who must be free. Required if the agenda’s strategy is `CHOOSE_USER`. Must be omitted if it is `ROUND_ROBIN`.',
    ),
    workOrderId: f.workOrderId(
      'Work order that the appointment is for. Must belong to the same customer. Reopened if the appointment is canceled.',
    ),
    description: f.description('Description for the assigned member.'),
  }),
  returns: { appointment: 'The new appointment.' },
  blockers: findBookingBlockers,
  reconcile: {
    calls: 1,
    find: async ({ request, context, startedAt }) => {
      const { agendaId = '', customerId = '', memberId = '', startsAt = '0', durationMinutes: _minutes, ...rest } = request;
      const span = { startsFrom: startsAt, startsBefore: String(Number(startsAt) + 1) };
      const { rows } = await readLargestPage(context.upstream, ListAppointments, { ...span, agendaId, customerId, memberId });
      return filterCreated(rows, { ...rest, status: 'PUBLIC_APPOINTMENT_STATUS_SCHEDULED' }, startedAt);
    },
  },
});

const isMove = ({ startsAt, durationMinutes, memberId }: UpdateAppointmentRequestJson) =>
  startsAt !== undefined || durationMinutes !== undefined || memberId !== undefined;

/** Whether the appointment has this duration. True if no duration is specified. */
const hasDuration = ({ startsAt, endsAt }: AppointmentRecord, minutes: number | undefined) =>
  minutes === undefined || Number(endsAt) - Number(startsAt) === minutes * 60;

mutation('appointmentUpdate', UpdateAppointment, {
  description: 'Only for scheduled appointments with source `LOCAL`, unless members are assigned manually. A new time must be free.',
  on: Appointment,
  isPatch: true,
  input: (f) => ({
    startsAt: f.startsAt('When the appointment starts.'),
    durationMinutes: f.durationMinutes('Duration in minutes. Must be one of `AppointmentType.allowedDurationMinutes`.'),
    memberId: f.memberId('Member to assign. Only if the agenda’s strategy is `CHOOSE_USER`.'),
    description: f.description('Description for the assigned member.'),
  }),
  returns: { appointment: 'The updated appointment.' },
  blockers: (request, context, record) => findChangeBlockers(record, isMove(request), context),
  reconcile: async ({ request: { id, durationMinutes, ...fields }, context }) => {
    const appointment = await fetchCurrent(Appointment, id, context);
    return appointment && matchesInput(appointment, fields) && hasDuration(appointment, durationMinutes) ? { appointment } : undefined;
  },
});

const isCancelled = ({ status }: AppointmentRecord) => AppointmentStatus.fromWire(status) === 'CANCELLED';

mutation('appointmentCancel', CancelAppointment, {
  description:
    'Cancels a scheduled appointment and reopens its work order, even if that is completed. If the appointment is already canceled, both stay unchanged and the effect is `UNCHANGED`.',
  on: Appointment,
  returns: { appointment: 'The canceled appointment.' },
  affects: {
    workOrder: [
      WorkOrder,
      'Work order that the appointment was for. Null if it wasn’t for a work order.',
      ({ appointment }) => appointment?.workOrderId,
    ],
  },
  isUnchanged: (_response, before) => before !== null && isCancelled(before),
  blockers: (_request, context, record) => findChangeBlockers(record, false, context),
  reconcile: async ({ request: { id }, context }) => {
    const appointment = await fetchCurrent(Appointment, id, context);
    return appointment && isCancelled(appointment) ? { appointment } : undefined;
  },
});

mutation('appointmentResultRecord', RecordAppointmentResult, {
  description: 'Records the result of a scheduled appointment, which completes the appointment.',
  on: Appointment,
  input: (f) => ({
    resultCodeId: f.resultCodeId('Result code. Must be one of `Appointment.resultCodes`.'),
    notes: f.notes('Notes about the result.'),
  }),
  returns: { appointment: 'The completed appointment.' },
});
