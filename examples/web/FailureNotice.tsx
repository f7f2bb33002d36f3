import { getGraphErrors, MutationFailure, match } from '@workspace-graph/client';
import type { ReactNode } from 'react';
import { getCustomerTitle } from './CustomerLink.tsx';
import { CHECK_FIRST, explain } from './explanations.ts';
import type {
  AppointmentFailureFragment,
  BlockerCode,
  FailureFragment,
  FailurePartsFragment,
  MoveFailureFragment,
  OrderFailureFragment,
} from './gql/graphql.ts';
import { explainError } from './problems.ts';
import { Timestamp } from './Timestamp.tsx';

/** The error types that the documents of the page select. */
type Failure = FailurePartsFragment | OrderFailureFragment | AppointmentFailureFragment | MoveFailureFragment | FailureFragment;

type FailureOf<Name extends Failure['__typename']> = Extract<Failure, { readonly __typename: Name }>;

/** Another caller has changed the record. */
export type Conflict = FailureOf<'VersionConflictError'>;

interface FailureNoticeProps {
  readonly error: unknown;
  /** Noun for the record that the mutation was about. */
  readonly subject: string;
  /** Sends the same mutation again, with the same key. */
  readonly onRetry: () => void;
  /** Reloads the record. Undefined if the page already shows its current state. */
  readonly onReload: (() => void) | undefined;
  /** Explains a conflict and offers what to do. Null if it can't. */
  readonly renderConflict: ((conflict: Conflict) => ReactNode) | undefined;
  readonly onDismiss: () => void;
}

const isMutationFailure = (error: unknown): error is MutationFailure<Failure> => error instanceof MutationFailure;

/** Whether the status of a record, which the response contains, didn't allow a mutation. */
export const isBlocked = (error: unknown): boolean => isMutationFailure(error) && error.is('TRANSITION_BLOCKED');

/** Whether the same mutation can be sent again, which applies it at most once. A request without a response can. */
function isRetryable(error: unknown): boolean {
  const advice = isMutationFailure(error) ? [error] : getGraphErrors(error);
  return advice.every(({ retry }) => retry === 'SAFE' || retry === 'SAME_KEY');
}

/** Messages for blockers whose message from the graph refers to its fields. */
const BLOCKERS: Readonly<Partial<Record<BlockerCode, string>>> = {
  SLOT_UNAVAILABLE:
    'This time was booked in the meantime, or no member is free for that long. The available times have been reloaded. Choose another one.',
  INCOMPLETE_TASKS: 'Some tasks are incomplete. Complete them first.',
  INCOMPLETE_ADVANCED_TASKS: 'Some forms are incomplete. Complete them first.',
  MANUAL_SOLVING_DISABLED: 'This problem can’t be resolved manually, because its template disables it.',
  EXTERNAL_CALENDAR: 'It was created in another calendar. Change it there.',
};

/** Titles of blockers that say more than that the record doesn't allow it. */
const TITLES: Readonly<Partial<Record<BlockerCode, string>>> = {
  SLOT_UNAVAILABLE: 'This time is no longer available',
  INSUFFICIENT_STOCK: 'Not enough stock',
};

/** Why a record doesn't allow a mutation, in the words of the page. */
function describeBlocker(blocker: FailureOf<'TransitionBlockedError'>['blockers'][number]): string {
  const { code, message } = blocker;
  if (!('requiredQuantity' in blocker) || code !== 'INSUFFICIENT_STOCK') return BLOCKERS[code] ?? message;
  const { product, location, availableQuantity, requiredQuantity } = blocker;
  const units = `${requiredQuantity} ${requiredQuantity === 1 ? 'unit' : 'units'}`;
  const place = location?.name ?? 'This location';
  return `${place} has only ${availableQuantity} of the ${units} of ${product?.name ?? 'this product'} that you need. Choose fewer units, or another location.`;
}

interface Description {
  readonly title: string;
  readonly text: ReactNode;
}

