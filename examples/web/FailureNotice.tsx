import type { ReactNode } from 'react';
import { type Failure, isRepeatable } from './quoteActs.ts';

interface Next {
  /** Sends the same act again, under the same key. */
  readonly onRepeat: () => void;
  /** Reads the quote as it is now. */
  readonly onLookAgain: () => void;
  readonly onTakeOver: () => void;
  readonly onClose: () => void;
}

function Conflict({ failure, onTakeOver, onClose }: Next & { readonly failure: Extract<Failure, { __typename: 'VersionConflictError' }> }) {
  const { current, expectedVersion } = failure;
  if (current?.__typename !== 'Quote') return <Told title="This quote has changed meanwhile" text={failure.message} onClose={onClose} />;
  return (
    <>
      <h5>This quote has changed meanwhile</h5>
      <p>
        You worked on version {expectedVersion}. It is at version {current.version} now, and says:
      </p>
      <ul>
        {current.lines.map((line) => (
          <li key={line.id}>
            {line.quantity} × {line.productName}
          </li>
        ))}
      </ul>
      <p className="buttons">
        <button type="button" onClick={onTakeOver}>
          Take over the current version
        </button>
      </p>
    </>
  );
}

function Told({ title, text, onClose }: { readonly title: string; readonly text: ReactNode; readonly onClose: () => void }) {
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

function Forbidden({ failure, onClose }: Next & { readonly failure: Extract<Failure, { __typename: 'ForbiddenError' }> }) {
  const { missingScopes, message } = failure;
  const scopes = missingScopes.map((scope, index) => (
    <span key={scope}>
      {index > 0 && ', '}
      <code>{scope}</code>
    </span>
  ));
  const text =
    missingScopes.length === 0 ? message : <>Nothing was changed. It lacks {scopes}: ask whoever made the key for one that has it.</>;
  return <Told title="This API key may not do that" text={text} onClose={onClose} />;
}

const TITLES: Readonly<Partial<Record<Failure['__typename'], string>>> = {
  OutcomeUnknownError: 'Nobody knows whether this was done',
  NoAnswer: 'Nobody knows whether this was done',
  OperationInProgressError: 'This is still being done',
  TransitionBlockedError: 'The quote does not allow this now',
  RateLimitedError: 'Too many requests',
};

function textOf(failure: Failure): string {
  if (failure.__typename === 'TransitionBlockedError' && failure.blockers.length > 0)
    return failure.blockers.map(({ message }) => message).join(' ');
  return failure.message;
}

/** Notice of a failure: the reason, and a button for each way out. */
export function FailureNotice({ failure, ...next }: Next & { readonly failure: Failure }) {
  if (failure.__typename === 'VersionConflictError') return <Conflict failure={failure} {...next} />;
  if (failure.__typename === 'ForbiddenError') return <Forbidden failure={failure} {...next} />;
  return (
    <>
      <h5>{TITLES[failure.__typename] ?? 'This was not done'}</h5>
      <p>{textOf(failure)}</p>
      <p className="buttons">
        {isRepeatable(failure) && (
          <button type="button" onClick={next.onRepeat}>
            Try again safely
          </button>
        )}
        <button type="button" className={isRepeatable(failure) ? 'quiet' : undefined} onClick={next.onLookAgain}>
          Look again
        </button>
      </p>
    </>
  );
}
