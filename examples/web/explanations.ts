import type { GraphError } from '@workspace-graph/client';

/** An error of a read, or the failure of a mutation. */
type Explained = Pick<GraphError, 'message'> & {
  readonly code: string | undefined;
  readonly retry?: string | undefined;
  readonly missingScopes?: readonly string[] | undefined;
};

const UNAVAILABLE = 'The workspace isn’t responding. Try again in a minute.';
const BUSY = 'There are too many requests. Try again in a minute.';

/** What to do after a change that may have been applied. */
export const CHECK_FIRST = 'This may have been saved. Reload, and check before you repeat it.';

/** Errors whose messages are for developers, in the words of people who use the page. */
const EXPLANATIONS: Readonly<Record<string, string>> = {
  RATE_LIMITED: BUSY,
  OVERLOADED: BUSY,
  UPSTREAM_UNAVAILABLE: UNAVAILABLE,
  UPSTREAM_TIMEOUT: UNAVAILABLE,
  LEDGER_UNAVAILABLE: UNAVAILABLE,
  SIGN_IN_UNAVAILABLE: UNAVAILABLE,
  UPSTREAM_INVALID_RESPONSE: 'The workspace returned something that this page can’t read. Ask the administrator of the graph.',
  INTERNAL_SERVER_ERROR: 'The graph failed. Ask its administrator.',
  OPERATION_IN_PROGRESS: 'The first attempt is still in progress. Try again in a few seconds. It won’t be saved twice.',
  IDEMPOTENCY_KEY_REUSED: 'This may already have been saved. Reload, and check.',
  IDEMPOTENCY_KEY_EXPIRED:
    'The first attempt was too long ago to repeat it, and may have been saved. Reload, and check before you start again.',
};

/** What an error means for the person who uses the page. Other messages of the graph are already written for them. */
export function explain({ code = '', message, retry, missingScopes }: Explained): string {
  if (code === 'FORBIDDEN')
    return missingScopes?.length
      ? `You don’t have access to this. Missing scopes: ${missingScopes.join(', ')}.`
      : 'You don’t have access to this. Ask an administrator of the workspace.';
  if (code === 'OUTCOME_UNKNOWN')
    return retry === 'CHECK_FIRST' ? CHECK_FIRST : 'This may have been saved. It’s safe to try again, because it won’t be saved twice.';
  return EXPLANATIONS[code] ?? message;
}
