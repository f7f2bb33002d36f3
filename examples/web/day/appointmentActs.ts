import type { ApolloClient } from '@apollo/client';
import { type ActResult, failureOf } from '../failure.ts';
import type {
  AgendaDayQueryVariables,
  AppointmentCreateInput,
  AppointmentPartsFragment,
  AppointmentResultRecordInput,
} from '../gql/graphql.ts';
import { AgendaDay, BookAppointment, CancelAppointment, RecordResult } from './documents.ts';

/** A booking that a planner wants: its key is made with it, once. */
export interface Booking {
  readonly input: AppointmentCreateInput & { readonly idempotencyKey: string };
  /** The appointment as it will be, shown until the answer comes. */
  readonly expected: AppointmentPartsFragment;
}

/** Id of an appointment that no answer has come for. */
export const expectedId = (startsAt: string): string => `expected-${startsAt}`;

export const isExpected = ({ id }: AppointmentPartsFragment): boolean => id.startsWith(expectedId(''));

/** Books a time. The appointment stands in its column at once, and is gone again if the booking fails. */
export async function bookAppointment(
  client: ApolloClient,
  { input, expected }: Booking,
  column: AgendaDayQueryVariables,
): Promise<ActResult> {
  const { data, error } = await client.mutate({
    mutation: BookAppointment,
    variables: { input },
    optimisticResponse: { appointmentCreate: { __typename: 'AppointmentCreatePayload', effect: 'DONE', appointment: expected } },
    errorPolicy: 'all',
    update: (cache, { data: answered }) => {
      const done = answered?.appointmentCreate;
      if (done?.__typename !== 'AppointmentCreatePayload') return;
      const { appointment } = done;
      // A replay doesn't return an appointment that can no longer be read.
      if (!appointment) return;
      cache.updateQuery({ query: AgendaDay, variables: column }, (shown) => {
        if (!shown?.appointments) return shown;
        const others = shown.appointments.edges.filter(({ node }) => node.id !== appointment.id);
        return { ...shown, appointments: { ...shown.appointments, edges: [...others, { cursor: '', node: appointment }] } };
      });
    },
  });
  if (!data?.appointmentCreate) return failureOf(error);
  if (data.appointmentCreate.__typename !== 'AppointmentCreatePayload') return data.appointmentCreate;
  const { effect, appointment } = data.appointmentCreate;
  if (effect === 'REPLAYED') return 'Already booked by the first attempt.';
  return appointment?.member ? `Booked. Assigned to ${appointment.member.displayName}.` : 'Booked.';
}

/** Cancels an appointment: it is struck out at once, and comes back if that fails. */
export async function cancelAppointment(
  client: ApolloClient,
  appointment: AppointmentPartsFragment,
  idempotencyKey: string,
): Promise<ActResult> {
  const { data, error } = await client.mutate({
    mutation: CancelAppointment,
    variables: { input: { appointmentId: appointment.id, idempotencyKey } },
    optimisticResponse: {
      appointmentCancel: { __typename: 'AppointmentCancelPayload', effect: 'DONE', appointment: { ...appointment, status: 'CANCELLED' } },
    },
    errorPolicy: 'all',
  });
  if (!data?.appointmentCancel) return failureOf(error);
  if (data.appointmentCancel.__typename !== 'AppointmentCancelPayload') return data.appointmentCancel;
  return data.appointmentCancel.effect === 'UNCHANGED' ? 'It was already canceled.' : 'Canceled.';
}

/** The result that a planner has chosen: its key is made with it, once. */
export interface Recording {
  readonly input: AppointmentResultRecordInput;
  readonly code: NonNullable<NonNullable<AppointmentPartsFragment['result']>['code']>;
}

/** Records a result, which completes the appointment: it is shown so at once. */
export async function recordResult(
  client: ApolloClient,
  appointment: AppointmentPartsFragment,
  { input, code }: Recording,
): Promise<ActResult> {
  const result = { __typename: 'AppointmentResult', notes: input.notes ?? null, code } as const;
  const { data, error } = await client.mutate({
    mutation: RecordResult,
    variables: { input },
    optimisticResponse: {
      appointmentResultRecord: {
        __typename: 'AppointmentResultRecordPayload',
        effect: 'DONE',
        appointment: { ...appointment, status: 'COMPLETED', result },
      },
    },
    errorPolicy: 'all',
  });
  if (!data?.appointmentResultRecord) return failureOf(error);
  if (data.appointmentResultRecord.__typename !== 'AppointmentResultRecordPayload') return data.appointmentResultRecord;
  return `Recorded: ${code.name}.`;
}
