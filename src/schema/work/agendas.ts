import type { ObjectRef } from '@pothos/core';
import { agendaLoader, appointmentTypeLoader } from '../../loaders/agendas.ts';
import { ListAgendas, ListAppointmentTypes } from '../../upstream/contract/generated/operations.ts';
import type {
  AgendaRecordJson,
  AppointmentSlotRecordJson,
  AppointmentTypeRecordJson,
  PublicAgendaStrategyJson,
} from '../../upstream/contract/generated/publicapi/v1/agendas_pb.ts';
import type { Types } from '../kit/builder.ts';
import { entity } from '../kit/entities.ts';
import { wireEnum } from '../kit/enums.ts';
import { RecordFields } from '../kit/records.ts';
import type { Entity } from '../kit/registry.ts';

const AgendaStrategy = wireEnum<PublicAgendaStrategyJson>()('AgendaStrategy', {
  description: 'The way in which members are assigned to appointments.',
  prefix: 'PUBLIC_AGENDA_STRATEGY',
  members: {
    ROUND_ROBIN: 'Members are picked in turn.',
    CHOOSE_USER: 'The one who books chooses the member.',
    MANUAL_ROUTING: 'Planners assign members by hand. No time can be booked directly.',
    OTHER: 'A way that this graph does not know: see `strategyText`.',
  },
});

/** Whether times of an agenda can be booked directly: appointments of others are changed by planners alone. */
export const isDirect = ({ strategy }: AgendaRecordJson): boolean => {
  const word = AgendaStrategy.fromWire(strategy);
  return word === 'ROUND_ROBIN' || word === 'CHOOSE_USER';
};

const type = new RecordFields<AppointmentTypeRecordJson>('AppointmentTypeRecord');

export const AppointmentType: Entity<AppointmentTypeRecordJson> = entity('AppointmentType', {
  record: type,
  description: 'A kind of appointment, with the time that it takes.',
  operation: ListAppointmentTypes,
  loader: appointmentTypeLoader,
  key: 'id',
  fields: (t) => ({
    name: type.requiredText(t, 'name', 'The name that people see.'),
    defaultDurationMinutes: type.int(t, 'defaultDurationMinutes', 'The minutes that an appointment takes when none are given.'),
    allowedDurationMinutes: t.intList({
      nullable: false,
      ...type.mark('allowedDurationMinutes', 'The minutes that an appointment may take.'),
      resolve: ({ allowedDurationMinutes = [] }) => allowedDurationMinutes,
    }),
  }),
});

const agenda = new RecordFields<AgendaRecordJson>('AgendaRecord');

export const Agenda: Entity<AgendaRecordJson> = entity('Agenda', {
  record: agenda,
  description: 'A calendar that appointments are planned in. Its days are those of its own time zone.',
  operation: ListAgendas,
  loader: agendaLoader,
  key: 'id',
  root: 'The agenda of this id; null when there is none.',
  fields: (t) => ({
    name: agenda.requiredText(t, 'name', 'The name that people see.'),
    ...agenda.word(t, 'strategy', AgendaStrategy, 'The way in which members are assigned.'),
    timeZone: t.field({
      type: 'TimeZone',
      ...agenda.mark('timeZone', 'The time zone of its days and hours.'),
      resolve: ({ timeZone }) => timeZone || null,
    }),
    slotMinutes: agenda.int(t, 'slotMinutes', 'The minutes from one time that can be booked to the next.'),
    isActive: agenda.flag(t, 'isActive', 'Whether it takes new appointments.'),
    isBookable: t.boolean({
      nullable: false,
      ...agenda.mark('strategy', 'Whether its times can be booked: it is active, and members are not assigned by hand.'),
      resolve: (record) => isDirect(record) && Boolean(record.isActive),
    }),
    allowedTypes: t.field({
      type: [AppointmentType.ref],
      nullable: { list: true, items: false },
      ...agenda.mark('appointmentTypeIds', 'The types of appointments that it takes.'),
      extensions: { looksIn: ListAppointmentTypes },
      resolve: async ({ appointmentTypeIds = [] }, _args, { loaders }) => {
        const found = await Promise.all(appointmentTypeIds.map((id) => loaders.of(appointmentTypeLoader).load(id)));
        return found.filter((each) => each !== null);
      },
    }),
  }),
});

/** The agenda that a slot is in. A symbol, since the record does not tell it. */
export const AGENDA_ID = Symbol('agenda');

/** A slot of an agenda. */
export interface PlacedSlot extends AppointmentSlotRecordJson {
  readonly [AGENDA_ID]?: string;
}

const slot = new RecordFields<PlacedSlot>('AppointmentSlotRecord');

export const AppointmentSlot: ObjectRef<Types, PlacedSlot> = slot.type('AppointmentSlot', {
  description: 'A time at which an appointment can start. It is not held: somebody else may book it meanwhile.',
  fields: (t) => ({
    startsAt: slot.requiredDateTime(t, 'startsAt', 'The start.'),
    endsAt: slot.dateTime(t, 'endsAt', 'The end of an appointment of the default duration.'),
  }),
});
