import { builder } from '../../schema/kit/builder.ts';
import { toRawId } from '../../schema/kit/globalIds.ts';
import { Member } from '../../schema/people/members.ts';
import { AGENDA_ID, Agenda, AppointmentSlot, AppointmentType, type PlacedSlot } from '../../schema/work/agendas.ts';
import {
  ListAgendaEligibleMembers,
  ListAgendas,
  ListAppointmentTypes,
  ListAvailableAppointmentSlots,
} from '../../upstream/contract/generated/operations.ts';
import { UNKNOWN_ORDER } from '../kit/lists.ts';
import { readAll } from '../kit/reads.ts';

builder.queryFields((t) => ({
  agendas: t.field(
    readAll(ListAgendas, {
      description: `The agendas of the workspace. ${UNKNOWN_ORDER}`,
      type: Agenda.ref,
      request: () => ({}),
      answer: ({ agendas }) => agendas,
    }),
  ),
  appointmentTypes: t.field(
    readAll(ListAppointmentTypes, {
      description: `The types of appointments of the workspace. ${UNKNOWN_ORDER}`,
      type: AppointmentType.ref,
      request: () => ({}),
      answer: ({ appointmentTypes }) => appointmentTypes,
    }),
  ),
}));

interface AgendaKey {
  readonly id?: string;
}

builder.objectFields(Agenda.ref, (t) => ({
  eligibleMembers: t.field(
    readAll(ListAgendaEligibleMembers, {
      description: `The members who can be booked on it. ${UNKNOWN_ORDER}`,
      type: Member.ref,
      request: ({ id = '' }: AgendaKey) => ({ agendaId: id }),
      answer: ({ members = [] }, context) => {
        for (const member of members) Member.prime(member, context);
        return members;
      },
      extensions: { isServedByKey: true },
    }),
  ),
  availableSlots: t.field(
    readAll(ListAvailableAppointmentSlots, {
      description:
        'The times of a day at which an appointment of the default duration can start, earliest first. Where clocks are put back, a time of the clock may come twice. Refused for agendas that are not `isBookable`.',
      type: AppointmentSlot,
      args: (arg) => ({
        day: arg.field({ type: 'Date', required: true, description: 'The day, in the time zone of the agenda.' }),
        appointmentTypeId: arg.id({ required: true, description: 'The id of the type of appointment: one of `allowedTypes`.' }),
      }),
      request: ({ id = '' }: AgendaKey, { day, appointmentTypeId }) => ({
        agendaId: id,
        date: day,
        appointmentTypeId: toRawId('AppointmentType', appointmentTypeId, ['appointmentTypeId']),
      }),
      answer: ({ slots = [] }, _context, { id = '' }) => slots.map((slot): PlacedSlot => ({ ...slot, [AGENDA_ID]: id })),
      extensions: { isServedByKey: true },
    }),
  ),
}));

builder.objectField(AppointmentSlot, 'members', (t) =>
  t.field(
    readAll(ListAgendaEligibleMembers, {
      description: 'The members who are free then. Read in one call for all slots of an agenda.',
      type: Member.ref,
      request: (slot: PlacedSlot) => ({ agendaId: slot[AGENDA_ID] ?? '' }),
      answer: ({ members = [] }, context, { memberIds = [] }) => {
        const free = members.filter(({ id = '' }) => memberIds.includes(id));
        for (const member of free) Member.prime(member, context);
        return free;
      },
    }),
  ),
);
