import type { ApolloClient } from '@apollo/client';
import { type ActResult, failureOf } from '../failure.ts';
import type { AdvancedTaskUpdateInput, ProblemPartsFragment, WorkOrderPartsFragment } from '../gql/graphql.ts';
import { statusName } from '../statusName.ts';
import { CompleteWorkOrder, FillInTask, ResolveProblem, SetTasks } from './documents.ts';

/** A plain task as a planner wants it: its key is made with it, once. */
export interface TaskChange {
  readonly taskId: string;
  readonly isCompleted: boolean;
  readonly idempotencyKey: string;
}

/** The work order with one of its tasks changed. */
function withTask(workOrder: WorkOrderPartsFragment, { taskId, isCompleted }: TaskChange): WorkOrderPartsFragment {
  if (!workOrder.tasks) return workOrder;
  const edges = workOrder.tasks.edges.map((edge) => (edge.node.id === taskId ? { ...edge, node: { ...edge.node, isCompleted } } : edge));
  return { ...workOrder, tasks: { ...workOrder.tasks, edges } };
}

/** Ticks a task off, or takes it up again: it is shown so at once, and turns back if that fails. */
export async function setTask(client: ApolloClient, workOrder: WorkOrderPartsFragment, change: TaskChange): Promise<ActResult> {
  const { taskId, isCompleted, idempotencyKey } = change;
  const { data, error } = await client.mutate({
    mutation: SetTasks,
    variables: { input: { workOrderId: workOrder.id, tasks: [{ taskId, isCompleted }], idempotencyKey } },
    optimisticResponse: {
      workOrderUpdate: { __typename: 'WorkOrderUpdatePayload', effect: 'DONE', workOrder: withTask(workOrder, change) },
    },
    errorPolicy: 'all',
  });
  if (!data?.workOrderUpdate) return failureOf(error);
  return data.workOrderUpdate.__typename === 'WorkOrderUpdatePayload' ? 'Saved.' : data.workOrderUpdate;
}

/** Completes a work order: it is shown so at once, and is open again if tasks bar it. */
export async function completeWorkOrder(
  client: ApolloClient,
  workOrder: WorkOrderPartsFragment,
  idempotencyKey: string,
): Promise<ActResult> {
  const { data, error } = await client.mutate({
    mutation: CompleteWorkOrder,
    variables: { input: { workOrderId: workOrder.id, idempotencyKey } },
    optimisticResponse: {
      workOrderComplete: { __typename: 'WorkOrderCompletePayload', effect: 'DONE', workOrder: { ...workOrder, status: 'COMPLETED' } },
    },
    errorPolicy: 'all',
  });
  if (!data?.workOrderComplete) return failureOf(error);
  if (data.workOrderComplete.__typename !== 'WorkOrderCompletePayload') return data.workOrderComplete;
  const { effect, workOrder: now } = data.workOrderComplete;
  return effect === 'UNCHANGED' && now ? `It was already ${statusName(now.status)}.` : 'Completed.';
}

/** Fills a form in, and completes it or opens it again where that is asked for. */
export async function fillInTask(client: ApolloClient, input: AdvancedTaskUpdateInput): Promise<ActResult> {
  const { data, error } = await client.mutate({ mutation: FillInTask, variables: { input }, errorPolicy: 'all' });
  if (!data?.advancedTaskUpdate) return failureOf(error);
  return data.advancedTaskUpdate.__typename === 'AdvancedTaskUpdatePayload' ? 'Saved.' : data.advancedTaskUpdate;
}

/** Resolves a problem: it is shown so at once, and is open again if something bars it. */
export async function resolveProblem(client: ApolloClient, problem: ProblemPartsFragment, idempotencyKey: string): Promise<ActResult> {
  const { data, error } = await client.mutate({
    mutation: ResolveProblem,
    variables: { input: { problemId: problem.id, idempotencyKey } },
    optimisticResponse: {
      problemResolve: { __typename: 'ProblemResolvePayload', effect: 'DONE', problem: { ...problem, status: 'RESOLVED' } },
    },
    errorPolicy: 'all',
  });
  if (!data?.problemResolve) return failureOf(error);
  return data.problemResolve.__typename === 'ProblemResolvePayload' ? 'Resolved.' : data.problemResolve;
}
