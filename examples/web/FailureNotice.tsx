import type { ReactNode } from 'react';
import { type Failure, isRepeatable } from './failure.ts';
import type { BlockerCode } from './gql/graphql.ts';

/** Actions after a failure. */
export interface FailureActions {
  /** Sends the same mutation again, with the same key. */
  readonly onRepeat: () => void;
  /** Reloads the record. Undefined if the page already shows its current state. */
  readonly onReload?: (() => void) | undefined;
  /** Continues with the version that another caller has saved. Undefined for records without versions. */
  readonly onUseCurrent?: (() => void) | undefined;
  readonly onClose: () => void;
}

interface ConflictProps extends FailureActions {
  readonly failure: Extract<Failure, { __typename: 'VersionConflictError' }>;
  readonly subject: string;
}

function Conflict({ failure, subject, onUseCurrent, onClose }: ConflictProps) {
  const { current, expectedVersion } = failure;
  const title = `This ${subject} has changed`;
  if (!current || !('lines' in current)) return <SimpleNotice title={title} text={failure.message} onClose={onClose} />;
  // A quote is displayed as edited. An order is displayed in its current version.
  const isQuote = current.__typename === 'Quote';
  return (
    <>
      <h5>{title}</h5>
      <p>
        You saw version {expectedVersion}. The current version is {current.version}, {isQuote ? 'with these lines:' : 'as displayed now.'}
      </p>
      {isQuote && (
        <ul>
          {current.lines.map((line) => (
            <li key={line.id}>
              {line.quantity} × {line.productName}
            </li>
          ))}
        </ul>
      )}
      <p className="buttons">
        <button type="button" onClick={onUseCurrent}>
          Use the current version
        </button>
      </p>
    </>
  );
}

function SimpleNotice({ title, text, onClose }: { readonly title: string; readonly text: ReactNode; readonly onClose: () => void }) {
  return (
    <>
      <h5>{title}</h5>
      <p>{text}</p>
      <p className="buttons">
        <button type="button" onClick={onClose}>
          Close
        </button>
      </p>
    </>
  );
}

function Forbidden({ failure, onClose }: FailureActions & { readonly failure: Extract<Failure, { __typename: 'ForbiddenError' }> }) {
  const { missingScopes, message } = failure;
  const scopes = missingScopes.map((scope, index) => (
    <span key={scope}>
      {index > 0 && ', '}
      <code>{scope}</code>
    </span>
  ));
  const text = missingScopes.length === 0 ? message : <>Nothing was changed. Missing scopes: {scopes}. Use a key that has them.</>;
  return <SimpleNotice title="This API key doesn’t have permission" text={text} onClose={onClose} />;
}

const TITLES: Readonly<Partial<Record<Failure['__typename'], string>>> = {
  OutcomeUnknownError: 'Outcome unknown',
  NoAnswer: 'Outcome unknown',
  OperationInProgressError: 'Still in progress',
  RateLimitedError: 'Too many requests',
};

/** Messages for blockers whose message from the graph refers to its fields. */
const BLOCKERS: Readonly<Partial<Record<BlockerCode, string>>> = {
  SLOT_UNAVAILABLE:
    'This time was booked in the meantime, or no member is free for that long. The available times have been reloaded. Choose another one.',
  INCOMPLETE_TASKS: 'Some tasks are incomplete. Complete them first.',
  INCOMPLETE_ADVANCED_TASKS: 'Some forms are incomplete. Complete them first.',
  MANUAL_SOLVING_DISABLED: 'This problem can’t be resolved manually, because its template disables it.',
  EXTERNAL_CALENDAR: 'It was created in another calendar. Change it there.',
};

function getText(failure: Failure): string {
  if (failure.__typename === 'TransitionBlockedError' && failure.blockers.length > 0)
    return failure.blockers.map(({ code, message }) => BLOCKERS[code] ?? message).join(' ');
  if (failure.__typename === 'ValidationError' && failure.issues.length > 0) return failure.issues.map(({ message }) => message).join(' ');
  return failure.message;
}

function getTitle(failure: Failure, subject: string): string {
  if (failure.__typename !== 'TransitionBlockedError') return TITLES[failure.__typename] ?? 'The request failed';
  if (failure.blockers.some(({ code }) => code === 'SLOT_UNAVAILABLE')) return 'This time is no longer available';
  return `The ${subject} doesn’t allow this right now`;
}

interface FailureNoticeProps extends FailureActions {
  readonly failure: Failure;
  /** Noun for the record that the mutation was about. */
  readonly subject: string;
}

/** Notice of a failure: the reason, and buttons for the possible actions. */
export function FailureNotice({ failure, subject, ...next }: FailureNoticeProps) {
  if (failure.__typename === 'VersionConflictError') return <Conflict failure={failure} subject={subject} {...next} />;
  if (failure.__typename === 'ForbiddenError') return <Forbidden failure={failure} {...next} />;
  return (
    <>
      <h5>{getTitle(failure, subject)}</h5>
      <p>{getText(failure)}</p>
      <p className="buttons">
        {isRepeatable(failure) && (
          <button type="button" onClick={next.onRepeat}>
            Retry safely
          </button>
        )}
        <button type="button" className={isRepeatable(failure) ? 'quiet' : undefined} onClick={next.onReload ?? next.onClose}>
          {next.onReload ? 'Reload' : 'Close'}
        </button>
      </p>
    </>
  );
}
