import { PublicAgendaStrategy as Strategy } from '../../src/upstream/contract/generated/publicapi/v1/agendas_pb.ts';
import {
  Appointment,
  AppointmentRecordSchema,
  AppointmentResultCodeRecordSchema,
  PublicAppointmentSource as Source,
  PublicAppointmentStatus as Status,
  type UpdateAppointmentRequest,
} from '../../src/upstream/contract/generated/publicapi/v1/appointments_pb.ts';
import { getCustomer } from '../customers/customerRecords.ts';
import type { CallContext } from '../kernel/call.ts';
import { failedPrecondition, invalidArgument, notFound } from '../kernel/errors.ts';
import { domain } from '../kernel/service.ts';
import { type RowOf, table } from '../kernel/table.ts';
import { getMember } from '../people/memberRecords.ts';
import {
  type AgendaRow,
  agendaTable,
  appointmentTypeTable,
  findSlot,
  getAgenda,
  isDirect,
  requireBookable,
  resolveDuration,
} from './agendas.ts';
import { getWorkOrder } from './workOrderRecords.ts';
import { reopenWorkOrder } from './workOrders.ts';

const MINUTE_SECONDS = 60;

/** Possible results of appointments, by type. */
export const resultCodeTable = table('appointment_result_codes', AppointmentResultCodeRecordSchema, {
  also: { workspace_id: 'TEXT', appointment_type_id: 'TEXT', is_active: 'INTEGER' },
  references: { appointment_type_id: appointmentTypeTable },
});

/** Appointments. The columns of the result are empty until it's recorded. */
export const appointmentTable = table('appointments', AppointmentRecordSchema, {
  also: {
    workspace_id: 'TEXT',
    result_code_id: 'TEXT NULL',
    result_notes: 'TEXT NULL',
    recorder_id: 'TEXT NULL',
    recorded_at: 'INTEGER NULL',
  },
  references: { agenda_id: agendaTable, appointment_type_id: appointmentTypeTable },
  indexes: {
    appointments_by_age: 'workspace_id, created_at, id',
    appointments_by_start: 'workspace_id, starts_at, id',
    appointments_of_customer: 'workspace_id, customer_id, starts_at',
    appointments_of_member: 'member_id, starts_at',
  },
});

type AppointmentRow = RowOf<typeof appointmentTable>;

/** SQL condition for the appointments that a caller can see. See `agendaTable`. */
const VISIBLE = `appointments.workspace_id = :workspaceId AND (:seesAll OR EXISTS (
    SELECT 1 FROM agendas WHERE agendas.id = appointments.agenda_id AND (is_private = 0 OR EXISTS (
      SELECT 1 FROM agenda_members WHERE agenda_members.agenda_id = agendas.id AND agenda_members.member_id = :callerId))))`;

const createVisibilityBindings = ({ workspaceId, principal }: CallContext) => ({
  workspaceId,
  seesAll: Number(principal.permissions.has('planningAccess:FULL_ACCESS')),
  callerId: principal.memberId,
});

/** Looks up an appointment by ID. Throws if it is missing or hidden from the caller. */
function getAppointment(call: CallContext, id: string): AppointmentRow {
  const sql = `SELECT * FROM appointments WHERE id = :id AND ${VISIBLE}`;
  const row = call.store.get<AppointmentRow>(sql, { id, ...createVisibilityBindings(call) });
  if (!row) throw notFound('appointment', id);
  return row;
}

function toAppointment(call: CallContext, row: AppointmentRow) {
  const record = appointmentTable.read(row);
  if (row.recorded_at === null) return record;
  const code = resultCodeTable.getOrThrow(call, row.result_code_id ?? '', 'result code');
  const result = {
    code: resultCodeTable.read(code),
    notes: row.result_notes ?? '',
    memberId: row.recorder_id ?? '',
    recordedAt: BigInt(row.recorded_at),
  };
  return { ...record, result };
}

const readAppointment = (call: CallContext, id: string | undefined) => ({
  appointment: toAppointment(call, getAppointment(call, id ?? '')),
});

const formatStatus = (status: Status) => (status === Status.CANCELLED ? 'canceled' : 'completed');

/** Throws for appointments that this API can't change. */
function requireEditable(call: CallContext, appointment: AppointmentRow): void {
  if (appointment.status !== Status.SCHEDULED)
    throw failedPrecondition(
      `Appointment ${appointment.id} is ${formatStatus(appointment.status)}. Only scheduled appointments can be changed.`,
    );
  if (appointment.source !== Source.LOCAL)
    throw failedPrecondition(`Appointment ${appointment.id} was created in another calendar and can only be changed there.`);
  const agenda = getAgenda(call, appointment.agenda_id);
  if (!isDirect(agenda))
    throw failedPrecondition(`The agenda ${agenda.name} is routed manually. Its appointments are changed by planners.`);
}

