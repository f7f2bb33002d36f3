import { useApolloClient } from '@apollo/client/react';
import { useIdempotentMutation } from '@workspace-graph/client/react';
import { useState } from 'react';
import { CancelButtons } from '../CancelButtons.tsx';
import { CustomerLink } from '../CustomerLink.tsx';
import { formatStatus } from '../formatStatus.ts';
import type { AppointmentPartsFragment } from '../gql/graphql.ts';
import { isActive, Notice } from '../Notice.tsx';
import { createHref } from '../route.ts';
import { type AppointmentChange, changeAppointment, isExpected, type Recording } from './appointmentMutations.ts';
import { formatTime } from './clock.ts';
import { ResultDialog } from './ResultDialog.tsx';

function Facts({ appointment }: { readonly appointment: AppointmentPartsFragment }) {
  const { customer, member, workOrder, description, result } = appointment;
  return (
    <>
      <p>
        <CustomerLink customer={customer} />
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
  /** Reloads the day, because the available slots may have changed. Resolves to whether that succeeded. */
  readonly reload: () => Promise<boolean>;
}

/** An appointment of a day, which can be canceled and completed with a result. */
export function AppointmentCard({ appointment, timeZone, isEditable, reload }: AppointmentCardProps) {
  const client = useApolloClient();
  const change = useIdempotentMutation((input: AppointmentChange, intent) =>
    changeAppointment(client, appointment, input, intent).finally(() => void reload()),
  );
  const [isRecording, setIsRecording] = useState(false);
  const { id, status, startsAt, endsAt, appointmentType } = appointment;

  const record = (recording: Recording) => {
    setIsRecording(false);
    void change.run({ record: recording });
  };
  const isBooked = !isExpected(appointment);
  const hasSteps = isEditable && isBooked && status === 'SCHEDULED' && !isActive(change);
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
        <CancelButtons subject="appointment" onCancel={() => void change.run({ cancel: { appointmentId: id } })}>
          <button type="button" onClick={() => setIsRecording(true)}>
            Record result
          </button>
        </CancelButtons>
      )}
      <Notice mutation={change} subject="appointment" onReload={reload} />
      {isRecording && <ResultDialog appointment={appointment} onRecord={record} onClose={() => setIsRecording(false)} />}
    </article>
  );
}
