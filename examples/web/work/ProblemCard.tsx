import { useApolloClient } from '@apollo/client/react';
import { useIdempotentMutation } from '@workspace-graph/client/react';
import { Badge } from '../CardHead.tsx';
import type { ProblemPartsFragment, ProblemResolveInput } from '../gql/graphql.ts';
import { isActive, Notice } from '../Notice.tsx';
import { AdvancedTaskForm } from './AdvancedTaskForm.tsx';
import { resolveProblem } from './workMutations.ts';

interface ProblemCardProps {
  readonly problem: ProblemPartsFragment;
  readonly reload: () => Promise<boolean>;
}

/** A problem with the forms that block it. It can be resolved. */
export function ProblemCard({ problem, reload }: ProblemCardProps) {
  const client = useApolloClient();
  const resolution = useIdempotentMutation((input: ProblemResolveInput, intent) => resolveProblem(client, problem, input, intent));
  const { id, title, status, description, incompleteAdvancedTaskCount: count, advancedTasks } = problem;
  const forms = advancedTasks?.edges ?? [];
  return (
    <article className="card" aria-labelledby={id}>
      <header>
        <h4 id={id}>{title}</h4>
        <Badge status={status} />
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
      {status === 'OPEN' && resolution.state.status !== 'pending' && (
        <p className="buttons">
          <button type="button" onClick={() => void resolution.run({ problemId: id })} disabled={isActive(resolution)}>
            Resolve
          </button>
        </p>
      )}
      <Notice mutation={resolution} subject="problem" onReload={reload} />
    </article>
  );
}
