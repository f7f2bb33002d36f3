import type { ApolloClient } from '@apollo/client';
import { type MutationResult, toFailure } from '../failure.ts';
import { formatStatus } from '../formatStatus.ts';
import type { AdvancedTaskUpdateInput, ProblemPartsFragment, WorkOrderPartsFragment } from '../gql/graphql.ts';
import { CompleteWorkOrder, FillInTask, ResolveProblem, SetTasks } from './documents.ts';

/** An intended update of a task. Its key is created with it. */
export interface TaskChange {
  readonly taskId: string;
  readonly isCompleted: boolean;
  readonly idempotencyKey: string;
}

/** The work order with one of its tasks changed. */
function changeTask(workOrder: WorkOrderPartsFragment, { taskId, isCompleted }: TaskChange): WorkOrderPartsFragment {
  if (!workOrder.tasks) return workOrder;
  const edges = workOrder.tasks.edges.map((edge) => (edge.node.id === taskId ? { ...edge, node: { ...edge.node, isCompleted } } : edge));
  return { ...workOrder, tasks: { ...workOrder.tasks, edges } };
}

/** Completes or reopens a task. It's displayed immediately, and reverted if that fails. */
export async function updateTask(client: ApolloClient, workOrder: WorkOrderPartsFragment, change: TaskChange): Promise<MutationResult> {
  const { taskId, isCompleted, idempotencyKey } = change;
  const { data, error } = await client.mutate({
    mutation: SetTasks,
    variables: { input: { workOrderId: workOrder.id, tasks: [{ taskId, isCompleted }], idempotencyKey } },
    optimisticResponse: {
      workOrderUpdate: { __typename: 'WorkOrderUpdatePayload', effect: 'DONE', workOrder: changeTask(workOrder, change) },
    },
    errorPolicy: 'all',
  });
  if (!data?.workOrderUpdate) return toFailure(error);
  return data.workOrderUpdate.__typename === 'WorkOrderUpdatePayload' ? 'Saved.' : data.workOrderUpdate;
}

/** Completes a work order. It's displayed immediately, and reverted if incomplete tasks block it. */
export async function completeWorkOrder(
  client: ApolloClient,
  workOrder: WorkOrderPartsFragment,
  idempotencyKey: string,
): Promise<MutationResult> {
  const { data, error } = await client.mutate({
    mutation: CompleteWorkOrder,
    variables: { input: { workOrderId: workOrder.id, idempotencyKey } },
    optimisticResponse: {
      workOrderComplete: { __typename: 'WorkOrderCompletePayload', effect: 'DONE', workOrder: { ...workOrder, status: 'COMPLETED' } },
    },
    errorPolicy: 'all',
  });
  if (!data?.workOrderComplete) return toFailure(error);
  if (data.workOrderComplete.__typename !== 'WorkOrderCompletePayload') return data.workOrderComplete;
  const { effect, workOrder: now } = data.workOrderComplete;
  return effect === 'UNCHANGED' && now ? `It was already ${formatStatus(now.status)}.` : 'Completed.';
}

/** Fills in a form, and completes or reopens it if requested. */
export async function fillInTask(client: ApolloClient, input: AdvancedTaskUpdateInput): Promise<MutationResult> {
  const { data, error } = await client.mutate({ mutation: FillInTask, variables: { input }, errorPolicy: 'all' });
  if (!data?.advancedTaskUpdate) return toFailure(error);
  return data.advancedTaskUpdate.__typename === 'AdvancedTaskUpdatePayload' ? 'Saved.' : data.advancedTaskUpdate;
}

/** Resolves a problem. It's displayed immediately, and reverted if something blocks it. */
export async function resolveProblem(client: ApolloClient, problem: ProblemPartsFragment, idempotencyKey: string): Promise<MutationResult> {
  const { data, error } = await client.mutate({
    mutation: ResolveProblem,
    variables: { input: { problemId: problem.id, idempotencyKey } },
    optimisticResponse: {
      problemResolve: { __typename: 'ProblemResolvePayload', effect: 'DONE', problem: { ...problem, status: 'RESOLVED' } },
    },
    errorPolicy: 'all',
  });
  if (!data?.problemResolve) return toFailure(error);
  return data.problemResolve.__typename === 'ProblemResolvePayload' ? 'Resolved.' : data.problemResolve;
}
