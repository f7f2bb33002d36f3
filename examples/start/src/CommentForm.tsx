import { useApolloClient } from '@apollo/client/react';
import { useIdempotentMutation } from '@workspace-graph/client/react';
import { addComment } from './apollo.ts';

export function CommentForm({ customerId }: { customerId: string }) {
  const client = useApolloClient();
  const { run, state } = useIdempotentMutation((body: string, intent) => addComment(client, { customerId, body }, intent));
  const isOpen = state.status === 'pending' || state.status === 'unknown';
  return (
    <form action={async (fields) => void (await run(String(fields.get('body'))))}>
      <input name="body" aria-label="Comment" required disabled={isOpen} />
      <button type="submit" disabled={isOpen}>
        Add
      </button>
      {state.status === 'succeeded' && <p role="status">Added: {state.value?.body}</p>}
      {state.status === 'failed' && <p role="alert">{state.error instanceof Error ? state.error.message : 'The comment wasn’t added.'}</p>}
      {state.status === 'unknown' && (
        <p role="alert">
          The comment may have been added.{' '}
          <button type="button" onClick={state.retry}>
            Try again, without adding it twice
          </button>
        </p>
      )}
    </form>
  );
}
