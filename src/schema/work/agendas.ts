import type { ObjectRef } from '@pothos/core';
import { agendaLoader, appointmentTypeLoader } from '../../loaders/agendas.ts';
import { ListAgendas, ListAppointmentTypes } from '../../upstream/contract/generated/operations.ts';
import type { AgendaRecord, AppointmentSlotRecord, AppointmentTypeRecord } from '../../upstream/contract/generated/records.ts';
import type { Types } from '../kit/builder.ts';
import { defineEntity } from '../kit/entities.ts';
import { defineWireEnum } from '../kit/enums.ts';
import { defineRecordType } from '../kit/recordTypes.ts';
import type { Entity } from '../kit/registry.ts';

const AgendaStrategy = defineWireEnum('AgendaStrategy', 'PublicAgendaStrategy', {
  description: 'How members are assigned to appointments.',
  members: {
    ROUND_ROBIN: 'Members are assigned in turn.',
    CHOOSE_USER: 'The member is chosen when the appointment is booked.',
    MANUAL_ROUTING: 'Planners assign members manually. Slots can’t be booked directly.',
    OTHER: 'A strategy that isn’t in this schema yet. See `strategyText`.',
  },
});

/** Whether slots of an agenda can be booked directly. In other agendas, only planners can change appointments. */
export const isDirectlyBookable = ({ strategy }: AgendaRecord): boolean => {
  const value = AgendaStrategy.fromWire(strategy);
  return value === 'ROUND_ROBIN' || value === 'CHOOSE_USER';
};

export const AppointmentType: Entity<AppointmentTypeRecord> = defineEntity('AppointmentType', {
  record: 'AppointmentTypeRecord',
  description: 'A type of appointment, with its default and allowed durations.',
  operation: ListAppointmentTypes,
  loader: appointmentTypeLoader,
  key: 'id',
  fields: (f, t) => ({
    name: f.requiredString('name', 'Display name of the appointment type.'),
    defaultDurationMinutes: f.int('defaultDurationMinutes', 'Duration in minutes of an appointment that is booked without a duration.'),
    allowedDurationMinutes: t.intList({
      nullable: false,
      ...f.annotate('allowedDurationMinutes', 'Durations in minutes that an appointment can have.'),
      resolve: ({ allowedDurationMinutes }) => allowedDurationMinutes,
    }),
  }),
});

export const Agenda: Entity<AgendaRecord> = defineEntity('Agenda', {
  record: 'AgendaRecord',
  description: 'A calendar for planning appointments. Its days are days in its own time zone.',
  operation: ListAgendas,
  loader: agendaLoader,
  key: 'id',
  root: 'Looks up an agenda by ID. Null if it doesn’t exist.',
  fields: (f, t) => ({
    name: f.requiredString('name', 'Display name of the agenda.'),
    ...f.enumWithText('strategy', AgendaStrategy, 'How members are assigned to the agenda’s appointments.'),
    timeZone: f.scalar('timeZone', 'TimeZone', 'Time zone of the agenda’s days and times.'),
    slotMinutes: f.int('slotMinutes', 'Minutes between the start times of consecutive slots.'),
    isActive: f.boolean('isActive', 'Whether the agenda accepts new appointments.'),
    isBookable: t.boolean({
      nullable: false,
      ...f.annotate('strategy', 'Whether slots can be booked directly: the agenda is active and its members aren’t assigned manually.'),
      resolve: (record) => isDirectlyBookable(record) && Boolean(record.isActive),
    }),
    allowedTypes: t.field({
      type: [AppointmentType.ref],
      nullable: { list: true, items: false },
      ...f.annotate('appointmentTypeIds', 'Appointment types that the agenda accepts.'),
      extensions: { sharedCall: ListAppointmentTypes },
      resolve: async ({ appointmentTypeIds }, _args, { loaders }) => {
        const types = await Promise.all(appointmentTypeIds.map((id) => loaders.get(appointmentTypeLoader).load(id)));
        return types.filter((each) => each !== null);
      },
    }),
  }),
});

/** ID of the agenda that contains a slot. A symbol, because the upstream's record doesn't include it. */
export const AGENDA_ID = Symbol('agenda');

/** A slot and its agenda. */
export interface AgendaSlot extends AppointmentSlotRecord {
  readonly [AGENDA_ID]?: string;
}

export const AppointmentSlot: ObjectRef<Types, AgendaSlot> = defineRecordType('AppointmentSlot', {
  record: 'AppointmentSlotRecord',
  description: 'A time at which an appointment can start. Slots aren’t held, so another client can book one before you do.',
  fields: (f) => ({
    startsAt: f.requiredDateTime('startsAt', 'When the slot starts.'),
    endsAt: f.dateTime('endsAt', 'When an appointment of the default duration would end.'),
  }),
});
