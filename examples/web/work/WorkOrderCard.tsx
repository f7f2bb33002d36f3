import { useApolloClient } from '@apollo/client/react';
import type { ActResult } from '../failure.ts';
import type { WorkOrderPartsFragment } from '../gql/graphql.ts';
import { Notice } from '../Notice.tsx';
import { hrefOf } from '../route.ts';
import { statusName } from '../statusName.ts';
import { type ActState, useAct } from '../useAct.ts';
import { AdvancedTaskForm } from './AdvancedTaskForm.tsx';
import { completeWorkOrder, setTask } from './workActs.ts';

interface Reading {
  /** Reads all that the view shows anew. */
  readonly lookAgain: () => Promise<ActResult>;
}

type Task = NonNullable<WorkOrderPartsFragment['tasks']>['edges'][number]['node'];

interface TaskItemProps extends Reading {
  readonly workOrder: WorkOrderPartsFragment;
  readonly task: Task;
}

const REST: ActState = { at: 'rest' };

/** A task to tick off. Its notice tells of failures alone: the tick itself tells of the rest. */
function TaskItem({ workOrder, task, lookAgain }: TaskItemProps) {
  const client = useApolloClient();
  const { state, run, close } = useAct();
  const isStopped = state.at === 'running' || state.at === 'failed';
  const toggle = () => {
    if (isStopped) return;
    const change = { taskId: task.id, isCompleted: !task.isCompleted, idempotencyKey: crypto.randomUUID() };
    void run(() => setTask(client, workOrder, change));
  };
  return (
    <li>
      <label>
        {/* Not disabled while it is saved: it would lose the focus. */}
        <input
          type="checkbox"
          checked={task.isCompleted}
          onChange={toggle}
          disabled={workOrder.status !== 'OPEN'}
          aria-disabled={isStopped}
          aria-busy={state.at === 'running'}
        />
        {task.body}
      </label>
      <Notice state={state.at === 'failed' ? state : REST} subject="work order" onLookAgain={() => void run(lookAgain)} onClose={close} />
    </li>
  );
}

function Tasks({ workOrder, lookAgain }: Reading & { readonly workOrder: WorkOrderPartsFragment }) {
  const { tasks, advancedTasks, status } = workOrder;
  return (
    <>
      <section aria-label="Tasks">
        <h4>Tasks</h4>
        {!tasks && <p className="unknown">Couldn’t be loaded</p>}
        {tasks?.edges.length === 0 && <p className="unknown">None</p>}
        <ul className="tasks">
          {tasks?.edges.map(({ node }) => (
            <TaskItem key={node.id} workOrder={workOrder} task={node} lookAgain={lookAgain} />
          ))}
        </ul>
        {tasks?.pageInfo.hasNextPage && <p className="unknown">Only the first 100 tasks are listed.</p>}
      </section>
      {advancedTasks && advancedTasks.edges.length > 0 && (
        <section aria-label="Forms">
          <h4>Forms</h4>
          {advancedTasks.edges.map(({ node }) => (
            <AdvancedTaskForm key={node.id} task={node} isFixed={status !== 'OPEN'} lookAgain={lookAgain} />
          ))}
          {advancedTasks.pageInfo.hasNextPage && <p className="unknown">Only the first 20 forms are listed.</p>}
        </section>
      )}
    </>
  );
}

/** A work order with its tasks, which can be completed. */
export function WorkOrderCard({ workOrder, lookAgain }: Reading & { readonly workOrder: WorkOrderPartsFragment }) {
  const client = useApolloClient();
  const { state, run, close } = useAct();
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
        <span className={`badge ${status.toLowerCase()}`}>{statusName(status)}</span>
      </header>
      <dl className="facts">
        <dt>Customer</dt>
        <dd>{customer?.referenceNumber ? <a href={hrefOf('customer', customer.referenceNumber)}>{customer.title}</a> : customer?.title}</dd>
        <dt>Location</dt>
        <dd>{location?.label ?? '—'}</dd>
        <dt>Template</dt>
        <dd>{template?.name ?? '—'}</dd>
      </dl>
      {description && <p>{description}</p>}
      <Tasks workOrder={workOrder} lookAgain={lookAgain} />
      {status === 'OPEN' && state.at !== 'running' && (
        <p className="buttons">
          <button type="button" onClick={complete} disabled={state.at === 'failed'}>
            Complete work order
          </button>
        </p>
      )}
      <Notice state={state} subject="work order" onLookAgain={isBlocked ? undefined : () => void run(lookAgain)} onClose={close} />
    </article>
  );
}
