import {
  AgendaRecordSchema,
  AppointmentTypeRecordSchema,
  PublicAgendaStrategy as Strategy,
} from '../../src/upstream/contract/generated/publicapi/v1/agendas_pb.ts';
import { Appointment, PublicAppointmentStatus } from '../../src/upstream/contract/generated/publicapi/v1/appointments_pb.ts';
import type { CallContext } from '../kernel/call.ts';
import { failedPrecondition, invalidArgument } from '../kernel/errors.ts';
import { domain } from '../kernel/service.ts';
import { plainTable, type RowOf, table } from '../kernel/table.ts';
import { type MemberRow, toMember } from '../people/memberRecords.ts';
import { getDate, type Hours, isDate, listClockTimes, openSpans, type Span } from './calendar.ts';

const MINUTE_SECONDS = 60;

/**
 * Lists of IDs are JSON, and hours are in minutes since midnight. Appointments in a private agenda are visible to the agenda's members, and to members with
 * full access to planning. Assumed: the upstream doesn't document their visibility.
 */
export const agendaTable = table('agendas', AgendaRecordSchema, {
  also: {
    workspace_id: 'TEXT',
    appointment_type_ids: 'TEXT',
    opens: 'INTEGER',
    closes: 'INTEGER',
    // ISO weekdays, such as 12345 for Monday to Friday.
    weekdays: 'TEXT',
    is_private: 'INTEGER',
  },
});

/** Members that can be booked on an agenda, in round-robin order. Removed members are skipped. */
export const agendaMemberTable = plainTable(
  'agenda_members',
  { agenda_id: 'TEXT', member_id: 'TEXT' },
  { key: ['agenda_id', 'member_id'], references: { agenda_id: agendaTable } },
);

/** The allowed durations are JSON. */
export const appointmentTypeTable = table('appointment_types', AppointmentTypeRecordSchema, {
  also: { workspace_id: 'TEXT', allowed_duration_minutes: 'TEXT' },
});

export type AgendaRow = RowOf<typeof agendaTable>;
type TypeRow = RowOf<typeof appointmentTypeTable>;

const parseTypeIds = (row: AgendaRow) => JSON.parse(row.appointment_type_ids) as string[];
const parseDurations = (row: TypeRow) => JSON.parse(row.allowed_duration_minutes) as number[];

const toAgenda = (row: AgendaRow) => ({ ...agendaTable.read(row), appointmentTypeIds: parseTypeIds(row) });
const toType = (row: TypeRow) => ({ ...appointmentTypeTable.read(row), allowedDurationMinutes: parseDurations(row) });

const parseHours = ({ opens, closes, weekdays }: AgendaRow): Hours => ({ opens, closes, weekdays: [...weekdays].map(Number) });

/** Looks up an agenda by ID. Throws if the workspace doesn't contain it. */
export const getAgenda = (call: CallContext, id: string): AgendaRow => agendaTable.getOrThrow(call, id, 'agenda');

/** Whether slots of an agenda can be booked, instead of being assigned manually. */
export const isDirect = ({ strategy }: Pick<AgendaRow, 'strategy'>): boolean =>
  strategy === Strategy.ROUND_ROBIN || strategy === Strategy.CHOOSE_USER;

/** Throws if the agenda can't be booked. */
export function requireBookable(agenda: AgendaRow): void {
  if (!isDirect(agenda)) throw failedPrecondition(`The agenda ${agenda.name} is routed manually and can’t be booked directly.`);
  if (!agenda.is_active) throw failedPrecondition(`The agenda ${agenda.name} is inactive and accepts no more appointments.`);
}

/** The duration of an appointment in seconds. Throws if this agenda doesn't offer its type, or if the type rejects the duration. */
export function resolveDuration(call: CallContext, agenda: AgendaRow, typeId: string, minutes?: number): number {
  const type = appointmentTypeTable.getOrThrow(call, typeId, 'appointment type');
  if (!parseTypeIds(agenda).includes(type.id))
    throw invalidArgument(`appointment_type_id must be a type that the agenda ${agenda.name} accepts, but ${type.name} isn’t one.`);
  const duration = minutes ?? type.default_duration_minutes;
  const allowed = parseDurations(type);
  if (!allowed.includes(duration))
    throw invalidArgument(`duration_minutes must be one of ${allowed.join(', ')} for ${type.name}, but is ${duration}.`);
  return duration * MINUTE_SECONDS;
}

