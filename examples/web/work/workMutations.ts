import type { ApolloClient } from '@apollo/client';
import { type Intent, unwrap } from '@workspace-graph/client';
import { formatStatus } from '../formatStatus.ts';
import type {
  AdvancedTaskUpdateInput,
  ProblemPartsFragment,
  ProblemResolveInput,
  WorkOrderCompleteInput,
  WorkOrderPartsFragment,
} from '../gql/graphql.ts';
import { mutate } from '../mutate.ts';
import { CompleteWorkOrder, FillInTask, ResolveProblem, SetTasks } from './documents.ts';

/** An intended update of a task. */
export interface TaskChange {
  readonly taskId: string;
  readonly isCompleted: boolean;
}

/** The work order with one of its tasks changed. */
function changeTask(workOrder: WorkOrderPartsFragment, { taskId, isCompleted }: TaskChange): WorkOrderPartsFragment {
  if (!workOrder.tasks) return workOrder;
  const edges = workOrder.tasks.edges.map((edge) => (edge.node.id === taskId ? { ...edge, node: { ...edge.node, isCompleted } } : edge));
  return { ...workOrder, tasks: { ...workOrder.tasks, edges } };
}

/** Completes or reopens a task. It's displayed immediately, and reverted if that fails. Returns a message for the user. */
export async function updateTask(
  client: ApolloClient,
  workOrder: WorkOrderPartsFragment,
  change: TaskChange,
  intent: Intent,
): Promise<string> {
  const { workOrderUpdate } = await mutate(client, {
    mutation: SetTasks,
    variables: { input: { workOrderId: workOrder.id, tasks: [change] } },
    context: { intent },
    optimisticResponse: {
      workOrderUpdate: { __typename: 'WorkOrderUpdatePayload', effect: 'DONE', workOrder: changeTask(workOrder, change) },
    },
  });
  unwrap(workOrderUpdate);
  return 'Saved.';
}

/** Completes a work order. It's displayed immediately, and reverted if incomplete tasks block it. Returns a message for the user. */
export async function completeWorkOrder(
  client: ApolloClient,
  workOrder: WorkOrderPartsFragment,
  input: WorkOrderCompleteInput,
  intent: Intent,
): Promise<string> {
  const { workOrderComplete } = await mutate(client, {
    mutation: CompleteWorkOrder,
    variables: { input },
    context: { intent },
    optimisticResponse: {
      workOrderComplete: { __typename: 'WorkOrderCompletePayload', effect: 'DONE', workOrder: { ...workOrder, status: 'COMPLETED' } },
    },
  });
  const { effect, workOrder: now } = unwrap(workOrderComplete);
  return effect === 'UNCHANGED' && now ? `It was already ${formatStatus(now.status)}.` : 'Completed.';
}

/** Fills in a form, and completes or reopens it if requested. Returns a message for the user. */
export async function fillInTask(client: ApolloClient, input: AdvancedTaskUpdateInput, intent: Intent): Promise<string> {
  const { advancedTaskUpdate } = await mutate(client, { mutation: FillInTask, variables: { input }, context: { intent } });
  unwrap(advancedTaskUpdate);
  return 'Saved.';
}

/** Resolves a problem. It's displayed immediately, and reverted if something blocks it. Returns a message for the user. */
export async function resolveProblem(
  client: ApolloClient,
  problem: ProblemPartsFragment,
  input: ProblemResolveInput,
  intent: Intent,
): Promise<string> {
  const { problemResolve } = await mutate(client, {
    mutation: ResolveProblem,
    variables: { input },
    context: { intent },
    optimisticResponse: {
      problemResolve: { __typename: 'ProblemResolvePayload', effect: 'DONE', problem: { ...problem, status: 'RESOLVED' } },
    },
  });
  unwrap(problemResolve);
  return 'Resolved.';
}
