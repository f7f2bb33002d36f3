import { useApolloClient } from '@apollo/client/react';
import type { ActResult } from '../failure.ts';
import type { ProblemPartsFragment } from '../gql/graphql.ts';
import { Notice } from '../Notice.tsx';
import { statusName } from '../statusName.ts';
import { useAct } from '../useAct.ts';
import { AdvancedTaskForm } from './AdvancedTaskForm.tsx';
import { resolveProblem } from './workActs.ts';

interface ProblemCardProps {
  readonly problem: ProblemPartsFragment;
  readonly lookAgain: () => Promise<ActResult>;
}

/** A problem with the forms that bar it, which can be resolved. */
export function ProblemCard({ problem, lookAgain }: ProblemCardProps) {
  const client = useApolloClient();
  const { state, run, close } = useAct();
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
        <span className={`badge ${status.toLowerCase()}`}>{statusName(status)}</span>
      </header>
      {description && <p>{description}</p>}
      {forms.length > 0 && (
        <details>
          <summary>
            {forms.length === 1 ? '1 form' : `${forms.length} forms`}, {count} open
          </summary>
          {forms.map(({ node }) => (
            <AdvancedTaskForm key={node.id} task={node} isFixed={status !== 'OPEN'} lookAgain={lookAgain} />
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
      <Notice state={state} subject="problem" onLookAgain={isBlocked ? undefined : () => void run(lookAgain)} onClose={close} />
    </article>
  );
}