/** Describes a failure. TypeScript checks that every error type is handled. */
function describeFailure({ failure, code, message: original, retry }: MutationFailure<Failure>, subject: string): Description {
  const message = explain({ code, message: original, retry });
  const describeAs = (title: string) => (): Description => ({ title, text: message });
  const describe = describeAs('The request failed');
  return match(failure, {
    VersionConflictError: describeAs(`This ${subject} has changed`),
    ForbiddenError: ({ missingScopes }): Description => ({
      title: 'You don’t have permission',
      text: missingScopes.length > 0 ? <MissingScopes scopes={missingScopes} /> : `Nothing was changed. ${message}`,
    }),
    TransitionBlockedError: ({ blockers }): Description => ({
      title: blockers.map(({ code }) => TITLES[code]).find(Boolean) ?? `The ${subject} doesn’t allow this right now`,
      text: blockers.map(describeBlocker).join(' ') || message,
    }),
    ValidationError: ({ issues }): Description => ({
      title: 'The request failed',
      text: issues.map((issue) => issue.message).join(' ') || message,
    }),
    OutcomeUnknownError: ({ candidates }): Description => ({
      title: 'Outcome unknown',
      text: candidates?.length ? <Candidates candidates={candidates} /> : message,
    }),
    OperationInProgressError: describeAs('Still in progress'),
    RateLimitedError: describeAs('Too many requests'),
    IdempotencyKeyReusedError: describe,
    NotFoundError: describe,
    RejectedError: describe,
    else: describe,
  });
}

function MissingScopes({ scopes }: { readonly scopes: readonly string[] }) {
  const list = scopes.map((scope, index) => (
    <span key={scope}>
      {index > 0 && ', '}
      <code>{scope}</code>
    </span>
  ));
  return <>Nothing was changed. Missing scopes: {list}.</>;
}

type Candidate = NonNullable<FailureOf<'OutcomeUnknownError'>['candidates']>[number];

function Candidates({ candidates }: { readonly candidates: readonly Candidate[] }) {
  const list = candidates.map((candidate) => (
    <span key={candidate.id}>
      <br />
      {candidate.__typename === 'Appointment' && 'startsAt' in candidate ? (
        <>
          {getCustomerTitle(candidate.customer)}, <Timestamp at={candidate.startsAt} />
        </>
      ) : (
        candidate.rawId
      )}
    </span>
  ));
  return <>It may have created one of these records. Check them before you repeat it.{list}</>;
}

function describeError(error: unknown, subject: string): Description {
  if (isMutationFailure(error)) return describeFailure(error, subject);
  const errors = getGraphErrors(error);
  if (errors.some(({ code, retry }) => code === 'INTERNAL_SERVER_ERROR' || retry === 'CHECK_FIRST'))
    return { title: 'Outcome unknown', text: CHECK_FIRST };
  if (errors.length > 0) return { title: 'The request failed', text: errors.map(explainError).join(' ') };
  return {
    title: 'Outcome unknown',
    text: 'No response was received, so the change may have been applied. It’s safe to try again, because it won’t be applied twice.',
  };
}

/** Notice of a failure: the reason, and buttons for the possible actions. */
export function FailureNotice({ error, subject, onRetry, onReload, renderConflict, onDismiss }: FailureNoticeProps) {
  const { title, text } = describeError(error, subject);
  const conflict = isMutationFailure(error) && error.is('VERSION_CONFLICT') ? error.failure : null;
  const explained = conflict && renderConflict?.(conflict);
  if (explained)
    return (
      <>
        <h5>{title}</h5>
        {explained}
      </>
    );
  const isFinal = isMutationFailure(error) && (conflict || error.is('FORBIDDEN'));
  const reload = isFinal ? undefined : onReload;
  // The same intent isn't applied again, but its candidates are searched for again.
  const isChecked = isMutationFailure(error) && error.is('OUTCOME_UNKNOWN') && error.retry === 'CHECK_FIRST';
  return (
    <>
      <h5>{title}</h5>
      <p>{text}</p>
      <p className="buttons">
        {(isRetryable(error) || isChecked) && (
          <button type="button" onClick={onRetry}>
            {isChecked ? 'Check again' : 'Try again'}
          </button>
        )}
        <button type="button" className={isRetryable(error) ? 'quiet' : undefined} onClick={reload ?? onDismiss}>
          {reload ? 'Reload' : 'Dismiss'}
        </button>
      </p>
    </>
  );
}
