import { PublicAgendaStrategy as Strategy } from '../../src/upstream/contract/generated/publicapi/v1/agendas_pb.ts';
import {
  PublicAppointmentSource as Source,
  PublicAppointmentStatus as Status,
} from '../../src/upstream/contract/generated/publicapi/v1/appointments_pb.ts';
import { PublicWorkOrderStatus as WorkOrderStatus } from '../../src/upstream/contract/generated/publicapi/v1/work_orders_pb.ts';
import { demoData } from '../kernel/demoData.ts';
import type { Plan } from '../kernel/plan.ts';
import { agendaMemberTable, agendaTable, appointmentTypeTable } from './agendas.ts';
import { appointmentTable, resultCodeTable } from './appointments.ts';
import { addDays, getDate, getWeekday, listClockTimes } from './calendar.ts';

const HOUR_SECONDS = 3_600;
const DAY_SECONDS = 86_400;
const DAY_MINUTES = 1_440;

const TYPES = [
  { slug: 'survey', name: 'Site survey', minutes: [30, 60, 90], usual: 60, codes: ['Quote wanted', 'Not suitable', 'No one at home'] },
  {
    slug: 'installation',
    name: 'Installation',
    minutes: [120, 240, 480],
    usual: 240,
    codes: ['Installed', 'Parts missing', 'No one at home'],
  },
  { slug: 'call', name: 'Video call', minutes: [30, 60], usual: 30, codes: ['Solved', 'Visit needed'] },
] as const;

/** Result codes of the types above that count as success. */
const SUCCESSES: readonly string[] = ['Quote wanted', 'Installed', 'Solved'];

const OFFICE = { opens: 8 * 60, closes: 17 * 60, weekdays: '12345' };
const ALWAYS = { opens: 0, closes: DAY_MINUTES, weekdays: '1234567' };

interface DemoAgenda {
  readonly slug: string;
  readonly name: string;
  readonly strategy: Strategy;
  readonly timeZone: string;
  readonly hours: typeof OFFICE;
  readonly types: readonly string[];
  readonly members: readonly string[];
  readonly isPrivate?: true;
  readonly isInactive?: true;
}

const AMSTERDAM = 'Europe/Amsterdam';
const NEW_YORK = 'America/New_York';

const AGENDAS: readonly DemoAgenda[] = [
  {
    slug: 'visits',
    name: 'Visits',
    strategy: Strategy.ROUND_ROBIN,
    timeZone: AMSTERDAM,
    hours: OFFICE,
    types: ['survey', 'installation'],
    members: ['technician', 'second technician'],
  },
  {
    slug: 'support',
    name: 'Remote support',
    strategy: Strategy.CHOOSE_USER,
    timeZone: NEW_YORK,
    hours: ALWAYS,
    types: ['call'],
    members: ['planner', 'second planner'],
  },
  {
    slug: 'emergencies',
    name: 'Emergencies',
    strategy: Strategy.MANUAL_ROUTING,
    timeZone: AMSTERDAM,
    hours: ALWAYS,
    types: ['survey', 'installation'],
    members: ['team lead', 'technician'],
    isPrivate: true,
  },
  {
    slug: 'showroom',
    name: 'Showroom',
    strategy: Strategy.ROUND_ROBIN,
    timeZone: AMSTERDAM,
    hours: OFFICE,
    types: ['survey'],
    members: ['sales'],
    isInactive: true,
  },
];

function seedTypes(plan: Plan): void {
  const { store, workspaceId } = plan;
  for (const { slug, name, minutes, usual, codes } of TYPES) {
    const id = plan.id(`appointment type ${slug}`);
    const durations = { default_duration_minutes: usual, allowed_duration_minutes: JSON.stringify(minutes) };
    appointmentTypeTable.insert(store, { id, workspace_id: workspaceId, name, ...durations });
    const code = (label: string, isActive: boolean) =>
      resultCodeTable.insert(store, {
        id: plan.id(`result code ${slug} ${label}`),
        workspace_id: workspaceId,
        appointment_type_id: id,
        name: label,
        is_success: Number(SUCCESSES.includes(label)),
        is_active: Number(isActive),
      });
    for (const label of codes) code(label, true);
    code('Postponed', false);
  }
}

function seedAgendas(plan: Plan): void {
  const { store, workspaceId } = plan;
  for (const { slug, name, strategy, timeZone, hours, types, members, isPrivate = false, isInactive = false } of AGENDAS) {
    const id = plan.id(`agenda ${slug}`);
    agendaTable.insert(store, {
      ...hours,
      id,
      workspace_id: workspaceId,
      name,
      strategy,
      time_zone: timeZone,
      slot_minutes: 30,
      appointment_type_ids: JSON.stringify(types.map((type) => plan.id(`appointment type ${type}`))),
      is_active: Number(!isInactive),
      is_private: Number(isPrivate),
    });
    for (const member of members) agendaMemberTable.insert(store, { agenda_id: id, member_id: plan.id(`member ${member}`) });
  }
}

interface DemoAppointment {
  readonly agenda: string;
  readonly type: (typeof TYPES)[number]['slug'];
  /** Empty for no member. */
  readonly member: string;
  readonly timeZone: string;
  /** Days from today. */
  readonly days: number;
  /** Local time in minutes since midnight. */
  readonly minute: number;
}

