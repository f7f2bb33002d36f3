import type { Session } from '../upstream/client.ts';
import { ListAgendas, ListAppointmentTypes } from '../upstream/contract/generated/operations.ts';
import type { AgendaRecordJson, AppointmentTypeRecordJson } from '../upstream/contract/generated/publicapi/v1/agendas_pb.ts';
import { type Loader, loaderFromList } from './loader.ts';

/** No operation gets one agenda: the list comes whole. */
export const agendaLoader = (upstream: Session): Loader<AgendaRecordJson> =>
  loaderFromList(
    async () => (await upstream.call(ListAgendas, {})).agendas ?? [],
    ({ id }) => id,
  );

/** No operation gets one type of appointments: the list comes whole. */
export const appointmentTypeLoader = (upstream: Session): Loader<AppointmentTypeRecordJson> =>
  loaderFromList(
    async () => (await upstream.call(ListAppointmentTypes, {})).appointmentTypes ?? [],
    ({ id }) => id,
  );
