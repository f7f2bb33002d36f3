import { useApolloClient } from '@apollo/client/react';
import { useState } from 'react';
import { CancelButtons } from '../CancelButtons.tsx';
import type { MutationResult } from '../failure.ts';
import { formatStatus } from '../formatStatus.ts';
import type { AppointmentPartsFragment } from '../gql/graphql.ts';
import { Notice } from '../Notice.tsx';
import { createHref } from '../route.ts';
import { useMutationState } from '../useMutationState.ts';
import { cancelAppointment, isExpected, type Recording, recordResult } from './appointmentMutations.ts';
import { formatTime } from './clock.ts';
import { ResultDialog } from './ResultDialog.tsx';

function Facts({ appointment }: { readonly appointment: AppointmentPartsFragment }) {
  const { customer, member, workOrder, description, result } = appointment;
  return (
    <>
      <p>
        {customer?.referenceNumber ? <a href={createHref('customer', customer.referenceNumber)}>{customer.title}</a> : customer?.title}
        <small>{member ? member.displayName : 'unassigned'}</small>
      </p>
      {workOrder && (
        <p>
          <small>
            For <a href={createHref('work', workOrder.id)}>{workOrder.title}</a>
          </small>
        </p>
      )}
      {description && (
        <p>
          <small>{description}</small>
        </p>
      )}
      {result && (
        <p>
          <strong>{result.code?.name ?? 'Result'}</strong>
          {result.notes && <small>{result.notes}</small>}
        </p>
      )}
    </>
  );
}

interface AppointmentCardProps {
  readonly appointment: AppointmentPartsFragment;
  readonly timeZone: string;
  /** Whether it can be changed on this page. */
  readonly isEditable: boolean;
  /** Called when the available slots may have changed. */
  readonly onChanged: () => void;
}

/** An appointment of a day, which can be canceled and completed with a result. */
export function AppointmentCard({ appointment, timeZone, isEditable, onChanged }: AppointmentCardProps) {
  const client = useApolloClient();
  const { state, run, close } = useMutationState();
  const [isRecording, setIsRecording] = useState(false);
  const { id, status, startsAt, endsAt, appointmentType } = appointment;

  const runAndReload = (change: () => Promise<MutationResult>) =>
    run(async () => {
      const result = await change();
      onChanged();
      return result;
    });
  const cancel = () => {
    const idempotencyKey = crypto.randomUUID();
    void runAndReload(() => cancelAppointment(client, appointment, idempotencyKey));
  };
  const record = (recording: Recording) => {
    setIsRecording(false);
    void runAndReload(() => recordResult(client, appointment, recording));
  };
  const reload = async () => {
    onChanged();
    return 'Reloaded.';
  };
  const isBlocked = state.at === 'failed' && state.failure.__typename === 'TransitionBlockedError';
  const isBooked = !isExpected(appointment);
  const hasSteps = isEditable && isBooked && status === 'SCHEDULED' && state.at !== 'running' && state.at !== 'failed';
  const ends = endsAt ? `–${formatTime(endsAt, timeZone)}` : '';
  return (
    <article className={`card appointment ${status.toLowerCase()}`} aria-labelledby={id}>
      <header>
        <h4 id={id}>
          {formatTime(startsAt ?? '', timeZone)}
          {ends} {appointmentType?.name}
        </h4>
        <span className={`badge ${status.toLowerCase()}`}>{isBooked ? formatStatus(status) : 'booking…'}</span>
      </header>
      <Facts appointment={appointment} />
      {!isEditable && status === 'SCHEDULED' && <small>Can’t be changed here.</small>}
      {hasSteps && (
        <CancelButtons subject="appointment" onCancel={cancel}>
          <button type="button" onClick={() => setIsRecording(true)}>
            Record result
          </button>
        </CancelButtons>
      )}
      <Notice state={state} subject="appointment" onReload={isBlocked ? undefined : () => void run(reload)} onClose={close} />
      {isRecording && <ResultDialog appointment={appointment} onRecord={record} onClose={() => setIsRecording(false)} />}
    </article>
  );
}