/** Appointments on each working day. */
const ROUTINE = [
  { agenda: 'visits', type: 'survey', member: 'technician', timeZone: AMSTERDAM, minute: 9 * 60 },
  { agenda: 'visits', type: 'installation', member: 'second technician', timeZone: AMSTERDAM, minute: 13 * 60 },
  { agenda: 'support', type: 'call', member: 'planner', timeZone: NEW_YORK, minute: 10 * 60 },
] as const;

/** Appointments that this API can't change, by name. */
const FOREIGN = {
  external: { agenda: 'visits', type: 'survey', member: 'technician', timeZone: AMSTERDAM, days: 3, minute: 11 * 60 },
  routed: { agenda: 'emergencies', type: 'survey', member: 'technician', timeZone: AMSTERDAM, days: 1, minute: 15 * 60 },
  unassigned: { agenda: 'emergencies', type: 'installation', member: '', timeZone: AMSTERDAM, days: 2, minute: 15 * 60 },
} as const satisfies Readonly<Record<string, DemoAppointment>>;

/** The day of an appointment in its time zone, with the timestamp of its start. If the day skips that local time, uses the next day that has it. */
function computeStart(plan: Plan, { timeZone, days, minute }: DemoAppointment): number {
  const hours = { opens: minute, closes: minute + 1, weekdays: [1, 2, 3, 4, 5, 6, 7] };
  const day = addDays(getDate(plan.now, timeZone), days);
  return listClockTimes(day, timeZone, hours, DAY_MINUTES)[0] ?? plan.now + days * DAY_SECONDS;
}

/** The newest open work order of a customer when a visit starts. Undefined if it has none. */
function findWorkOrder({ store }: Plan, customerId: string, startsAt: number): string | undefined {
  const sql = `SELECT id FROM work_orders WHERE customer_id = :customerId AND status = :status AND created_at <= :startsAt
    ORDER BY created_at DESC LIMIT 1`;
  return store.get<{ readonly id: string }>(sql, { customerId, status: WorkOrderStatus.OPEN, startsAt })?.id;
}

/** Creates an appointment. One in six of those that can be changed is canceled. The others are completed once they're over. */
function seedAppointment(plan: Plan, name: string, index: number, given: DemoAppointment): void {
  const { agenda, type, member } = given;
  const { usual = 0, codes = [''] } = TYPES.find(({ slug }) => slug === type) ?? {};
  const startsAt = computeStart(plan, given);
  const endsAt = startsAt + usual * 60;
  // Created before it starts, and never in the future.
  const createdAt = Math.min(startsAt - 10 * DAY_SECONDS, plan.now - DAY_SECONDS);
  const isCancelled = index % 6 === 5;
  const isCompleted = endsAt <= plan.now && !isCancelled;
  const endedAt = isCancelled ? createdAt + HOUR_SECONDS : endsAt;
  const memberId = member && plan.id(`member ${member}`);
  const customerId = plan.id(`customer ${index % 5}`);
  const isVisit = type !== 'call' && !isCancelled;
  const ended = isCancelled ? Status.CANCELLED : Status.COMPLETED;
  appointmentTable.insert(plan.store, {
    id: plan.id(`appointment ${name}`),
    workspace_id: plan.workspaceId,
    status: isCancelled || isCompleted ? ended : Status.SCHEDULED,
    source: name === 'external' ? Source.EXTERNAL : Source.LOCAL,
    agenda_id: plan.id(`agenda ${agenda}`),
    appointment_type_id: plan.id(`appointment type ${type}`),
    member_id: memberId,
    customer_id: customerId,
    work_order_id: (isVisit && findWorkOrder(plan, customerId, startsAt)) || '',
    description: index % 3 === 0 ? 'The bell is out of order: call on arrival.' : '',
    starts_at: startsAt,
    ends_at: endsAt,
    result_code_id: isCompleted ? plan.id(`result code ${type} ${codes[index % codes.length]}`) : null,
    result_notes: isCompleted ? 'As planned.' : null,
    recorder_id: isCompleted ? memberId : null,
    recorded_at: isCompleted ? endedAt : null,
    created_at: createdAt,
    updated_at: isCancelled || isCompleted ? endedAt : createdAt,
    cancelled_at: isCancelled ? endedAt : null,
  });
}

/** From one week ago to two weeks ahead. */
const DAYS = Array.from({ length: 21 }, (_, index) => index - 7);

const isWorkday = (day: number) => day >= 1 && day <= 5;

/**
 * Creates the types (`appointment type survey`), result codes (`result code survey Quote wanted`), agendas (`agenda visits`), and the appointments around
 * today: `appointment 0`, `appointment 1`, …, by start time. Visits are for a work order of their customer. Three can't be changed: `appointment external` comes from another calendar, and `appointment
 * routed` and `appointment unassigned` are assigned manually.
 */
function seedAppointments(plan: Plan): void {
  seedTypes(plan);
  seedAgendas(plan);
  const today = getDate(plan.now, AMSTERDAM);
  const workdays = DAYS.filter((days) => isWorkday(getWeekday(addDays(today, days))));
  const routine = workdays.flatMap((days) => ROUTINE.map((each) => ({ ...each, days })));
  for (const [index, each] of routine.entries()) seedAppointment(plan, String(index), index, each);
  for (const [index, [name, each]] of Object.entries(FOREIGN).entries()) seedAppointment(plan, name, index, each);
}

export const appointmentsDemo = demoData({
  examples: {
    Agenda: ['agenda visits', 'agenda support'],
    Appointment: ['appointment 0', 'appointment routed'],
    AppointmentResultCode: ['result code survey Quote wanted'],
    AppointmentType: ['appointment type survey', 'appointment type call'],
  },
  seed: seedAppointments,
});
