import { type ReactNode, useState } from 'react';

interface CancelButtonsProps {
  /** Noun for the record that is canceled. */
  readonly subject: string;
  readonly onCancel: () => void;
  /** Other buttons, which are hidden while the confirmation is requested. */
  readonly children?: ReactNode;
}

/** Canceling requires a confirmation, because it's final. A button that disappears passes its focus on. */
export function CancelButtons({ subject, onCancel, children }: CancelButtonsProps) {
  const [at, setAt] = useState<'rest' | 'asked' | 'kept'>('rest');
  if (at === 'asked')
    return (
      <p className="buttons">
        <button type="button" onClick={onCancel}>
          Cancel {subject}
        </button>
        {/* biome-ignore lint/a11y/noAutofocus: the clicked button was removed */}
        <button type="button" className="quiet" autoFocus onClick={() => setAt('kept')}>
          Keep {subject}
        </button>
      </p>
    );
  return (
    <p className="buttons">
      {children}
      {/* biome-ignore lint/a11y/noAutofocus: the clicked button was removed */}
      <button type="button" className="quiet" autoFocus={at === 'kept'} onClick={() => setAt('asked')}>
        Cancel {subject}…
      </button>
    </p>
  );
}
