import { useApolloClient } from '@apollo/client/react';
import type { MutationResult } from '../failure.ts';
import { formatStatus } from '../formatStatus.ts';
import type { WorkOrderPartsFragment } from '../gql/graphql.ts';
import { Notice } from '../Notice.tsx';
import { createHref } from '../route.ts';
import { type MutationState, useMutationState } from '../useMutationState.ts';
import { AdvancedTaskForm } from './AdvancedTaskForm.tsx';
import { completeWorkOrder, updateTask } from './workMutations.ts';

interface Reloadable {
  /** Reloads everything that the view shows. */
  readonly reload: () => Promise<MutationResult>;
}

type Task = NonNullable<WorkOrderPartsFragment['tasks']>['edges'][number]['node'];

interface TaskItemProps extends Reloadable {
  readonly workOrder: WorkOrderPartsFragment;
  readonly task: Task;
}

const REST: MutationState = { at: 'rest' };

/** A task with a checkbox. Its notice only reports failures, because the checkbox shows the rest. */
function TaskItem({ workOrder, task, reload }: TaskItemProps) {
  const client = useApolloClient();
  const { state, run, close } = useMutationState();
  const isBusy = state.at === 'running' || state.at === 'failed';
  const toggle = () => {
    if (isBusy) return;
    const change = { taskId: task.id, isCompleted: !task.isCompleted, idempotencyKey: crypto.randomUUID() };
    void run(() => updateTask(client, workOrder, change));
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
          aria-busy={state.at === 'running'}
        />
        {task.body}
      </label>
      <Notice state={state.at === 'failed' ? state : REST} subject="work order" onReload={() => void run(reload)} onClose={close} />
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
  const { state, run, close } = useMutationState();
  const { id, title, status, customer, description, location, template } = workOrder;
  const isBlocked = state.at === 'failed' && state.failure.__typename === 'TransitionBlockedError';
  const complete = () => {
    const idempotencyKey = crypto.randomUUID();
    void run(() => completeWorkOrder(client, workOrder, idempotencyKey));
  };
  return (
    <article className="card" aria-labelledby={id}>
      <header>
        <h3 id={id}>{title}</h3>
        <span className={`badge ${status.toLowerCase()}`}>{formatStatus(status)}</span>
      </header>
      <dl className="facts">
        <dt>Customer</dt>
        <dd>
          {customer?.referenceNumber ? <a href={createHref('customer', customer.referenceNumber)}>{customer.title}</a> : customer?.title}
        </dd>
        <dt>Location</dt>
        <dd>{location?.label ?? '—'}</dd>
        <dt>Template</dt>
        <dd>{template?.name ?? '—'}</dd>
      </dl>
      {description && <p>{description}</p>}
      <Tasks workOrder={workOrder} reload={reload} />
      {status === 'OPEN' && state.at !== 'running' && (
        <p className="buttons">
          <button type="button" onClick={complete} disabled={state.at === 'failed'}>
            Complete work order
          </button>
        </p>
      )}
      <Notice state={state} subject="work order" onReload={isBlocked ? undefined : () => void run(reload)} onClose={close} />
    </article>
  );
}
