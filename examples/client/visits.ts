import { randomUUID } from 'node:crypto';
import { unwrap } from '../../client/src/index.ts';
import { type Graph, GraphError, type MutationResponse, mutate, query } from './client.ts';
import { graphql } from './gql/gql.ts';

const FindPortfolio = graphql(`
  query FindPortfolio($referenceNumber: String!) {
    customersByIdentifier(by: { referenceNumber: $referenceNumber }) {
      rawId
      title
      contact {
        id
      }
      workOrderLocations {
        id
        label
      }
    }
  }
`);

const ReportProblem = graphql(`
  mutation ReportProblem($input: ProblemCreateInput!) {
    problemCreate(input: $input) {
      __typename
      ... on ProblemCreatePayload {
        problem {
          id
        }
      }
      ...Failure
    }
  }
`);

const OrderWork = graphql(`
  mutation OrderWork($input: WorkOrderCreateInput!) {
    workOrderCreate(input: $input) {
      __typename
      ... on WorkOrderCreatePayload {
        workOrder {
          id
          tasks(first: 100) {
            nodes {
              id
            }
          }
        }
      }
      ...Failure
    }
  }
`);

const Agendas = graphql(`
  query Agendas {
    agendas {
      id
      name
      strategy
      isBookable
      allowedTypes {
        id
        name
      }
    }
  }
`);

const SlotsOfDay = graphql(`
  query SlotsOfDay($agendaId: ID!, $appointmentTypeId: ID!, $day: Date!) {
    agenda(id: $agendaId) {
      availableSlots(day: $day, appointmentTypeId: $appointmentTypeId) {
        startsAt
      }
    }
  }
`);

const BookVisit = graphql(`
  mutation BookVisit($input: AppointmentCreateInput!) {
    appointmentCreate(input: $input) {
      __typename
      ... on AppointmentCreatePayload {
        appointment {
          id
          startsAt
          member {
            displayName
          }
          resultCodes {
            id
            name
            isSuccess
          }
        }
      }
      ...Failure
    }
  }
`);

const RecordVisit = graphql(`
  mutation RecordVisit($input: AppointmentResultRecordInput!) {
    appointmentResultRecord(input: $input) {
      __typename
      ... on AppointmentResultRecordPayload {
        appointment {
          status
        }
      }
      ...Failure
    }
  }
`);

const CompleteTasks = graphql(`
  mutation CompleteTasks($input: WorkOrderUpdateInput!) {
    workOrderUpdate(input: $input) {
      __typename
      ... on WorkOrderUpdatePayload {
        workOrder {
          id
        }
      }
      ...Failure
    }
  }
`);

const CompleteWork = graphql(`
  mutation CompleteWork($input: WorkOrderCompleteInput!) {
    workOrderComplete(input: $input) {
      __typename
      ... on WorkOrderCompletePayload {
        workOrder {
          status
        }
      }
      ...Failure
    }
  }
`);

const SolveProblem = graphql(`
  mutation SolveProblem($input: ProblemResolveInput!) {
    problemResolve(input: $input) {
      __typename
      ... on ProblemResolvePayload {
        problem {
          status
        }
      }
      ...Failure
    }
  }
`);

/** A key for one mutation. A program that must continue after a crash has to store its keys. */
const createKey = () => ({ idempotencyKey: randomUUID() });

/** Returns a value of a payload that the next step requires. Throws if it couldn't be read. */
function requireValue<Value>(value: Value | null | undefined, { errors }: Pick<MutationResponse<unknown>, 'errors'>): Value {
  if (value === null || value === undefined) throw new GraphError(errors);
  return value;
}

/** The portfolio with a reference number, with its work order locations. Undefined if the key can't access one. */
export async function findPortfolio(graph: Graph, referenceNumber: string) {
  const { customersByIdentifier } = await query(graph, FindPortfolio, { referenceNumber });
  return customersByIdentifier.find(({ contact }) => contact);
}

