import type { ApolloClient } from '@apollo/client';
import { type Intent, settle, unwrap } from '@workspace-graph/client';
import type {
  AgendaDayQueryVariables,
  AppointmentCancelInput,
  AppointmentCreateInput,
  AppointmentPartsFragment,
  AppointmentResultRecordInput,
} from '../gql/graphql.ts';
import { mutate } from '../mutate.ts';
import { AgendaDay, BookAppointment, CancelAppointment, RecordResult } from './documents.ts';

/** An intended booking. */
export interface Booking {
  readonly input: AppointmentCreateInput;
  /** The appointment as expected, displayed until the response arrives. */
  readonly expected: AppointmentPartsFragment;
}

/** ID of an appointment that isn't confirmed by a response yet. */
export const createExpectedId = (startsAt: string): string => `expected-${startsAt}`;

export const isExpected = ({ id }: AppointmentPartsFragment): boolean => id.startsWith(createExpectedId(''));

/** Books a slot. The appointment appears in its column immediately, and disappears if the booking fails. Returns a message for the user. */
export async function bookAppointment(
  client: ApolloClient,
  { input, expected }: Booking,
  intent: Intent,
  column: AgendaDayQueryVariables,
): Promise<string> {
  const { appointmentCreate } = await mutate(client, {
    mutation: BookAppointment,
    variables: { input },
    context: { intent },
    optimisticResponse: { appointmentCreate: { __typename: 'AppointmentCreatePayload', effect: 'DONE', appointment: expected } },
    update: (cache, { data }) => {
      const result = data?.appointmentCreate && settle(data.appointmentCreate);
      // A replay doesn't return an appointment that can no longer be read.
      const appointment = result?.ok && result.payload.appointment;
      if (!appointment) return;
      cache.updateQuery({ query: AgendaDay, variables: column }, (cached) => {
        if (!cached?.appointments) return cached;
        const others = cached.appointments.edges.filter(({ node }) => node.id !== appointment.id);
        return { ...cached, appointments: { ...cached.appointments, edges: [...others, { cursor: '', node: appointment }] } };
      });
    },
  });
  const { effect, appointment } = unwrap(appointmentCreate);
  if (effect === 'REPLAYED') return 'Already booked by the first attempt.';
  return appointment?.member ? `Booked. Assigned to ${appointment.member.displayName}.` : 'Booked.';
}

/** The chosen result of an appointment. */
export interface Recording {
  readonly input: Omit<AppointmentResultRecordInput, 'idempotencyKey'>;
  readonly code: NonNullable<NonNullable<AppointmentPartsFragment['result']>['code']>;
}

/** A change of an appointment. */
export type AppointmentChange = { readonly cancel: AppointmentCancelInput } | { readonly record: Recording };

/** Changes an appointment. The change is displayed immediately, and reverted if it fails. Returns a message for the user. */
export async function changeAppointment(
  client: ApolloClient,
  appointment: AppointmentPartsFragment,
  change: AppointmentChange,
  intent: Intent,
): Promise<string> {
  const context = { intent };
  if ('cancel' in change) {
    const { appointmentCancel } = await mutate(client, {
      mutation: CancelAppointment,
      variables: { input: change.cancel },
      context,
      optimisticResponse: {
        appointmentCancel: { __typename: 'AppointmentCancelPayload', effect: 'DONE', appointment: { ...appointment, status: 'CANCELLED' } },
      },
    });
    return unwrap(appointmentCancel).effect === 'UNCHANGED' ? 'It was already canceled.' : 'Canceled.';
  }
  const { input, code } = change.record;
  const result = { __typename: 'AppointmentResult', notes: input.notes ?? null, code } as const;
  const { appointmentResultRecord } = await mutate(client, {
    mutation: RecordResult,
    variables: { input: { ...input, idempotencyKey: intent.key } },
    context,
    optimisticResponse: {
      appointmentResultRecord: {
        __typename: 'AppointmentResultRecordPayload',
        effect: 'DONE',
        appointment: { ...appointment, status: 'COMPLETED', result },
      },
    },
  });
  unwrap(appointmentResultRecord);
  return `Recorded: ${code.name}.`;
}
