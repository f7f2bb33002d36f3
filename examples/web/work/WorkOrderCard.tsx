import { useApolloClient } from '@apollo/client/react';
import { useIdempotentMutation } from '@workspace-graph/client/react';
import { Badge } from '../CardHead.tsx';
import { CustomerLink } from '../CustomerLink.tsx';
import type { WorkOrderCompleteInput, WorkOrderPartsFragment } from '../gql/graphql.ts';
import { type Change, isActive, Notice } from '../Notice.tsx';
import { AdvancedTaskForm } from './AdvancedTaskForm.tsx';
import { completeWorkOrder, type TaskChange, updateTask } from './workMutations.ts';

interface Reloadable {
  /** Reloads everything that the view shows. Resolves to whether that succeeded. */
  readonly reload: () => Promise<boolean>;
}

type Task = NonNullable<WorkOrderPartsFragment['tasks']>['edges'][number]['node'];

interface TaskItemProps extends Reloadable {
  readonly workOrder: WorkOrderPartsFragment;
  readonly task: Task;
}

const IDLE: Change['state'] = { status: 'idle' };

/** A task with a checkbox. Its notice only reports failures, because the checkbox shows the rest. */
function TaskItem({ workOrder, task, reload }: TaskItemProps) {
  const client = useApolloClient();
  const update = useIdempotentMutation((change: TaskChange, intent) => updateTask(client, workOrder, change, intent));
  const { state, reset } = update;
  const isBusy = isActive(update);
  const toggle = () => {
    if (!isBusy) void update.run({ taskId: task.id, isCompleted: !task.isCompleted });
  };
  return (
    <li>
      <label>
        {/* Not disabled while it's saved, because it would lose the focus. */}
        <input
          type="checkbox"
          checked={task.isCompleted}
          onChange={toggle}
          disabled={workOrder.status !== 'OPEN'}
          aria-disabled={isBusy}
          aria-busy={state.status === 'pending'}
        />
        {task.body}
      </label>
      <Notice
        mutation={{ state: isBusy && state.status !== 'pending' ? state : IDLE, reset }}
        subject="work order"
        onReload={reload}
        reloadsBlocked
      />
    </li>
  );
}

function Tasks({ workOrder, reload }: Reloadable & { readonly workOrder: WorkOrderPartsFragment }) {
  const { tasks, advancedTasks, status } = workOrder;
  return (
    <>
      <section aria-label="Tasks">
        <h4>Tasks</h4>
        {!tasks && <p className="unknown">Couldn’t be loaded</p>}
        {tasks?.edges.length === 0 && <p className="unknown">None</p>}
        <ul className="tasks">
          {tasks?.edges.map(({ node }) => (
            <TaskItem key={node.id} workOrder={workOrder} task={node} reload={reload} />
          ))}
        </ul>
        {tasks?.pageInfo.hasNextPage && <p className="unknown">Only the first 100 tasks are listed.</p>}
      </section>
      {advancedTasks && advancedTasks.edges.length > 0 && (
        <section aria-label="Forms">
          <h4>Forms</h4>
          {advancedTasks.edges.map(({ node }) => (
            <AdvancedTaskForm key={node.id} task={node} isReadOnly={status !== 'OPEN'} reload={reload} />
          ))}
          {advancedTasks.pageInfo.hasNextPage && <p className="unknown">Only the first 20 forms are listed.</p>}
        </section>
      )}
    </>
  );
}

/** A work order with its tasks. It can be completed. */
export function WorkOrderCard({ workOrder, reload }: Reloadable & { readonly workOrder: WorkOrderPartsFragment }) {
  const client = useApolloClient();
  const completion = useIdempotentMutation((input: WorkOrderCompleteInput, intent) => completeWorkOrder(client, workOrder, input, intent));
  const { id, title, status, customer, description, location, template } = workOrder;
  return (
    <article className="card" aria-labelledby={id}>
      <header>
        <h3 id={id}>{title}</h3>
        <Badge status={status} />
      </header>
      <dl className="facts">
        <dt>Customer</dt>
        <dd>
          <CustomerLink customer={customer} />
        </dd>
        <dt>Location</dt>
        <dd>{location?.label ?? '—'}</dd>
        <dt>Template</dt>
        <dd>{template?.name ?? '—'}</dd>
      </dl>
      {description && <p>{description}</p>}
      <Tasks workOrder={workOrder} reload={reload} />
      {status === 'OPEN' && completion.state.status !== 'pending' && (
        <p className="buttons">
          <button type="button" onClick={() => void completion.run({ workOrderId: id })} disabled={isActive(completion)}>
            Complete work order
          </button>
        </p>
      )}
      <Notice mutation={completion} subject="work order" onReload={reload} />
    </article>
  );
}
