import { useApolloClient } from '@apollo/client/react';
import { useState } from 'react';
import type { ActResult } from '../failure.ts';
import type { AppointmentPartsFragment } from '../gql/graphql.ts';
import { Notice } from '../Notice.tsx';
import { hrefOf } from '../route.ts';
import { statusName } from '../statusName.ts';
import { useAct } from '../useAct.ts';
import { cancelAppointment, isExpected, type Recording, recordResult } from './appointmentActs.ts';
import { timeAt } from './clock.ts';
import { ResultDialog } from './ResultDialog.tsx';

function Facts({ appointment }: { readonly appointment: AppointmentPartsFragment }) {
  const { customer, member, workOrder, description, result } = appointment;
  return (
    <>
      <p>
        {customer?.referenceNumber ? <a href={hrefOf('customer', customer.referenceNumber)}>{customer.title}</a> : customer?.title}
        <small>{member ? member.displayName : 'unassigned'}</small>
      </p>
      {workOrder && (
        <p>
          <small>
            For <a href={hrefOf('work', workOrder.id)}>{workOrder.title}</a>
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

interface StepsProps {
  readonly onCancel: () => void;
  readonly onRecord: () => void;
}

/** Cancelling asks back, since it is final. A button that is pressed and gone hands its focus on. */
function Steps({ onCancel, onRecord }: StepsProps) {
  const [at, setAt] = useState<'rest' | 'asked' | 'kept'>('rest');
  if (at === 'asked')
    return (
      <p className="buttons">
        <button type="button" onClick={onCancel}>
          Cancel appointment
        </button>
        {/* biome-ignore lint/a11y/noAutofocus: the button that was pressed is gone */}
        <button type="button" className="quiet" autoFocus onClick={() => setAt('kept')}>
          Keep appointment
        </button>
      </p>
    );
  return (
    <p className="buttons">
      <button type="button" onClick={onRecord}>
        Record result
      </button>
      {/* biome-ignore lint/a11y/noAutofocus: the button that was pressed is gone */}
      <button type="button" className="quiet" autoFocus={at === 'kept'} onClick={() => setAt('asked')}>
        Cancel…
      </button>
    </p>
  );
}

interface AppointmentCardProps {
  readonly appointment: AppointmentPartsFragment;
  readonly timeZone: string;
  /** Whether it can be changed here at all. */
  readonly isOurs: boolean;
  /** Called when the free times may have changed. */
  readonly onChanged: () => void;
}

/** An appointment of a day, which can be cancelled and get its result. */
export function AppointmentCard({ appointment, timeZone, isOurs, onChanged }: AppointmentCardProps) {
  const client = useApolloClient();
  const { state, run, close } = useAct();
  const [isRecorded, setIsRecorded] = useState(false);
  const { id, status, startsAt, endsAt, appointmentType } = appointment;

  const act = (change: () => Promise<ActResult>) =>
    run(async () => {
      const result = await change();
      onChanged();
      return result;
    });
  const cancel = () => {
    const idempotencyKey = crypto.randomUUID();
    void act(() => cancelAppointment(client, appointment, idempotencyKey));
  };
  const record = (recording: Recording) => {
    setIsRecorded(false);
    void act(() => recordResult(client, appointment, recording));
  };
  const lookAgain = async () => {
    onChanged();
    return 'Reloaded.';
  };
  const isBlocked = state.at === 'failed' && state.failure.__typename === 'TransitionBlockedError';
  const isBooked = !isExpected(appointment);
  const hasSteps = isOurs && isBooked && status === 'SCHEDULED' && state.at !== 'running' && state.at !== 'failed';
  const ends = endsAt ? `–${timeAt(endsAt, timeZone)}` : '';
  return (
    <article className={`card appointment ${status.toLowerCase()}`} aria-labelledby={id}>
      <header>
        <h4 id={id}>
          {timeAt(startsAt ?? '', timeZone)}
          {ends} {appointmentType?.name}
        </h4>
        <span className={`badge ${status.toLowerCase()}`}>{isBooked ? statusName(status) : 'booking…'}</span>
      </header>
      <Facts appointment={appointment} />
      {!isOurs && status === 'SCHEDULED' && <small>Can’t be changed here.</small>}
      {hasSteps && <Steps onCancel={cancel} onRecord={() => setIsRecorded(true)} />}
      <Notice state={state} subject="appointment" onLookAgain={isBlocked ? undefined : () => void run(lookAgain)} onClose={close} />
      {isRecorded && <ResultDialog appointment={appointment} onRecord={record} onClose={() => setIsRecorded(false)} />}
    </article>
  );
}
