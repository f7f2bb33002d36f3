import { getGraphErrors, MutationFailure } from '@workspace-graph/client';

const describe = (error: unknown) =>
  error instanceof MutationFailure ? error.message : (getGraphErrors(error)[0]?.message ?? 'The graph doesn’t respond.');

/** Announces `text`, and an error with a button that tries again. */
export const Status = ({ text, error, retry }: { text?: string | false; error?: unknown; retry?: () => unknown }) => (
  <div role="status">
    {text} {error !== undefined && describe(error)}{' '}
    {error !== undefined && (
      <button type="button" onClick={() => retry?.()}>
        Try again
      </button>
    )}
  </div>
);