/** The member whose last booking on the agenda is the oldest. `memberIds` is in round-robin order. */
function nextByRoundRobin(call: CallContext, agenda: AgendaRow, memberIds: readonly string[]): string {
  const findLatest = (memberId: string) =>
    call.store.get<{ readonly last: number | null }>(
      'SELECT max(rowid) AS last FROM main.appointments WHERE agenda_id = :agendaId AND member_id = :memberId',
      { agendaId: agenda.id, memberId },
    )?.last ?? 0;
  const turns = memberIds.map((id) => ({ id, last: findLatest(id) }));
  const [next] = turns.toSorted((one, other) => one.last - other.last);
  return next?.id ?? '';
}

interface BookingRequest {
  readonly typeId: string;
  readonly startsAt: number;
  readonly minutes?: number | undefined;
  /** The requested member. On a round-robin agenda, the current member of the appointment. */
  readonly memberId?: string | undefined;
  /** The appointment that is being moved. */
  readonly moved?: string;
}

/** The columns of a booked slot. Throws if the slot isn't available. */
function book(call: CallContext, agenda: AgendaRow, { typeId, startsAt, minutes, memberId, moved }: BookingRequest) {
  requireBookable(agenda);
  const slot = findSlot(call, agenda, startsAt, resolveDuration(call, agenda, typeId, minutes), moved);
  const times = { starts_at: slot.from, ends_at: slot.to };
  if (memberId !== undefined && slot.memberIds.includes(memberId)) return { ...times, member_id: memberId };
  if (agenda.strategy === Strategy.CHOOSE_USER)
    throw failedPrecondition(`Member ${memberId} isn’t available at that time on the agenda ${agenda.name}.`);
  return { ...times, member_id: nextByRoundRobin(call, agenda, slot.memberIds) };
}

/** Throws if a member is specified although the agenda's strategy selects one, or if it's missing although the strategy doesn't. */
function checkMember(call: CallContext, agenda: AgendaRow, memberId: string | undefined): void {
  if (memberId !== undefined) getMember(call, memberId);
  if (agenda.strategy === Strategy.ROUND_ROBIN && memberId !== undefined)
    throw invalidArgument(`member_id must be omitted, because the agenda ${agenda.name} assigns members in turn.`);
  if (agenda.strategy === Strategy.CHOOSE_USER && memberId === undefined)
    throw invalidArgument(`member_id is required, because the agenda ${agenda.name} doesn’t assign members.`);
}

/** Throws if the work order belongs to another customer. */
function checkWorkOrder(call: CallContext, customerId: string, id: string | undefined): void {
  if (id !== undefined && getWorkOrder(call, id).customer_id !== customerId)
    throw invalidArgument(`work_order_id must be a work order of customer ${customerId}, but ${id} belongs to another customer.`);
}

/** The columns to update. The slot is booked again if its time, its duration or its member is specified. */
function computeChanges(call: CallContext, row: AppointmentRow, request: UpdateAppointmentRequest): Partial<AppointmentRow> {
  const { startsAt, durationMinutes, memberId, description } = request;
  const edited = description === undefined ? {} : { description };
  if (startsAt === undefined && durationMinutes === undefined && memberId === undefined) return edited;
  const agenda = getAgenda(call, row.agenda_id);
  if (memberId !== undefined) checkMember(call, agenda, memberId);
  return {
    ...edited,
    ...book(call, agenda, {
      typeId: row.appointment_type_id,
      startsAt: startsAt === undefined ? row.starts_at : Number(startsAt),
      minutes: durationMinutes ?? (row.ends_at - row.starts_at) / MINUTE_SECONDS,
      memberId: memberId ?? row.member_id,
      moved: row.id,
    }),
  };
}

const listResultCodes = ({ store, workspaceId }: CallContext, { appointment_type_id }: AppointmentRow) =>
  resultCodeTable.list(store, { workspace_id: workspaceId, appointment_type_id, is_active: 1 }, 'rowid');