/** Members that can be booked on an agenda, in round-robin order. */
export const listEligibleMembers = ({ store }: Pick<CallContext, 'store'>, agendaId: string): MemberRow[] =>
  store.all<MemberRow>(
    `SELECT members.* FROM agenda_members JOIN members ON members.id = member_id
     WHERE agenda_id = :agendaId ORDER BY agenda_members.rowid`,
    { agendaId },
  );

const overlap = (one: Span, other: Span) => one.from < other.to && other.from < one.to;

/**
 * When each of these members is busy within a time range. Includes appointments of all agendas, even if the caller can't see them. Excludes canceled ones, and
 * the one that is being moved.
 */
function listBusySpans(
  { store }: Pick<CallContext, 'store'>,
  members: readonly MemberRow[],
  { from, to }: Span,
  moved = '',
): Map<string, Span[]> {
  const sql = `SELECT starts_at AS "from", ends_at AS "to" FROM main.appointments
    WHERE member_id = :memberId AND status <> :cancelled AND starts_at < :to AND ends_at > :from AND id <> :moved`;
  return new Map(
    members.map(({ id }) => [id, store.all<Span>(sql, { memberId: id, cancelled: PublicAppointmentStatus.CANCELLED, from, to, moved })]),
  );
}

interface Slot extends Span {
  /** The available members, in round-robin order. */
  readonly memberIds: string[];
}

/**
 * The times of a day at which an appointment of this duration can start, with the available members. `moved` is an appointment to ignore, because it's being
 * moved.
 */
export function listFreeSlots(call: CallContext, agenda: AgendaRow, day: string, seconds: number, moved?: string): Slot[] {
  const hours = parseHours(agenda);
  const open = openSpans(day, agenda.time_zone, hours);
  const [first, last] = [open.at(0), open.at(-1)];
  if (!first || !last || last.to <= call.now) return [];
  const members = listEligibleMembers(call, agenda.id);
  const busy = listBusySpans(call, members, { from: first.from, to: last.to }, moved);
  const isFree = (slot: Span, memberId: string) => !busy.get(memberId)?.some((span) => overlap(span, slot));
  return listClockTimes(day, agenda.time_zone, hours, agenda.slot_minutes)
    .map((from) => ({ from, to: from + seconds }))
    .filter(({ from, to }) => from >= call.now && open.some((span) => span.from <= from && to <= span.to))
    .map((slot) => ({ ...slot, memberIds: members.map(({ id }) => id).filter((id) => isFree(slot, id)) }))
    .filter(({ memberIds }) => memberIds.length > 0);
}

/** Looks up the slot that starts at a timestamp. Throws if it is taken or missing. */
export function findSlot(call: CallContext, agenda: AgendaRow, startsAt: number, seconds: number, moved?: string): Slot {
  const slots = listFreeSlots(call, agenda, getDate(startsAt, agenda.time_zone), seconds, moved);
  const slot = slots.find(({ from }) => from === startsAt);
  if (!slot) throw failedPrecondition(`The agenda ${agenda.name} has no available slot at ${new Date(startsAt * 1000).toISOString()}.`);
  return slot;
}

export const agendas = domain(Appointment, {
  tables: [agendaTable, agendaMemberTable, appointmentTypeTable],
  handlers: {
    listAgendas: {
      permission: 'planningAccess:READ_ONLY',
      run: (_request, call) => ({
        agendas: agendaTable.list(call.store, { workspace_id: call.workspaceId }, 'name, id').map(toAgenda),
      }),
    },

    listAppointmentTypes: {
      permission: 'planningAccess:READ_ONLY',
      run: (_request, call) => ({
        appointmentTypes: appointmentTypeTable.list(call.store, { workspace_id: call.workspaceId }, 'name, id').map(toType),
      }),
    },

    listAgendaEligibleMembers: {
      permission: 'planningAccess:READ_ONLY',
      run: ({ agendaId }, call) => {
        const members = listEligibleMembers(call, getAgenda(call, agendaId).id);
        return { members: members.toSorted((one, other) => (one.name < other.name ? -1 : 1)).map((row) => toMember(call.store, row)) };
      },
    },

    listAvailableAppointmentSlots: {
      permission: 'planningAccess:READ_ONLY',
      run: ({ agendaId, date, appointmentTypeId }, call) => {
        const agenda = getAgenda(call, agendaId);
        requireBookable(agenda);
        if (!isDate(date)) throw invalidArgument(`date must be a valid calendar date, but is ${date}.`);
        const slots = listFreeSlots(call, agenda, date, resolveDuration(call, agenda, appointmentTypeId));
        return { slots: slots.map(({ from, to, memberIds }) => ({ startsAt: BigInt(from), endsAt: BigInt(to), memberIds })) };
      },
    },
  },
});
