import { Alert, Button, Group, Loader } from '@mantine/core';
import { getGraphErrors, MutationFailure } from '@workspace-graph/client';

const describe = (error: unknown) =>
  error instanceof MutationFailure ? error.message : (getGraphErrors(error)[0]?.message ?? 'The graph doesn’t respond.');

interface StatusProps {
  isLoading?: boolean;
  text?: string | false | undefined;
  error?: unknown;
  retry?: () => unknown;
}

/** Announces `text`, and an error with a button that tries again. */
export const Status = ({ isLoading, text, error, retry }: StatusProps) => (
  <div role="status">
    {isLoading && <Loader role="img" aria-label="Loading" />}
    {text && <p>{text}</p>}
    {error !== undefined && (
      <Alert color="red" my="md">
        <Group justify="space-between">
          {describe(error)}
          <Button variant="default" size="compact-sm" onClick={() => retry?.()}>
            Try again
          </Button>
        </Group>
      </Alert>
    )}
  </div>
);
