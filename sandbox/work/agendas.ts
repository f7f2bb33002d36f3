import {
  AgendaRecordSchema,
  AppointmentTypeRecordSchema,
  PublicAgendaStrategy as Strategy,
} from '../../src/upstream/contract/generated/publicapi/v1/agendas_pb.ts';
import { Appointment, PublicAppointmentStatus } from '../../src/upstream/contract/generated/publicapi/v1/appointments_pb.ts';
import type { CallContext } from '../kernel/call.ts';
import { blocked, invalid } from '../kernel/errors.ts';
import { domain } from '../kernel/service.ts';
import { plainTable, type RowOf, table } from '../kernel/table.ts';
import { type MemberRow, toMember } from '../people/memberRecords.ts';
import { clockTimes, dayAt, type Hours, isDay, openSpans, type Span } from './calendar.ts';

const MINUTE_SECONDS = 60;

/**
 * Lists of ids are JSON, and hours are in minutes since midnight. Appointments in a private agenda are seen by its own members, and by those with full access to
 * planning: the upstream does not tell what visibility hangs on.
 */
export const agendaTable = table('agendas', AgendaRecordSchema, {
  also: {
    workspace_id: 'TEXT',
    appointment_type_ids: 'TEXT',
    opens: 'INTEGER',
    closes: 'INTEGER',
    // Such as 12345, for Monday to Friday.
    weekdays: 'TEXT',
    is_private: 'INTEGER',
  },
});

/** Those who can be booked on an agenda, in the order of their turns. One who is no longer a member is passed over. */
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

const typeIdsOf = (row: AgendaRow) => JSON.parse(row.appointment_type_ids) as string[];
const durationsOf = (row: TypeRow) => JSON.parse(row.allowed_duration_minutes) as number[];

const toAgenda = (row: AgendaRow) => ({ ...agendaTable.read(row), appointmentTypeIds: typeIdsOf(row) });
const toType = (row: TypeRow) => ({ ...appointmentTypeTable.read(row), allowedDurationMinutes: durationsOf(row) });

const hoursOf = ({ opens, closes, weekdays }: AgendaRow): Hours => ({ opens, closes, weekdays: [...weekdays].map(Number) });

/** The agenda, or a refusal when the workspace has none of that id. */
export const agendaOf = (call: CallContext, id: string): AgendaRow => agendaTable.one(call, id, 'agenda');

/** Whether times of an agenda can be booked, rather than be routed by hand. */
export const isDirect = ({ strategy }: Pick<AgendaRow, 'strategy'>): boolean =>
  strategy === Strategy.ROUND_ROBIN || strategy === Strategy.CHOOSE_USER;

/** Refuses agendas on which nobody can book. */
export function requireBookable(agenda: AgendaRow): void {
  if (!isDirect(agenda)) throw blocked(`The agenda ${agenda.name} is routed manually and can’t be booked directly.`);
  if (!agenda.is_active) throw blocked(`The agenda ${agenda.name} is inactive and accepts no more appointments.`);
}

/** The duration of an appointment in seconds, when its type allows it on this agenda. */
export function durationOn(call: CallContext, agenda: AgendaRow, typeId: string, minutes?: number): number {
  const type = appointmentTypeTable.one(call, typeId, 'appointment type');
  if (!typeIdsOf(agenda).includes(type.id))
    throw invalid(`appointment_type_id must be a type that the agenda ${agenda.name} accepts, but ${type.name} isn’t one.`);
  const asked = minutes ?? type.default_duration_minutes;
  const allowed = durationsOf(type);
  if (!allowed.includes(asked)) throw invalid(`duration_minutes must be one of ${allowed.join(', ')} for ${type.name}, but is ${asked}.`);
  return asked * MINUTE_SECONDS;
}

/** The members who can be booked on an agenda, in the order of their turns. */
export const eligibleMembers = ({ store }: Pick<CallContext, 'store'>, agendaId: string): MemberRow[] =>
  store.all<MemberRow>(
    `SELECT members.* FROM agenda_members JOIN members ON members.id = member_id
     WHERE agenda_id = :agendaId ORDER BY agenda_members.rowid`,
    { agendaId },
  );

const overlap = (one: Span, other: Span) => one.from < other.to && other.from < one.to;

/** When each of these members has something to do in a span: appointments of all agendas count, those that the caller does not see too, but for cancelled ones and the one that is moved. */
function busySpans(
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
  /** The members who are free, in the order of their turns. */
  readonly memberIds: string[];
}

/** The times of a day at which an appointment of this duration can start, with those who are free then. `moved` is an appointment that gives its own time up. */
export function freeSlots(call: CallContext, agenda: AgendaRow, day: string, seconds: number, moved?: string): Slot[] {
  const hours = hoursOf(agenda);
  const open = openSpans(day, agenda.time_zone, hours);
  const [first, last] = [open.at(0), open.at(-1)];
  if (!first || !last || last.to <= call.now) return [];
  const members = eligibleMembers(call, agenda.id);
  const busy = busySpans(call, members, { from: first.from, to: last.to }, moved);
  const isFree = (slot: Span, memberId: string) => !busy.get(memberId)?.some((span) => overlap(span, slot));
  return clockTimes(day, agenda.time_zone, hours, agenda.slot_minutes)
    .map((from) => ({ from, to: from + seconds }))
    .filter(({ from, to }) => from >= call.now && open.some((span) => span.from <= from && to <= span.to))
    .map((slot) => ({ ...slot, memberIds: members.map(({ id }) => id).filter((id) => isFree(slot, id)) }))
    .filter(({ memberIds }) => memberIds.length > 0);
}

/** The slot that starts at a moment, or a refusal when it is taken or none. */
export function slotAt(call: CallContext, agenda: AgendaRow, startsAt: number, seconds: number, moved?: string): Slot {
  const slots = freeSlots(call, agenda, dayAt(startsAt, agenda.time_zone), seconds, moved);
  const slot = slots.find(({ from }) => from === startsAt);
  if (!slot) throw blocked(`The agenda ${agenda.name} has no available slot at ${new Date(startsAt * 1000).toISOString()}.`);
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
        const members = eligibleMembers(call, agendaOf(call, agendaId).id);
        return { members: members.toSorted((one, other) => (one.name < other.name ? -1 : 1)).map((row) => toMember(call.store, row)) };
      },
    },

    listAvailableAppointmentSlots: {
      permission: 'planningAccess:READ_ONLY',
      run: ({ agendaId, date, appointmentTypeId }, call) => {
        const agenda = agendaOf(call, agendaId);
        requireBookable(agenda);
        if (!isDay(date)) throw invalid(`date must be a valid calendar date, but is ${date}.`);
        const slots = freeSlots(call, agenda, date, durationOn(call, agenda, appointmentTypeId));
        return { slots: slots.map(({ from, to, memberIds }) => ({ startsAt: BigInt(from), endsAt: BigInt(to), memberIds })) };
      },
    },
  },
});