/** Reports a problem with a portfolio. Returns its ID. */
export async function reportProblem(graph: Graph, portfolioId: string, title: string): Promise<string> {
  const response = await mutate(graph, ReportProblem, { input: { portfolioId, customerId: portfolioId, title, ...createKey() } });
  return requireValue(unwrap(response.data.problemCreate).problem?.id, response);
}

interface Work {
  readonly customerId: string;
  readonly locationId: string;
  readonly title: string;
  readonly tasks: readonly string[];
}

/** Creates a work order. Returns its ID and those of its tasks. */
export async function createWorkOrder(graph: Graph, { tasks, ...work }: Work) {
  const input = { ...work, tasks: tasks.map((body) => ({ body })), ...createKey() };
  const response = await mutate(graph, OrderWork, { input });
  const workOrder = requireValue(unwrap(response.data.workOrderCreate).workOrder, response);
  const ids = requireValue(workOrder.tasks?.nodes, response).map((task) => requireValue(task?.id, response));
  return { id: requireValue(workOrder.id, response), taskIds: ids };
}

const DAY_MS = 86_400_000;
/** Maximum number of days until a visit. */
const DAYS_AHEAD = 14;

/** The first available time from tomorrow, in an agenda that assigns members in rotation. Undefined if there is none within two weeks. */
export async function findFirstSlot(graph: Graph, now: Date) {
  const { agendas } = await query(graph, Agendas, {});
  const agenda = agendas?.find(({ isBookable, strategy, allowedTypes }) => isBookable && strategy === 'ROUND_ROBIN' && allowedTypes?.[0]);
  const type = agenda?.allowedTypes?.[0];
  if (!agenda || !type) return undefined;
  for (let ahead = 1; ahead <= DAYS_AHEAD; ahead += 1) {
    const day = new Date(now.getTime() + ahead * DAY_MS).toISOString().slice(0, 10);
    const { agenda: found } = await query(graph, SlotsOfDay, { agendaId: agenda.id, appointmentTypeId: type.id, day });
    const [slot] = found?.availableSlots ?? [];
    if (slot) return { agendaId: agenda.id, appointmentTypeId: type.id, startsAt: slot.startsAt };
  }
  return undefined;
}

type Slot = NonNullable<Awaited<ReturnType<typeof findFirstSlot>>>;

/** Books a visit for a work order. Returns its ID, start, member, and the result code for success. */
export async function bookVisit(graph: Graph, time: Slot, work: { readonly customerId: string; readonly workOrderId: string }) {
  const response = await mutate(graph, BookVisit, { input: { ...time, ...work, ...createKey() } });
  const appointment = requireValue(unwrap(response.data.appointmentCreate).appointment, response);
  const success = requireValue(appointment.resultCodes, response).find((code) => code?.isSuccess);
  return {
    id: requireValue(appointment.id, response),
    startsAt: requireValue(appointment.startsAt, response),
    memberName: appointment.member?.displayName ?? 'Somebody',
    success: { id: requireValue(success?.id, response), name: requireValue(success?.name, response) },
  };
}

/** Records the result of a visit, which completes it. Returns its status. */
export async function recordVisit(graph: Graph, appointmentId: string, resultCodeId: string) {
  const response = await mutate(graph, RecordVisit, { input: { appointmentId, resultCodeId, ...createKey() } });
  return requireValue(unwrap(response.data.appointmentResultRecord).appointment?.status, response);
}

/** Completes the tasks of a work order, then the work order. Returns its status. */
export async function completeWork(graph: Graph, workOrderId: string, taskIds: readonly string[]) {
  const tasks = taskIds.map((taskId) => ({ taskId, isCompleted: true }));
  unwrap((await mutate(graph, CompleteTasks, { input: { workOrderId, tasks, ...createKey() } })).data.workOrderUpdate);
  const response = await mutate(graph, CompleteWork, { input: { workOrderId, ...createKey() } });
  return requireValue(unwrap(response.data.workOrderComplete).workOrder?.status, response);
}

/** Resolves a problem. Returns its status. */
export async function resolveProblem(graph: Graph, problemId: string) {
  const response = await mutate(graph, SolveProblem, { input: { problemId, ...createKey() } });
  return requireValue(unwrap(response.data.problemResolve).problem?.status, response);
}
