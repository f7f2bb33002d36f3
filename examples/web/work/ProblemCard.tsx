import { useApolloClient } from '@apollo/client/react';
import type { MutationResult } from '../failure.ts';
import { formatStatus } from '../formatStatus.ts';
import type { ProblemPartsFragment } from '../gql/graphql.ts';
import { Notice } from '../Notice.tsx';
import { useMutationState } from '../useMutationState.ts';
import { AdvancedTaskForm } from './AdvancedTaskForm.tsx';
import { resolveProblem } from './workMutations.ts';

interface ProblemCardProps {
  readonly problem: ProblemPartsFragment;
  readonly reload: () => Promise<MutationResult>;
}

/** A problem with the forms that block it. It can be resolved. */
export function ProblemCard({ problem, reload }: ProblemCardProps) {
  const client = useApolloClient();
  const { state, run, close } = useMutationState();
  const { id, title, status, description, incompleteAdvancedTaskCount: count, advancedTasks } = problem;
  const isBlocked = state.at === 'failed' && state.failure.__typename === 'TransitionBlockedError';
  const resolve = () => {
    const idempotencyKey = crypto.randomUUID();
    void run(() => resolveProblem(client, problem, idempotencyKey));
  };
  const forms = advancedTasks?.edges ?? [];
  return (
    <article className="card" aria-labelledby={id}>
      <header>
        <h4 id={id}>{title}</h4>
        <span className={`badge ${status.toLowerCase()}`}>{formatStatus(status)}</span>
      </header>
      {description && <p>{description}</p>}
      {forms.length > 0 && (
        <details>
          <summary>
            {forms.length === 1 ? '1 form' : `${forms.length} forms`}, {count} open
          </summary>
          {forms.map(({ node }) => (
            <AdvancedTaskForm key={node.id} task={node} isReadOnly={status !== 'OPEN'} reload={reload} />
          ))}
        </details>
      )}
      {status === 'OPEN' && state.at !== 'running' && (
        <p className="buttons">
          <button type="button" onClick={resolve} disabled={state.at === 'failed'}>
            Resolve
          </button>
        </p>
      )}
      <Notice state={state} subject="problem" onReload={isBlocked ? undefined : () => void run(reload)} onClose={close} />
    </article>
  );
}
