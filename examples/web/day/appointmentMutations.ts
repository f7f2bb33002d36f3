import type { ApolloClient } from '@apollo/client';
import { type MutationResult, toFailure } from '../failure.ts';
import type {
  AgendaDayQueryVariables,
  AppointmentCreateInput,
  AppointmentPartsFragment,
  AppointmentResultRecordInput,
} from '../gql/graphql.ts';
import { AgendaDay, BookAppointment, CancelAppointment, RecordResult } from './documents.ts';

/** An intended booking. Its key is created with it. */
export interface Booking {
  readonly input: AppointmentCreateInput & { readonly idempotencyKey: string };
  /** The appointment as expected, displayed until the response arrives. */
  readonly expected: AppointmentPartsFragment;
}

/** ID of an appointment that isn't confirmed by a response yet. */
export const createExpectedId = (startsAt: string): string => `expected-${startsAt}`;

export const isExpected = ({ id }: AppointmentPartsFragment): boolean => id.startsWith(createExpectedId(''));

/** Books a slot. The appointment appears in its column immediately, and disappears if the booking fails. */
export async function bookAppointment(
  client: ApolloClient,
  { input, expected }: Booking,
  column: AgendaDayQueryVariables,
): Promise<MutationResult> {
  const { data, error } = await client.mutate({
    mutation: BookAppointment,
    variables: { input },
    optimisticResponse: { appointmentCreate: { __typename: 'AppointmentCreatePayload', effect: 'DONE', appointment: expected } },
    errorPolicy: 'all',
    update: (cache, { data }) => {
      const done = data?.appointmentCreate;
      if (done?.__typename !== 'AppointmentCreatePayload') return;
      const { appointment } = done;
      // A replay doesn't return an appointment that can no longer be read.
      if (!appointment) return;
      cache.updateQuery({ query: AgendaDay, variables: column }, (cached) => {
        if (!cached?.appointments) return cached;
        const others = cached.appointments.edges.filter(({ node }) => node.id !== appointment.id);
        return { ...cached, appointments: { ...cached.appointments, edges: [...others, { cursor: '', node: appointment }] } };
      });
    },
  });
  if (!data?.appointmentCreate) return toFailure(error);
  if (data.appointmentCreate.__typename !== 'AppointmentCreatePayload') return data.appointmentCreate;
  const { effect, appointment } = data.appointmentCreate;
  if (effect === 'REPLAYED') return 'Already booked by the first attempt.';
  return appointment?.member ? `Booked. Assigned to ${appointment.member.displayName}.` : 'Booked.';
}

/** Cancels an appointment. It's marked as canceled immediately, and restored if that fails. */
export async function cancelAppointment(
  client: ApolloClient,
  appointment: AppointmentPartsFragment,
  idempotencyKey: string,
): Promise<MutationResult> {
  const { data, error } = await client.mutate({
    mutation: CancelAppointment,
    variables: { input: { appointmentId: appointment.id, idempotencyKey } },
    optimisticResponse: {
      appointmentCancel: { __typename: 'AppointmentCancelPayload', effect: 'DONE', appointment: { ...appointment, status: 'CANCELLED' } },
    },
    errorPolicy: 'all',
  });
  if (!data?.appointmentCancel) return toFailure(error);
  if (data.appointmentCancel.__typename !== 'AppointmentCancelPayload') return data.appointmentCancel;
  return data.appointmentCancel.effect === 'UNCHANGED' ? 'It was already canceled.' : 'Canceled.';
}

/** The chosen result. Its key is created with it. */
export interface Recording {
  readonly input: AppointmentResultRecordInput;
  readonly code: NonNullable<NonNullable<AppointmentPartsFragment['result']>['code']>;
}

/** Records a result, which completes the appointment. It's displayed as completed immediately. */
export async function recordResult(
  client: ApolloClient,
  appointment: AppointmentPartsFragment,
  { input, code }: Recording,
): Promise<MutationResult> {
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
  if (!data?.appointmentResultRecord) return toFailure(error);
  if (data.appointmentResultRecord.__typename !== 'AppointmentResultRecordPayload') return data.appointmentResultRecord;
  return `Recorded: ${code.name}.`;
}
