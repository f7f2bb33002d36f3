import { useQuery } from '@apollo/client/react';
import type { SubmitEvent } from 'react';
import { Dialog } from '../Dialog.tsx';
import type { AppointmentPartsFragment } from '../gql/graphql.ts';
import { ReadStatus } from '../ReadStatus.tsx';
import type { Recording } from './appointmentMutations.ts';
import { ResultCodes } from './documents.ts';

interface ResultDialogProps {
  readonly appointment: AppointmentPartsFragment;
  readonly onRecord: (recording: Recording) => void;
  readonly onClose: () => void;
}

/** The form that records the result of an appointment, as one of its result codes. */
export function ResultDialog({ appointment, onRecord, onClose }: ResultDialogProps) {
  const read = useQuery(ResultCodes, { variables: { appointmentId: appointment.id }, errorPolicy: 'all' });
  const codes = read.data?.appointment?.resultCodes ?? [];
  const record = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const code = codes.find(({ id }) => id === form.get('resultCodeId'));
    if (!code) return;
    const notes = String(form.get('notes')).trim() || null;
    const input = { appointmentId: appointment.id, resultCodeId: code.id, notes };
    onRecord({ input, code });
  };
  return (
    <Dialog title={`Result of ${appointment.appointmentType?.name ?? 'the appointment'}`} onClose={onClose}>
      <form onSubmit={record}>
        <ReadStatus read={read} />
        <fieldset className="choices">
          <legend>Result</legend>
          {codes.map(({ id, name, isSuccess }, index) => (
            <label key={id}>
              {/* The codes load after the dialog has opened, and it only focuses elements that exist by then. */}
              <input type="radio" name="resultCodeId" value={id} required autoFocus={index === 0} />
              {name}
              {isSuccess && <small>success</small>}
            </label>
          ))}
        </fieldset>
        <label>
          Notes
          <textarea name="notes" rows={3} maxLength={20_000} />
        </label>
        <p className="buttons">
          <button type="submit" disabled={codes.length === 0}>
            Record
          </button>
          <button type="button" className="quiet" onClick={onClose}>
            Cancel
          </button>
        </p>
      </form>
    </Dialog>
  );
}
