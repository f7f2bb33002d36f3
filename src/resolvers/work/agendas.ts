import { builder } from '../../schema/kit/builder.ts';
import { toRawId } from '../../schema/kit/globalIds.ts';
import { Member } from '../../schema/people/members.ts';
import { AGENDA_ID, Agenda, type AgendaSlot, AppointmentSlot, AppointmentType } from '../../schema/work/agendas.ts';
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
      description: `Agendas of the workspace. ${UNKNOWN_ORDER}`,
      type: Agenda.ref,
      request: () => ({}),
      resolveValue: ({ agendas }) => agendas,
    }),
  ),
  appointmentTypes: t.field(
    readAll(ListAppointmentTypes, {
      description: `Appointment types of the workspace. ${UNKNOWN_ORDER}`,
      type: AppointmentType.ref,
      request: () => ({}),
      resolveValue: ({ appointmentTypes }) => appointmentTypes,
    }),
  ),
}));

interface AgendaKey {
  readonly id: string;
}

builder.objectFields(Agenda.ref, (t) => ({
  eligibleMembers: t.field(
    readAll(ListAgendaEligibleMembers, {
      description: `Members who can be booked in the agenda. ${UNKNOWN_ORDER}`,
      type: Member.ref,
      request: ({ id }: AgendaKey) => ({ agendaId: id }),
      resolveValue: ({ members }, context) => {
        for (const member of members) Member.prime(member, context);
        return members;
      },
      extensions: { isServedByKey: true },
    }),
  ),
  availableSlots: t.field(
    readAll(ListAvailableAppointmentSlots, {
      description:
        'Slots of a day for appointments of the default duration, earliest first. A local time may appear twice on the day that clocks go back. Fails for agendas that aren’t `isBookable`.',
      type: AppointmentSlot,
      args: (arg) => ({
        day: arg.field({ type: 'Date', required: true, description: 'Day in the time zone of the agenda.' }),
        appointmentTypeId: arg.id({ required: true, description: 'ID of the appointment type. Must be one of `allowedTypes`.' }),
      }),
      request: ({ id }: AgendaKey, { day, appointmentTypeId }) => ({
        agendaId: id,
        date: day,
        appointmentTypeId: toRawId('AppointmentType', appointmentTypeId, ['appointmentTypeId']),
      }),
      names: { date: ['day'] },
      resolveValue: ({ slots }, _context, { id }) => slots.map((slot): AgendaSlot => ({ ...slot, [AGENDA_ID]: id })),
      extensions: { isServedByKey: true },
    }),
  ),
}));

builder.objectField(AppointmentSlot, 'members', (t) =>
  t.field(
    readAll(ListAgendaEligibleMembers, {
      description: 'Members who are free in the slot. Costs one call for all slots of an agenda.',
      type: Member.ref,
      request: (slot: AgendaSlot) => ({ agendaId: slot[AGENDA_ID] ?? '' }),
      resolveValue: ({ members }, context, { memberIds }) => {
        const free = members.filter(({ id }) => memberIds.includes(id));
        for (const member of free) Member.prime(member, context);
        return free;
      },
    }),
  ),
);
