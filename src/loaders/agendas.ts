import type { Session } from '../upstream/client.ts';
import { ListAgendas, ListAppointmentTypes } from '../upstream/contract/generated/operations.ts';
import type { AgendaRecord, AppointmentTypeRecord } from '../upstream/contract/generated/records.ts';
import { type Loader, loaderFromWholeList } from './loader.ts';

/** No operation gets one agenda: the list comes whole. */
export const agendaLoader = (upstream: Session): Loader<AgendaRecord> =>
  loaderFromWholeList(
    async () => (await upstream.call(ListAgendas, {})).agendas,
    ({ id }) => id,
  );

/** No operation gets one type of appointments: the list comes whole. */
export const appointmentTypeLoader = (upstream: Session): Loader<AppointmentTypeRecord> =>
  loaderFromWholeList(
    async () => (await upstream.call(ListAppointmentTypes, {})).appointmentTypes,
    ({ id }) => id,
  );