export const appointments = domain(Appointment, {
  tables: [resultCodeTable, appointmentTable],
  handlers: {
    createAppointment: {
      permission: 'planningAccess:READ_WRITE',
      run: (request, call) => {
        const agenda = getAgenda(call, request.agendaId);
        const customer = getCustomer(call, request.customerId);
        requireBookable(agenda);
        checkMember(call, agenda, request.memberId);
        checkWorkOrder(call, customer.id, request.workOrderId);
        const booked = book(call, agenda, {
          typeId: request.appointmentTypeId,
          startsAt: Number(request.startsAt ?? 0n),
          minutes: request.durationMinutes,
          memberId: request.memberId,
        });
        const id = call.id();
        appointmentTable.insert(call.store, {
          ...booked,
          id,
          workspace_id: call.workspaceId,
          status: Status.SCHEDULED,
          source: Source.LOCAL,
          agenda_id: agenda.id,
          appointment_type_id: request.appointmentTypeId,
          customer_id: customer.id,
          work_order_id: request.workOrderId ?? '',
          description: request.description,
          result_code_id: null,
          result_notes: null,
          recorder_id: null,
          recorded_at: null,
          created_at: call.now,
          updated_at: call.now,
          cancelled_at: null,
        });
        return readAppointment(call, id);
      },
    },

    getAppointment: {
      permission: 'planningAccess:READ_ONLY',
      run: ({ id }, call) => readAppointment(call, id),
    },

    listAppointments: {
      permission: 'planningAccess:READ_ONLY',
      run: (request, call) => {
        const { startsFrom: from = 0n, startsBefore: before = 0n, agendaId, memberId, customerId, status } = request;
        if (from >= before) throw invalidArgument(`starts_from must be before starts_before, but ${from} is not before ${before}.`);
        const { rows, hasMore } = call.page<AppointmentRow>(
          request,
          `SELECT * FROM appointments
           WHERE ${VISIBLE} AND starts_at >= :from AND starts_at < :before
             AND (:agendaId = '' OR agenda_id = :agendaId) AND (:memberId = '' OR member_id = :memberId)
             AND (:customerId = '' OR customer_id = :customerId) AND (:status = 0 OR status = :status)
           ORDER BY starts_at, id`,
          { ...createVisibilityBindings(call), from, before, agendaId, memberId, customerId, status },
        );
        return { appointments: rows.map((row) => toAppointment(call, row)), hasMore };
      },
    },

    listCustomerAppointments: {
      permission: 'planningAccess:READ_ONLY',
      run: ({ customerId }, call) => {
        const rows = call.store.all<AppointmentRow>(
          `SELECT * FROM appointments WHERE ${VISIBLE} AND customer_id = :customerId ORDER BY starts_at DESC, id DESC`,
          { ...createVisibilityBindings(call), customerId: getCustomer(call, customerId).id },
        );
        return { appointments: rows.map((row) => toAppointment(call, row)) };
      },
    },

    listAppointmentResultCodes: {
      permission: 'planningAccess:READ_ONLY',
      run: ({ appointmentId }, call) => ({
        resultCodes: listResultCodes(call, getAppointment(call, appointmentId)).map((row) => resultCodeTable.read(row)),
      }),
    },

    updateAppointment: {
      permission: 'planningAccess:READ_WRITE',
      run: (request, call) => {
        const row = getAppointment(call, request.id);
        requireEditable(call, row);
        appointmentTable.update(call.store, row.id, { ...computeChanges(call, row, request), updated_at: call.now });
        return readAppointment(call, row.id);
      },
    },

    cancelAppointment: {
      permission: 'planningAccess:READ_WRITE',
      run: ({ id }, call) => {
        const row = getAppointment(call, id);
        // Canceling again has no effect, even if the work order has changed in the meantime.
        if (row.status === Status.CANCELLED) return readAppointment(call, id);
        requireEditable(call, row);
        appointmentTable.update(call.store, id, { status: Status.CANCELLED, cancelled_at: call.now, updated_at: call.now });
        if (row.work_order_id) reopenWorkOrder(call, row.work_order_id);
        return readAppointment(call, id);
      },
    },

    recordAppointmentResult: {
      permission: 'planningAccess:READ_WRITE',
      run: ({ appointmentId, resultCodeId, notes }, call) => {
        const row = getAppointment(call, appointmentId);
        if (row.status !== Status.SCHEDULED)
          throw failedPrecondition(
            `Appointment ${row.id} is ${formatStatus(row.status)}. Results can only be recorded for scheduled appointments.`,
          );
        const code = resultCodeTable.getOrThrow(call, resultCodeId, 'result code');
        if (!listResultCodes(call, row).some(({ id }) => id === code.id))
          throw invalidArgument(`result_code_id must be an active result code of the appointment’s type, but ${resultCodeId} isn’t one.`);
        appointmentTable.update(call.store, row.id, {
          status: Status.COMPLETED,
          result_code_id: code.id,
          result_notes: notes,
          recorder_id: call.principal.memberId,
          recorded_at: call.now,
          updated_at: call.now,
        });
        return readAppointment(call, row.id);
      },
      replay: ({ appointment }, call) => readAppointment(call, appointment?.id),
    },
  },
});
