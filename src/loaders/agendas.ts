import { ListAgendas, ListAppointmentTypes } from '../upstream/contract/generated/operations.ts';
import type { AgendaRecord, AppointmentTypeRecord } from '../upstream/contract/generated/records.ts';
import type { Session } from '../upstream/session.ts';
import { type Loader, loaderFromWholeList } from './loader.ts';

/** Agendas by ID. No operation gets one, but their list is complete. */
export const agendaLoader = (upstream: Session): Loader<AgendaRecord> =>
  loaderFromWholeList(
    async () => (await upstream.call(ListAgendas, {})).agendas,
    ({ id }) => id,
  );

/** Appointment types by ID. No operation gets one, but their list is complete. */
export const appointmentTypeLoader = (upstream: Session): Loader<AppointmentTypeRecord> =>
  loaderFromWholeList(
    async () => (await upstream.call(ListAppointmentTypes, {})).appointmentTypes,
    ({ id }) => id,
  );
